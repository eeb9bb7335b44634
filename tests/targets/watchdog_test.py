#!/usr/bin/env python3
"""Supervisor, SocketCAN and a watchdog (softdog) in a PREEMPT_RT guest, in virtual time. A plant that is killed: safe values on
vcan0 from its supervisor, which switches the watchdog off. A plant and a supervisor that are stopped: the machine is reset.

watchdog_test.py TAKT OUT
"""

import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PLANT = ROOT / "tests/end_to_end/driven_rc"
failures = []


def expect(what, condition, found=""):
    print(("ok   " if condition else "FAIL ") + what + (f": {found}" if found != "" else ""), flush=True)
    if not condition:
        failures.append(what)


def run_guest(plant, what, out):
    shutil.rmtree(out, ignore_errors=True)
    done = subprocess.run([ROOT / "targets/qemu/run", "-V", "1", "-t", "900", "-k", "can-raw,vcan,softdog", "-o", out,
                           "-s", "ip link add vcan0 type vcan && ip link set vcan0 up", "--", HERE / "watchdog_guest.sh", plant, what])
    if done.returncode == 77:
        sys.exit(77)
    return done.returncode


def main():
    takt, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    out.mkdir(parents=True, exist_ok=True)
    rig = (PLANT / "rig.toml").read_text().replace('"plant.dbc"', f'"{PLANT}/plant.dbc"')
    (out / "rig.toml").write_text(rig + '\n[supervisor]\nwatchdog = "/dev/watchdog"\nwatchdog_timeout = "3 s"\n')
    built = subprocess.run([takt, "build", PLANT / "plant.toml", "--rig", out / "rig.toml", "--out", out / "plant"], stdout=subprocess.PIPE, text=True, check=True)
    plant = built.stdout.strip()

    code = run_guest(plant, "killed", out / "killed")
    expect("killed: the machine goes on, its watchdog is off", code == 0 and (out / "killed/survived").is_file(), code)
    expect("killed: there was a supervisor", (out / "killed/supervisor").read_text().strip() == "takt-supervisor")
    expect("killed: said", "has died: its supervisor sends the safe values" in (out / "killed/plant.log").read_text(), (out / "killed/plant.log").read_text())
    frames = [line.split() for line in (out / "killed/candump.log").read_text().splitlines()]
    states = [(float(stamp.strip("()")), bytes.fromhex(text.split("#")[1])) for stamp, _, text in frames if text.startswith("100#")]
    safe = [k for k, (_, data) in enumerate(states) if data[4:6] == b"\x9c\xff" and data[6] == 0x09]  # -1 V, mode 9, not ready
    expect("killed: safe values on vcan0, and nothing else from then on", len(safe) > 50 and safe == list(range(safe[0], len(states))), len(safe))
    if safe:
        expect("killed: what has no safe value keeps the last that was sent", {states[k][1][:4] for k in safe} == {states[safe[0] - 1][1][:4]})
        print(f"     first safe frame {1e3 * (states[safe[0]][0] - states[safe[0] - 1][0]):.2f} ms after the plant's last one; {len(safe)} at a period of 10 ms")

    code = run_guest(plant, "hung", out / "hung")
    expect("plant and supervisor stopped: the watchdog resets the machine", code == 125 and not (out / "hung/survived").is_file(), code)
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
