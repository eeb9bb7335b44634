#!/usr/bin/env python3
"""takt new: each kind is a folder whose README holds, and whose test passes; with an ECU over the virtual bus.

    new_test.py --takt build/release/bin/takt --work DIR

Ends with 0, 1 or 77 (python-can or cantools is missing)."""
import os
import pathlib
import re
import subprocess
import sys

from built_plants import takt_and_work

try:
    import can  # noqa: F401
    import cantools  # noqa: F401
except ImportError as missing:
    print(f"skipped: {missing}")
    sys.exit(77)


def commands_of(folder):
    """The commands of its README, without what is said of them."""
    block = re.search(r"(?:^    \S.*\n)+", (folder / "README.md").read_text(), re.MULTILINE)
    return [line.split(" # ")[0].strip() for line in block[0].splitlines()]


def alone(command, folder, environment):
    """-> exit code, everything said"""
    done = subprocess.run(command, shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return done.returncode, done.stdout


def with_ecu(command, ecu, folder, environment):
    """As two shells do it, on a free port. -> exit code, everything said"""
    plant = subprocess.Popen(f"exec {command} --bus can0.port=0", shell=True, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    said, started = [], None
    for line in plant.stdout:
        said.append(line)
        port = re.search(r"virtual bus can0 on 127\.0\.0\.1:(\d+)", line)
        if port and started is None:
            started = subprocess.Popen([sys.executable, *ecu.split()[1:], port[1]], cwd=folder)
    code = plant.wait()
    if started is not None and started.wait(timeout=120) != 0:
        return -1, "".join(said) + "the ECU failed"
    return code, "".join(said)


def mistakes(takt, work, kind):
    folder = work / f"my_{kind}"
    made = subprocess.run([takt, "new", folder, "--like", kind], capture_output=True, text=True)
    if made.returncode != 0:
        return f"takt new: {made.stderr}"
    environment = {**os.environ, "PATH": f"{pathlib.Path(takt).resolve().parent}:{os.environ['PATH']}"}
    commands, verdicts = commands_of(folder), 0
    for command, after in zip(commands, [*commands[1:], ""]):
        if command not in made.stdout:
            return f"`takt new` does not tell `{command}`"
        if command.startswith("python3"):
            continue  # with the command before it
        code, said = with_ecu(command, after, folder, environment) if after.startswith("python3") else alone(command, folder, environment)
        verdicts += bool(re.search(r"(\d+) of \1 expectations passed", said))
        if code != 0:
            return f"`{command}` ends with {code}:\n{said}"
    files = {path.name for path in folder.rglob("*")}
    named = set(re.findall(r"`([\w.]+\.\w+)`", (folder / "README.md").read_text()))
    if verdicts != 1 or not named <= files | {"report.html", "sweep.html"}:
        return f"{verdicts} verdicts; files {files}, named are {named}"
    again = subprocess.run([takt, "new", folder, "--like", kind], capture_output=True, text=True)
    return "" if again.returncode == 2 and "is there already" in again.stderr else "a folder is written over"


def main():
    takt, work = takt_and_work()
    kinds = re.findall(r"^  (\w+) +\S.*$", subprocess.run([takt, "new", "--help"], capture_output=True, text=True, check=True).stdout.split("kinds:")[1], re.MULTILINE)
    found = {kind: mistakes(takt, work, kind) for kind in kinds}
    for kind, text in found.items():
        print(f"{kind}: {text or 'ok'}")
    return 1 if any(found.values()) or len(kinds) != 5 else 0


if __name__ == "__main__":
    sys.exit(main())
