#!/usr/bin/env python3
"""What clients of the tap have bound to their connections: undone where client, service or keeper is killed, kept where it was
detached; a run that is bound to a client ends in order with it.

    tap_leases_test.py --takt build/release/bin/takt --work DIR"""
import os
import pathlib
import signal
import subprocess
import sys

import tap_test
from built_plants import build, takt_and_work
from tap_client import processes_of
from tap_test import PATIENCE, Run, eventually, expect

OWNER = """
import pathlib, sys, time
from tap_client import TapClient
client = TapClient(pathlib.Path(sys.argv[1]), "owner", 60.0)
client.ask(actions=[{"verb": "set", "path": "a", "value": "5 V"}, {"verb": "override", "path": "b", "value": "7 V"}], lease=True)
if "run" in sys.argv[2:]:
    client.ask("lease")
if "detach" in sys.argv[2:]:
    client.ask("detach")
print("done", flush=True)
time.sleep(600)
"""
BOTH = ["release,a", "release,b"]


def owner(run, *how):
    """Another process that has acted with a lease and waits to be killed."""
    environment = {**os.environ, "PYTHONPATH": str(pathlib.Path(__file__).resolve().parent)}
    process = subprocess.Popen([sys.executable, "-c", OWNER, run.directory, *how], stdout=subprocess.PIPE, env=environment, text=True)
    expect(f"{run.directory.name}: done", process.stdout.readline() == "done\n")
    return process


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.communicate()


def undone(run):
    """Those of the owner, from the log of actions: "release,a"."""
    file = run.directory / "actions.csv"
    lines = file.read_text().splitlines() if file.exists() else []
    return sorted(",".join(line.split(",")[2:4]) for line in lines if ",owner,release," in line)


def begun(program, work, name):
    return Run(program, work / name, "--pace", "real", "--late", "any", "--for", "300 s")


def check_client(program, work):
    """Killed at any moment. The run itself goes on, and its replay is the same."""
    run = begun(program, work, "client")
    client = run.client()
    kill(owner(run))
    expect("client killed: undone", eventually(lambda: undone(run) == BOTH), undone(run))
    expect("client killed: the run goes on", client.ask("status")["phase"] == "running")
    events = str(client.ask("events"))
    expect("client killed: others are told", "the connection is lost" in events and "owner" in events, events)
    kill(owner(run, "detach"))
    client.ask("stop")
    code, summary = run.finish()
    expect("client killed: what was detached stays", undone(run) == BOTH and run.inputs()["a"][-1][1] == 5.0, (undone(run), run.inputs()))
    again = Run(program, work / "client_again", "--replay", run.directory)
    expect("client killed: replayed, the same digest", again.finish()[1]["digest"] == summary["digest"])


def check_run(program, work):
    run = begun(program, work, "run")
    kill(owner(run, "run"))
    code, summary = run.finish()
    expect("a run that is bound to a client ends in order with it", code == 4 and undone(run) == BOTH and summary["macro_steps"] < 300_000, (code, undone(run)))
    expect("it says why", "bound to is lost" in run.output + run.errors + str(summary), run.output[-300:])


def check_service(program, work):
    """With the service all connections are lost, whether another one comes or not."""
    run = begun(program, work, "service")
    process = owner(run)
    os.kill(processes_of(run.process.pid)[1], signal.SIGKILL)
    expect("service killed: undone", eventually(lambda: undone(run) == BOTH), undone(run))
    kill(process)
    process = owner(run, "run")
    os.kill(processes_of(run.process.pid)[0], signal.SIGKILL)  # the keeper, and the service with it
    code, _ = run.finish()
    expect("keeper killed: undone, and the run ends", code == 4 and undone(run) == sorted(BOTH * 2), (code, undone(run)))
    kill(process)


def main():
    takt, work = takt_and_work()
    work = pathlib.Path(work).resolve()
    program = build(takt, work, "leases", tap_test.TEXT)
    check_client(program, work)
    check_run(program, work)
    check_service(program, work)
    print(f"{len(tap_test.failures)} failures: {tap_test.failures}" if tap_test.failures else "all good")
    return 1 if tap_test.failures else 0


if __name__ == "__main__":
    sys.exit(main())
