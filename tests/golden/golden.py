#!/usr/bin/env python3
"""What the generator writes, as hashes, so that two states of it can be compared line by line.

    golden.py --takt build/release/bin/takt --work DIR --store FILE [--hunt 150] [--jobs 2] [--limit SECONDS] [--digests MACRO_STEPS]
    golden.py --takt OTHER/bin/takt --work DIR --against FILE [...]

Emits, without compiling, every plant of config/ and tests/ (each with every parametrisation and rig that lies beside it), plants of the scale bench,
copies side by side, and random plants of the hunt; each as plant, as FMU of co-simulation and as FMU of model exchange. --store writes a hash for each
emitted file, --against tells which differ, with a diff of the first of them; the texts stay in DIR. With --digests every plant is also built and run over
so many macro-steps, and the digest of its final state is kept and compared. Ends with how often each pass of the emitter fired: fewer than five inputs of
a pass say that the set does not cover it. See README.md. Exit: 0; 1 something differs, or a pass is not covered."""
import argparse
import collections
import concurrent.futures
import difflib
import hashlib
import json
import pathlib
import random
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/hunt"), str(ROOT / "tools/bench")]
FORMS = ("sources", "fmu-cs", "fmu-me")
SCALE = {"ladder": [3000], "mesh": [900], "walls": [3000], "drives": [400], "cells": [2, 12], "series": [2000], "rungs": [2000], "tree": [2000], "grid": [2000], "chords": [2000],
         "pipes": [2000], "vehicles": [2, 4], "fleet": [3, 8]}
# What shows that a pass has done something.
PASSES = {
    "rolled loops": r"for \(std::uint32_t n = 0; n < ",
    "pairs": r"takt::TwoDoubles",
    "lanes": r"(?m)^// ---- \w+_lanes\.cpp$",
    "shared code": r"(?m)^  alignas\(64\) (\w+) \w+\{\};.*\n(?:.*\n)*?  alignas\(64\) \1 ",
    "pieces": r"// Pieces of functions too large for one\.",
    "batches of calls": r"takt::math::\w+_each\(",
    "whole steps": r"\bwhole_steps\(",
    "Newton blocks": r"for \(int iteration = 0; ",
    "heat of joinings": r"takt::joins_beside\(",
    "codecs of a bus": r"(?m)^// ---- rig\w*\.cpp$",
}


class Input:
    """One plant with what is beside it: a line of the store for each form."""

    def __init__(self, name, plant, *arguments):
        self.name, self.plant, self.arguments = name, plant, arguments


def own_plants():
    for plant in sorted([*(ROOT / "config").rglob("plant.toml"), *(ROOT / "tests").rglob("plant.toml"), *(ROOT / "tests/hunt/found").glob("*.toml"),
                         *(ROOT / "tests/end_to_end/trust").glob("*.toml")]):
        name = str(plant.relative_to(ROOT))
        yield Input(name, plant)
        for solve in sorted((plant.parent / "parametrisations").glob("*.toml")):
            yield Input(f"{name} by {solve.stem}", plant, "--solve", str(solve))
        for rig in sorted(plant.parent.glob("rig*.toml")):
            yield Input(f"{name} with {rig.name}", plant, "--rig", str(rig))
    yield Input("ev with ev.toml", ROOT / "config/plants/ev/plant.toml", "--rig", str(ROOT / "config/rigs/ev.toml"))


def joined_capacitors(number):
    """Pairs of capacitors joined by one switch or two in a row, which warm bodies; some share a capacitor with the pair before, have another one beside them or are cold."""
    rng = random.Random(f"joined/{number}")
    electric, solid = [], []
    capacitor = 'c{0} = {{ is = "capacitor", at = ["n{0}","gnd"], c = "{1} uF", start = {{ v = "{2} V" }} }}'
    for pair in range(1 + number):
        at = [f"{pair}a" if pair == 0 or rng.random() < 0.5 else f"{pair - 1}b", f"{pair}b"]
        electric += [capacitor.format(node, rng.randint(1, 9), rng.randint(0, 20)) for node in at if f"c{node} " not in "\n".join(electric)]
        nodes = [f"n{at[0]}", *([f"m{pair}"] if rng.random() < 0.3 else []), f"n{at[1]}"]
        solid.append(f'body{pair} = {{ is = "wall", m = "1 g", cp = "1 J/kg/K", start = {{ t = "300 K" }} }}')
        for k, ends in enumerate(zip(nodes, nodes[1:])):
            heat = "" if pair and rng.random() < 0.2 else f', heat = "solid.body{rng.randint(0, pair)}"'
            electric.append(f'w{pair}_{k} = {{ is = "switch", at = ["{ends[0]}","{ends[1]}"], gate = "time >= {rng.choice([0, 1, 1.5])} ms", r_on = "{rng.randint(1, 50)} uOhm", '
                            f'r_off = "1 GOhm"{heat} }}')
        if rng.random() < 0.3:
            electric += [capacitor.format(f"x{pair}", 3, 2), f'rx{pair} = {{ is = "resistor", at = ["nx{pair}","{nodes[-1]}"], r = "1 mOhm" }}']
        electric.append(f'tie{pair} = {{ is = "resistor", at = ["{nodes[-1]}","gnd"], r = "1 GOhm" }}')
    return "\n".join(['[plant]', 'title = "joined capacitors"', 'duration = "4 ms"', '[electric]', *electric, '[solid]', *solid, '[solve]', 'electric = { step = "10 us" }', '[sync]',
                      'p = { members = ["electric", "solid"], every = "100 us" }', ""])


def made_plants(work, hunted):
    import hunt_plants
    import scale
    texts = {f"scale {kind} {count}": scale.KINDS[kind](count) for kind, counts in SCALE.items() for count in counts}
    texts |= {f"joined {number}": joined_capacitors(number) for number in range(6)}
    for number in range(hunted):
        plant, rng = hunt_plants.random_plant(f"golden/{number}", list(hunt_plants.DOMAINS))
        solve, _ = plant.hand_typed(rng)
        texts[f"hunt {number}"] = plant.text(title=f"golden {number}")
        if number % 2 == 0:
            texts[f"hunt {number} by hand"] = plant.text(solve, f"golden {number} by hand")
    for name, text in texts.items():
        file = work / "plants" / name.replace(" ", "_") / "plant.toml"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf8")
        yield Input(name, file)


def emitted(options, given, form):
    """-> text of all files, or what was said where there are none; paths of this tree and the hash of all inputs left out"""
    try:
        done = subprocess.run([options.takt, "check", str(given.plant), *given.arguments, "--show", form], capture_output=True, text=True, errors="replace",
                              timeout=options.limit)
    except subprocess.TimeoutExpired:
        return f"not within {options.limit} s\n"
    if done.returncode < 0:
        return f"ended by signal {-done.returncode}\n"
    if done.returncode == 0:
        return done.stdout.replace(str(ROOT), "ROOT")
    reasons = sorted(set(re.findall(r"error\[\w+\]|cannot be exported: .*", done.stderr)))
    if not reasons:  # of the plant: of takt itself every input would be refused, and no form differ
        sys.exit(f"{given.name}: {options.takt} ended with {done.returncode}: {done.stderr.strip()[:300]}")
    return ("refused: " + " ".join(reasons) + "\n").replace(str(ROOT), "ROOT")


def tokens_of(text):
    """-> the text without comments, and with one line for each token"""
    spans = re.finditer(r'"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|\w+|[^\w\s]', text, re.DOTALL)
    return "".join(span[0] + "\n" for span in spans if not span[0].startswith(("//", "/*")))


def files_of(options, text):
    """-> {name: hash}"""
    parts = re.split(r"(?m)^// ---- (.*)$", text)
    files = dict(zip(parts[1::2], parts[2::2])) or {"-": text}
    if options.tokens:
        files = {name: tokens_of(body) for name, body in files.items()}
    return {name: hashlib.sha256(body.encode()).hexdigest()[:16] for name, body in files.items()}


def digest_of(options, given):
    macro_step = json.loads(subprocess.run([options.takt, "check", str(given.plant), *given.arguments, "--json"], capture_output=True, text=True).stdout or "{}").get("macro_step_s")
    if not macro_step:
        return "refused"
    span = f"{round(macro_step * options.digests * 1e9)}ns"
    done = subprocess.run([options.takt, "run", str(given.plant), *given.arguments, "--error", "off", "--for", span, "--pace", "free", "--no-results", "--audit", "off", "--json"],
                          capture_output=True, text=True, cwd=options.work)
    found = re.search(r'"digest": "(\w+)"', done.stdout)
    return found[1] if found else f"exit {done.returncode}"


def state_of(options, given):
    """-> (name, {form: {file: hash}}, passes that fired)"""
    forms, fired = {}, set()
    for form in FORMS:
        text = emitted(options, given, form)
        (options.work / "texts" / (re.sub(r"\W", "_", given.name) + "." + form)).write_text(text, encoding="utf8")
        forms[form] = files_of(options, text)
        fired |= {name for name, sign in PASSES.items() if re.search(sign, text)}
    if options.digests:
        forms["digest"] = {"-": digest_of(options, given)}
    return given.name, forms, fired


def different(now, stored):
    for name in sorted({*now, *stored}):
        for form in sorted({*now.get(name, {}), *stored.get(name, {})}):
            ours, theirs = now.get(name, {}).get(form, {}), stored.get(name, {}).get(form, {})
            changed = sorted(file for file in {*ours, *theirs} if ours.get(file) != theirs.get(file))
            if changed:
                yield name, form, changed


def show_first(options, stored_texts, name, form):
    file = re.sub(r"\W", "_", name) + "." + form
    texts = [(folder / file).read_text(encoding="utf8").splitlines() for folder in (stored_texts, options.work / "texts") if (folder / file).exists()]
    if len(texts) == 2:
        print(*list(difflib.unified_diff(*texts, "stored", "now", lineterm="", n=1))[:40], sep="\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--takt", required=True, type=lambda text: str(pathlib.Path(text).resolve()))
    parser.add_argument("--work", required=True, type=lambda text: pathlib.Path(text).resolve())
    parser.add_argument("--store", type=pathlib.Path)
    parser.add_argument("--against", type=pathlib.Path)
    parser.add_argument("--hunt", type=int, default=150)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--digests", type=int, default=0, metavar="MACRO_STEPS")
    parser.add_argument("--limit", type=float, metavar="SECONDS", help="of each emission: what takes longer counts as a form of its own")
    parser.add_argument("--tokens", action="store_true", help="hashes of the tokens: how lines are broken, and comments, do not count")
    parser.add_argument("--only", help="inputs whose name has this text; passes are not counted then")
    options = parser.parse_args()
    (options.work / "texts").mkdir(parents=True, exist_ok=True)
    inputs = [given for given in [*own_plants(), *made_plants(options.work, options.hunt)] if not options.only or options.only in given.name]
    random.Random(0).shuffle(inputs)
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        states = sorted(pool.map(lambda given: state_of(options, given), inputs), key=lambda state: state[0])
    now = {name: forms for name, forms, _ in states}
    counts = collections.Counter(name for _, _, fired in states for name in fired)
    refused = sum(list(forms[form]) == ["-"] for forms in now.values() for form in FORMS)
    print(f"{len(now)} inputs, {sum(len(forms[form]) for forms in now.values() for form in FORMS)} files; {refused} forms refused or without files")
    print("inputs by pass: " + ", ".join(f"{name} {counts[name]}" for name in PASSES))
    bad = not options.only and any(counts[name] < 5 for name in PASSES)
    if options.store:
        options.store.write_text(json.dumps({"texts": str(options.work / "texts"), "inputs": now}, indent=0))
    if options.against:
        stored = json.loads(options.against.read_text())
        known = {name: forms for name, forms in stored["inputs"].items() if not options.only or name in now}
        apart = list(different(now, known))
        for name, form, changed in apart:
            print(f"differs: {name}, {form}: {', '.join(changed[:6])}{' ...' if len(changed) > 6 else ''}")
        if apart:
            show_first(options, pathlib.Path(stored["texts"]), *apart[0][:2])
        print(f"{len(apart)} of {len(FORMS) * len(now)} forms differ")
        bad = bad or bool(apart)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
