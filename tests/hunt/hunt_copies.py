#!/usr/bin/env python3
"""A hunt for copies that are computed side by side with other bits than one by one: the random plants of hunt_plants.py as a part, several times, each
copy with values of its own for some of its parameters.

    hunt_copies.py --takt build/release/bin/takt --work DIR [--count N] [--seed S] [--only K ...] [--target linux-x86_64-v3] [--domains fluid,gas]

Each plant runs side by side and with --one-by-one; digest, exit code and everything recorded have to be the same. The exit code is 1 where they are not,
or where nothing was computed side by side."""
import argparse
import collections
import json
import pathlib
import random
import re
import shutil
import sys

import hunt_plants
from hunt_plants import DOMAINS, command, random_plant

SECTIONS = "electric|rotational|translational|solid|fluid|gas|control|parts"
PLAIN = re.compile(r'\b([a-z]\w*) = "([0-9.]+(?:e[-+]?[0-9]+)?)( (?!degC)[^" ]+)?"')
UNVARIED = {"every", "of", "n", "is", "csv", "frequency", "duration"}


def as_copies(text, rng, count):
    """The plant as a part, `count` times; up to six of its numbers times a factor that every copy has for itself."""
    lines, section, factors, records, model = text.splitlines(), "", 0, False, []
    for number, line in enumerate(lines):
        head = re.match(r"\[(\w+)", line)
        section = head[1] if head else section
        records = records or section == "record"
        if re.fullmatch(SECTIONS, section) and not head and factors < 6:
            for found in reversed(list(PLAIN.finditer(line))):
                if found[1] not in UNVARIED and rng.random() < 0.3 and factors < 6:
                    lines[number] = line = f'{line[: found.start(2)]}copy_{factors}*({found[2]}{found[3] or ""}){line[found.end() - 1 :]}'
                    factors += 1
        model.append(lines[number])
    body, tail = "\n".join(model), ""
    cut = re.search(r"(?m)^\[(solve|sync|record)\b", body)
    body, tail = body[: cut.start()], body[cut.start() :]
    body = re.sub(rf"(?m)^\[({SECTIONS})\b", r"[part.one.\1", body)
    first = re.search(r"(?m)^\[part\.one", body).start()
    names = [f"copy_{k}" for k in range(factors)]
    own = "param = { " + ", ".join(f'{name} = "1"' for name in names) + " }\n" if names else ""
    body = body[:first] + "[part.one]\n" + own + body[first:]
    copies = []
    for k in range(count):
        values = "".join(f', {name} = "{rng.uniform(0.9, 1.1):.6f}"' for name in names)
        copies.append(f'c{k} = {{ of = "one", at = []{values} }}')
    tail = re.sub(r'"(\w+)\.(\w+(?:\.\w+)*)"', r'"\1.*.\2"', tail) if records else tail
    return f"{body}\n[parts]\n" + "\n".join(copies) + "\n" + tail


class Case:
    def __init__(self, options, number):
        self.options, self.folder = options, options.work / f"{options.seed}_{number}"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        plant, rng = random_plant(f"{options.seed}/{number}", options.domains)
        self.generator = plant.generator
        solve, _ = plant.hand_typed(rng)
        text = plant.text(solve, "copies") if number % 2 == 0 else plant.text(title="copies")
        (self.folder / "p.toml").write_text(as_copies(text, rng, options.copies), encoding="utf8")

    def run(self, program, name, *more):
        out = self.folder / name
        code, said = command([str(program), "--quiet", "--no-report", "--audit", "off", "--start", "given", "--out", str(out), *more], self.folder)
        summary = out / "summary.json"
        if not summary.exists():
            return code, said.strip()[-200:], b""
        return code, json.loads(summary.read_text())["digest"], (out / "signals.csv").read_bytes()

    def judge(self):
        build = [self.options.takt, "build", "p.toml", "--out", "built", "--error", "off"]
        code, said = command(build + (["--target", self.options.target] if self.options.target else []), self.folder, 300)
        if code != 0:
            refused = sorted(set(re.findall(r"error\[(\w+)\]", said)))
            return f"refused: {' '.join(refused)}" if refused else "BROKEN: " + said.strip()[-300:]
        if not list((self.folder / "built").glob("*_lanes.cpp")):
            return "no lanes"
        program = self.folder / "built" / "bin" / "p"
        side, alone = self.run(program, "side"), self.run(program, "alone", "--one-by-one")
        return f"same bits, exit code {side[0]}" if side == alone else f"DIFFERENT: {side[:2]} side by side, {alone[:2]} one by one"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True, type=lambda path: str(pathlib.Path(path).resolve()))
    parser.add_argument("--work", type=lambda path: pathlib.Path(path).resolve(), required=True)
    parser.add_argument("--count", type=int, default=20)
    parser.add_argument("--copies", type=int, default=7)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--only", type=int, nargs="*")
    parser.add_argument("--target")
    parser.add_argument("--domains", type=lambda text: text.split(","), default=[domain for domain in DOMAINS if domain != "switched"])
    options = parser.parse_args()
    classes = collections.Counter()
    for number in options.only or range(options.count):
        case = Case(options, number)
        verdict = case.judge()
        classes[verdict.split(":")[0]] += 1
        print(f"{options.seed}/{number} {case.generator}: {verdict}", flush=True)
        if not verdict[0].isupper() and not options.only:
            shutil.rmtree(case.folder, ignore_errors=True)
    print(", ".join(f"{count} {name}" for name, count in classes.most_common()))
    compared = sum(count for name, count in classes.items() if name.startswith("same bits"))
    return 1 if compared == 0 or any(name[0].isupper() for name in classes) else 0


if __name__ == "__main__":
    sys.exit(main())
