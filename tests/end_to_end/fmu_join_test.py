#!/usr/bin/env python3
"""Joined FMUs in plants: each way against exact solutions and against the same storages in one circuit; what cannot be joined.

The FMUs are fmu_join/storage.c, compiled here, and what CasADi makes. Needs build/venv."""
import json
import math
import subprocess
import sys

from built_plants import takt_and_work
from compiled_fmus import HERE, signals
from joined_fmus import compile_storage, made_by_casadi

takt, work = takt_and_work()
failures = 0
PLANT = (HERE / "fmu_join/plant.toml").read_text()


def expect(what, holds, seen=""):
    global failures
    failures += not holds
    print("ok  " if holds else "FAIL", what, seen if not holds else "")


def plant(name, *changes, text=PLANT, description=lambda text: text):
    folder = work / name
    folder.mkdir()
    compile_storage(folder, description)
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new)
    (folder / "plant.toml").write_text(text)
    return folder


def run(folder, *arguments, out="run"):
    done = subprocess.run([takt, "run", folder, "--build-dir", work / "build", "--out", folder / out, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def driven(amplitude, w, d, t):
    """v' = amplitude sin(w t) - d v from 0."""
    return amplitude * (d * math.sin(w * t) - w * math.cos(w * t) + w * math.exp(-d * t)) / (d * d + w * w)


def worst(got, name, exact, since=0.0):
    return max(abs(value - exact(t)) for t, value in zip(got["time"], got[name]) if t >= since)


WAY = 'way = "index"'
# Each way: 10 sin(3 t) N on 2 of 5 kg, friction 0.1 m v: v' = 2 sin(3 t) - 0.1 v, the force on the second is 6 sin(3 t).
for name, step, way, of_v, of_force, of_gap in (
        ("index", "10 ms", WAY, 1e-9, 1e-9, 1e-13), ("proposed", "10 ms", "", 1e-9, 1e-9, 1e-13),
        ("implicit", "10 ms", 'way = "implicit"', 2e-2, 1e-2, 1e-12), ("loop", "10 ms", 'way = "loop"', 1e-8, 1e-8, 1e-11),
        ("spring", "1 ms", 'way = "spring"', 1e-5, 1e-4, 2e-5),
        ("soft", "1 ms", 'way = "spring", stiffness = "1e4 N/m", damper = "100 N*s/m"', 1e-3, 1e-1, 3e-3),
        ("trial steps", "10 ms", 'way = "implicit"', 1e-2, 0.2, 1e-12)):
    kind = ('kind = "me"', 'kind = "cs"') if name == "trial steps" else ('kind = "me"', 'kind = "me"')
    changes = [('b = { fmu = "m2", across = "v", through = "Fc" }, way = "index"', f'b = {{ fmu = "m2", across = "v", through = "Fc" }}' + (", " + way if way else "")),
               ('step = "10 ms"', f'step = "{step}"'), kind] + ([(', method = "rk4"', "")] if name == "trial steps" else [])
    folder = plant(name.replace(" ", "_"), *changes)
    code, said = run(folder)
    expect(f"{name}: joined FMUs run", code == 0, said)
    got = signals(folder / "run")
    errors = [worst(got, "fmu.m2.v", lambda t: driven(2, 3, 0.1, t)), worst(got, "join.shaft.through", lambda t: 6 * math.sin(3 * t), 0.1), max(map(abs, got["join.shaft.violation"]))]
    expect(f"{name}: velocity, force and violation", all(error < most for error, most in zip(errors, (of_v, of_force, of_gap))), errors)
    if name in ("index", "trial steps"):  # in real time: the same, or late and not to be trusted
        code, said = run(folder, "--pace", "real", "--late", "any", out="paced")
        free, paced = (json.loads((folder / out / "summary.json").read_text()) for out in ("run", "paced"))
        expect(f"{name}: paced with the digest of the free run", (code == 1 and "X041" in said) if paced["digest_void"] else (code == 0 and paced["digest"] == free["digest"]), said)
        code, said = run(folder, "--action", "100 ms: checkpoint", out="kept")
        expect(f"{name}: no checkpoint of FMUs that give no state, by name", code == 2 and "join.shaft" in said and "fmu.m1" in said and "FMUstate" in said, said)
    # With their states a run goes on from a checkpoint as if it had not ended there: force, spring, ledger, and what the FMUs hold.
    able = lambda text: text.replace(' canGetAndSetFMUstate="true"', "").replace('modelIdentifier="storage"', 'modelIdentifier="storage" canGetAndSetFMUstate="true" canSerializeFMUstate="true"')
    kept = plant(name.replace(" ", "_") + "_kept", *changes, description=able)
    code, said = run(kept, "--action", "370 ms: checkpoint")
    point = next((kept / "run").glob("checkpoint*"), None)
    expect(f"{name}: a checkpoint is written", code == 0 and point is not None, said)
    code, said = run(kept, "--resume", point, out="rest")
    whole, rest = (json.loads((kept / out / "summary.json").read_text())["digest"] for out in ("run", "rest"))
    plain = json.loads((folder / "run/summary.json").read_text())["digest"]
    expect(f"{name}: resumed there, it ends with the same digest", code == 0 and plain == whole == rest, (said, plain, whole, rest))
    print("    ", name, *(f"{error:.2g}" for error in errors))
    expect(f"{name}: both move together", max(abs(a - b) for a, b in zip(got["fmu.m1.v"], got["fmu.m2.v"])) <= of_gap)
    energy = 0.5 * 3 * got["fmu.m2.v"][-1] ** 2  # and what its friction has taken: d/m of twice its energy
    lost = sum(0.3 * (a * a + b * b) / 2 * 0.01 for a, b in zip(got["fmu.m2.v"], got["fmu.m2.v"][1:]))
    first_order = name in ("implicit", "trial steps")
    expect(f"{name}: what the second has received is in it", abs(got["join.shaft.received"][-1] - energy - lost) < (5e-2 if first_order else 1e-3), (got["join.shaft.received"][-1], energy, lost))
    unclosed = max(map(abs, got["join.shaft.unclosed"])) / max(map(abs, got["join.shaft.given"]))
    expect(f"{name}: the ledger closes", unclosed < (1e-6 if way.startswith('way = "spring') else 1e-12), unclosed)
    expect(f"{name}: power of both sides", max(abs(p - f * v) for p, f, v in zip(got["join.shaft.power_b"], got["join.shaft.through"], got["fmu.m2.v"])) < 1e-9)

digests = []
for out in ("run", "again"):
    code, said = run(work / "index", out=out)
    digests.append(json.loads((work / "index" / out / "summary.json").read_text())["digest"])
expect("every run has the same digest", digests[0] == digests[1], digests)
checked = subprocess.run([takt, "check", work / "proposed"], capture_output=True, text=True)
expect("why a way was chosen is said", "Y128" in checked.stdout + checked.stderr and 'way = "index"' in checked.stdout + checked.stderr, checked.stdout + checked.stderr)

# A sign that counts out of the FMU, and joints the other way round: the same motion, the force turned.
folder = plant("turned", ('a = { fmu = "m1", across = "v", through = "Fc" }, b = { fmu = "m2", across = "v", through = "Fc" }', 'b = { fmu = "m1", across = "v", through = "Fc" }, a = { fmu = "m2", across = "v", through = "Fc" }'))
code, said = run(folder)
expect("sides turned: the force is turned", code == 0 and worst(signals(folder / "run"), "join.shaft.through", lambda t: -6 * math.sin(3 * t), 0.1) < 1e-9, said)

OUT = [('through = "Fc" }, b', 'through = "Fc", sign = "-" }, b'), ('through = "Fc" }, way', 'through = "Fc", sign = "-" }, way')]
folder = plant("signs", *OUT, ('m = "2 kg"', 'm = "2 kg", out = "1"'), ('m = "3 kg"', 'm = "3 kg", out = "1"'))
code, said = run(folder)
expect("through values that count out of both, and say so: the same motion and force",
       code == 0 and worst(signals(folder / "run"), "join.shaft.through", lambda t: 6 * math.sin(3 * t), 0.1) < 1e-9 and worst(signals(folder / "run"), "fmu.m2.v", lambda t: driven(2, 3, 0.1, t)) < 1e-9, said)
# With a sign that is wrong the motion may look well, and even the ledger closes: a negative mass is refused.
for name, kind, way, changes, side in (("b", "me", WAY, OUT[1:], "b (fmu.m2)"), ("a", "me", 'way = "implicit"', OUT[:1], "a (fmu.m1)"), ("both", "me", 'way = "loop"', OUT, "a (fmu.m1)"),
                                       ("spring", "me", 'way = "spring"', OUT[1:], "b (fmu.m2)"), ("trials", "cs", 'way = "implicit"', OUT[1:], "b (fmu.m2)"), ("trials_a", "cs", 'way = "implicit"', OUT[:1], "a (fmu.m1)")):
    cs = [] if kind == "me" else [('kind = "me"', 'kind = "cs"'), (', method = "rk4"', "")]
    folder = plant("wrong_sign_" + name, *changes, (WAY, way), *cs)
    code, said = run(folder)
    expect(f"a wrong sign of {name}: named", code == 1 and f"side {side}" in said and "negative mass" in said, (code, said))

# Three bodies in a row, two constraints: forces 8 and 5 sin(3 t). A third between the ends follows from them.
CHAIN = (('\n[join]', 'm3 = { file = "storage.fmu", kind = "me", step = "10 ms", outputs = ["v"], parameters = { m = "5 kg", d = "0.5" } }\n\n[join]'),
         ('\n[sync]', 'axle = { a = { fmu = "m2", across = "v", through = "Fc" }, b = { fmu = "m3", across = "v", through = "Fc" } }\n\n[sync]'))
folder = plant("chain", *CHAIN)
code, said = run(folder)
got = signals(folder / "run") if code == 0 else {}
expect("a chain of three runs", code == 0, said)
errors = [worst(got, "fmu.m3.v", lambda t: driven(1, 3, 0.1, t)), worst(got, "join.shaft.through", lambda t: 8 * math.sin(3 * t), 0.1), worst(got, "join.axle.through", lambda t: 5 * math.sin(3 * t), 0.1)]
expect("its motion and both forces", all(error < 1e-9 for error in errors), errors)
folder = plant("redundant", *CHAIN, ('\n[sync]', 'rod = { a = { fmu = "m1", across = "v", through = "Fc" }, b = { fmu = "m3", across = "v", through = "Fc" } }\n\n[sync]'))
code, said = run(folder)
expect("constraints that follow from each other are named", code == 1 and all(word in said for word in ("join.shaft", "join.axle", "join.rod", "follow from each other")), said)

# What diverges, or cannot be: at the start, or when it happens, by name.
for name, way, words, code_wanted in (
        ("gain", 'way = "loop", gain = "2.5 kg"', ["join.shaft", "gain 2.5", "0.8333", "at most 2.4, best 1.2"], 1),
        ("stiff", 'way = "spring", stiffness = "1e9 N/m", damper = 0', ["join.shaft", "largest stable step is 9.7"], 1),
        ("limit", 'way = "spring", stiffness = "100 N/m", damper = 0, limit = "0.01 m/s"', ["join.shaft", "apart", "beyond the limit"], 1)):
    folder = plant(name, (WAY, way))
    code, said = run(folder)
    expect(f"{name}: fails by name", code == code_wanted and all(word in said for word in words), (code, said))
folder = plant("apart", ('m = "3 kg"', 'm = "3 kg", v0 = "1 m/s"'))
code, said = run(folder)
expect("sides that start apart: named", code == 1 and "join.shaft: the two sides start 1 apart" in said, said)
folder = plant("nan", ('m = "3 kg"', 'm = "3 kg", fault = "1"'))
code, said = run(folder)
expect("a NaN in one: named", code == 1 and "fmu.m2" in said and "not finite" in said, said)
folder = plant("position", ('across = "v"', 'across = "x"'), ('"Fc" }, b', '"Fc" }, b'), description=lambda text: text.replace('<Real unit="m" start="0"/>', '<Real start="0"/>'))
code, said = run(folder)
expect("positions instead of velocities: named", code == 1 and "join.shaft: its force does not move what it joins" in said, said)

for name, code, old, new in (
        ("form", "Y120", 'a = { fmu = "m1", across = "v", through = "Fc" }, ', ""), ("no_across", "Y120", 'fmu = "m1", across = "v"', 'fmu = "m1"'),
        ("itself", "Y120", 'b = { fmu = "m2"', 'b = { fmu = "m1"'), ("substitute", "Y121", WAY, 'way = "substitute"'), ("way", "Y121", WAY, 'way = "pray"'),
        ("who", "Y122", 'fmu = "m2"', 'fmu = "m4"'), ("variable", "Y122", 'across = "v", through = "Fc" }, way', 'across = "w", through = "Fc" }, way'),
        ("causality", "Y122", 'through = "Fc" }, way', 'through = "v" }, way'), ("fed", "Y122", 'through = "Fc" }, b', 'through = "F" }, b'),
        ("kinds", "Y123", 'm2 = { file = "storage.fmu", kind = "me", step = "10 ms", method = "rk4"', 'm2 = { file = "storage.fmu", kind = "cs", step = "10 ms"'),
        ("step", "Y124", 'm2 = { file = "storage.fmu", kind = "me", step = "10 ms"', 'm2 = { file = "storage.fmu", kind = "me", step = "5 ms"'),
        ("method", "Y106", 'method = "rk4"', 'method = "ros2"'),
        ("quantity", "Y125", 'across = "v", through = "Fc" }, way', 'across = "x", through = "Fc" }, way'), ("circuit", "Y126", 'b = { fmu = "m2", across = "v", through = "Fc" }', 'b = { at = "translational.car" }'),
        ("key_of_way", "Y127", WAY, WAY + ', gain = "1 kg"'), ("negative", "Y127", WAY, 'way = "loop", gain = "-1 kg"'), ("dimension", "U004", WAY, 'way = "loop", gain = "1 N"'),
        ("key", "M005", WAY, WAY + ", wey = 1"), ("sync", "S005", 'members = ["fmu"]', 'members = ["fmu.m4"]')):
    wrong = plant("wrong_" + name, (old, new))
    done = subprocess.run([takt, "check", wrong], capture_output=True, text=True)
    expect(f"{name}: {code} with its line", done.returncode == 1 and f"error[{code}]" in done.stderr and "plant.toml:" in done.stderr, done.stdout + done.stderr)
cs = [('kind = "me"', 'kind = "cs"'), (', method = "rk4"', "")]
stateless = plant("stateless", *cs, (WAY, 'way = "implicit"'), description=lambda text: text.replace(' canGetAndSetFMUstate="true"', ""))
done = subprocess.run([takt, "check", stateless], capture_output=True, text=True)
expect("a co-simulation without its state: Y123", "error[Y123]" in done.stderr and 'kind = "me"' in done.stderr, done.stderr)
done = subprocess.run([takt, "check", plant("cs_index", *cs)], capture_output=True, text=True)
expect("index reduction of co-simulations: Y123", "error[Y123]" in done.stderr and "needs derivatives" in done.stderr, done.stderr)
expect("the same FMU that may be there once only: Y123", "error[Y123]" in subprocess.run(
    [takt, "check", plant("once", description=lambda text: text.replace("<ModelExchange ", '<ModelExchange canBeInstantiatedOnlyOncePerProcess="true" '))], capture_output=True, text=True).stderr)


def beside_one_circuit():
    """Inertias with friction that is not linear: two FMUs of CasADi against both in one circuit, by takt reference."""
    try:
        import casadi
    except ImportError:
        return print("skipped: casadi is not there")
    folder = work / "casadi"
    folder.mkdir()
    friction = lambda v: 1.0 * casadi.tanh(v / 0.5) + 0.2 * v
    made_by_casadi(folder, "one", lambda v, force, joined: (force + joined - friction(v)) / 2.0)
    made_by_casadi(folder, "two", lambda v, force, joined: (force + joined - 2 * friction(v)) / 3.0)
    joined = '[plant]\nduration = "2 s"\n[fmu]\n' + "\n".join(
        f'{name} = {{ file = "{name}.fmu", kind = "me", step = "STEP", outputs = ["v"]{feed} }}' for name, feed in (("one", ', inputs = { F = "10*sin(3 rad/s*time)" }'), ("two", ""))) \
        + '\n[join]\nshaft = { a = { fmu = "one", across = "v", through = "Fc" }, b = { fmu = "two", across = "v", through = "Fc" }WAY }\n[sync]\nplant = { members = ["join.shaft"], every = "20 ms" }\n[record]\n"20 ms" = ["fmu.*", "join.*"]\n'
    whole = work / "circuit"
    whole.mkdir()
    (whole / "plant.toml").write_text("""[plant]
duration = "2 s"
[translational]
one = { is = "mass", at = ["car"], m = "2 kg" }
two = { is = "mass", at = ["car"], m = "3 kg" }
rub = { is = "friction", at = ["car", "frame"], f_c = "3 N", d = "0.6 N*s/m", v_reg = "0.5 m/s" }
push = { is = "force_source", at = ["car"], force = "10 N*sin(3 rad/s*time)" }
[sync]
plant = { members = ["translational"], every = "20 ms" }
[record]
"20 ms" = ["translational.one.v"]
""")
    done = subprocess.run([takt, "reference", whole, "--rtol", "1e-11", "--out", whole / "tight"], capture_output=True, text=True)
    expect("takt reference of both in one circuit", done.returncode == 0, done.stdout + done.stderr)
    exact = signals(whole / "tight")["translational.one.v"]
    for way, step, allowed in (("", "2 ms", 1e-8), (', way = "loop"', "2 ms", 1e-8), (', way = "implicit"', "1 ms", 1e-2), (', way = "spring"', "1 ms", 1e-4)):
        (folder / "plant.toml").write_text(joined.replace("STEP", step).replace("WAY", way))
        code, said = run(folder, out="run" + way[-7:-1].strip(' "='))
        expect(f"CasADi's FMUs{way or ', way proposed'}", code == 0, said)
        got = signals(folder / ("run" + way[-7:-1].strip(' "=')))["fmu.two.v"]
        apart = max(abs(a - b) for a, b in zip(got, exact))
        expect(f"as one circuit{way}", len(got) == len(exact) and apart < allowed, apart)
        print("    ", "casadi", way, f"{apart:.2g}")


beside_one_circuit()
left = subprocess.run(["pgrep", "-f", f"takt-fmu-host.*{work}"], capture_output=True, text=True).stdout
expect("no host process stays", left == "", left)
print(f"{failures} failures")
sys.exit(failures > 0)
