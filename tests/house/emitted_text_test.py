#!/usr/bin/env python3
"""What is emitted is not read again: whoever needs to know what stands in a line of C++ asks what it was printed from. So two things are rare, and each place
has its line with a reason in emitted_text.txt:

- a function of the folders that emit looks into a string (starts_with, substr, rfind, replace, a literal that is found, lines of a stream);
- somebody takes the bytes of a finished source (SourceText::bytes()): to hash or write them.

emitted_text_test.py ROOT    1 where a place is not in the table, a row of the table has no place, or a planted one is not found"""
import pathlib
import re
import sys

EMITTING = ("codegen/source/*", "codegen/code/*", "codegen/emit/*", "codegen/flat_source/*", "codegen/fmu_export/*", "codegen/rig/emit_*", "codegen/rig/rig_hosts*", "codegen/dbc/emit_*")
KEEPING = ("codegen", "tools")
LITERAL_OR_COMMENT = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*')
LOOKS = re.compile(r"(?:\.|->)(?:find_(?:first|last)(?:_not)?_of\(|rfind\(|substr\(|starts_with\(|ends_with\(|remove_[ps]\w+\(|replace\(|find\([\"']|find_if\(|"
                   r"erase\(\d|insert\([^,;]*size\(\))|\b(?:getline|istringstream|regex\w*)\b[ (]+")
BYTES = re.compile(r"(?:\.|->)bytes\(\)")


def receiver(text, at):
    """The name in front of a dot: `path` of path.find, `name_of` of values.name_of(v).find, `text` of sources[0].text.bytes()"""
    depth = 0
    while at > 0 and (depth > 0 or text[at - 1] in ")]"):
        at -= 1
        depth += (text[at] in ")]") - (text[at] in "([")
    return re.search(r"\w*$", text[:at])[0] or "-"


def places(text, pattern):
    """-> (line, name of what is looked into)"""
    text = LITERAL_OR_COMMENT.sub(lambda found: '""' if found[0][0] == '"' else "", text)
    for found in pattern.finditer(text):
        name = receiver(text, found.start()) if found[0][0] in ".-" else "stream"
        yield text.count("\n", 0, found.start()) + 1, name


def of_tree(root):
    """-> {(file without its ending, name): FILE:LINE}"""
    found = {}
    files = {path: (LOOKS,) for glob in EMITTING for path in root.glob(glob + ".[ch]pp")}
    for folder in KEEPING:
        for path in (root / folder).rglob("*.[ch]pp"):
            files[path] = (*files.get(path, ()), BYTES)
    for path, patterns in sorted(files.items()):
        if "bytes() const" in path.read_text():
            continue  # where it is declared
        for pattern in patterns:
            for line, name in places(path.read_text(errors="replace"), pattern):
                file = path.relative_to(root)
                found.setdefault((file.with_suffix("").as_posix(), name + ".bytes" if pattern is BYTES else name), f"{file.as_posix()}:{line}")
    return found


def table(path):
    """-> {(file, name)}; each line FILE NAME REASON; NAME * is all of a file"""
    return {tuple(line.split(None, 2)[:2]) for line in path.read_text().splitlines() if line.strip() and not line.startswith("#")}


def findings(found, known):
    said = [f"{place}: looks into '{name}': is it emitted text? Ask what it is printed from; else a line in tests/house/emitted_text.txt"
            for (file, name), place in sorted(found.items()) if (file, name) not in known and (file, "*") not in known]
    return said + [f"{file} {name}: in tests/house/emitted_text.txt, but there is none" for file, name in sorted(known)
                   if (file, name) not in found and not (name == "*" and any(each[0] == file for each in found))]


def fires():
    planted = """
if (values.name_of(each[k]).starts_with("takt::")) return;  // line.substr(1)
source.text.insert(source.text.size() - 1, hash);
text.erase(0, 1); while (std::getline(lines, line)) places.find(symbol);
out << "// " << sources[k].text.bytes();
"""
    return [name for _, name in places(planted, LOOKS)] == ["name_of", "text", "text", "stream"] and [name for _, name in places(planted, BYTES)] == ["text"]


def main():
    root = pathlib.Path(sys.argv[1])
    known = table(root / "tests/house/emitted_text.txt")
    said = findings(of_tree(root), known)
    if not fires():
        said.append("a planted place was not found, or what is none was")
    print("\n".join(said) or f"{len(known)} rows, each with its reason")
    return 1 if said else 0


sys.exit(main())
