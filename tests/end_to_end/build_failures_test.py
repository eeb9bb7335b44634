"""A build that cannot be: the program, what it said and how to mend it are named, nothing is called an internal error; and an executable that
is built runs without any of the programs. --print shows each message as a user sees it."""

import argparse
import os
import pathlib
import resource
import shutil
import subprocess
import sys

PLANT = """[plant]
duration = "10 ms"
[electric]
s = { is = "voltage_source", at = ["a", "gnd"], v = "5 V" }
r = { is = "resistor", at = ["a", "gnd"], r = "1 Ohm" }
[record]
"1 ms" = ["electric.r.i"]
"""
TOOLS = ("cmake", "ninja", "c++", "as", "ld", "sh", "env", "uname", "ar", "ranlib", "nm")


class Judge:
    def __init__(self, options):
        self.takt, self.work, self.show, self.failed = str(options.takt.resolve()), options.work.resolve(), options.print, 0
        shutil.rmtree(self.work, ignore_errors=True)
        self.work.mkdir(parents=True)
        self.plant = self.work / "plant.toml"
        self.plant.write_text(PLANT)

    def path_with(self, name, *tools):
        """A folder with these programs and no others."""
        folder = self.work / f"path_{name}"
        folder.mkdir()
        for tool in tools:
            if found := shutil.which(tool):
                (folder / tool).symlink_to(found)
        return folder

    def run(self, name, *arguments, environment=None, limit=None, folder=None):
        folder = folder or self.work / f"in_{name}"
        folder.mkdir(exist_ok=True)
        done = subprocess.run([self.takt, "run", self.plant, "--out", "out", *arguments], cwd=folder, env=os.environ | (environment or {}), text=True, capture_output=True,
                              preexec_fn=limit, check=False)
        return done.returncode, done.stderr

    def fails(self, name, words, *arguments, **how):
        code, told = self.run(name, *arguments, **how)
        missing = [word for word in words if word not in told]
        ok = code == 1 and not missing and "internal error" not in told
        self.failed += not ok
        print(f"{'ok   ' if ok else 'WRONG'} {name}", "" if ok else f"exit code {code}, missing {missing}:\n{told}", flush=True)
        if self.show and ok:
            print("".join(f"      | {line}\n" for line in told.splitlines()))

    def runs_when_built(self):
        folder = self.work / "built"
        code, told = self.run("built", folder=folder)
        again, told_again = self.run("built", folder=folder, environment={"PATH": str(self.path_with("nothing"))})
        ok = code == 0 and again == 0 and "compiling" in told and "compiling" not in told_again
        self.failed += not ok
        print("ok    what is built runs without tools" if ok else f"WRONG what is built: {code}, {again}: {told}{told_again}", flush=True)


def fill_disk(judge):
    """Full disks, where this user may mount."""
    for megabytes in (1, 2):  # full while CMake configures, full while it compiles
        disk = judge.work / f"disk_{megabytes}"
        disk.mkdir()
        if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={megabytes * 200}k", "none", disk], capture_output=True, check=False).returncode != 0:
            print("      no mount here: full disks are not tried")
            return
        try:
            judge.fails(f"full disk of {megabytes * 200} kB", ["cannot build ", "said: "], folder=disk,
                        environment={"CCACHE_DISABLE": "1"})
        finally:
            subprocess.run(["umount", disk], check=True)


def small_files():
    import signal
    signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (40000, 40000))


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--takt", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--print", action="store_true")
    judge = Judge(parser.parse_args())
    only = lambda name, *tools: {"PATH": str(judge.path_with(name, *tools))}
    without = lambda name, *gone: only(name, *(tool for tool in TOOLS if tool not in gone))
    judge.fails("no cmake", ["there is no 'cmake' in PATH", "install the package cmake"], environment=without("cmake", "cmake"))
    judge.fails("no compiler", ["there is no C++ compiler", "install the package g++"], environment=without("compiler", "c++"))
    judge.fails("CXX of nothing", ["CXX names the C++ compiler 'no-such-compiler'", "unset it"], environment={"CXX": "no-such-compiler"})
    judge.fails("CXX that does not compile", ["cannot build ", "said: "], environment={"CXX": shutil.which("true")})
    judge.fails("no ninja and no make", ["there is no 'ninja' and no 'make'", "install the package ninja-build"], environment=without("ninja", "ninja"))
    judge.fails("no linker", ["cannot build ", "said: "], environment=without("ld", "ld"))
    judge.fails("wrong --march", ["does not know this --march", "pentium-99", "give one of those"], "--march", "pentium-99")
    judge.fails("limit of file sizes", ["a file may not become as large", "ulimit -f"], limit=small_files, environment={"CCACHE_DISABLE": "1"})
    if os.getuid() != 0:
        closed = judge.work / "closed"
        closed.mkdir(mode=0o555)
        judge.fails("folder without permission", ["a file must not be read or written"], folder=closed)
    (judge.work / "file").write_text("")
    judge.fails("--build-dir below a file", ["cannot build "], "--build-dir", str(judge.work / "file" / "x"))
    fill_disk(judge)
    judge.runs_when_built()
    return 1 if judge.failed else 0


if __name__ == "__main__":
    sys.exit(main())
