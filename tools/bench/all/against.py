"""Old and new version of the same work in pairs, until it is clear whether the new one is slower."""

import io
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile

import machine
import pairs
import planted
import works
from machine import ROOT, Failed

COMPARED = (*works.PLANTS, "check")


class Commit:
    """An earlier state, built in a folder of its own. It builds the plant files of this tree."""

    def __init__(self, bench, name):
        commit = machine.git("rev-parse", "--verify", "--quiet", f"{name}^{{commit}}")
        if not commit:
            raise Failed(f"--against {name}: neither a folder nor a commit of {ROOT}")
        self.text = f"commit {commit[:12]}"
        tree = bench.folder / "commits" / commit[:16]
        takt = tree / "build/release/bin/takt"
        if not takt.exists():
            shutil.rmtree(tree, ignore_errors=True)
            print(f"building takt of {self.text} in {tree}: minutes", file=sys.stderr)
            archive = subprocess.run(["git", "-C", str(ROOT), "archive", commit], capture_output=True, check=True).stdout
            tarfile.open(fileobj=io.BytesIO(archive)).extractall(tree)
            settings = {"cwd": tree, "env": {**os.environ, "CCACHE_BASEDIR": str(tree)}}  # what two commits have in common is compiled once
            machine.output_of(["cmake", "--preset", "release"], **settings)
            machine.output_of(["cmake", "--build", "--preset", "release", "--target", "takt", "runtime/all"], **settings)
        self.bench = works.Bench(takt, bench.cpu, bench.folder / "of_commits" / commit[:16])

    def executable(self, name):
        return self.bench.executable(name)

    def check_ns(self):
        return self.bench.check_ns()


class Folder:
    """Executables that somebody has kept: NAME, or NAME/bin/NAME as `takt build` leaves it. With a `takt`, checks are compared, too."""

    def __init__(self, bench, folder):
        self.folder, self.text, self.bench = folder, f"executables of {folder}", bench

    def executable(self, name):
        name = name.replace(":", "_x")
        for path in (self.folder / name, *(self.folder / name / "bin").glob("*")):
            if path.is_file():
                return path
        raise Failed(f"{self.folder} holds neither {name} nor {name}/bin/...; name what it holds by --only")

    def check_ns(self):
        if not (self.folder / "takt").is_file():
            raise Failed(f"{self.folder} holds no takt; name what it holds by --only")
        other = works.Bench(self.folder / "takt", self.bench.cpu, self.bench.folder)
        return other.check_ns()


class Planted:
    """The other way round: old is what is, new is what is slower on purpose, or the same where `percent` is 0."""

    def __init__(self, bench, percent):
        self.bench, self.percent = bench, percent
        self.text = f"{percent:g} % more work planted" if percent else "itself (A/A)"

    def executable(self, name):
        return planted.executable(self.bench, name, self.percent)


def other_version(bench, arguments):
    if arguments.planted is not None:
        return Planted(bench, arguments.planted)
    folder = pathlib.Path(arguments.against)
    return Folder(bench, folder.resolve()) if folder.is_dir() else Commit(bench, arguments.against)


class Comparison:
    """Old and new of one work, built."""

    def __init__(self, name, bench, other):
        self.name, self.bench, self.instructions = name.replace(":", "_x"), bench, (None, None)
        if name == "check":
            self.before, self.after, self.plants = other.check_ns, bench.check_ns, None
            return
        versions = [other.executable(name), bench.executable(name)]
        self.plants = [bench.plant_of(name, path) for path in (reversed(versions) if isinstance(other, Planted) else versions)]
        self.before, self.after = (plant.ns for plant in self.plants)

    def count(self):
        if self.plants:
            self.instructions = works.counts(self.bench, self.plants[1].instructions, self.plants[0].instructions)

    def result(self, find, looks):
        """-> a row; its ratio is that of new over old"""
        ratio, verdict, taken = pairs.compare(lambda: pairs.in_turn(self.before, self.after), find, looks)
        row = works.row(self.name, "new over old", [(new, old) for old, new in taken], self.instructions)
        same = self.plants[0].digest == self.plants[1].digest if self.plants else None
        return {**row, "low": ratio.low, "high": ratio.high, "confidence": ratio.confidence, "verdict": verdict, "same_results": same}
