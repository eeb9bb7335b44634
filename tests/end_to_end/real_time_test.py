#!/usr/bin/env python3
"""The executable of a plant, as `takt build` makes it, between start and stop of its real-time thread: no allocation and no
system call but the sleep, paced (with a scope of a state under way) and as fast as possible. With --broken, that both are found where a solver step makes them.

    real_time_test.py PLANT|FOLDER|--fmu|--copies [--rig RIG] [--udp] [--broken] --takt build/release/bin/takt --guard heap_guard.o --syscalls syscalls_test.sh --work DIR"""
import argparse
import contextlib
import pathlib
import re
import shutil
import subprocess
import sys
import threading

import copies_test
import udp_test
from compiled_fmus import HERE, compile_lag
from tap_client import Refused, TapClient

ROOT = pathlib.Path(__file__).resolve().parents[2]
PLANTS = ROOT / "config" / "plants"
HEAP_TOUCHED = 99  # exit code of the guard
SKIPPED = 77
BREAK = """
#include <unistd.h>
#include <vector>
static void break_the_rules() {
  static std::vector<int> grown;
  grown.push_back(getppid());
}
"""


def make_fmu_plant(folder):
    """A wall and two FMUs: one beside the plant, one within its windows."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    compile_lag(folder / "lag.fmu")
    within = 'turn = { file = "lag.fmu", lag = 0, step = "1 ms", inputs = { u = "solid.wall.t" }, outputs = { t = "heat.Y" } }\n\n[solve]'
    (folder / "plant.toml").write_text((HERE / "fmu_plant/plant.toml").read_text().replace("[solve]", within))
    return folder


def make_copies_plant(folder):
    """Copies of a part, which are computed side by side."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    (folder / "plant.toml").write_text(copies_test.plant_of(7, 1))
    return folder


@contextlib.contextmanager
def udp_peer():
    """Asks the plant of udp_test.py 1000 times a second, and hears it."""
    over = threading.Event()

    def talk():
        with udp_test.Peer() as peer:
            counter = 0
            while not over.wait(0.001):
                counter += 1
                peer.ask(counter, 1.0)
                peer.hear_all()

    thread = threading.Thread(target=talk)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


class Plant:
    def __init__(self, options):
        self.folder = options.work
        shutil.rmtree(self.folder, ignore_errors=True)
        rig = ["--rig", options.rig] if options.rig else []
        self.arguments = []
        if options.fmu:
            options.plant = make_fmu_plant(self.folder.parent / (self.folder.name + "_plant"))
            self.arguments = ["--tolerate", "X041"]  # under strace an answer may be late
        if options.copies:
            options.plant = make_copies_plant(self.folder.parent / (self.folder.name + "_plant"))
        done = subprocess.run([options.takt, "build", PLANTS / options.plant, *rig, "--out", self.folder], capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(done.stderr)
        self.program = self.folder / "bin" / pathlib.Path(options.plant).name
        self.arguments += ["--bus", "can0.port=0", "--bus", "can0.trace=candump,mf4"] if rig else []
        self.broken, self.has_udp = options.broken, options.udp
        self.macro_step_ms = int(re.search(r"macro_step_ns = (\d+)", (self.folder / "plan.hpp").read_text())[1]) / 1e6

    def link(self, flags):
        """Linked once more: the C library has the guard's functions, too, where a program is linked statically."""
        subprocess.run(["cmake", "-G", "Ninja", "-S", self.folder, "-B", self.folder / "build", f"-DCMAKE_EXE_LINKER_FLAGS={flags}"], check=True, capture_output=True)
        subprocess.run(["cmake", "--build", self.folder / "build"], check=True, capture_output=True)
        self.program = self.folder / "build" / "out" / self.program.name  # what takt build has put in place stays as it was

    def break_rules(self):
        """In a step of the first solver."""
        source = sorted(path for path in self.folder.glob("*.cpp") if "::run(const takt::Window& window) noexcept {" in path.read_text())[0]
        text = re.sub(r"(\nnamespace takt_plant \{)", BREAK.replace("\\", "\\\\") + r"\1", source.read_text(), count=1)
        source.write_text(text.replace("::run(const takt::Window& window) noexcept {", "::run(const takt::Window& window) noexcept {\n  break_the_rules();"))

    def run(self, pace):
        """300 windows, one of them late, so that the log of overruns is at work, too."""
        late = ["--inject", "late:50:3000"] if pace == "real" else []
        process = subprocess.Popen([self.program, "--pace", pace, "--late", "any", "--for", f"{300 * self.macro_step_ms} ms", "--quiet", "--out", self.folder / "run", *late,
                                    *self.arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with udp_peer() if self.has_udp else contextlib.nullcontext():
            scoped = self.scope() if pace == "real" and not self.broken else ""
            output, errors = process.communicate()
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors), scoped

    def scope(self):
        """Of the first state that one may be had of, over a third of the run. -> what has come of it"""
        try:
            client = TapClient(self.folder / "run", patience=10.0)
            for path in [row["path"] for row in client.ask("list", pattern="*")["rows"] if row["role"] == "state"]:
                with contextlib.suppress(Refused):
                    if client.ask("scope", paths=[path], post_ns=round(100 * self.macro_step_ms * 1e6))["ok"]:
                        while (line := client.line()) is not None:
                            if line.get("done"):
                                return f", a scope of {path} under way: {line['rows']} rows, {line['lost']} macro-steps lost" + ("" if line["rows"] else ", NOTHING SEEN")
                        return f", the scope of {path} came to nothing: NOTHING SEEN"
        except (Refused, OSError):
            return ", no tap: NOTHING SEEN"
        return ""

    def syscalls(self, script):
        return subprocess.run([script, self.program, str(self.macro_step_ms), *self.arguments], capture_output=True, text=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("plant", nargs="?")
    parser.add_argument("--fmu", action="store_true", help="in place of a plant: one with FMUs")
    parser.add_argument("--copies", action="store_true", help="in place of a plant: one with copies side by side")
    parser.add_argument("--rig")
    parser.add_argument("--udp", action="store_true", help="the rig is that of udp_test.py: its peer is there, too")
    parser.add_argument("--broken", action="store_true")
    parser.add_argument("--takt", required=True)
    parser.add_argument("--guard", required=True)
    parser.add_argument("--syscalls", required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    options = parser.parse_args()
    plant = Plant(options)
    bad = 0

    def say(ok, text, output=""):
        nonlocal bad
        bad += not ok
        print(f"{options.plant}: {text}   {'ok' if ok else 'FAILED'}" + ("" if ok else "\n" + output), flush=True)

    if options.broken:
        plant.break_rules()
        plant.link("")
    calls = plant.syscalls(options.syscalls)
    if options.broken:
        say(calls.returncode == 1 and "getppid" in calls.stdout or calls.returncode == SKIPPED, "a system call in a solver step is found", calls.stdout + calls.stderr)
    else:
        say(calls.returncode in (0, SKIPPED), f"system calls of the real-time thread: {' '.join(calls.stdout.split())}", calls.stdout + calls.stderr)
    plant.link(f"{options.guard} -Wl,-z,muldefs")
    for pace in ("real", "free"):
        done, scoped = plant.run(pace)
        if options.broken:
            say(done.returncode == HEAP_TOUCHED and "malloc in the real-time section" in done.stderr, f"pace {pace}: an allocation in a solver step is found", done.stderr)
        else:
            say(done.returncode == 0 and "NOTHING SEEN" not in scoped, f"pace {pace}: no allocation{scoped}", done.stdout + done.stderr)
    return 1 if bad else SKIPPED if calls.returncode == SKIPPED else 0


if __name__ == "__main__":
    sys.exit(main())
