#!/usr/bin/env python3
"""Changed inputs against the takt command and a built plant: whatever stands in a file or on a command line, they end in time with a message.

    mutants.py TAKT PROGRAM [--seconds N] [--seed S] [--kind K]... [--keep DIR]     hunt; finds are made small and kept in DIR
    mutants.py TAKT PROGRAM --replay DIR [--seconds N]                              inputs kept earlier find nothing any more

PROGRAM is the plant written by hand (takt_two_bodies). A find is a report of a sanitizer, a signal, an exception nobody caught or translated, "internal error", an
end without a word, more than the time or the memory there is."""
import argparse
import collections
import hashlib
import pathlib
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from mutation import Mutator
from slots import Slots

SOURCE = pathlib.Path(__file__).resolve().parents[2]
MOST_CPU_S, MOST_WALL_S, MOST_BYTES = 60, 600, 3 << 30
SANITIZER = re.compile(rb"(?:ERROR: \w+Sanitizer: [\w-]+|WARNING: ThreadSanitizer: [\w ]+|runtime error: [^\n]+)")
FRAME = re.compile(rb"#\d+ 0x\w+ in (takt::[\w:~]+|fmt::[\w:]+|toml::[\w:]+|CLI::[\w:]+)")
UNCAUGHT = re.compile(rb"^(?:takt[\w ]*|two_bodies): [^\n]*\b(map::at|sto(?:i|l|ul|ull|d)\b|bad_\w+|vector::\w+|basic_string\S*|array::at|deque::\w+|out_of_range|regex_error|json\.exception\S*|filesystem error|"
                      rb"Argument list|iostream error)|^[^\n]*(internal error|terminate called|Assertion .* failed)", re.M)


def asks_for_long(command):
    """Whether a run was told to simulate for hours: then it may compute for longer than the time there is."""
    words = [str(word) for word in command]
    for name, value in zip(words, words[1:]):
        number = re.fullmatch(r"\s*([0-9.]+(?:e[0-9]+)?)\s*(ms|us|ns|min|h|s|d)?\s*", value)
        if name == "--for" and number and float(number[1]) * {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "min": 60, "h": 3600, "d": 86400}.get(number[2], 1) > 1e5:
            return True
    return False


def limits(sanitized):
    def apply():
        resource.setrlimit(resource.RLIMIT_CPU, (MOST_CPU_S, MOST_CPU_S + 5))
        resource.setrlimit(resource.RLIMIT_FSIZE, (64 << 20, 64 << 20))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if not sanitized:  # which reserves more than there is
            resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    return apply


class Hunt:
    def __init__(self, arguments):
        symbols = subprocess.run(["nm", "-D", arguments.takt], capture_output=True).stdout
        self.sanitized = b"__asan_init" in symbols or b"__tsan_init" in symbols
        self.folder = tempfile.TemporaryDirectory()
        self.slots = Slots(SOURCE, self.folder.name, pathlib.Path(arguments.takt).resolve(), pathlib.Path(arguments.program).resolve())
        empty = pathlib.Path(self.folder.name) / "no_tools"
        empty.mkdir()
        self.environment = {"PATH": str(empty), "HOME": self.folder.name, "LANG": "C", "UBSAN_OPTIONS": "print_stacktrace=1:halt_on_error=1",
                            "ASAN_OPTIONS": f"detect_leaks=0:hard_rss_limit_mb={MOST_BYTES >> 20}:max_allocation_size_mb=2048:handle_abort=1"}

    def run(self, command):
        """@return what was found, as a short name; "" where nothing was, and the exit code"""
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            try:
                code = subprocess.run(command, cwd=self.folder.name, env=self.environment, stdin=subprocess.DEVNULL, stdout=out, stderr=err, timeout=MOST_WALL_S, preexec_fn=limits(self.sanitized)).returncode
            except subprocess.TimeoutExpired:
                return "hang", -1
            except (OSError, ValueError):
                return "", 0  # no command line
            out.seek(0), err.seek(0)
            said, told = out.read(4096), err.read(4 << 20)
        return self.judged(command, code, said, told), code

    def judged(self, command, code, said, told):
        if found := SANITIZER.search(told):
            frame = FRAME.search(told, found.start())
            return f"{found.group().decode(errors='replace')[:80]} in {frame.group(1).decode() if frame else '?'}"
        if code == -signal.SIGXCPU and asks_for_long(command):
            return ""
        if code in (-signal.SIGXCPU, -signal.SIGKILL):
            return "hang or memory"
        if code < 0 or code > 2:
            return f"signal {-code}" if code < 0 else f"exit code {code}"
        if found := UNCAUGHT.search(told):
            return (found.group(1) or found.group(2)).decode()
        return "no word" if code != 0 and not said and not told else ""

    def find(self, kind, text, choice):
        for command in self.slots.commands(kind, text, choice):
            found, code = self.run(command)
            self.codes[code] += 1
            if found:
                return found
        return ""

    codes = collections.Counter()

    def smaller(self, kind, text, choice, found, tries=150):
        """Without as many lines, then bytes, as the same find needs."""
        def same(shorter):
            return self.find(kind, shorter, choice) == found
        for split, join in ((lambda t: t.split(b"\n"), b"\n".join), (lambda t: [t[k:k + 1] for k in range(len(t))], b"".join)):
            parts = split(text)
            size = max(1, len(parts) // 2)
            while size >= 1 and tries > 0:
                at = 0
                while at < len(parts) and tries > 0:
                    shorter, tries = parts[:at] + parts[at + size:], tries - 1
                    if same(join(shorter)):
                        parts = shorter
                    else:
                        at += size
                size //= 2
            text = join(parts)
        return text


def hunt(arguments):
    generator = random.Random(arguments.seed)
    work = Hunt(arguments)
    kinds = arguments.kind or list(work.slots.kinds)
    weights = [6 if kind == "plant" else 2 if kind in ("rig", "dbc", "command") else 1 for kind in kinds]
    mutators = {kind: Mutator(generator, work.slots.kinds[kind]) for kind in kinds}
    until = time.monotonic() + arguments.seconds
    runs, finds = collections.Counter(), {}
    while time.monotonic() < until:
        kind = generator.choices(kinds, weights)[0]
        text, choice = mutators[kind](generator.choice(work.slots.kinds[kind])), generator.randrange(12)
        runs[kind] += 1
        found = work.find(kind, text, choice)
        if not found or (kind, found) in finds:
            continue
        if not found.startswith("hang"):
            text = work.smaller(kind, text, choice, found)
        name = f"{kind}-{choice}-{hashlib.sha256(text).hexdigest()[:8]}"
        finds[kind, found] = name
        print(f"{kind}: {found}: {name}", flush=True)
        if arguments.keep:
            pathlib.Path(arguments.keep).mkdir(parents=True, exist_ok=True)
            (pathlib.Path(arguments.keep) / name).write_bytes(text)
    print(f"{sum(runs.values())} mutants in {arguments.seconds} s, seed {arguments.seed}: " + ", ".join(f"{kind} {count}" for kind, count in sorted(runs.items())))
    print(f"exit codes: " + ", ".join(f"{code}: {count}" for code, count in sorted(work.codes.items())) + f"; {len(finds)} finds")
    return 1 if finds else 0


def replay(arguments):
    work, failed, count = Hunt(arguments), 0, 0
    for path in sorted(pathlib.Path(arguments.replay).iterdir()):
        kind, choice, _ = path.name.split("-")
        count += 1
        if found := work.find(kind, path.read_bytes(), int(choice)):
            failed += 1
            print(f"{path.name}: {found}")
    print(f"{count} kept inputs, {failed} of them still find something")
    return 1 if failed or not count else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("takt")
    parser.add_argument("program")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", action="append")
    parser.add_argument("--keep")
    parser.add_argument("--replay")
    arguments = parser.parse_args()
    return replay(arguments) if arguments.replay else hunt(arguments)


if __name__ == "__main__":
    sys.exit(main())
