#!/usr/bin/env python3
"""Networks of EPANET's .inp files as plants without inertia: heads and flows at time 0 against EPANET's own library, within 1e-4 of the spread of heads
and of the largest flow; sizes and times of each.

    water_networks_test.py --takt build/release/bin/takt --work DIR [--all]

Without --all a few of them. Ends with 0, 1 (a network failed) or 77 (no files, or no EPANET:
TAKT_SHARED_DATA, tools/install_packages.sh test)."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
import time

import run_cases  # the first: ends with 77 where numpy is missing
import water_networks

CLOSE = 1e-4
FEW = {"example3", "hanoi-3", "NET1"}
LEFT_OUT = {"simplenet": "its [STATUS] names a link that is not there: EPANET refuses it, error 204",
            "Anytown": "at time 0 all its pumps and tanks are shut: EPANET draws its demands through closed links"}


def compare(options, library, path):
    folder = options.work / path.stem
    folder.mkdir(parents=True, exist_ok=True)
    engine = water_networks.Engine(library, path, folder)
    network = water_networks.WaterNetwork(path, engine)
    (folder / "plant.toml").write_text(network.text())
    start = time.monotonic()
    checked = subprocess.run([options.takt, "check", folder / "plant.toml", "--json"], capture_output=True, text=True)
    check_s = time.monotonic() - start
    circuit = json.loads(checked.stdout)["circuits"][0]
    start = time.monotonic()
    got = run_cases.signals(options.takt, folder / "plant.toml", folder)
    run_s = time.monotonic() - start
    rho_g = water_networks.RHO * water_networks.G
    heads = [engine.head[name] for name in network.heads]
    span = max(engine.head.values()) - min(engine.head.values())
    reached = {name: got[signal][0] / rho_g for name, signal in network.heads.items()}
    worst_head, head_at = max((abs(reached[name] - engine.head[name]), name) for name in network.heads)
    largest = max(abs(flow) for flow in engine.flow.values())
    worst_flow, flow_at = max((abs(got[signal][0] / water_networks.RHO - engine.flow[name]), name) for name, signal in network.signals.items())
    good = worst_head <= CLOSE * span and worst_flow <= CLOSE * largest
    tables = ", ".join(f'{each["unknowns"]} unknowns over tables' for each in circuit["tables"]) or "statements"
    print(f"{path.stem:22} {len(heads):5} junctions, {len(engine.flow):5} links: heads {worst_head / span:7.1e}, flows {worst_flow / largest:7.1e}; "
          f"check {check_s:6.1f} s, build and run {run_s:6.1f} s; {tables}"
          + (f"; replaced: {', '.join(network.replaced)}" if network.replaced else "") + ("" if good else f"   FAILED at {head_at}, {flow_at}"), flush=True)
    return good


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--only", help="stem of one file")
    options = parser.parse_args()
    data = pathlib.Path(os.environ.get("TAKT_SHARED_DATA", "")) / "fluid"
    library = water_networks.engine_library()
    if not os.environ.get("TAKT_SHARED_DATA") or not data.is_dir() or library is None:
        print("skipped: no EPANET networks (TAKT_SHARED_DATA), or no EPANET (tools/install_packages.sh test)")
        return 77
    failed = []
    for path in sorted(data.rglob("*.inp")):
        if options.only not in (None, path.stem) or (options.only is None and not options.all and path.stem not in FEW):
            continue
        if path.stem in LEFT_OUT:
            print(f"{path.stem:22} left out: {LEFT_OUT[path.stem]}")
        elif not compare(options, library, path):
            failed.append(path.stem)
    print("failed: " + ", ".join(failed) if failed else "all as they should be")
    return 1 if failed else 0


sys.exit(main())
