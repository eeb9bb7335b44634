#!/usr/bin/env python3
"""fit_aarch64_test.py TAKT SOURCE FOLDER [SECONDS]: `takt fit --on ssh://...` against a PREEMPT_RT guest of 64-bit ARM: a plant that holds even on an
emulated board, with half a second for every window, for SECONDS (4), and one that no machine holds. Each then runs there by itself: late windows of
all. Whether the first holds is printed, not asserted: the guest is emulated."""
import json
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tools"))
import fit_boards  # noqa: E402

HERE = pathlib.Path(__file__).resolve().parent
TAKT, SOURCE, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
SECONDS = sys.argv[4] if len(sys.argv) > 4 else "4"
PLANT = """[plant]
title = "A capacitor that is charged"
duration = "4 s"
[electric]
source = { is = "voltage_source", at = ["feed", "gnd"], v = "1 V" }
r      = { is = "resistor", at = ["feed", "out"], r = "1 kOhm" }
c      = { is = "capacitor", at = ["out", "gnd"], c = "1 mF", start = { v = "0 V" } }
[record]
"500 ms" = ["electric.*"]
"""
PLAN = """title = "of the test"
[solve]
electric = {{ step = "{step}", method = "rk4" }}
[sync]
plant = {{ members = ["electric"], every = "{every}" }}
"""


class Guest:
    """A board behind a port of loopback."""

    def __init__(self):
        self.key, self.port = fit_boards.key(FOLDER / "user"), fit_boards.free_port()
        (FOLDER / "known").unlink(missing_ok=True)
        (FOLDER / "client.conf").write_text(f"Host *\n  IdentityFile {self.key}\n  IdentitiesOnly yes\n  UserKnownHostsFile {FOLDER / 'known'}\n  GlobalKnownHostsFile none\n"
                                            "  BatchMode yes\n  ConnectTimeout 60\n  StrictHostKeyChecking accept-new\n")
        self.ssh = ["ssh", "-F", str(FOLDER / "client.conf"), "-p", str(self.port), "root@127.0.0.1"]
        self.address = f"ssh://root@127.0.0.1:{self.port}"
        self.environment = {**os.environ, "TAKT_SSH": f"ssh -F {FOLDER / 'client.conf'}", "TMPDIR": str(FOLDER / "temporary")}
        network = f"-netdev user,id=net,hostfwd=tcp:127.0.0.1:{self.port}-:22 -device virtio-net-pci,netdev=net"
        self.process = subprocess.Popen([SOURCE / "targets/qemu/run", "-A", "aarch64", "-t", "2400", "-k", "net", "-q", network, "-o", FOLDER / "out", "--",
                                         HERE / "fit_aarch64_guest.sh", f"{self.key}.pub"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def answers(self):
        """Whether it can be logged in; None: no guest can be made here."""
        for _ in range(90):
            if self.process.poll() is not None:
                return None if self.process.returncode == 77 else False
            if self.run("true").returncode == 0:
                return True
            time.sleep(2)
        return False

    def run(self, command):
        return subprocess.run([*self.ssh, command], capture_output=True, text=True)

    def fit(self, *arguments):
        done = subprocess.run([TAKT, "fit", FOLDER / "plant.toml", "--on", self.address, "--target", "linux-aarch64", "--error", "off", *arguments], capture_output=True, text=True, cwd=FOLDER,
                              env=self.environment)
        assert done.stdout, done.stderr
        return done

    def end(self):
        self.run("touch /tmp/done")
        try:
            return self.process.communicate(timeout=180)[0]
        except subprocess.TimeoutExpired:
            self.process.terminate()
            return self.process.communicate()[0]


def judged(guest, name, step, every, seconds):
    """Report of a plant by this plan, after a run of its own: late windows of all."""
    plan = FOLDER / f"{name}.toml"
    plan.write_text(PLAN.format(step=step, every=every))
    arguments = ["--solve", plan, "--for", "4s", "--skip", "finer", "--skip", "cores", "--skip", "copies"]
    done = guest.fit(*arguments, "--json")
    report = json.loads(done.stdout)
    verdict = report["verdict"]
    assert report["board"]["machine"] == "aarch64" and "aarch64" in report["board"]["kernel"], report["board"]
    assert (done.returncode == 0) == verdict["holds"] and verdict["windows"] > 0, (done.returncode, verdict)
    assert any(row["item"] == "virtual machine" for row in report["machine"]), report["machine"]
    assert any("virtual machine" in sentence for sentence in report["advice"]), report["advice"]
    executable = subprocess.run([TAKT, "build", FOLDER / "plant.toml", "--solve", plan, "--error", "off", "--target", "linux-aarch64", "--out", FOLDER / name], capture_output=True, text=True, check=True).stdout.strip()
    run = guest.run(f"cd /tmp && {executable} --pace real --late any --policy count --for '{seconds} s' --cpu 1 --no-results --audit off --quiet --json")
    assert run.stdout.startswith("{"), run.stderr
    summary = json.loads(run.stdout)
    late, windows = summary["overruns"]["count"], sum(rate["releases"] for rate in summary["rates"])
    print(f"{name}: {'holds' if verdict['holds'] else 'does not hold'}, {verdict['late']} of {verdict['windows']} windows late, margin {verdict['margin']:.2f}; "
          f"{seconds} s by itself: {late} of {windows} late", flush=True)
    return report, late, windows


def main():
    if missing := fit_boards.missing() or ("" if shutil.which("aarch64-linux-gnu-g++") and shutil.which("qemu-system-aarch64") else "a compiler and an emulator for aarch64"):
        print(f"skipped: install {missing} (tools/install_packages.sh test cross guest)")
        return 77
    shutil.rmtree(FOLDER, ignore_errors=True)
    (FOLDER / "temporary").mkdir(parents=True)
    (FOLDER / "plant.toml").write_text(PLANT)
    guest = Guest()
    try:
        there = guest.answers()
        if there is None:
            return 77
        assert there, "no ssh into the guest: " + guest.run("true").stderr
        judged(guest, "holding", "10 ms", "500 ms", SECONDS)
        report, late, windows = judged(guest, "too_much", "50 ns", "1 ms", "1")
        assert not report["verdict"]["holds"] and report["verdict"]["margin"] < 0 and report["verdict"]["computing"] > 1, report["verdict"]
        assert late > 0.9 * windows, (late, windows)
        print(guest.fit("--solve", FOLDER / "holding.toml", "--for", "4s", "--skip", "finer", "--skip", "cores", "--skip", "copies").stdout)
        assert not list((FOLDER / "temporary").iterdir()), list((FOLDER / "temporary").iterdir())
    finally:
        said = guest.end()
    assert (FOLDER / "out/left").read_text() == "", said
    print("nothing is left on either side")
    return 0


sys.exit(main())
