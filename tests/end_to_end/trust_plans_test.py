#!/usr/bin/env python3
"""Plants that stiffen after the start, stand still there, or follow sources faster than a usual step, run by the plan that takt proposes: against
closed solutions, or against a reference run where there is none. And what is said of steps given by hand.

    trust_plans_test.py --takt build/release/bin/takt --work DIR [NAME...]

Ends with 0 or 1 (a plant failed)."""
import argparse
import csv
import math
import pathlib
import subprocess
import sys

PLANTS = pathlib.Path(__file__).parent / "trust"

RC = 2 * math.pi  # omega*R*C of source_of_1kHz


def diode_voltage(source, resistance):
    """source - v = resistance*i(v), i = 1 uA*(exp(v/33 mV) - 1), halved."""
    low, high = -5.0, 1.0
    for _ in range(200):
        v = 0.5 * (low + high)
        low, high = (v, high) if (source - v) / resistance > 1e-6 * (math.exp(v / 0.033) - 1) else (low, v)
    return low


# Laminar: q = pi*rho*d^4*dp/(128*mu*l)
THIN = math.pi * 1000 * 1e-4**4 * 1e5 / (128 * 1e-3 * 1000)
# Seat of the closed valve: dp = (q/(cd*area*leak))^2/(2*rho), the pipe takes 6.8 Pa of 1e5
LEAK = 0.6 * 1e-4 * 1e-3 * math.sqrt(2 * 1000 * (1e5 - 6.83))

# v' = (u - v)/1 s: each of the ten pulses leaves its area, at 5 ms, 15 ms, ...
PULSE = 1e3 * 0.02 * math.exp(math.lgamma(1000.5) - math.lgamma(1001)) / math.sqrt(math.pi) / 2
NARROW_WAVE = sum(PULSE * math.exp(-(0.1 - (0.005 + 0.01 * k))) for k in range(10))
# The same of a Lorentzian, whose tails count, and of a step from -2 V to 2 V
def lorentzian(t, n=400_000, at=0.3001, width=2e-6):
    """Its integral with the weight exp(time - t): over equal angles"""
    first, last = math.atan(-at / width), math.atan((t - at) / width)
    angles = (first + (k + 0.5) * (last - first) / n for k in range(n))
    return 1e6 * width * (last - first) / n * sum(math.exp(at + width * math.tan(a) - t) for a in angles)


NARROW_STEP = lorentzian(1.0) - 2 * (1 - math.exp(-1)) + 4 * (1 - math.exp(-0.5433))
# Last values: quantity, what is right, how near
ENDS = {
    "source_of_1kHz": [("electric.c.v", -RC / (1 + RC**2), 2e-3)],
    "source_of_2kHz": [("electric.c.v", 1 - math.exp(-4), 0.01)],
    "diode_charged": [("electric.a.v", diode_voltage(15, 10), 1e-4)],
    "brake": [("rotational.disk.w", 0, 1e-3), ("solid.pad.t", 298.15 + 0.5 * 0.01 * 50**2 / 5, 0.02)],
    "clutch": [("rotational.clutch.tau", 2.2844, 0.02), ("rotational.engine.w", 51.38, 0.1), ("rotational.load.w", 51.375, 0.1)],
    "fan_into_box": [("gas.box.p", 101325 + 5000, 5), ("gas.fan.q", 0, 2e-5), ("gas.box.t", 297.142, 0.1)],
    "plenums_equalise": [("gas.a.p", 2e5, 20), ("gas.a.t", 261.083, 0.2), ("gas.b.t", 334.198, 0.2), ("gas.o.q", 0, 1e-5)],
    "valve_closes_slowly": [("fluid.j.p", 2e5 + 6.83, 5), ("fluid.p2.inertia.q", LEAK, 1e-2 * LEAK)],
    "valve_closes": [("fluid.j.p", 2e5 + 6.83, 5), ("fluid.p2.inertia.q", LEAK, 1e-2 * LEAK)],
    "narrow_pulse": [("electric.c.v", math.sqrt(math.pi) * math.exp(-0.5433), 1e-3)],
    "narrow_wave": [("electric.c.v", NARROW_WAVE, 2e-3 * NARROW_WAVE)],
    "narrow_step": [("electric.c.v", NARROW_STEP, 6e-3)],
    "thin_pipe": [("fluid.p1.inertia.q", THIN, 1e-3 * THIN)],
}
# Quantities compared with the reference all along, RMS over range
ALONG = {
    "diode_clipper": ["electric.a.v", "electric.d.i"],
    "dry_friction": ["rotational.j.phi", "rotational.j.w"],
    "cold_oil": ["fluid.l.inertia.q"],
    "sampled_thermostat": ["solid.room.t", "solid.sensor.t"],
    "fan_runs_down": ["gas.box.p", "gas.box.t"],
    "share_beside_pressure": ["rotational.model.x"],
}
RIGHT = 5e-3
SAID = {  # what check says of plans
    "lost_in_rounding": [((), 1, "error[S040]", "2e+19")],
    "source_of_1kHz": [(("electric", "200 us", "heun"), 0, "warning[S044]", "5 points"), (("electric", "1 ms", "heun"), 1, "error[S044]", "1 points")],
    "source_of_2kHz": [(("electric", "1 ms", "exact"), 1, "error[S044]", "0.5 points")],
    "narrow_pulse": [(("electric", "1 ms", "rk4"), 0, "warning[S057]", "at 457 ms")],
    "narrow_wave": [(("electric", "1 ms", "heun"), 0, "warning[S057]", "moves like a sine")],
    "narrow_step": [(("electric", "1 ms", "heun"), 0, "warning[S057]", "moves like a sine")],
    "diode_clipper": [(("electric", "50 us", "rk4"), 0, "warning[S045]", "electric.c.q"), (("electric", "1 ms", "heun"), 0, "warning[S045]", "would do")],
    "diode_charged": [(("electric", "1 ms", "ros2"), 1, "error[S045]", "would do")],
    "small_beside_large": [(("electric", "1 us", "euler"), 0, "warning[S045]", "electric.c.q")],
    "brake": [(("rotational", "1 ms", "heun"), 0, "warning[S045]", "of the energy")],
    "dry_friction": [(("rotational", "1 ms", "ros2"), 0, "warning[S045]", "rotational.j")],
}
QUIET = {"balanced_bridge": ("electric", "100 us", "rk4")}  # right plans, of which nothing may be said
FAILS = {("diode_clipper", "1 ms", "heun"): "X020"}  # plans that are warned of, and whose run is not to be trusted


def columns(folder):
    with open(folder / "signals.csv", newline="") as file:
        rows = list(csv.reader(file))
    return {name.split(" [")[0]: [float(row[k]) if row[k] else math.nan for row in rows[1:]] for k, name in enumerate(rows[0])}


def nrms(run, right):
    pairs = [(a, b) for a, b in zip(run, right) if not math.isnan(a) and not math.isnan(b)]
    span = max(b for _, b in pairs) - min(b for _, b in pairs)
    return math.sqrt(sum((a - b) ** 2 for a, b in pairs) / len(pairs)) / span


class Plants:
    def __init__(self, takt, work):
        self.takt, self.work, self.failed = takt, work, 0

    def command(self, *arguments):
        return subprocess.run([self.takt, *map(str, arguments)], capture_output=True, text=True, cwd=self.work)

    def expect(self, right, text):
        print(("ok    " if right else "FAIL  ") + text)
        self.failed += not right

    def run(self, name):
        done = self.command("run", PLANTS / f"{name}.toml", "--out", f"run_{name}")
        self.expect(done.returncode == 0, f"{name} runs {(done.stdout + done.stderr)[-700:] if done.returncode else ''}")
        return columns(self.work / f"run_{name}") if done.returncode == 0 else None

    def ends(self, name):
        signals = self.run(name)
        for quantity, right, near in ENDS[name] if signals else []:
            last = signals[quantity][-1]
            self.expect(abs(last - right) <= near, f"{name} {quantity} ends at {last:.6g}, right is {right:.6g} within {near:.2g}")

    def along(self, name):
        signals = self.run(name)
        done = self.command("reference", PLANTS / f"{name}.toml", "--rtol", "1e-7", "--out", f"reference_{name}")
        self.expect(done.returncode == 0, f"{name} has a reference {done.stderr[-500:] if done.returncode else ''}")
        if not signals or done.returncode:
            return
        right = columns(self.work / f"reference_{name}")
        for quantity in ALONG[name]:
            error = nrms(signals[quantity], right[quantity])
            self.expect(error <= RIGHT, f"{name} {quantity} is within {error:.2g} of the reference")

    def said(self, name):
        text = (PLANTS / f"{name}.toml").read_text()
        for plan, code, finding, number in SAID[name]:
            if plan:
                subject, step, method = plan
                text_of_plan = text + f'\n[solve]\n{subject} = {{ step = "{step}", method = "{method}" }}\n'
            else:
                text_of_plan = text
            plant = self.work / f"{name}.toml"
            plant.write_text(text_of_plan)
            done = self.command("check", plant)
            self.expect(done.returncode == code and finding in done.stderr and number in done.stderr,
                        f"{name} {' '.join(plan)}: exit {code}, {finding} with '{number}'" + ("" if finding in done.stderr and number in done.stderr else f", not {done.stderr.strip()[:400]!r}"))
            if plan and (failure := FAILS.get((name, *plan[1:]))):
                ran = self.command("run", plant, "--pace", "free", "--no-report", "--out", self.work / f"{name}_fails")
                self.expect(ran.returncode == 1 and failure in ran.stdout + ran.stderr, f"{name} {' '.join(plan)}: its run fails with {failure}")

    def quiet(self, name):
        subject, step, method = QUIET[name]
        plant = self.work / f"{name}.toml"
        plant.write_text((PLANTS / f"{name}.toml").read_text() + f'\n[solve]\n{subject} = {{ step = "{step}", method = "{method}" }}\n')
        done = self.command("check", plant)
        self.expect(done.returncode == 0 and not done.stderr, f"{name} is not accused {done.stderr.strip()[:400]}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.work.mkdir(parents=True, exist_ok=True)
    plants = Plants(pathlib.Path(arguments.takt).resolve(), arguments.work)
    for table, judge in ((SAID, plants.said), (QUIET, plants.quiet), (ENDS, plants.ends), (ALONG, plants.along)):
        for name in table:
            if not arguments.names or name in arguments.names:
                judge(name)
    return min(plants.failed, 1)


if __name__ == "__main__":
    sys.exit(main())
