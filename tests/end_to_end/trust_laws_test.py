#!/usr/bin/env python3
"""Own storages with laws of what they store, loops of control that are sampled faster than the default synchronisation, loads of constant power with
swapped poles: each against an integration or a closed form of its own.

    trust_laws_test.py --takt build/release/bin/takt --work DIR [--only NAME]

Ends with 0, 1 (a plant failed) or 77 (numpy is missing)."""
import argparse
import json
import pathlib
import subprocess
import sys

try:
    import numpy as np

    import run_cases
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

PLANTS = pathlib.Path(__file__).resolve().parent / "trust"
R_ON = 1e-3  # of electric.switch
T_REFERENCE = 293.15  # K, of the resistances of electric.resistor


def integrate(rate, z, until, steps):
    """Runge-Kutta of order 4 from 0 -> z at `until`, a row per ms"""
    h, rows = until / steps, [np.array(z)]
    for k in range(steps):
        a = rate(z)
        b = rate(z + 0.5 * h * a)
        c = rate(z + 0.5 * h * b)
        d = rate(z + h * c)
        z = z + h / 6 * (a + 2 * b + 2 * c + d)
        if (k + 1) % (steps // round(until / 1e-3)) == 0:
            rows.append(np.array(z))
    return np.array(rows)


def closed_at_2_ms(rate, z, steps):
    """10 ms of a circuit that rests until its switch closes."""
    return np.vstack([np.tile(z, (2, 1)), integrate(rate, z, 8e-3, steps)])


def solved(function, value, low, high):
    """x with function(x) = value, by halving"""
    for _ in range(200):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if function(middle) < value else (low, middle)
    return low


def run(takt, text, work, *arguments):
    work.mkdir(parents=True, exist_ok=True)
    (work / "plant.toml").write_text(text)
    return run_cases.signals(takt, work / "plant.toml", work, *arguments)


def judge(name, value, expected, limit):
    worst = float(np.max(np.abs(np.asarray(value) - expected)) / max(1e-300, np.max(np.abs(expected))))
    print(f"{name:44} {worst:9.2e} of {limit:g}{'' if worst <= limit else '   FAILED'}")
    return [] if worst <= limit else [name]


# --- every form, in an ordinary circuit and behind a switch that closes at 2 ms
def series(drop, stores):
    """Rates of [current, what x stores] of 5 V over a resistance, x and 1 mH."""
    r = 1.0 + R_ON
    return lambda z: np.array([(5.0 - r * z[0] - drop(z[0], z[1])) / 1e-3, z[0] if stores else 0.0])


def linkage(current_of):
    """Rate of the linkage of an x whose current is that of the coil: d(x + L*i(x))/dt = 5 - r*i."""
    def rate(z):
        i, slope = current_of(z[1])
        return np.array([0.0, (5.0 - (1.0 + R_ON) * i) / (1.0 + 1e-3 * slope)])
    return rate


def tanh_core(lam):
    i = solved(lambda i: 2e-3 * np.tanh(i) + 1e-4 * i, lam, -100.0, 100.0)
    return i, 1.0 / (2e-3 / np.cosh(i) ** 2 + 1e-4)


FORMS = {
    "charge_of_voltage": (series(lambda i, q: solved(lambda v: 1e-3 * v + 2e-4 * v**3, q, -50.0, 50.0), True), "electric.x.q"),
    "voltage_of_charge": (series(lambda i, q: 1e3 * q * (1 + (1e3 * q) ** 2), True), "electric.x.q"),
    "voltage_flat_at_zero": (series(lambda i, q: (1e3 * q) ** 3, True), "electric.x.q"),
    "linkage_of_current": (linkage(tanh_core), "electric.x.lambda"),
    "current_of_linkage": (linkage(lambda lam: (500.0 * lam + 1e8 * lam**3, 500.0 + 3e8 * lam**2)), "electric.x.lambda"),
    "current_of_voltage": (series(lambda i, q: solved(lambda v: 0.1 * v + 0.05 * v**3, i, -50.0, 50.0), False), "electric.l.i"),
    "voltage_of_current": (series(lambda i, q: i + 0.3 * i**3, False), "electric.l.i"),
    "neither": (series(lambda i, q: i + 0.3 * i**3, False), "electric.l.i"),
}


def check_forms(takt, work):
    failed, text = [], (PLANTS / "own_laws.toml").read_text()
    ways = {"ordinary": ("resistor", 'r = "1 mOhm"', "2 us", 1e-5), "switched": ("switch", 'gate = "time > 2 ms", r_off = "1 GOhm"', "2 us", 1e-4)}
    for way, (connection, closed, step, limit) in ways.items():
        for form, (rate, signal) in FORMS.items():
            plant = text.replace("CONNECTION", connection).replace("CLOSED", closed).replace("ELEMENT", form).replace("STEP", step)
            expected = integrate(rate, np.zeros(2), 10e-3, 4000) if way == "ordinary" else closed_at_2_ms(rate, np.zeros(2), 4000)
            column = 0 if signal == "electric.l.i" else 1
            try:
                failed += judge(f"{way} {form}", run(takt, plant, work / f"{way}_{form}")[signal], expected[:, column], limit)
            except RuntimeError as ended:
                print(f"{way} {form}: {ended}   FAILED")
                failed.append(f"{way} {form}")
    return failed


def check_saturating_core(takt, work):
    current = lambda lam: 0.2 * lam + 3.0 * lam**3
    leaked = np.array([solved(current, 10.0 / 1e6, 0.0, 1.0)])  # over the open switch
    expected = closed_at_2_ms(lambda z: 10.0 - (1.0 + R_ON) * current(z), leaked, 4000)[:, 0]
    expected[0] = 0.0
    signals = run(takt, (PLANTS / "saturating_core.toml").read_text() + '[record]\n"1 ms" = ["electric.*"]\n', work)
    return judge("saturating core", signals["electric.l.lambda"], expected, 1e-5)


def check_storage_loops(takt, work):
    signals = run(takt, (PLANTS / "storage_loops.toml").read_text(), work)
    charge = lambda v: solved(lambda q: 1e3 * q * (1 + (1e3 * q) ** 2), v, -1.0, 1.0)
    sum_of = lambda v: 2 * charge(v) + 1e-3 * v
    node = integrate(lambda z: np.array([(5.0 - solved(sum_of, z[0], -50.0, 50.0)) / 1.0]), np.array([sum_of(0.5)]), 10e-3, 500)
    failed = judge("loop of capacitors", signals["electric.c2.v"], np.array([solved(sum_of, z, -50.0, 50.0) for z in node[:, 0]]), 1e-6)
    alone = integrate(lambda z: -0.5 * 1e3 * z * (1 + (1e3 * z) ** 2), np.array([1e-3]), 10e-3, 1000)
    failed += judge("start as a charge", signals["electric.alone.q"], alone[:, 0], 1e-6)
    current = lambda lam: 500.0 * lam + 1e8 * lam**3
    core = lambda i: solved(current, i, -1.0, 1.0)
    linkages = lambda i: 2 * core(i) + 1e-3 * i
    coil = integrate(lambda z: np.array([5.0 - solved(linkages, z[0], -50.0, 50.0)]), np.array([linkages(current(5e-4))]), 10e-3, 500)
    return failed + judge("cutset of cores", signals["electric.l3.i"], np.array([solved(linkages, z, -50.0, 50.0) for z in coil[:, 0]]), 1e-6)


def sampled_loop():
    """The current at every ms when a PI controller of 50 us holds its voltage over each period."""
    h, i, integral, rows = 50e-6, 0.0, 0.0, []
    decay = np.exp(-0.3 / 0.4e-3 * h)
    for k in range(401):
        if k % 20 == 0:
            rows.append(i)
        error = 10.0 - i
        voltage = error + integral
        integral += 500.0 * error * h
        i = decay * i + (1 - decay) * voltage / 0.3
    return np.array(rows)


def check_current_loop(takt, work):
    text = (PLANTS / "current_loop.toml").read_text()
    signals = run(takt, text, work)["electric.l.i"]
    failed = judge("current loop without [sync]", signals, sampled_loop(), 1e-2)
    failed += [] if abs(signals[-1] - 10.0) < 0.05 else ["current loop does not settle"]
    slow = work / "slow.toml"
    slow.write_text(text + '[sync]\nplant = { members = ["electric", "control"], every = "1 ms" }\n')
    said = subprocess.run([takt, "check", str(slow)], capture_output=True, text=True)
    told = said.stdout + said.stderr
    if "warning[S033]" not in told or "50 us" not in told or "1 ms" not in told:
        failed.append("a slow group is not warned of")
    return failed


def check_swapped_poles(takt, work):
    signals = run(takt, (PLANTS / "swapped_poles.toml").read_text(), work)
    out = 5.0 / 1.01
    expected = {"electric.load": 100.0, "electric.drive.dc": 50.0, "electric.converter.primary": 5.0 * out}
    failed = []
    for element, power in expected.items():
        drawn = signals[element + ".v"] * signals[element + ".i"]
        failed += judge(f"power of {element}", drawn, np.full(len(drawn), power), 1e-6)
    return failed


def check_heat_with_a_transient(takt, work):
    """Losses that cross with a lag begin with a transient that the start-up cannot foresee: all of it arrives, and higher orders are better."""
    def rate(z):
        t, i, w, winding, housing = z
        r = 1.0 + 0.004 * (winding - T_REFERENCE)
        between = 6.0 * (winding - housing)
        return np.array([1.0, (20.0 + 5.0 * np.sin(2 * np.pi * 0.2 * t) - r * i - 0.5 * w) / 0.05,
                         (0.5 * i - 0.05 * (1 - 0.003 * (housing - 293.0)) * w) / 0.2,
                         (r * i * i - between) / 39.0, (between - 3.0 * (housing - 293.15)) / 270.0])
    expected = integrate(rate, np.array([0.0, 0.0, 0.0, 293.15, 293.15]), 20.0, 40_000)[::200, 3]
    text, failed, worst = (PLANTS / "heat_with_a_transient.toml").read_text().replace('"100 ms" =', '"200 ms" ='), [], {}
    for order in (1, 2, 3):
        plant = text.replace('every = "50 ms", scheme = "slow-first", order = 2', f'every = "100 ms", scheme = "slow-first", order = {order}')
        signals = run(takt, plant, work / str(order), "--audit", "off")
        worst[order] = float(np.max(np.abs(signals["solid.winding.t"] - expected)) / np.ptp(expected))
        failed += judge(f"heat that began with a transient, order {order}", signals["solid.winding.t"] - 293.15, expected - 293.15, {1: 1e-1, 2: 3e-2, 3: 1e-2}[order])
        heat = next(c for c in run_cases.summary(work / str(order) / "run")["couplings"] if c["to"] == "electric.r.heat" or c["from"].startswith("electric.r"))
        if abs(heat["in_transit"]) > 2 * 26.0 * 0.1:  # W over a window
            failed.append(f"order {order}: {heat['in_transit']} J stay in transit")
    return failed + ([] if worst[3] < worst[2] < worst[1] else [f"errors by order: {worst}"])


def check_sources_that_read(takt, work):
    """What a source that reads a fluid circuit gives is not taken from it; work of a piston is on both sides of the account."""
    cooled = run(takt, (PLANTS / "cooler_reads_its_circuit.toml").read_text(), work / "cooler")["fluid.vo.t"]
    failed = judge("a cooler that reads its circuit", cooled[-1:], np.array([313.707]), 1e-5)
    speed = run(takt, (PLANTS / "own_piston.toml").read_text(), work / "piston")["translational.m.v"]
    return failed + judge("a piston of its own", speed[-1:], np.array([0.05 / 870.0 / 8e-4]), 1e-9)


def check_functions_of_time(takt, work):
    """What jumps on the grid acts from there on; what jumps off it, or comes and goes within a step, is not missed. The reference sees it, too."""
    def steps(name):
        return run(takt, (PLANTS / f"{name}.toml").read_text(), work / name)
    signals = steps("source_jumps_on_the_grid")
    t = np.arange(17) * 1e-3
    rise = 2.0 * (1 - np.exp(-t / 2e-3))
    high = 10.0 - (10.0 - rise[4]) * np.exp(-(t - 4e-3) / 2e-3)
    fall = 2.0 + (high[8] - 2.0) * np.exp(-(t - 8e-3) / 2e-3)
    failed = judge("a source jumps on the grid", signals["electric.c.v"], np.where(t <= 4e-3, rise, np.where(t <= 8e-3, high, fall)), 1e-3)
    signals = steps("source_jumps_off_the_grid")
    t = np.arange(len(signals["electric.c.v"])) * 8.333e-3
    failed += judge("a source jumps off the grid", signals["electric.c.v"], np.where(t < 1.0, 0.0, 10.0 * (1 - np.exp(-(t - 1.0) / 0.2))), 1e-4)
    signals = steps("table_pulse")
    flow = np.array([[-0.5 / 7e-4, 0.5 / 7e-4], [0.5 / 0.7, -0.55 / 0.7]])
    values, vectors = np.linalg.eig(flow)
    after = np.linalg.solve(vectors, np.array([5000.0 * 50e-6 / 7e-4, 0.0])) * np.exp(values * (5.0 - 2.00003))
    failed += judge("a pulse of 60 us in a table", signals["solid.sub.t"][-1:] - 300.0, (vectors @ after)[1:], 1e-3)
    # Trials inside the generator cut their steps as the plant does: fifty corners of a table in each step are no error of it.
    points = ", ".join(f"[{0.001 + k * 5e-6}, {8 * (k % 2)}]" for k in range(2000))
    dense = work / "dense.toml"
    dense.write_text((PLANTS / "source_jumps_on_the_grid.toml").read_text().replace('"if(time >= 4 ms and time < 8 ms, 10 V, 2 V)"', f'{{ points = [{points}], x_unit = "s", y_unit = "V" }}')
                     .replace('step = "100 us"', 'step = "250 us", method = "heun"'))
    checked = subprocess.run([takt, "check", str(dense)], capture_output=True, text=True, timeout=60)
    failed += [] if checked.returncode == 0 and "S045" not in checked.stderr + checked.stdout else ["a dense table is accused: " + checked.stderr]
    short = work / "short_gates"
    gated = run(takt, (PLANTS / "short_gates.toml").read_text(), short)["electric.c.v"]
    subprocess.run([takt, "reference", str(PLANTS / "short_gates.toml"), "--out", str(short / "reference")], check=True, capture_output=True, timeout=600)
    expected = run_cases.without_units(run_cases.references.columns(short / "reference/signals.csv"))["electric.c.v"]
    failed += judge("gates of 30 ns in steps of 1 us", gated, expected, 1e-3)
    return failed + judge("the same by the reference", expected[-1:], np.array([2.698]), 2e-3)


def check_duties_that_jump(takt, work):
    """A leg whose duty steps off its vertices, and on them, which are edges of windows: by the exact circuit between the edges that a
    grid of 2 ns finds, sampled and natural."""
    text, failed = (PLANTS / "duty_jumps.toml").read_text(), []
    period, on = '"if(mod(time, 137 us) < 61 us, 0.9, 0.2)"', '"if(time < 2 ms, 1, 0)"'
    for number, (duty, carrier, update) in enumerate([(period, "triangle", "continuous"), (period, "triangle", "valley"), (period, "sawtooth", "continuous"),
                                                      (on, "sawtooth", "continuous"), (on, "sawtooth", "valley"), (on, "triangle", "continuous")]):
        plant = text.replace(period, duty).replace('"triangle"', f'"{carrier}"').replace('"continuous"', f'"{update}"')
        found = run(takt, plant, work / f"duty_jumps_{number}")["electric.l.i"]
        dt = 2e-9
        t = (np.arange(2_000_000) + 0.5) * dt
        phase = t * 20e3
        ramp = phase % 1.0
        level = ramp if carrier == "sawtooth" else 1.0 - np.abs(1.0 - 2.0 * ramp)
        at = t if update == "continuous" else np.floor(phase) / 20e3 + 1e-10
        values = np.where(at % 137e-6 < 61e-6, 0.9, 0.2) if duty == period else np.where(at < 2e-3, 1.0, 0.0)
        # i' = (v - (r + r_on) i)/l: each instant's share of what is there at the end of a window.
        decay = 1.001 / 10e-3
        share = (values > level) * 100.0 / 1.001 * (1.0 - np.exp(-decay * dt)) * np.exp(decay * (t - 2e-3))
        current = np.concatenate([[0.0], np.cumsum(share.reshape(80, -1).sum(axis=1))]) * np.exp(-decay * (np.arange(81) * 50e-6 - 2e-3))
        failed += judge(f"a duty that jumps: {duty}, {carrier}, {update}", found, current, 2e-6)
    return failed


def check_accounts(takt, work):
    """What a joining of capacitors takes, 1/2*C1*C2/(C1+C2)*dv^2, is in the account, and so is what a linkage that depends on a position turns into work.
    X008 stays where energy comes from nowhere or goes nowhere."""
    def energy(name, text, closes):
        folder = work / name
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "plant.toml").write_text(text)
        subprocess.run([takt, "run", str(folder / "plant.toml"), "--pace", "free", "--audit", "off", "--out", str(folder / "run")], capture_output=True, timeout=600)
        summary = json.loads((folder / "run/summary.json").read_text())
        accused = any(verdict["code"] == "X008" for verdict in summary["verdicts"])
        print(f"{name:44} {'closes' if not accused else 'X008'}{'' if accused != closes else '   FAILED'}")
        failed.extend([] if accused != closes else [name])
        return summary["energy"]

    failed = []
    plain = (PLANTS / "joined_capacitors.toml").read_text()
    for name, text in (("joined", plain), ("joined_at_the_start", plain.replace("1.0003 ms", "0 s"))):
        lost = energy(name, text, True)["dissipated_j"]
        failed += judge(name + ": dissipated", [lost], np.array([0.5 * 0.75e-6 * 8.0**2]), 1e-4)
    # Where the switch has a heat port it gets that: 1 g of 1 J/(kg K). Not known where another capacitor takes its charge as fast, by 1 mOhm of its own.
    body = '\n[solid.body]\nis = "wall"\nm = "1 g"\ncp = "1 J/kg/K"\nstart = { t = "300 K" }\n'
    warm = plain.replace('r_off =', 'heat = "solid.body", r_off =').replace('members = ["electric"]', 'members = ["electric", "solid"]').replace(
        '"electric.c2.v"]', '"electric.c2.v","solid.body.t"]') + body
    # Eight times 10 nF are charged by a source over 1 kOhm, and discharged by the switch.
    snubbed = warm.replace('at = ["a","gnd"], c = "1 uF"', 'at = ["a","gnd"], c = "10 nF"').replace('at = ["b","gnd"], c = "3 uF", start = { v = "2 V" }', 'at = ["s","gnd"], c = "1 uF", start = { v = "10 V" }').replace(
        '["a","b"]', '["a","gnd"]').replace("time >= 1.0003 ms", "mod(time + 0.25 ms, 0.5 ms) < 0.1003 ms") + \
        '[electric.r]\nis = "resistor"\nat = ["s", "a"]\nr = "1 kOhm"\n[electric.u]\nis = "voltage_source"\nat = ["s", "gnd"]\nv = "10 V"\n'
    for name, text, taken in (("joined_and_warm", warm, 24e-6), ("discharged_and_warm", snubbed, 8 * 0.5 * 10e-9 * 10.0**2)):
        energy(name, text, True)
        heat = 1e-3 * (float((work / name / "run/signals.csv").read_text().splitlines()[-1].split(",")[-1]) - 300.0)
        failed += judge(name + ": heat", [heat], np.array([taken]), 1e-3)
    # Two pairs joined at once by switches of other resistances: each takes what its own pair loses, not what its resistance says.
    pair = warm.replace('"solid.body.t"]', '"solid.body.t","solid.other.t"]') + body.replace("solid.body", "solid.other") + \
        '[electric.c4]\nis = "capacitor"\nat = ["x", "gnd"]\nc = "1 uF"\nstart = { v = "5 V" }\n[electric.c5]\nis = "capacitor"\nat = ["y", "gnd"]\nc = "1 uF"\nstart = { v = "1 V" }\n' \
        '[electric.w2]\nis = "switch"\nat = ["x", "y"]\ngate = "time >= 1.0003 ms"\nr_on = "50 uOhm"\nr_off = "1 GOhm"\nheat = "solid.other"\n' \
        '[electric.tie]\nis = "resistor"\nat = ["b", "y"]\nr = "1 GOhm"\n'
    energy("two_pairs_at_once", pair, True)
    heats = [1e-3 * (float(value) - 300.0) for value in (work / "two_pairs_at_once/run/signals.csv").read_text().splitlines()[-1].split(",")[-2:]]
    failed += judge("two_pairs_at_once: heats", heats, np.array([24e-6, 0.5 * 0.5e-6 * 4.0**2]), 1e-3)
    energy("joined_beside_a_fast_one", warm.replace('at = ["b","gnd"], c', 'at = ["b","e"], c') + '[electric.re]\nis = "resistor"\nat = ["e", "gnd"]\nr = "1 mOhm"\n'
           '[electric.c3]\nis = "capacitor"\nat = ["b", "gnd"]\nc = "3 uF"\nstart = { v = "2 V" }\n', False)
    # 3 uF that ring with 1 uF over 1 nH, far below the step: damped away is not dissipated.
    ring = plain.replace('c = "3 uF"', 'c = "10 nF"') + '[electric.l]\nis = "inductor"\nat = ["b", "c"]\nl = "1 nH"\n' \
        '[electric.c3]\nis = "capacitor"\nat = ["c", "gnd"]\nc = "3 uF"\nstart = { v = "2 V" }\n'
    energy("rings_below_the_step", ring, False)
    energy("holds_less_than_it_took", plain.replace('c2 = { is = "capacitor"', 'c2 = { is = "lossy"') + '[element.electric.lossy]\ndoc = "-"\nsource = "-"\n'
           'terminals = ["a", "b"]\nparam = { c = "F > 0" }\nbranch = { kind = "C", law = "q = c*v", energy = "0.3*c*v^2" }\n', False)
    solenoid = (PLANTS / "solenoid.toml").read_text()
    switched = solenoid.replace('at = ["p","a"]', 'at = ["p","q"]').replace(
        "s = { is", 'w = { is = "switch", at = ["q","a"], gate = "time > 1.0003 ms", r_on = "1 mOhm", r_off = "10 MOhm" }\ns = { is')
    for name, text in (("solenoid", solenoid), ("switched_solenoid", switched)):
        energy(name, text, True)
        energy(name + "_with_twice_the_force", text.replace("-0.5*slope", "-1*slope"), False)
    return failed


CHECKS = {"accounts": check_accounts, "duties_that_jump": check_duties_that_jump, "functions_of_time": check_functions_of_time, "heat_with_a_transient": check_heat_with_a_transient, "sources_that_read": check_sources_that_read,
          "forms": check_forms, "saturating_core": check_saturating_core, "storage_loops": check_storage_loops, "current_loop": check_current_loop, "swapped_poles": check_swapped_poles}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--only", choices=list(CHECKS))
    options = parser.parse_args()
    failed = []
    for name, check in CHECKS.items():
        if options.only in (None, name):
            failed += check(options.takt, options.work / name)
    print("failed: " + ", ".join(failed) if failed else "all as expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
