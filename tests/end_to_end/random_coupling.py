#!/usr/bin/env python3
"""Random networks of all domains, coupled: what is computed circuit by circuit tends to the solution of the undecomposed network as the
synchronisation time H shrinks, micro-steps with it, with the expected order.

    random_coupling.py --takt build/release/bin/takt --work DIR [--networks N] [--seed N]

Every network is written twice: as a plant, and as one differential-algebraic system (coupled_networks.py: heat of resistors and dampers,
resistance over temperature, enthalpy of a flow of gas, also of index 2), solved without the generator. All networks stand in one plant and
run at H, H/2, H/4; the micro-step is H.
Expected order: that of the method, 2 (heun); 1 where a flux that is needed before it is sent is held, as `takt check --json` says of the couplings."""
import argparse
import collections
import json
import math
import pathlib
import random
import subprocess
import sys

try:
    import numpy as np

    import run_cases
    from coupled_networks import random_network, solve
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)

H_MS = (10, 5, 2.5)
DURATION_S = 1.0


def plant_text(networks, h_ms):
    sections = collections.defaultdict(list)
    for net in networks:
        for section, lines in net.lines.items():
            sections[section] += lines
    media = {"fluid": ["[medium.liquid]", 'doc = "constant properties"', 'cp = "4000 J/kg/K"', 'rho = "1000 kg/m^3"'], "gas": []}
    text = ["[plant]", 'title = "Random networks"', f'duration = "{DURATION_S} s"']
    for section, lines in sections.items():
        text += media.get(section, []) + [f"[{section}]"]
        text += {"fluid": ['medium = "liquid"'], "gas": ['medium = "ideal_air"']}.get(section, []) + lines
    domains = ["mechanical" if section == "rotational" else section for section in sections]
    text += ["[solve]"] + [f'{domain} = {{ step = "{h_ms} ms" }}' for domain in domains]
    text += ["[sync]", f'plant = {{ members = ["*"], every = "{h_ms} ms" }}', "[record]"]
    text += ['"50 ms" = [' + ", ".join(f'"{path}"' for net in networks for path in net.compared) + "]"]
    return "\n".join(text) + "\n"


def expected_orders(takt, plant, networks):
    """-> {network: 1 or 2}"""
    checked = subprocess.run([takt, "check", str(plant), "--json"], capture_output=True, text=True)
    answer = json.loads(checked.stdout)
    if checked.returncode != 0:
        raise AssertionError(json.dumps([f for f in answer["findings"] if f["severity"] == "error"], indent=1)[:3000])
    methods = {subsystem["method"] for subsystem in answer["subsystems"]}
    if methods != {"heun"}:
        raise AssertionError(f"methods {methods}: the default has changed")
    late = {net.name: False for net in networks}
    counted = {net.name: 0 for net in networks}
    for coupling in answer["couplings"]:
        name = coupling["from"].split(".")[1].split("_")[0]
        counted[name] += 1
        late[name] |= coupling["kind"] == "flux" and coupling["lag"] == 1 and coupling["order"] == 0
    return {name: 1 if late[name] else 2 for name in late}, counted


KINDS = ("solid, fluid", "solid, gas", "electric, solid", "electric, mechanical", "mechanical, solid", "electric, fluid",
         "solid, fluid, gas", "all")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--networks", type=int, default=16)
    parser.add_argument("--seed", type=int, default=20261121)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    networks = [random_network(rng, f"n{k}", KINDS[k % len(KINDS)]) for k in range(options.networks)]
    runs = {}
    for h in H_MS:
        folder = options.work / f"h{h:g}".replace(".", "_")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "plant.toml").write_text(plant_text(networks, h))
        if h == H_MS[0]:
            orders, couplings = expected_orders(options.takt, folder / "plant.toml", networks)
        runs[h] = run_cases.signals(options.takt, folder / "plant.toml", folder, *run_cases.COARSE)
    times = runs[H_MS[0]]["time"]
    bad, seen = 0, collections.Counter()
    for net, kind in zip(networks, KINDS * len(networks)):
        exact = solve(net, times)
        errors = []
        for h in H_MS:
            of_signals = [np.abs(runs[h][path] - exact[:, k]).max() / max(np.ptp(exact[:, k]), 1e-6 * np.abs(exact[:, k]).max(), 1e-9)
                          for path, k in net.compared.items()]
            errors.append(max(of_signals))
        order = math.log2(errors[1] / errors[2]) if errors[2] > 0 else 9.0
        ok = errors[2] < 1e-9 or (errors[0] > errors[1] > errors[2] and order > orders[net.name] - 0.35 and errors[0] < 0.2)
        bad += not ok
        seen[(kind, orders[net.name])] += 1
        print(f"{net.name:5}{kind:24}{couplings[net.name]:3} couplings, {len(net.start):3} unknowns:"
              + "".join(f"{e:10.2e}" for e in errors) + f"   order {order:5.2f} of {orders[net.name]}" + ("   ok" if ok else "   FAILED"), flush=True)
    print(f"{len(networks)} networks, H {', '.join(f'{h:g}' for h in H_MS)} ms, {bad} failed; of order 1 expected: "
          f"{sum(n for (_, o), n in seen.items() if o == 1)}, of order 2: {sum(n for (_, o), n in seen.items() if o == 2)}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
