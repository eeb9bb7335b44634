#!/usr/bin/env python3
"""How good are the tests? Changes one line of codegen/ or runtime/ at a time (an operator, a constant, a statement left out), builds, runs the tests
until one fails, and says which: a mutant that no test fails for is listed as a survivor. Drawn by a seed, so that two states of the tests are judged
by the same mutants.

    source_mutants.py --work FOLDER [--count 100] [--seed 46] [--first 0] [--preset release] [--table FILE]

FOLDER gets a worktree of the commit that is checked out, with a build of its own. A mutant that does not compile, or whose object is the same, is not
counted; the next one is drawn. A line of the table: number, state (killed, survived), file:line, kind, before, after, test that failed first, seconds.
Lines are added to a table that is there, so that --first can go on. Units run before all else: they answer soonest. Tests of the house do not run: they
look at the text of sources, and a changed line may be one that is not formatted. --preset quick runs units and five plants only. Ends with 0; what was
found is in the table."""
import argparse
import csv
import pathlib
import random
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWAPS = {"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", ">": ">=", "<=": "<", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+=": "-=", "-=": "+="}
OPERATOR = re.compile(r"(?<= )(\+=|-=|<=|>=|==|!=|&&|\|\||[-+*/<>])(?= )")
CONSTANT = re.compile(r"(?<![\w.\"'])(\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?![\w.\"'])")
STATEMENT = re.compile(r"^\s+(?!return|throw|break|continue|case|default|using|static|const|auto|delete|goto|co_)[\w.>:\[\]()*-]+\s*(\(.*\)|[-+*/|&]?= .*|\+\+);\s*$")
IGNORED = re.compile(r"^\s*(//|/\*|\*|#|static_assert|template|using|namespace|case )")


def changes_of(line):
    """-> [(kind, the changed line)] of one line of C++; operators and constants of texts and comments are left alone"""
    if IGNORED.match(line) or '"' in line or "'" in line:
        return []
    code = line.partition("//")[0]
    found = []
    for match in OPERATOR.finditer(code):
        if match[1] in "<>" and ("template" in code or "operator" in code):
            continue
        found.append(("operator", code[:match.start()] + SWAPS[match[1]] + code[match.end():]))
    for match in CONSTANT.finditer(code):
        value = match[1]
        other = {"0": "1", "1": "2", "0.0": "1.0", "1.0": "1.01"}.get(value) or (str(int(value) + 1) if value.isdigit() else repr(float(value) * 1.01))
        found.append(("constant", code[:match.start()] + other + code[match.end():]))
    if STATEMENT.match(code):
        found.append(("dropped", code[: len(code) - len(code.lstrip())] + ";"))
    return found


def drawn(tree, seed):
    """Endless: (file, number of the line, kind, before, after); each kind as often as it is drawn, each line of the sources as likely as any other."""
    chance = random.Random(seed)
    files = sorted(file for room in ("codegen", "runtime") for file in (tree / room).rglob("*.cpp"))
    lines = [(file, number, line) for file in files for number, line in enumerate(file.read_text().splitlines()) if changes_of(line)]
    chance.shuffle(lines)
    for file, number, line in lines:
        kinds = changes_of(line)
        kind = chance.choice(sorted({kind for kind, _ in kinds}))
        yield file, number, kind, line, chance.choice([after for one, after in kinds if one == kind])


class Tree:
    def __init__(self, folder, preset):
        self.folder, self.preset = folder, preset
        self.build = folder / "build/release"

    def make(self):
        if not self.folder.exists():
            subprocess.run(["git", "-C", ROOT, "worktree", "add", "--detach", "--force", self.folder, "HEAD"], check=True, stdout=subprocess.DEVNULL)
        subprocess.run(["git", "-C", self.folder, "checkout", "--quiet", "--", "."], check=True)
        (self.folder / "build").mkdir(exist_ok=True)
        for shared in ("venv", "fmi", "epanet", "modelica"):
            link = self.folder / "build" / shared
            if not link.exists() and (ROOT / "build" / shared).exists():
                link.symlink_to(ROOT / "build" / shared)
        done = subprocess.run(["cmake", "--preset", "release"], cwd=self.folder, capture_output=True, text=True)
        if done.returncode != 0 or not self.built():
            sys.exit("source_mutants: the unchanged tree does not build\n" + done.stderr)

    def built(self):
        return subprocess.run(["cmake", "--build", self.build], capture_output=True).returncode == 0

    def archives(self):
        return {file: file.read_bytes() for file in self.build.rglob("lib*.a")}

    def first_failure(self):
        """-> name of the first test that failed, twice, since machines are busy; None: all passed"""
        house = re.findall(r"NAME (\w+)", (self.folder / "tests/house/CMakeLists.txt").read_text())
        unit = r"_test$"
        return self.failed_of(["-R", unit]) or self.failed_of(["-E", rf"{unit}|^({'|'.join(house)})$"])

    def failed_of(self, chosen):
        done = subprocess.run(["ctest", "--preset", self.preset, "-j2", "--stop-on-failure", "--repeat", "until-pass:2", "--timeout", "300", *chosen], cwd=self.folder, capture_output=True, text=True)
        if done.returncode == 0:
            return None
        failed = re.findall(r"^\s*\d+/\d+ Test\s+#\d+: (\S+) .*\*\*\*", done.stdout, re.M)
        failed = [name for name in failed if not re.search(rf"Test\s+#\d+: {re.escape(name)} .*\*\*\*Skipped", done.stdout)]
        return failed[-1] if failed else "ctest"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=46)
    parser.add_argument("--first", type=int, default=0, help="mutants counted before this one are drawn, but not run")
    parser.add_argument("--preset", default="release", choices=["release", "quick"])
    parser.add_argument("--table", type=pathlib.Path)
    options = parser.parse_args()
    tree = Tree(options.work.resolve(), options.preset)
    tree.make()
    if (failed := tree.first_failure()) is not None:
        sys.exit(f"source_mutants: the unchanged tree fails {failed}")
    rows = list(csv.reader(options.table.open(newline="")))[1:] if options.table and options.table.exists() else []
    number = 0
    for file, at, kind, before, after in drawn(tree.folder, options.seed):
        if number == options.count:
            break
        text, archives, begun = file.read_text(), tree.archives(), time.monotonic()
        lines = text.splitlines(keepends=True)
        lines[at] = after + "\n"
        file.write_text("".join(lines))
        counts = tree.built() and tree.archives() != archives
        if counts:
            number += 1
            if number > options.first:
                killer = tree.first_failure()
                rows.append([number, "killed" if killer else "survived", f"{file.relative_to(tree.folder)}:{at + 1}", kind, before.strip(), after.strip(), killer or "", round(time.monotonic() - begun)])
                print(*rows[-1], sep=" | ", flush=True)
        file.write_text(text)
        if counts and options.table:
            with open(options.table, "w", newline="") as out:
                csv.writer(out).writerows([["number", "state", "place", "kind", "before", "after", "killed by", "seconds"], *rows])
    tree.built()
    killed = sum(row[1] == "killed" for row in rows)  # of those of runs before, too
    print(f"{killed} of {len(rows)} mutants killed by the tests of preset {options.preset}, seed {options.seed}")


if __name__ == "__main__":
    main()
