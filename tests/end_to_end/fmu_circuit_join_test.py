#!/usr/bin/env python3
"""Circuits joined with FMUs: a part of a plant, exported for model exchange, and an FMU from elsewhere hold a storage each at the node that they
share. Beside both in one circuit, by takt reference. Needs build/venv and FMI headers."""
import json
import subprocess
import sys

from built_plants import takt_and_work
from compiled_fmus import signals
from joined_circuits import DOMAINS, in_the_units_of, whole_plant
from joined_fmus import compile_storage

takt, work = takt_and_work()
failures = 0


def expect(what, holds, seen=""):
    global failures
    failures += not holds
    print("ok  " if holds else "FAIL", what, seen if not holds else "")


def joined_plant(name, domain, way, kind="me", step="5 ms", version=3, sign="+"):
    across, through = DOMAINS[domain]["words"]
    folder = work / name
    folder.mkdir()
    compile_storage(folder, in_the_units_of(domain))
    done = subprocess.run([takt, "fmu", "export", work / f"whole_{domain}", "--part", "half", "--kind", kind, "--fmi", str(version), "--out", folder / "half.fmu",
                           "--build-dir", work / f"built_{domain}_{kind}{version}"], capture_output=True, text=True)
    expect(f"{name}: the part is exported", done.returncode == 0, done.stdout + done.stderr)
    method = ', method = "rk4"' if kind == "me" else ""
    (folder / "plant.toml").write_text(f"""[plant]
duration = "2 s"
[fmu]
first = {{ file = "storage.fmu", kind = "{kind}", step = "{step}"{method}, inputs = {{ F = "{DOMAINS[domain]["drive"]}" }}, outputs = {{ v = "v" }}, parameters = {{ m = "2 {DOMAINS[domain]["units"].get("kg", "kg")}", d = "0.2" }} }}
half  = {{ file = "half.fmu", kind = "{kind}", step = "{step}"{method}, outputs = {{ v = "outside.{domain}.mid.{across}", tail = "{domain}.half.tail.{across}" }} }}
[join]
node = {{ a = {{ fmu = "first", across = "v", through = "Fc" }}, b = {{ fmu = "half", across = "outside.{domain}.mid.{across}", through = "outside.{domain}.mid.{through}", sign = "{sign}" }}{way} }}
[sync]
plant = {{ members = ["join.node"], every = "10 ms" }}
[record]
"10 ms" = ["fmu.*", "join.*"]
""")
    return folder


def run(folder, *arguments, out="run"):
    done = subprocess.run([takt, "run", folder, "--build-dir", work / f"{folder.name}_built", "--out", folder / out, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


exact = {}
for domain in DOMAINS:
    folder = whole_plant(work, domain)
    done = subprocess.run([takt, "reference", folder, "--rtol", "1e-11", "--out", folder / "tight"], capture_output=True, text=True)
    expect(f"{domain}: takt reference of the whole", done.returncode == 0, done.stdout + done.stderr)
    exact[domain] = signals(folder / "tight")

INDEX, LOOP, IMPLICIT, SPRING = "", ', way = "loop"', ', way = "implicit"', ', way = "spring"'
for name, domain, way, kind, step, version, allowed, unclosed_allowed in (
        ("index", "translational", INDEX, "me", "5 ms", 3, 1e-6, 1e-12), ("index_2", "translational", INDEX, "me", "5 ms", 2, 1e-6, 1e-12),
        ("loop", "translational", LOOP, "me", "5 ms", 3, 1e-6, 1e-10), ("spring", "translational", SPRING, "me", "500 us", 3, 1e-4, 1e-5),
        ("implicit", "translational", IMPLICIT, "me", "1 ms", 3, 2e-2, 1e-12), ("trials", "translational", IMPLICIT, "cs", "1 ms", 3, 2e-2, 1e-11),
        ("capacitors", "electric", INDEX, "me", "5 ms", 3, 1e-6, 1e-12), ("trials_of_capacitors", "electric", IMPLICIT, "cs", "1 ms", 2, 2e-2, 1e-11)):
    folder = joined_plant(name, domain, way, kind, step, version)
    code, said = run(folder)
    expect(f"{name}: a circuit joined with an FMU runs", code == 0, said)
    if code != 0:
        continue
    across = DOMAINS[domain]["words"][0]
    got, right = signals(folder / "run"), exact[domain]
    apart = [max(abs(a - b) for a, b in zip(got[signal], right[f"{domain}.half.{element}.{across}"])) for signal, element in (("fmu.first.v", "body"), ("fmu.half.v", "body"), ("fmu.half.tail", "tail"))]
    size = max(map(abs, right[f"{domain}.half.body.{across}"]))
    unclosed = max(map(abs, got["join.node.unclosed"])) / max(map(abs, got["join.node.given"]))
    print("    ", name, *(f"{error / size:.2g}" for error in apart), f"unclosed {unclosed:.2g}")
    expect(f"{name}: as one circuit", len(got["time"]) == len(right["time"]) and max(apart) < allowed * size, apart)
    expect(f"{name}: the ledger closes", unclosed < unclosed_allowed, unclosed)

code, said = run(work / "index", "--pace", "real", "--late", "any", out="paced")
free, paced = (json.loads((work / "index" / out / "summary.json").read_text()) for out in ("run", "paced"))
expect("paced with the digest of the free run", (code == 1 and "X041" in said) if paced["digest_void"] else (code == 0 and paced["digest"] == free["digest"]), said)

# A through value counted the wrong way round is a negative mass.
code, said = run(joined_plant("wrong_sign", "translational", LOOP, sign="-"))
expect("a wrong sign: refused by name", code == 1 and "side b (fmu.half)" in said, (code, said))

# The sides of a join are FMUs: one that names a node of a circuit is told how.
text = (work / "index" / "plant.toml").read_text()
begin = text.index("b = { fmu")
wrong = work / "at"
wrong.mkdir()
(wrong / "plant.toml").write_text(text[:begin] + 'b = { at = "translational.mid" }' + text[text.index("}", begin) + 1:])
for file in ("storage.fmu", "half.fmu"):
    (wrong / file).write_bytes((work / "index" / file).read_bytes())
done = subprocess.run([takt, "check", wrong], capture_output=True, text=True)
expect("a node as a side: Y126 names the way", done.returncode == 1 and "error[Y126]" in done.stderr and "takt fmu export PLANT --part" in done.stderr, done.stderr)
print(f"{failures} failures")
sys.exit(failures > 0)
