#!/usr/bin/env python3
"""Chapters of the manual, config/manual/NAME.md: the commands of their blocks are run, in order, and end as the text says.

    lessons_test.py NAME... --takt build/release/bin/takt --work DIR [--long]

A block of commands is indented. `# ends with N` behind one is its exit code (`# ends with N or M`), else it is 0. The block after a paragraph
that ends with `prints ...:` holds lines that the commands before it print; `...` stands for anything. Another block that begins with `[` is
part of a file of the lesson. Commands are run beside a copy of config, and /tmp is DIR. Not run: what is in LEFT_OUT, and without --long what
is marked `# long`. Ends with 0 or 1, with 77 where what a lesson needs is not installed."""
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading

ROOT = pathlib.Path(__file__).resolve().parents[2]
COMMAND = re.compile(r"(?:takt|cp|sed|cat|sleep|kill|wait|until|cmp|cd) ")
LEFT_OUT = ("ssh://",  # no board here
            "takt tap runs/", "config/rigs/ev.toml --pace real",  # a run that somebody watches; an ECU
            "lab.ssp", "pump.flat.json", "FILE", "PLANT",  # files of the reader
             "takt view",  # serves until it is stopped
            "--paper")  # tests/end_to_end/papers_plants_test.py
NEEDS = {"modelica_model": (ROOT / "build/modelica/bin/python", "tools/install_packages.sh modelica")}
MARK = "--- ended with"
LONGEST = 1800  # seconds of a command: one that waits for somebody fails by name


def blocks(text):
    """(what stands before, lines) of the indented blocks."""
    paragraph = ""
    for part in re.split(r"\n\s*\n", text):
        lines = part.splitlines()
        if lines and all(line.startswith("    ") for line in lines):
            yield paragraph, [line[4:] for line in lines]
        else:
            paragraph = " ".join(lines)


def expected_codes(line):
    told = re.search(r"# .*\bends with (\d+)(?: or (\d+))?", line)
    return {int(code) for code in told.groups() if code} if told else {0}


def commands(lines, in_full):
    """The commands of a block that are run; a line that ends with a backslash goes on."""
    whole = "\n".join(lines).replace("\\\n", " ").splitlines()
    return [line for line in whole if COMMAND.match(line) and not any(word in line for word in LEFT_OUT) and (in_full or "# long" not in line)]


class Shell:
    """One shell for a lesson, so that PATH, variables and jobs last."""

    def __init__(self, work, takt):
        environment = {**os.environ, "PATH": f"{takt.parent}:{os.environ['PATH']}"}
        self.work = work
        self.bash = subprocess.Popen(["bash"], cwd=work, env=environment, text=True, bufsize=1,
                                     stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)

    def run(self, line):
        """-> exit code, what it said"""
        command = line.replace("/tmp/", f"{self.work}/")
        self.bash.stdin.write(f"{command}\ncode=$?; echo; echo '{MARK}' $code\n")
        said = []
        watch = threading.Timer(LONGEST, os.killpg, (self.bash.pid, signal.SIGKILL))
        watch.start()
        try:
            for answer in self.bash.stdout:
                if answer.startswith(MARK):
                    return int(answer.split()[-1]), "".join(said).replace(f"{self.work}/", "/tmp/")
                said.append(answer)
            sys.exit(f"{line}\n" + "".join(said) + f"\nthe shell has ended, or was stopped after {LONGEST} s")
        finally:
            watch.cancel()

    def close(self):
        self.bash.stdin.close()
        self.bash.wait(timeout=60)


def is_printed(line, said):
    return re.search(".*".join(re.escape(part.strip()) for part in line.strip().split("...")), said) is not None


def stands_in(name, lines):
    """Is this part of a file of the lesson? Chapters without a folder show parts of no file."""
    files = list((ROOT / "config/manual" / name).rglob("*.toml"))
    return not files or any("\n".join(lines) in path.read_text() for path in files)


def lesson(name, shell, in_full):
    """-> what is not as the text says; how many commands were run"""
    wrong, said, count = [], "", 0
    for before, lines in blocks((ROOT / "config/manual" / f"{name}.md").read_text()):
        if any(COMMAND.match(line) for line in lines):
            said = ""
            for line in commands(lines, in_full):
                code, answer = shell.run(line)
                said, count = said + answer, count + 1
                if code not in expected_codes(line):
                    wrong.append(f"{name}.md: ends with {code}: {line}\n{answer}")
        elif re.search(r"\bprints?\b[^.]*:$", before):
            wrong += [f"{name}.md: not printed: {line}\n{said}" for line in lines if not is_printed(line, said)]
        elif lines[0].startswith("[") and not stands_in(name, lines):
            wrong.append(f"{name}.md: no file of the lesson has this: {lines[0]} ...")
    return wrong, count


def main():
    words = sys.argv[1:]
    takt, work = (pathlib.Path(words[words.index(option) + 1]).resolve() for option in ("--takt", "--work"))
    names = [word for word in words[:words.index("--takt")] if word != "--long"]
    shutil.rmtree(work, ignore_errors=True)
    shutil.copytree(ROOT / "config", work / "config", ignore=shutil.ignore_patterns(".takt", "__pycache__"))
    failed = False
    for name in names:
        if name in NEEDS and not NEEDS[name][0].exists():
            print(f"skipped: {name} needs {NEEDS[name][1]}")
            return 77
        shell = Shell(work, takt)
        wrong, count = lesson(name, shell, "--long" in words)
        shell.close()
        print("\n".join(wrong) or f"{name}: {count} commands end as they should")
        failed |= bool(wrong) or count < 3
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
