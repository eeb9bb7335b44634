"""Command line and executables of the tests that run built plants by themselves."""
import argparse
import os
import pathlib
import shutil
import subprocess
import sys

PLANTS = pathlib.Path(__file__).resolve().parents[2] / "config/plants"


def takt_and_work():
    """-> path of takt, empty folder"""
    parser = argparse.ArgumentParser()
    parser.add_argument("--takt", required=True)
    parser.add_argument("--work", required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    shutil.rmtree(arguments.work, ignore_errors=True)
    arguments.work.mkdir(parents=True)
    return arguments.takt, arguments.work


def build(takt, work, name, text=None):
    """A plant of config/plants, or of this text. -> executable"""
    folder = PLANTS / name
    if text is not None:
        folder = work / f"{name}_plant"
        folder.mkdir()
        (folder / "plant.toml").write_text(text)
    built = subprocess.run([takt, "build", folder, "--out", work / name], capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(built.stderr)
    return built.stdout.strip().splitlines()[-1]


def build_with_rig(takt, work, plant, rig):
    """-> executable"""
    built = subprocess.run([takt, "build", plant, "--rig", rig, "--out", work / "build"], capture_output=True, text=True)
    if built.returncode != 0:
        sys.exit(built.stderr)
    return pathlib.Path(built.stdout.strip())  # `takt build` prints nothing else there


def dealt(subsystems, workers, file):
    """A placement that is bad on purpose: subsystems dealt out in turn, every chain crosses. -> file"""
    file.write_text("# takt placement 1\nsubsystem,worker\n" + "".join(f"{name},{i % workers}\n" for i, name in enumerate(subsystems)))
    return file


def two_cores(summary, work):
    """What makes a plant, of which this is a summary, run on two cores, however small it is; nothing on a machine with one CPU."""
    cpus = sorted(os.sched_getaffinity(0))[:2]
    if len(cpus) < 2:
        return []
    names = [subsystem["name"] for subsystem in summary["subsystems"]]
    return ["--cores", f"{cpus[0]},{cpus[1]}", "--placement", str(dealt(names, 2, work / "dealt.csv"))]


def used_cores(summary):
    return (summary["concurrency"] or {"cores_used": 1})["cores_used"]
