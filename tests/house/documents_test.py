#!/usr/bin/env python3
"""What the documents name exists: paths, sub-commands and options, entries of `takt explain`, diagnostic codes.

documents_test.py TAKT PLANT ROOT    PLANT: the executable of any plant; 1 where a document names what is not there

Judged is what stands in backticks, in indented blocks and in links of every *.md file:
- a path with a folder, from the root of the tree or from the document's folder; a file name without a folder must be that of
  a file of the tree or be written in a source (files that Takt makes);
- `takt SUB ... --option`: of the help of SUB; of `takt run` also of the plant's. An option alone: of any help, or of a script;
- diagnostic codes, here and in plain text.
Words in capitals are placeholders. The test first judges texts that must be found wrong, and one that must not.
"""
import pathlib
import re
import subprocess
import sys

takt, plant, root = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]).resolve()
TOP = ("codegen", "config", "runtime", "targets", "tests", "tools")
FILE = re.compile(r"^[\w.-]+\.(?:cir|cpp|csv|dbc|hpp|json|md|py|sh|toml|txt)$")
PATH = re.compile(r"^(?:\.\./)*[\w.-]+(?:/[\w.-]+)*/?$")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def tracked_files():
    files = [path for folder in TOP for path in (root / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    return files + [path for path in root.iterdir() if path.is_file()]


class Tree:
    """What there is to be named."""

    def __init__(self):
        files = tracked_files()
        self.documents = sorted(path for path in files if path.suffix == ".md")
        self.names = {path.name for path in files}
        kinds = (".cpp", ".hpp", ".py", ".sh", ".awk", ".txt", ".cmake", "")
        sources = [path for path in files if path.suffix in kinds and path.name != "documents_test.py"]
        self.written = {name for path in sources for name in re.findall(r"[\w.-]+\.\w+", path.read_text(errors="replace"))}
        scripts = [path for path in sources if path.suffix in (".py", ".sh") or path.parent.name == "qemu"]
        self.script_options = {option for path in scripts for option in OPTION.findall(path.read_text(errors="replace"))}
        commands = re.findall(r"^  ([a-z]+) +\S", output(takt, "--help").split("commands:")[1], re.M)
        self.help = {name: set(OPTION.findall(output(takt, name, "--help"))) for name in commands}
        for group in ("can", "fmu", "tap", "import"):  # their options belong to subcommands
            for name in re.findall(r"^  ([a-z]+) ", output(takt, group, "--help").lower().split("subcommands:")[1].split("\nexample")[0], re.M):
                self.help[group] |= set(OPTION.findall(output(takt, group, *(["run"] if group == "tap" else []), name, "--help")))
        self.help["run"] |= set(OPTION.findall(output(plant, "--help")))
        entries = {line.split()[0] for line in output(takt, "explain", "--list").splitlines() if line.strip()}
        self.codes = {entry for entry in entries if re.fullmatch(r"[A-Z]\d{3}", entry)}
        self.entries = entries | {entry.split(".")[-1] for entry in entries} | {"methods", "faults"}


def fragments(text):
    """(line number, text) of what stands in backticks, of indented blocks and of links."""
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        block = re.match(r" {4,}\S", line) and (not before.strip() or re.match(r" {4,}\S", before))
        if block:
            yield number, "block", line.split(" # ")[0].strip()
        else:
            for span in re.findall(r"`([^`]+)`", line):
                yield number, "span", span
            for target in re.findall(r"\]\(([^)#]+)[^)]*\)", line):
                yield number, "link", target
        before = line if line.strip() or not block else before


def is_there(tree, document, word):
    if (root / word).exists() or (document.parent / word).exists():
        return True
    return "/" not in word and (word in tree.names or word in tree.written)


def wrong_paths(tree, document, kind, text):
    if kind == "link":
        return [] if text.startswith("http") or (document.parent / text).exists() else [f"no file {text}"]
    found = []
    for word in text.split():
        word = word.rstrip(",;:)").lstrip("(")
        if not PATH.match(word) or re.search(r"(?:^|[/_.])[A-Z]{2,}", word) and not word.endswith("README.md"):
            continue
        from_top = word.split("/")[0] in TOP and "/" in word
        beside = kind == "span" and FILE.match(word.split("/")[-1])
        if (from_top or beside) and not is_there(tree, document, word):
            found.append(f"no file {word}")
    return found


def wrong_commands(tree, defined, text):
    """`defined`: elements that the document defines as examples."""
    found, options = [], set(OPTION.findall(text))
    for command in re.finditer(r"(?:^|[\s/`])takt +([a-z]+)\b([^;|]*)", text):
        name = command.group(1)
        if name not in tree.help:
            found.append(f"no command takt {name}")
            continue
        of_command = set(OPTION.findall(command.group(2)))
        found += [f"takt {name} has no {option}" for option in sorted(of_command - tree.help[name])]
        options -= of_command
        topic = re.match(r" +([a-z_0-9.]+|[A-Z]\d{3})$", command.group(2)) if name == "explain" else None
        if topic and topic.group(1) not in tree.entries | defined:
            found.append(f"takt explain knows no {topic.group(1)}")
    known = tree.script_options.union(*tree.help.values())
    return found + [f"nothing has an option {option}" for option in sorted(options - known) if "cmake" not in text and "ctest" not in text]


def findings(tree, document, text):
    """(line number, what is wrong)"""
    defined = set(re.findall(r"^ +\[\w+\.(\w+)\]", text, re.M))
    letters = {code[0] for code in tree.codes}
    for number, line in enumerate(text.splitlines(), 1):
        for code in re.findall(r"\b[A-Z]\d{3}\b", line):
            if code[0] in letters and code not in tree.codes:
                yield number, f"no diagnostic {code}"
    for number, kind, fragment in fragments(text):
        for fault in wrong_paths(tree, document, kind, fragment) + ([] if kind == "link" else wrong_commands(tree, defined, fragment)):
            yield number, fault


def self_test(tree):
    """Every kind of stale place is found, and what is right is not."""
    stale = {"the file `codegen/emit/nowhere.cpp`": "nowhere.cpp", "see [this](nowhere.md)": "nowhere.md", "the helper `nowhere.hpp`": "nowhere.hpp",
             "\n    takt run config/plants/nowhere": "config/plants/nowhere", "`takt chek PLANT`": "takt chek", "`takt check PLANT --shw dae`": "--shw",
             "`--nowhere-at-all`": "--nowhere-at-all", "`takt explain resistr`": "resistr", "an error (S999)": "S999"}
    document = root / "README.md"
    missed = [text for text, fault in stale.items() if not any(fault in what for _, what in findings(tree, document, text))]
    right = "`codegen/emit/sources.cpp`, [users](config/README.md), `signals.csv`, `takt run PLANT --pace free`, `takt explain S040`, X020\n"
    return missed + [f"{right}: {what}" for _, what in findings(tree, document, right)]


def main():
    tree = Tree()
    for text in (broken := self_test(tree)):
        print(f"self-test: judged wrongly: {text!r}")
    faults = [f"{document.relative_to(root)}:{number}: {what}" for document in tree.documents
              for number, what in findings(tree, document, document.read_text())]
    print("\n".join(faults) or f"{len(tree.documents)} documents name nothing that is not there")
    return 1 if faults or broken else 0


sys.exit(main())
