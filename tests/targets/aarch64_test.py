#!/usr/bin/env python3
"""aarch64_test.py TAKT SOURCE FOLDER PLANT:DURATION...: plants built for 64-bit ARM, in a PREEMPT_RT guest of that architecture: digests of this
machine, frames on CAN in real time, and `takt fit` by a pack. Nothing is asserted of times: the guest is emulated."""
import json
import os
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
TAKT, SOURCE, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
TARGET = ["--target", "linux-aarch64", "--error", "off"]


def takt(*arguments):
    done = subprocess.run([TAKT, *map(str, arguments)], capture_output=True, text=True, cwd=FOLDER)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def summary(file):
    return json.loads(file.read_text())


def main():
    if not shutil.which("aarch64-linux-gnu-g++") or not shutil.which("qemu-system-aarch64"):
        print("skipped: no compiler or emulator for aarch64 (tools/install_packages.sh cross guest)")
        return 77
    FOLDER.mkdir(parents=True, exist_ok=True)
    digests = {}
    for wanted in sys.argv[4:]:
        plant, duration = wanted.split(":")
        here = takt("build", SOURCE / "config/plants" / plant, "--out", FOLDER / f"{plant}_here", "--error", "off")
        run = subprocess.run([here, "--pace", "free", "--for", duration, "--no-results", "--audit", "off", "--quiet", "--json"], capture_output=True, text=True, check=True)
        digests[plant] = json.loads(run.stdout)["digest"]
        takt("build", SOURCE / "config/plants" / plant, "--out", FOLDER / plant, *TARGET)
    takt("build", SOURCE / "config/plants/ev", "--rig", SOURCE / "config/rigs/ev.toml", "--out", FOLDER / "ev_rig", *TARGET)
    takt("fit", SOURCE / "config/plants/rc", *TARGET, "--pack", FOLDER / "pack", "--for", "2s", "--skip", "finer", "--most-copies", "2")
    out = FOLDER / "out"
    shutil.rmtree(out, ignore_errors=True)
    code = subprocess.run([SOURCE / "targets/qemu/run", "-A", "aarch64", "-t", "900", "-k", "can-raw,vcan", "-o", out, "-s", "ip link add vcan0 type vcan && ip link set vcan0 up",
                           "--", HERE / "aarch64_guest.sh", FOLDER, *sys.argv[4:]]).returncode
    if code == 77:
        return 77
    assert code == 0, f"the guest ended with {code}"
    assert (out / "realtime").read_text().strip() == "1"
    for plant, digest in digests.items():
        found = summary(out / f"{plant}.json")
        assert "aarch64" in found["origin"]["kernel"], found["origin"]
        assert found["digest"] == digest, f"{plant}: {found['digest']} in the guest, {digest} here"
        print(f"{plant}: digest {digest} here and on {found['origin']['kernel']}")
    paced = summary(out / "paced.json")
    assert paced["pace"] == "real" and paced["macro_steps"] == 5000 and not paced["failed"], paced["verdict"]
    kernels_own = int((out / "frames").read_text())
    assert kernels_own > 500, kernels_own
    print(f"ev in real time: {kernels_own} frames on vcan0")
    pack = FOLDER / "pack"
    shutil.copytree(out / "results", pack / "results", dirs_exist_ok=True)
    done = subprocess.run([TAKT, "fit", "--read", pack, "--json"], capture_output=True, text=True)
    report = json.loads(done.stdout)
    assert report["board"]["machine"] == "aarch64" and report["verdict"]["windows"] == 2000, report
    assert (done.returncode == 0) == report["verdict"]["holds"]
    assert "virtual machine" in [row["item"] for row in report["machine"]], report["machine"]
    print(f"takt fit by a pack: holds {report['verdict']['holds']}, margin {report['verdict']['margin']:.2f}")
    return 0


sys.exit(main())
