#!/usr/bin/env python3
"""targets/service in a PREEMPT_RT guest that systemd boots: the plant is there after the start, as a user of its own, with SCHED_FIFO;
killed, its supervisor sends safe values and it is started again; stopped, it ends in order and leaves its results. Of the runs before the newest 20
stay. Bound to its interface it is stopped when that is pulled, and started when it is put in.

service_test.py TAKT OUT
"""

import json
import pathlib
import shutil
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PLANT = ROOT / "tests/end_to_end/driven_rc"
SETUP = """
useradd --system --no-create-home --shell /usr/sbin/nologin takt
install -D -m755 {plant} /opt/takt/driven
install -D -m644 {root}/targets/service/takt-rig@.service /etc/systemd/system/takt-rig@.service
mkdir -p /etc/takt /etc/systemd/system/takt-rig@driven.service.d /etc/systemd/system/sys-subsystem-net-devices-vcan0.device.wants
for old in $(seq 10 34); do mkdir -p /var/lib/takt/driven/runs/old-$old; touch -d "2020-01-01 00:$old" /var/lib/takt/driven/runs/old-$old; done
cat >/etc/systemd/system/takt-rig@driven.service.d/interface.conf <<'END'
[Unit]
BindsTo=sys-subsystem-net-devices-vcan0.device
After=sys-subsystem-net-devices-vcan0.device
[Service]
ExecStartPre=+{ip} link set vcan0 up
END
echo 'TAKT_OPTIONS=--bus can0.channel=vcan0 --bus can0.virtual=false --for 600s' >/etc/takt/driven
ln -s /etc/systemd/system/takt-rig@.service /etc/systemd/system/sys-subsystem-net-devices-vcan0.device.wants/takt-rig@driven.service
ip link add vcan0 type vcan
"""
failures = []


def expect(what, condition, found=""):
    print(("ok   " if condition else "FAIL ") + what + (f": {found}" if found != "" else ""), flush=True)
    if not condition:
        failures.append(what)


def main():
    takt, out = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
    for needed in ("systemd", "systemd-udevd"):
        if not pathlib.Path("/lib/systemd", needed).exists():
            print(f"skipped: {needed} is not installed on this machine, so no guest can be booted by it (tools/install_packages.sh guest)")
            return 77
    out.mkdir(parents=True, exist_ok=True)
    (out / "rig.toml").write_text((PLANT / "rig.toml").read_text().replace('"plant.dbc"', f'"{PLANT}/plant.dbc"'))
    built = subprocess.run([takt, "build", PLANT / "plant.toml", "--rig", out / "rig.toml", "--out", out / "plant"], stdout=subprocess.PIPE, text=True, check=True)
    setup = SETUP.format(plant=built.stdout.strip(), root=ROOT, ip=shutil.which("ip", path="/usr/sbin:/sbin:/usr/bin:/bin"))
    seen = out / "seen"
    shutil.rmtree(seen, ignore_errors=True)
    done = subprocess.run([ROOT / "targets/qemu/run", "-b", "-t", "1200", "-k", "can-raw,vcan", "-o", seen, "-s", setup, "--", HERE / "service_guest.sh"])
    if done.returncode == 77:
        return 77
    expect("the guest ended in order", done.returncode == 0, done.returncode)
    if failures:
        return 1

    def text(name):
        return (seen / name).read_text().strip()

    status = dict(line.split(":\t", 1) for line in text("status").splitlines() if ":\t" in line)
    expect("systemd has started the guest, and the plant with it", text("init") == "systemd" and status["Name"].startswith("driven"), (text("init"), status["Name"]))
    expect("it is no root", all(uid != "0" for uid in status["Uid"].split()), status["Uid"])
    expect("it has no capability", int(status["CapEff"], 16) == 0 and int(status["CapBnd"], 16) == 0, (status["CapEff"], status["CapBnd"]))
    expect("its memory is locked", int(status["VmLck"].split()[0]) > 0, status["VmLck"])
    expect("its real-time thread has SCHED_FIFO 80", "SCHED_FIFO" in text("scheduling") and "priority: 80" in text("scheduling"), text("scheduling"))

    killed, stopped = float(text("killed_at")), float(text("stopped_at"))
    frames = [(float(line.split()[0].strip("()")), bytes.fromhex(line.split("#")[1])) for line in text("candump.log").splitlines() if " 100#" in line]
    safe = [at for at, data in frames if data[4:6] == b"\x9c\xff" and data[6] == 0x09]  # -1 V, mode 9, not ready
    own = [at for at, data in frames if data[6] != 0x09]
    first = next((at for at in safe if killed <= at < stopped), stopped)
    again = next((at for at in own if first < at < stopped), stopped)
    held = [at for at in safe if first <= at < again]
    expect("after the kill: safe values on vcan0", len(held) > 20, len(held))
    expect("after the safe values: the plant again, its own values", again < stopped)
    expect("started again once", text("restarts") == "1" and text("second") not in ("0", status["Pid"].strip()), (text("restarts"), text("second")))
    expect("stopped: safe values leave", any(at >= stopped for at in safe))
    expect("stopped: the last frame is a safe one", bool(safe) and safe[-1] == frames[-1][0])
    expect("stopped in order", "inactive" in text("result") and "success" in text("result") and text("exit_code") == "4", (text("result"), text("exit_code")))  # ended by somebody
    expect("its results are there", (seen / "summary.json").exists() and bool(json.loads(text("summary.json"))), text("runs"))
    names = [pathlib.PurePath(line).name for line in text("newest_first").splitlines()]
    old = sorted(name for name in names if name.startswith("old-"))
    expect("of the runs before the newest 20 stay", len(names) == 21 and old == [f"old-{number}" for number in range(16, 35)], names)
    expect("and its own are the newest", not any(name.startswith("old-") for name in names[:2]), names[:2])
    interface = dict(line.split(" ", 1) for line in text("interface").splitlines())
    expect("its interface put in: it is started, and sends", "active" in interface.get("plugged", ""), interface)
    expect("its interface pulled: it ends, and is said to have failed, for its last values have not left", "failed" in interface.get("pulled", ""), interface)
    expect("its interface put in again: it is started, and sends", "active" in interface.get("again", ""), interface)
    print(text("journal"))
    print(f"{len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
