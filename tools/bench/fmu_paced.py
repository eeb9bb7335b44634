#!/usr/bin/env python3
"""The electric vehicle with its battery as an FMU, in real time: from a release to what it began being done, what asking the FMU costs
beside its own computing, and what becomes of the deadlines when the FMU or its process misbehaves.

    fmu_paced.py --takt build/release/bin/takt --work DIR --cpu 0 --other 1 --for "20 s" --runs 3

The battery is a plant of Takt, exported as an FMU (FMI 3, co-simulation), with its series resistance left in the circuit. lag = 1: the
process on the plant's CPU, or on another; lag = 0: on another. Disturbed are a second FMU beside it (tests/end_to_end/fmu_plant/lag.c)
and the battery's process. Needs the right to real-time priorities."""
import argparse
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import threading
import time
import zipfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PACK = """[plant]
title    = "A battery without its series resistance"
duration = "1800 s"
error    = "off"
[input]
current = { unit = "A", start = "0 A", safe = "0 A" }
[electric]
cells = { is = "battery", at = ["p", "gnd"], n_s = 96, n_p = 3, capacity = "58 A*h", soc_start = 0.8, r_cell = { points = [[0.0, 0.0], [1.0, 0.0]], x_unit = "1", y_unit = "mOhm" }, r1 = "0.5 mOhm", c1 = "20 kF", r2 = "0.8 mOhm", c2 = "250 kF", ocv_cell = { points = [[0.0, 3.00], [0.05, 3.35], [0.1, 3.45], [0.2, 3.54], [0.3, 3.60], [0.4, 3.64], [0.5, 3.69], [0.6, 3.78], [0.7, 3.89], [0.8, 3.98], [0.9, 4.07], [1.0, 4.18]], x_unit = "1", y_unit = "V" } }
load  = { is = "current_source", at = ["p", "gnd"], i = "current" }
[solve]
electric = { step = "1 ms", method = "rk4" }
[sync]
plant = { members = ["electric"], every = "1 ms" }
[record]
"1 ms" = ["electric.p.v", "electric.cells.soc"]
"""


def build_fmus(arguments):
    pack = arguments.work / "pack"
    pack.mkdir(parents=True, exist_ok=True)
    (pack / "plant.toml").write_text(PACK)
    subprocess.run([arguments.takt, "fmu", "export", pack, "--fmi", "3", "--out", arguments.work / "pack.fmu"], check=True)
    sources = ROOT / "tests/end_to_end/fmu_plant"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O2", "-w", "-I", ROOT / "build/fmi", sources / "lag.c", "-o", arguments.work / "lag.so", "-lm"], check=True)
    with zipfile.ZipFile(arguments.work / "lag.fmu", "w") as archive:
        archive.write(sources / "modelDescription.xml", "modelDescription.xml")
        archive.write(arguments.work / "lag.so", "binaries/linux64/lag.so")


def vehicle(arguments, name, lag=1, fault=None):
    """The plant file of config/plants/ev with its pack taken out."""
    folder = arguments.work / name
    folder.mkdir(exist_ok=True)
    for file in ("pack.fmu", "lag.fmu"):
        shutil.copy(arguments.work / file, folder / file)
    shutil.copy(ROOT / "config/plants/ev/wltc_3b.csv", folder / "wltc_3b.csv")
    fmus = f'[fmu]\npack = {{ file = "pack.fmu", step = "1 ms", lag = {lag}, on_error = "hold", inputs = {{ current = "electric.pack_r.i" }}, outputs = {{ v = "electric.p.v", soc = "electric.cells.soc" }} }}\n'
    if fault is not None:
        fmus += f'lag = {{ file = "lag.fmu", step = "1 ms", on_error = "hold", inputs = {{ u = "solid.chips.t" }}, outputs = {{ t = "heat.Y", steps = "steps" }}, parameters = {{ fault = "{fault}" }} }}\n'
    lines = []
    for line in (ROOT / "config/plants/ev/plant.toml").read_text().splitlines():
        if line.startswith("pack = "):
            continue
        if line.startswith("ground "):
            line = 'pack_emf     = { is = "voltage_source", at = ["inner", "gnd"], v = "fmu.pack.v" }\n' \
                   'pack_r       = { is = "resistor", at = ["inner", "plus"], r = "48 mOhm", heat = "solid.core" }'
        if line.startswith("cold_plate "):
            line += '\ncore       = { is = "wall", m = "272 kg", cp = "1000 J/kg/K", start = { t = "t_ambient" } }\npad        = { is = "heat_transfer", at = ["core", "cold_plate"], c = "140 W/K" }'
        if line == "[solve]":
            line = fmus + line
        for old, new in (("electric.string[0].v", "electric.plus.v"), ("string[0]", "plus"), ("electric.pack[0].cells.i_out", "electric.pack_r.i"), ("electric.pack[0].cells.soc", "fmu.pack.soc"),
                         ("max(max(solid.pack[0].core.t, solid.pack[1].core.t), max(solid.pack[2].core.t, solid.pack[3].core.t))", "solid.core.t"),
                         ('"solid", "control"]', '"solid", "control", "fmu"]')):
            line = line.replace(old, new)
        lines.append(line)
    (folder / "plant.toml").write_text("\n".join(line for line in lines if line != "[parts]") + "\n")
    return folder


def run(arguments, folder, fmu_cpu, disturb=None):
    out = folder / "run"
    shutil.rmtree(out, ignore_errors=True)
    command = [arguments.takt, "run", folder, "--pace", "real", "--late", "any", "--for", arguments.duration, "--set", "solo=1", "--cpu", str(arguments.cpu), "--build-dir", arguments.work / "build" / folder.name, "--out", out, "--quiet"]
    started = subprocess.Popen([*command, *(["--fmu-cpus", str(fmu_cpu)] if fmu_cpu is not None else [])], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if disturb:
        def act():
            while not out.exists():
                time.sleep(0.05)
            time.sleep(3.0)
            first = subprocess.run(["pgrep", "-f", f"^takt-fmu-host .*/{folder.name}/"], capture_output=True, text=True).stdout.split()
            disturb(int(min(first, key=int)))
        threading.Thread(target=act, daemon=True).start()
    said = started.communicate()[0]
    if not (out / "summary.json").exists():
        raise SystemExit(said)
    return json.loads((out / "summary.json").read_text()), said


def pause(pid):
    os.kill(pid, signal.SIGSTOP)
    time.sleep(1.0)
    os.kill(pid, signal.SIGCONT)


def figures(summary):
    def of(worker):
        return next(rate["response_us"] for rate in summary["rates"] if rate["worker"] == worker)

    wakeup, pack = summary["cores"][0]["wakeup_us"], next((fmu for fmu in summary["fmus"] if fmu["name"] == "fmu.pack"), None)
    row = {"wake-up p50": wakeup["p50"], "p99": wakeup["p99"], "plant done p50": of(0)["p50"], "p99 ": of(0)["p99"], "missed": summary["overruns"]["deadline_misses"]}
    if len(summary["cores"]) > 1:
        row |= {"FMU done p50": of(1)["p50"], "p99  ": of(1)["p99"]}
    if pack:
        row |= {"FMU p50": pack["call_us"]["p50"], "FMU p99": pack["call_us"]["p99"], "asking p50": pack["exchange_us"]["p50"], "asking p99": pack["exchange_us"]["p99"], "late": sum(fmu["late"] for fmu in summary["fmus"])}
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--cpu", type=int, default=0)
    parser.add_argument("--other", type=int, default=1)
    parser.add_argument("--for", dest="duration", default="20 s")
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    arguments.work = arguments.work.resolve()
    build_fmus(arguments)
    beside, within = vehicle(arguments, "beside"), vehicle(arguments, "within", lag=0)
    cases = [("the library's battery", ROOT / "config/plants/ev", None, None), ("lag 1, same CPU", beside, arguments.cpu, None), ("lag 1, other CPU", beside, arguments.other, None),
             ("lag 0, other CPU", within, arguments.other, None),
             ("lag 1, killed (kill -9)", beside, arguments.cpu, lambda pid: os.kill(pid, signal.SIGKILL)), ("lag 1, stopped for 1 s (SIGSTOP)", beside, arguments.cpu, pause),
             ("1 MB per step", vehicle(arguments, "hungry", fault=7), arguments.cpu, None), ("5 ms for 10 steps of 1 ms", vehicle(arguments, "slow", fault=6), arguments.cpu, None),
             ("crash at step 50", vehicle(arguments, "crash", fault=2), arguments.cpu, None)]
    for name, folder, cpu, disturb in cases:
        if disturb is None and folder == ROOT / "config/plants/ev":
            local = arguments.work / "library"
            shutil.copytree(folder, local, dirs_exist_ok=True)
            folder = local
        rows, said = [], ""
        for _ in range(arguments.runs):
            summary, said = run(arguments, folder, cpu, disturb)
            rows.append(figures(summary))
        middle = {key: statistics.median(row[key] for row in rows if row[key] is not None) for key in rows[0] if any(row[key] is not None for row in rows)}
        print(f"{name:34}" + "  ".join(f"{key} {value:.4g}" for key, value in middle.items()), flush=True)
        for line in said.splitlines():
            if "[X04" in line or line.startswith("warning: fmu"):
                print("    " + line[:160])


if __name__ == "__main__":
    main()
