#!/usr/bin/env python3
"""Circuits joined with FMUs: a part of a plant, exported for model exchange, and an FMU from elsewhere hold a storage each at the node that they
share. Beside both in one circuit, by takt reference. Needs build/venv and FMI headers."""
import json
import subprocess
import sys

from built_plants import takt_and_work
from compiled_fmus import signals
from joined_fmus import compile_storage

takt, work = takt_and_work()
failures = 0


def expect(what, holds, seen=""):
    global failures
    failures += not holds
    print("ok  " if holds else "FAIL", what, seen if not holds else "")


# The part: a storage at the shared node `p`, and what makes it a circuit: friction that is not linear and a storage behind a
# compliant branch; a diode as an event.
DOMAINS = {
    "translational": {
        "words": ("v", "f"), "units": {},
        "part": """body     = { is = "mass", at = ["p"], m = "3 kg" }
rub      = { is = "friction", at = ["p", "frame"], f_c = "2 N", d = "0.3 N*s/m", v_reg = "0.5 m/s" }
link     = { is = "spring_damper", at = ["p", "far"], c = "200 N/m", d = "2 N*s/m" }
tail     = { is = "mass", at = ["far"], m = "1 kg" }
""",
        "rest": """push  = { is = "force_source", at = ["mid"], force = "10 N*sin(3 rad/s*time)" }
drag  = { is = "damper", at = ["mid", "frame"], d = "0.2 N*s/m" }
first = { is = "mass", at = ["mid"], m = "2 kg" }
""",
        "drive": "10 N*sin(3 rad/s*time)"},
    "electric": {
        "words": ("v", "i"), "units": {"N": "A", "m/s": "V", "kg": "F"},
        "part": """body  = { is = "capacitor", at = ["p", "gnd"], c = "3 F" }
link  = { is = "resistor", at = ["p", "coil"], r = "0.5 Ohm" }
choke = { is = "inductor", at = ["coil", "far"], l = "20 mH" }
tail  = { is = "capacitor", at = ["far", "gnd"], c = "1 F" }
""",
        "rest": """push  = { is = "current_source", at = ["gnd", "mid"], i = "10 A*sin(3 rad/s*time)" }
drag  = { is = "resistor", at = ["mid", "gnd"], r = "5 Ohm" }
first = { is = "capacitor", at = ["mid", "gnd"], c = "2 F" }
""",
        "drive": "10 A*sin(3 rad/s*time)"},
}


def whole_plant(domain):
    of = DOMAINS[domain]
    folder = work / f"whole_{domain}"
    folder.mkdir()
    (folder / "plant.toml").write_text(f"""[plant]
duration = "1 s"
error    = "off"
[part.half]
terminal = ["p:{domain}"]
[part.half.{domain}]
{of["part"]}
[parts]
half = {{ of = "half", at = ["mid"] }}
[{domain}]
{of["rest"]}
[solve]
{domain} = {{ step = "1 ms", method = "rk4" }}
[record]
"10 ms" = ["{domain}.half.body.*", "{domain}.half.tail.*"]
""")
    return folder


def in_the_units_of(domain):
    """What storage.xml says, in other units: the equations are alike in all domains."""
    def change(text):
        for old, new in DOMAINS[domain]["units"].items():
            base = {"A": '<BaseUnit A="1"/>', "V": '<BaseUnit kg="1" m="2" s="-3" A="-1"/>', "F": '<BaseUnit kg="-1" m="-2" s="4" A="2"/>'}[new]
            begin = text.index(f'<Unit name="{old}">')
            text = text[:begin] + f'<Unit name="{new}">{base}</Unit>' + text[text.index("</Unit>", begin) + len("</Unit>"):]
            text = text.replace(f'unit="{old}"', f'unit="{new}"')
        return text
    return change


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
duration = "1 s"
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
for domain, of in DOMAINS.items():
    folder = whole_plant(domain)
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

code, said = run(work / "index", "--pace", "real", out="paced")
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
