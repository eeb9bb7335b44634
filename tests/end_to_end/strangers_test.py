#!/usr/bin/env python3
"""What another user of the machine can do to who runs Takt: prepared folders and stores, links in results, sockets, shared memory, rigs,
checkpoints, recordings. Each attempt is printed with what came of it (config/trust.md says whom Takt trusts).

    strangers_test.py --takt build/release/bin/takt --work DIR

Root plays who runs Takt, user 65534 the stranger. Ends with 0, 1 or 77 (not root)."""
import os
import pathlib
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
import time

from built_plants import build_with_rig, takt_and_work
from raw_client import connected, free_port
from tap_client import TapClient

HERE = pathlib.Path(__file__).resolve().parent
RC = HERE.parents[1] / "config/plants/rc"
STRANGER = 65534
PATIENCE = 240

if os.getuid() != 0:
    print("skipped: to play another user takes root")
    sys.exit(77)
os.environ.pop("SUDO_UID", None)
os.umask(0o022)
takt, work = takt_and_work()
takt = str(pathlib.Path(takt).resolve())
failures, attempts = [], 0


def first_line(text):
    return next((line for line in text.splitlines() if line.strip()), "")[:230]


def attempt(what, held, came):
    """Of the stranger. `came`: what came of it."""
    global attempts
    attempts += 1
    print(f"{'ok  ' if held else 'FAIL'} {attempts:2} {what}: {first_line(came) if isinstance(came, str) else came}", flush=True)
    if not held:
        failures.append(what)
        print(str(came)[:3000], flush=True)


def control(what, held, seen=""):
    """What must go on working."""
    print("ok  " if held else "FAIL", "  ", what, "" if held else seen, flush=True)
    if not held:
        failures.append(what)


def run(*command, folder=None, as_stranger=False, **environment):
    """-> (exit code, what was said)"""
    user = {"user": STRANGER, "group": STRANGER, "extra_groups": []} if as_stranger else {}
    done = subprocess.run([str(word) for word in command], cwd=folder, capture_output=True, text=True, timeout=PATIENCE, env={**os.environ, **environment}, **user)
    return done.returncode, done.stdout + done.stderr


def give(*paths):
    """To the stranger, with all below."""
    for path in paths:
        for each in [path, *(path.rglob("*") if path.is_dir() and not path.is_symlink() else [])]:
            os.chown(each, STRANGER, STRANGER, follow_symlinks=False)


def refused(code, said, *words):
    return code not in (0, None) and code > 0 and all(word in said for word in words)


class Place:
    """A folder that both can reach, with files of root's that nothing may touch."""

    def __init__(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="takt-strangers-")).resolve()
        self.folder.chmod(0o755)
        self.victim, self.canary = self.folder / "victim", self.folder / "canary"
        self.victim.write_text("precious\n")
        (self.folder / "important").mkdir()
        (self.folder / "important/signals.csv").write_text("precious\n")
        self.script = f"#!/bin/sh\ntouch {self.canary}\n"

    def made(self, name, mode=0o755, theirs=False):
        folder = self.folder / name
        folder.mkdir(parents=True)
        folder.chmod(mode)
        if theirs:
            give(folder)
        return folder

    def unharmed(self):
        return self.victim.read_text() == "precious\n" and (self.folder / "important/signals.csv").read_text() == "precious\n" \
            and len(list((self.folder / "important").iterdir())) == 1 and not self.canary.exists()


def tried_store(place, name, prepare, **environment):
    """A folder with a store that root has built; `prepare(folder of the store, executable)` is what the stranger makes of it. -> (code, said)"""
    folder = place.made(name)
    shutil.copytree(store, folder / ".takt", symlinks=True)
    (built,) = (folder / ".takt").iterdir()
    program = next(file for file in built.glob("bin/*/rc"))
    prepare(built, program)
    code, said = run(takt, "run", RC, "--error", "off", "--quiet", "--no-report", "--out", folder / "out", folder=folder, **environment)
    return code, said


def replaced(place, program, owner=0):
    program.write_text(place.script)
    program.chmod(0o755)
    os.chown(program, owner, owner)


def stores(place):
    global store
    first = place.made("built")
    code, said = run(takt, "run", RC, "--error", "off", "--quiet", "--no-report", "--out", first / "out", folder=first)
    control("root builds and runs a plant", code == 0, said)
    store = first / ".takt"

    def theirs(built, program):
        replaced(place, program, STRANGER)
        give(built.parent)
    code, said = tried_store(place, "prepared", theirs)
    attempt("a .takt that is the stranger's, with a program of his under the key of the plant", refused(code, said, "not used", "belongs to", "--build-dir") and place.unharmed(), said)

    code, said = tried_store(place, "opened", lambda built, program: program.chmod(0o777))
    attempt("a program in the store that everybody may write", refused(code, said, "may be written by everybody") and place.unharmed(), said)

    code, said = tried_store(place, "open_folder", lambda built, program: built.parent.parent.chmod(0o777))
    attempt("a folder that everybody may write, in which .takt can be exchanged", refused(code, said, "open_folder may be written by everybody") and place.unharmed(), said)

    code, said = tried_store(place, "group", lambda built, program: (os.chown(built, 0, 54321), built.chmod(0o775)))
    attempt("a store that a group with others may write", refused(code, said, "may be written by group 54321") and place.unharmed(), said)

    def linked(built, program):
        own = place.made("links_to", theirs=True)
        shutil.move(built.parent, own / "takt")
        give(own)
        built.parent.symlink_to(own / "takt")
        os.lchown(built.parent, STRANGER, STRANGER)
    code, said = tried_store(place, "linked", linked)
    attempt("a .takt that is a link of the stranger's", refused(code, said, "is a link that belongs to") and place.unharmed(), said)

    def header(built, program):
        (built / "runtime/program").mkdir(parents=True)
        (built / "runtime/program/plant_main.hpp").write_text("#error of the stranger\n")
        give(built / "runtime")
    code, said = tried_store(place, "header", header)
    attempt("a header of the stranger's beside the sources", refused(code, said, "runtime belongs to") and place.unharmed(), said)

    def rules(built, program):
        shutil.rmtree(program.parent)
        for file in (built / "build").rglob("*.ninja"):
            os.chown(file, STRANGER, STRANGER)
    code, said = tried_store(place, "rules", rules)
    attempt("rules of the build that are the stranger's", refused(code, said, "ninja belongs to") or refused(code, said, "build belongs to"), said)

    code, said = tried_store(place, "changed", lambda built, program: replaced(place, program))
    attempt("a program of root's that was changed after it was stored", code == 0 and "is not what was stored there" in said and place.unharmed(), next((line for line in said.splitlines() if "stored" in line), said))

    code, said = tried_store(place, "sudo", lambda built, program: give(built.parent), SUDO_UID=str(STRANGER))
    control("under sudo the store of who called it is used", code == 0, said)

    folder = place.made("plans")
    shutil.copytree(store, folder / ".takt", symlinks=True)
    (built,) = (folder / ".takt").iterdir()
    (built / "plans").mkdir()
    (built / "plans/x.toml").write_text("[solve]\n")
    give(built / "plans")
    code, said = run(takt, "run", RC, "--quiet", folder=folder)
    attempt("plans for an error that are the stranger's", refused(code, said, "plans belongs to"), said)

    cache = place.made("cache", theirs=True)
    code, said = run(takt, "build", RC, "--target", "linux-aarch64", "--error", "off", "--out", place.folder / "board", folder=place.folder, XDG_CACHE_HOME=str(cache))
    attempt("a cache of runtimes for other machines that is the stranger's", refused(code, said, "cache belongs to") and not any(cache.iterdir()), said)

    folder = place.made("umask")
    os.umask(0)
    code, said = run(takt, "run", RC, "--error", "off", "--quiet", "--no-report", folder=folder)
    os.umask(0o022)
    open_to_all = [path for path in folder.rglob("*") if not path.is_symlink() and path.stat().st_mode & stat.S_IWOTH and ".takt" in path.parts]
    control("with umask 0 nothing in the store is open to all", code == 0 and not open_to_all, (said, open_to_all[:5]))


def results(place):
    (program,) = store.glob("*/bin/*/rc")

    def out(folder, *more):
        return run(program, "--quiet", "--no-report", "--audit", "off", "--out", folder, *more, folder=place.folder)

    for name in (".lock", ".files", "inputs.csv", "signals.csv", "summary.json", "actions.csv", "tap"):
        folder = place.made("laid" + name)
        (folder / name).symlink_to(place.victim)
        os.lchown(folder / name, STRANGER, STRANGER)
        code, said = out(folder, "--action", "10 ms: set offset 1")
        attempt(f"{name} in --out is a link of the stranger's to a file of root's", refused(code, said, name) and place.unharmed(), said)
    folder = place.made("shared", 0o1777)
    (folder / ".lock").symlink_to(place.victim)
    os.lchown(folder / ".lock", STRANGER, STRANGER)
    code, said = out(folder)
    attempt("the same in a folder like /tmp", refused(code, said, ".lock, which is a link") and place.unharmed(), said)

    folder = place.made("pipe")
    os.mkfifo(folder / ".lock")
    give(folder / ".lock")
    code, said = out(folder)
    attempt(".lock is a pipe of the stranger's, which would be waited for", refused(code, said, ".lock, which is no file"), said)

    folder = place.made("hard")
    os.link(place.victim, folder / ".lock")
    code, said = out(folder)
    attempt(".lock is another name of a file of root's", refused(code, said, ".lock is there already") and place.unharmed(), said)

    code, said = out(place.made("their_out", theirs=True))
    attempt("--out is a folder of the stranger's", refused(code, said, "their_out belongs to", "--out"), said)
    (place.folder / "way").symlink_to(place.folder / "important")
    os.lchown(place.folder / "way", STRANGER, STRANGER)
    code, said = out(place.folder / "way")
    attempt("--out is a link of the stranger's to a folder of root's", refused(code, said, "way is a link that belongs to") and place.unharmed(), said)
    code, said = out(place.folder / "way/new")
    attempt("--out leads over a link of the stranger's", refused(code, said, "way is a link that belongs to") and place.unharmed(), said)
    folder = place.made("all_may", 0o777)
    code, said = out(folder)
    attempt("--out is a folder in which all may replace files", refused(code, said, "may be written by everybody"), said)
    code, said = out(folder / "own")
    control("a folder of its own below that one is taken", code == 0, said)

    folder = place.made("listed")
    (folder / ".files").write_text("../victim\n")
    give(folder / ".files")
    code, said = out(folder)
    attempt("a list of files to be taken away that the stranger has written", refused(code, said, ".files", "is not the list") and place.unharmed(), said)

    folder = place.made("sweep")
    (folder / ".lock").symlink_to(place.victim)
    os.lchown(folder / ".lock", STRANGER, STRANGER)
    code, said = run(takt, "sweep", RC, "--vary", "amplitude = 5 V, 10 V", "--for", "5 ms", "--error", "off", "--out", folder, folder=place.folder / "built")
    attempt("the lock of a sweep is a link of the stranger's", code != 0 and place.unharmed(), said)

    folder = place.folder / "out_own"
    code, said = out(folder)
    tries = []
    for name in ("signals.csv", ".files", ".lock", "new"):
        code, said = run("sh", "-c", f"echo >>{folder}/{name}", as_stranger=True)
        tries.append(code != 0)
    attempt("recordings, lists and locks of root's are written to", all(tries), tries)

    # Two runs in one folder; what the user has put there stays.
    code, said = out(folder, "--action", "10 ms: set offset 1", "--action", "20 ms: checkpoint", "--record", "both")
    control("a run leaves what it was asked for", code == 0 and (folder / "checkpoint-0.02s.takt").exists() and (folder / "signals.mf4").exists(), said)
    (folder / "notes.txt").write_text("mine\n")
    code, said = out(folder, "--resume", folder / "checkpoint-0.02s.takt")
    control("a run does not take away the checkpoint that it goes on from", refused(code, said, "would take away") and (folder / "checkpoint-0.02s.takt").exists(), said)
    shutil.copy(folder / "checkpoint-0.02s.takt", place.folder / "kept.takt")
    code, said = out(folder)
    left = sorted(path.name for path in folder.iterdir())
    control("of two runs in one folder only the second is left, and the user's file", code == 0 and left == [".files", ".lock", "inputs.csv", "notes.txt", "signals.csv", "summary.json"], left)
    (folder / "report.html").unlink(missing_ok=True)
    mine = place.made("mine")
    (mine / "report.html").write_text("by hand\n")
    code, said = out(mine)
    control("a file of the user's is not overwritten", refused(code, said, "report.html is there already") and (mine / "report.html").read_text() == "by hand\n", said)

    shutil.copy(place.folder / "kept.takt", place.folder / "theirs.takt")
    give(place.folder / "theirs.takt")
    code, said = out(place.folder / "resumed", "--resume", place.folder / "theirs.takt")
    attempt("a checkpoint of the stranger's", refused(code, said, "theirs.takt", "belongs to", "copy"), said)
    code, said = out(place.folder / "resumed", "--resume", place.folder / "kept.takt")
    control("a copy of root's is taken", code == 0, said)
    os.mkfifo(place.folder / "pipe.takt")
    code, said = out(place.folder / "resumed", "--resume", place.folder / "pipe.takt")
    attempt("a checkpoint that is a pipe", refused(code, said, "no such file"), said)

    log = place.made("log", theirs=True)
    (log / "inputs.csv").write_text("# takt inputs 2\n# plant rc\n# hash 0\n# macro_step_ns 1\n" + "9" * 100_000 + ",,\n")
    code, said = out(place.folder / "replayed", "--replay", log)
    attempt("a log of inputs full of nonsense", refused(code, said, "inputs.csv"), said)


def rigs(place):
    """Watchdogs that are none."""
    plant = shutil.copytree(HERE / "driven_rc", place.folder / "driven")
    rig = (plant / "rig.toml").read_text()
    (place.folder / "way_to_victim").symlink_to(place.victim)
    os.mkfifo(place.folder / "a_pipe")
    for name, device in {"file": place.victim, "link": place.folder / "way_to_victim", "pipe": place.folder / "a_pipe", "null": pathlib.Path("/dev/null")}.items():
        (plant / "rig.toml").write_text(rig + f'\n[supervisor]\nwatchdog = "{device}"\n')
        give(plant / "rig.toml")
        built = build_with_rig(takt, place.folder / "rigs", plant, plant / "rig.toml")
        before = place.victim.stat().st_mtime_ns
        code, said = run(built, "--quiet", "--for", "1 s", "--out", place.folder / f"dog_{name}", "--bus", f"can0.port={free_port()}", folder=place.folder)
        attempt(f"a rig of the stranger's whose watchdog is {name if name != 'file' else 'a file of root’s'}",
                refused(code, said, f"{device} is no watchdog") and place.unharmed() and place.victim.stat().st_mtime_ns == before, said)
    (plant / "rig.toml").write_text(rig)
    return build_with_rig(takt, place.folder / "rigs", plant, plant / "rig.toml")


AS_STRANGER = """
import os, sys
os.setgroups([]); os.setgid(65534); os.setuid(65534)
"""


def strangers_python(code, *arguments):
    done = subprocess.run([sys.executable, "-c", AS_STRANGER + code, *map(str, arguments)], capture_output=True, text=True, timeout=60)
    return done.stdout.strip() + done.stderr.strip()


def processes(place, program):
    """A paced plant of root's, with a bus that wants a token, a tap and a supervisor."""
    port, out = free_port(), place.folder / "live"
    plant = subprocess.Popen([program, "--quiet", "--no-report", "--audit", "off", "--for", "60 s", "--out", out, "--bus", f"can0.port={port}", "--bus", "can0.token=open-sesame"],
                             stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        client = TapClient(out)
        connected(port).close()
        said = strangers_python("""
import socket
s = socket.socket(socket.AF_UNIX)
try:
    s.connect(sys.argv[1]); print("connected")
except OSError as error:
    print(error)
""", out / "tap")
        attempt("the tap of a run of root's is connected to", "Permission denied" in said, said)
        reached = pathlib.Path(shutil.copy(takt, place.folder / "takt_of_all"))  # a clone in /root is closed to others
        code, said = run(reached, "tap", out, "status", as_stranger=True, folder="/")
        attempt("takt tap asks a run of root's", code != 0 and ("belongs to another user" in said or "ermission" in said), said)
        said = strangers_python("""
import socket, time
s = socket.create_connection(("127.0.0.1", int(sys.argv[1]))); s.settimeout(3)
s.sendall(b"< open can0 >< rawmode >")
got = b""
try:
    while piece := s.recv(4096): got += piece
    got += b" (ended)"
except OSError as error: got += str(error).encode()
print(got)
""", port)
        attempt("the bus is opened without its token", "frame" not in said and ("ended" in said or "reset" in said), said)
        said = strangers_python("""
pid, found = sys.argv[1], []
for name in ("mem", "maps", "environ", "fd"):
    try:
        (os.listdir if name == "fd" else lambda path: open(path, "rb").read(1))(f"/proc/{pid}/{name}"); found.append(name)
    except OSError: pass
print("opened", found, "in /dev/shm", [name for name in os.listdir("/dev/shm") if "takt" in name])
""", plant.pid)
        attempt("memory and files of the plant's process are opened", said == "opened [] in /dev/shm []", said)
        said = strangers_python("""
import signal
for pid in map(int, sys.argv[1:]):
    try: os.kill(pid, signal.SIGTERM); print("signalled", pid)
    except OSError as error: print(error)
""", plant.pid, *pathlib.Path(f"/proc/{plant.pid}/task/{plant.pid}/children").read_text().split())
        attempt("the plant and its processes are ended by signals", "signalled" not in said and "not permitted" in said, said)
        said = strangers_python("""
try: os.unlink(sys.argv[1]); print("removed")
except OSError as error: print(error)
""", out / "tap")
        attempt("the socket of the tap is exchanged for another", "removed" not in said, said)
        control("the run has gone on", plant.poll() is None and client.ask("status")["phase"], "")
        client.close()
    finally:
        plant.send_signal(signal.SIGINT)
        said = plant.communicate(timeout=60)[0]


def foreign_code(place):
    """FMUs beside an executable."""
    if not shutil.which("gcc"):
        print("not tested: FMUs, for want of gcc")
        return
    from compiled_fmus import compile_lag
    plant = place.made("fmu_plant")
    compile_lag(plant / "lag.fmu")
    shutil.copy(HERE / "fmu_plant/plant.toml", plant)
    code, said = run(takt, "build", plant, "--error", "off", "--out", place.folder / "fmu_built", folder=place.folder)
    control("a plant with an FMU is built", code == 0, said)
    program, fmus = place.folder / "fmu_built/bin/fmu_plant", place.folder / "fmu_built/fmu"
    command = (program, "--quiet", "--no-report", "--for", "10 ms", "--out", place.folder / "fmu_out")
    code, said = run(*command, folder=place.folder)
    control("it runs", code == 0, said)
    (library,) = fmus.rglob("*.so")
    os.chown(library, STRANGER, STRANGER)
    code, said = run(*command, folder=place.folder)
    attempt("the library of an FMU is the stranger's", refused(code, said, ".so belongs to"), said)
    code, said = run(takt, "build", plant, "--error", "off", "--out", place.folder / "fmu_built", folder=place.folder)
    attempt("the same when it is built again", refused(code, said, ".so belongs to"), said)
    os.chown(library, 0, 0)
    replaced(place, fmus / "takt-fmu-host", STRANGER)
    code, said = run(*command, folder=place.folder)
    attempt("the program that computes FMUs is the stranger's", refused(code, said, "takt-fmu-host belongs to") and place.unharmed(), said)

    # An executable alone: what lies two folders above it is no longer its own.
    near = place.made("near", 0o777)
    (near / "own").mkdir()
    shutil.copy(program, near / "own/plant")
    shutil.copytree(fmus, near / "fmu", symlinks=True)
    replaced(place, near / "fmu/takt-fmu-host", STRANGER)
    give(near / "fmu")
    code, said = run(near / "own/plant", *command[1:], folder=place.folder)
    attempt("a folder fmu of the stranger's above an executable that was copied", refused(code, said, "is not used") and place.unharmed(), said)


place = Place()
try:
    stores(place)
    results(place)
    processes(place, rigs(place))
    foreign_code(place)
finally:
    shutil.rmtree(place.folder, ignore_errors=True)
print(f"{attempts} attempts, {len(failures)} failures", *failures, sep="\n  ")
sys.exit(1 if failures else 0)
