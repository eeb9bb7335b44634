#!/usr/bin/env python3
"""Lines with travelling waves, against closed forms (steps on matched, open and shorted lines by their lattice diagram; water hammer by Joukowsky and
the period 4L/a), against the T element of ngspice, and cut against uncut: a grid of 200 nodes, in ten circuits and in one, has the same bits. Digests on
two cores, from a checkpoint and on replay; a start at rest; ledgers; what is refused.

    lines_test.py --takt build/release/bin/takt --work DIR

Ends with 0 or 1; the part with ngspice is left out where that is missing."""
import csv
import json
import pathlib
import shutil
import subprocess
import sys

import built_plants

EXACT = 1e-12  # of the largest value: rounding
QUIET = ("--quiet", "--no-report", "--audit", "off", "--pace", "free")


def run(program, out, *arguments, code=0):
    done = subprocess.run([program, *QUIET, "--out", out, *arguments], capture_output=True, text=True, timeout=600)
    assert done.returncode == code, (program, arguments, done.returncode, done.stdout[-2000:], done.stderr[-2000:])
    return json.loads((out / "summary.json").read_text()) if code == 0 else done.stdout + done.stderr


def signals(out):
    """-> {path: values}, "time" among them"""
    with (out / "signals.csv").open() as text:
        rows = [row for row in csv.reader(text) if row and not row[0].startswith("#")]
    return {name.split(" [")[0]: [float(row[k]) for row in rows[1:]] for k, name in enumerate(rows[0])}


def expect_near(what, found, wanted, share):
    worst = max(abs(a - b) for a, b in zip(found, wanted)) / max(abs(b) for b in wanted)
    print(f"{what}: off by {worst:.1e} of the largest value", flush=True)
    assert len(found) == len(wanted) and worst <= share, (what, worst, share)


def expect_ledgers(summary):
    assert summary["trusted"] and summary["ledger_closes"], summary
    waves = [coupling for coupling in summary["couplings"] if coupling["kind"] == "delay"]
    for wave in waves:
        assert wave["closes"] and abs(wave["residual"]) <= EXACT * wave["throughput"], wave
    energy = summary["energy"]
    return waves, abs(energy["residual_j"]) / max(energy["throughput_j"], 1e-300)


STEP = """[plant]
title = "Steps on a matched, an open and a shorted line"
duration = "1 ms"
[electric]
""" + "".join(f"""
source_{k} = {{ is = "voltage_source", at = ["s_{k}", "gnd"], v = "100 V" }}
inner_{k}  = {{ is = "resistor", at = ["s_{k}", "a_{k}"], r = "25 Ohm" }}
line_{k}   = {{ is = "line", at = ["a_{k}", "b_{k}"], z = "50 Ohm", delay = "50 us" }}
{load}
""" for k, load in {
    "matched": 'load_matched = { is = "resistor", at = ["b_matched", "gnd"], r = "50 Ohm" }',
    "open": "",
    "short": 'load_short = { is = "voltage_source", at = ["b_short", "gnd"], v = "0 V" }'}.items()) + """
[solve]
"electric.*" = { step = "10 us", method = "heun" }
[sync]
plant = { members = ["electric"], every = "50 us" }
[record]
"50 us" = ["electric.a_*.v", "electric.b_*.v", "electric.line_*.end_b.i", "electric.line_matched.from_a.energy"]
"""


def lattice(times, source, z, r_s, reflection, delay):
    """Voltages at both ends after a step at time 0, by the lattice diagram; just after what arrives at these times."""
    at_source = (r_s - z) / (r_s + z)
    a, b = [], []
    for t in times:
        first = source * z / (z + r_s)
        v_a, v_b, wave, k = first, 0.0, first, 1
        while k * delay <= t * (1 + 1e-12):
            if k % 2 == 1:
                v_b += wave * (1 + reflection)
                wave *= reflection
            else:
                v_a += wave * (1 + at_source)
                wave *= at_source
            k += 1
        a.append(v_a), b.append(v_b)
    return a, b


def check_steps(takt, work):
    program = built_plants.build(takt, work, "step", STEP)
    summary = run(program, work / "step_run")
    waves, missing = expect_ledgers(summary)
    assert len(waves) == 6 and missing <= EXACT, (len(waves), missing)
    found = signals(work / "step_run")
    times = found["time"]
    for name, reflection in (("matched", 0.0), ("open", 1.0), ("short", -1.0)):
        a, b = lattice(times, 100.0, 50.0, 25.0, reflection, 50e-6)
        expect_near(f"{name} line, its beginning", found[f"electric.a_{name}.v"], a, EXACT)
        if name != "short":
            expect_near(f"{name} line, its end", found[f"electric.b_{name}.v"], b, EXACT)
    # E = delay*v^2/z, of a line that has filled.
    assert abs(found["electric.line_matched.from_a.energy"][-1] / (50e-6 * (200 / 3) ** 2 / 50) - 1) <= EXACT
    tuned = subprocess.run([program, *QUIET, "--out", work / "tuned", "--set", "electric.line_open.z=60Ohm"], capture_output=True, text=True)
    assert tuned.returncode != 0 and "electric.line_open.z" in tuned.stderr, tuned.stderr
    return program


JUNCTION = """[plant]
title = "Three lines meet, and nothing else"
duration = "2 ms"
[electric]
source = { is = "voltage_source", at = ["s", "gnd"], v = "100 V" }
r      = { is = "resistor", at = ["s", "a"], r = "50 Ohm" }
to_m   = { is = "line", at = ["a", "m"], z = "50 Ohm", delay = "100 us" }
to_x   = { is = "line", at = ["m", "x"], z = "50 Ohm", delay = "200 us" }
to_y   = { is = "line", at = ["m", "y"], z = "50 Ohm", delay = "300 us" }
load   = { is = "resistor", at = ["x", "gnd"], r = "50 Ohm" }
[solve]
"electric.*" = { step = "10 us", method = "heun" }
[sync]
plant = { members = ["electric"], every = "100 us" }
[record]
"100 us" = ["electric.m.v", "electric.x.v", "electric.y.v"]
"""


def check_junction(takt, work):
    """Two thirds of a wave go on into each line, a third comes back, negative; the open end returns all. What the junction loses is rounding: no error."""
    program = built_plants.build(takt, work, "junction", JUNCTION)
    done = subprocess.run([program, "--quiet", "--no-report", "--pace", "free", "--out", work / "junction_run"], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    summary = json.loads((work / "junction_run" / "summary.json").read_text())
    assert summary["audit"]["done"] and "electric.m" not in summary["audit"]["worst"], summary["audit"]
    found = signals(work / "junction_run")
    m, y = [], []
    to_y = []  # waves that leave m towards y, every 100 us
    for k, t in enumerate(found["time"]):
        from_y = to_y[k - 6] if k >= 6 else 0.0   # there and back: 600 us
        m.append(2 / 3 * ((50.0 if k >= 1 else 0.0) + from_y))   # from the source and from y; x is matched
        to_y.append(m[-1] - from_y)
        y.append(2 * to_y[k - 3] if k >= 3 else 0.0)
    expect_near("junction", found["electric.m.v"], m, EXACT)
    expect_near("end of a line behind it", found["electric.x.v"], [0.0, 0.0] + m[:-2], EXACT)
    expect_near("its open end", found["electric.y.v"], y, EXACT)


HAMMER = """[plant]
title = "Water hammer"
duration = "10 s"
start = "{start}"
[fluid]
medium = "water"
lake = {{ is = "reservoir", p = "10 bar" }}
pipe = {{ is = "elastic_pipe_law", at = ["lake", "valve"], z = "5000 1/m/s", delay = "1 s", p_start = "{p}", q_start = "{q}" }}
tap  = {{ is = "demand", at = ["valve"], flow = "if(time < 1 s, 100 kg/s, 0 kg/s)" }}
[solve]
"fluid.*" = {{ step = "50 ms", method = "heun" }}
[sync]
plant = {{ members = ["fluid"], every = "500 ms" }}
[record]
"500 ms" = ["fluid.valve.p", "fluid.pipe.end_a.q"]
"""


def check_hammer(takt, work):
    """The valve closes at once: dp = z*dq = rho*a*dv, a square wave of period 4L/a."""
    for start, p, q in (("given", "10 bar", "100 kg/s"), ("steady", "3 bar", "0 kg/s")):
        program = built_plants.build(takt, work, f"hammer_{start}", HAMMER.format(start=start, p=p, q=q))
        summary = run(program, work / f"hammer_{start}_run")
        expect_ledgers(summary)
        found = signals(work / f"hammer_{start}_run")
        wanted = [1e6 if t < 1 else 1e6 + 5e5 * (1 if (t - 1) % 4 < 2 else -1) for t in found["time"]]
        expect_near(f"water hammer from a {start} start", found["fluid.valve.p"], wanted, EXACT if start == "given" else 1e-10)


SPICE = """[plant]
title = "A cable with a reactive load"
duration = "400 us"
[electric]
source = { is = "voltage_source", at = ["s", "gnd"], v = "100 V*sin(2*pi*12 kHz*time)" }
r_s    = { is = "resistor", at = ["s", "m"], r = "20 Ohm" }
l_s    = { is = "inductor", at = ["m", "a"], l = "100 uH" }
c_a    = { is = "capacitor", at = ["a", "gnd"], c = "20 nF" }
cable  = { is = "cable", at = ["a", "b"], length = "4 km", l = "0.25 uH/m", c = "100 pF/m" }
c_b    = { is = "capacitor", at = ["b", "gnd"], c = "50 nF" }
r_b    = { is = "resistor", at = ["b", "gnd"], r = "200 Ohm" }
[solve]
"electric.*" = { step = "50 ns", method = "heun" }
[sync]
plant = { members = ["electric"], every = "1 us" }
[record]
"1 us" = ["electric.a.v", "electric.b.v"]
"""
NETLIST = """cable
v1 s 0 sin(0 100 12k)
r1 s m 20
l1 m a 100u ic=0
c1 a 0 20n ic=0
t1 a 0 b 0 z0=50 td=20u
c2 b 0 50n ic=0
r2 b 0 200
.options reltol=1e-6 abstol=1e-12 vntol=1e-9
.tran 20n 400u 0 20n uic
.control
set wr_singlescale
set numdgt=12
run
linearize
wrdata OUT v(a) v(b)
.endc
.end
"""


def check_spice(takt, work):
    program = built_plants.build(takt, work, "cable", SPICE)
    expect_ledgers(run(program, work / "cable_run"))
    if shutil.which("ngspice") is None:
        return print("left out: ngspice is missing")
    (work / "cable.cir").write_text(NETLIST.replace("OUT", str(work / "cable.data")))
    done = subprocess.run(["ngspice", "-b", work / "cable.cir"], capture_output=True, text=True, timeout=300)
    assert (work / "cable.data").exists(), done.stdout + done.stderr
    rows = [[float(word) for word in line.split()] for line in (work / "cable.data").read_text().splitlines()]
    found = signals(work / "cable_run")
    for column, name in ((1, "electric.a.v"), (2, "electric.b.v")):
        wanted, k = [], 0
        for t in found["time"]:
            while k + 2 < len(rows) and rows[k + 1][0] < t:
                k += 1
            (t0, v0), (t1, v1) = ((rows[j][0], rows[j][column]) for j in (k, k + 1))
            wanted.append(v0 + (v1 - v0) * (t - t0) / (t1 - t0))
        expect_near(f"ngspice, {name}", found[name], wanted, 1e-3)


def grid(rows, columns, block, parameters=""):
    """Nodes with a capacitor and a resistor to ground, coils with resistance between them; between blocks of columns, lines."""
    lines = ['feed = { is = "current_source", at = ["gnd", "n_0_0"], i = "if(time < 200 us, 10 A, 0 A) + 5 A*sin(2*pi*1 kHz*time)" }']
    for r in range(rows):
        for c in range(columns):
            n = f"n_{r}_{c}"
            lines.append(f'c_{r}_{c} = {{ is = "capacitor", at = ["{n}", "gnd"], c = "{1 + 0.1 * ((r + 3 * c) % 7)} uF" }}')
            lines.append(f'g_{r}_{c} = {{ is = "resistor", at = ["{n}", "gnd"], r = "{500 + 10 * ((5 * r + c) % 11)} Ohm" }}')
            if r + 1 < rows:
                lines.append(f'v_{r}_{c} = {{ is = "resistor", at = ["{n}", "n_{r + 1}_{c}"], r = "{20 + (r + c) % 5} Ohm" }}')
            if c + 1 < columns and (c + 1) % block:
                lines.append(f'h_{r}_{c} = {{ is = "inductor", at = ["{n}", "n_{r}_{c + 1}"], l = "{1 + 0.2 * (r % 4)} mH" }}')
            elif c + 1 < columns:
                lines.append(f't_{r}_{c} = {{ is = "line", at = ["{n}", "n_{r}_{c + 1}"], z = "{40 + 3 * (r % 5)} Ohm", delay = "{20 + 5 * (r % 3)} us", r = "0.5 Ohm" }}')
    return "\n".join(lines)


GRID = """[plant]
title = "A grid of 200 nodes, cut at its lines"
duration = "4 ms"
[electric]
{grid}
[solve]
"electric.*" = {{ step = "1 us", method = "heun" }}
[sync]
plant = {{ members = ["electric"], every = "20 us" }}
[record]
"20 us" = ["electric.n_*.v", "electric.t_*.end_a.i"]
"""
UNCUT = """[solve]
whole = { step = "1 us", method = "heun" }
[sync]
plant = { members = ["whole"], every = "20 us" }
"""


def check_grid(takt, work):
    text = GRID.format(grid=grid(10, 20, 2))
    program = built_plants.build(takt, work, "grid", text)
    summary = run(program, work / "grid_run")
    circuits = len(summary["subsystems"])
    waves, missing = expect_ledgers(summary)
    assert circuits == 10 and len(waves) == 180 and missing < 1e-4, (circuits, len(waves), missing)
    (work / "uncut.toml").write_text(UNCUT)
    built = subprocess.run([takt, "build", work / "grid_plant", "--solve", work / "uncut.toml", "--out", work / "uncut"], capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    whole = run(built.stdout.strip().splitlines()[-1], work / "uncut_run")
    assert len(whole["subsystems"]) == 1
    cut, uncut = ((work / f"{name}_run" / "signals.csv").read_text() for name in ("grid", "uncut"))
    assert cut == uncut and cut.count("\n") > 150, "the cut grid has other bits"
    print(f"grid of 200 nodes in {circuits} circuits and in one: the same {len(cut)} characters of signals; energy off by {missing:.1e}")
    two = built_plants.two_cores(summary, work)
    several = run(program, work / "grid_cores", *two)
    assert several["digest"] == summary["digest"] and built_plants.used_cores(several) == (2 if two else 1)
    taken = run(program, work / "grid_taken", "--action", "1.3 ms: checkpoint")
    (file,) = (work / "grid_taken").glob("checkpoint-*.takt")
    resumed = run(program, work / "grid_resumed", "--resume", file)
    assert resumed["digest"] == summary["digest"] == taken["digest"]
    assert run(program, work / "grid_again", "--replay", work / "grid_taken")["digest"] == summary["digest"]


def check_refusals(takt, work):
    def of_step(name, text, command, code, *words):
        folder = work / name
        folder.mkdir()
        (folder / "plant.toml").write_text(text)
        done = subprocess.run([takt, *command, folder, *(("--out", work / f"{name}_out") if command == ["reference"] else ())], capture_output=True, text=True)
        assert done.returncode == code, (name, done.returncode, done.stdout, done.stderr)
        for word in words:
            assert word in done.stdout + done.stderr, (name, word, done.stdout, done.stderr)

    of_step("late", STEP.replace('every = "50 us"', 'every = "100 us"').replace('"50 us" = [', '"100 us" = ['), ["check"], 1, "S091", "electric.line_matched", "50 us")
    of_step("between", STEP.replace('delay = "50 us"', 'delay = "53 us"'), ["check"], 0, "S092", "5.3 samples")
    of_step("reference", STEP, ["reference"], 1, "F001", "electric.line_matched")
    of_step("switched", STEP.replace("[solve]", 'd = { is = "diode", at = ["b_open", "gnd"] }\n[solve]'), ["check"], 1, "S091", "switch")


def main():
    takt, work = built_plants.takt_and_work()
    check_steps(takt, work)
    check_refusals(takt, work)
    check_junction(takt, work)
    check_hammer(takt, work)
    check_spice(takt, work)
    check_grid(takt, work)


if __name__ == "__main__":
    main()
