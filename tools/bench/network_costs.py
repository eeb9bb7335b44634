"""What a plant costs from its file to a step, for tools/bench/scale.py --all: generated, compiled, stored, run, and beside KLU."""
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys

import network_shapes

COLUMNS = "generate s", "compile s", "compile MB", "code MB", "table MB", "us a step", "KLU us", "ratio", "kernel us"


@dataclasses.dataclass
class Costs:
    generate_s: float  # CPU time of takt itself in a build, trial runs of the plan included
    compile_s: float  # of all that it starts
    compile_mb: float  # of the largest process: takt or a compiler
    code_mb: float  # sources without the table
    table_mb: float
    step_us: float
    klu_us: float | None = None
    kernel_us: float | None = None

    def cells(self):
        beside = [f"{self.klu_us:.1f}", f"{self.step_us / self.klu_us:.2f}", f"{self.kernel_us:.1f}"] if self.klu_us else ["", "", ""]
        return [f"{self.generate_s:.2f}", f"{self.compile_s:.1f}", f"{self.compile_mb:.0f}", f"{self.code_mb:.2f}", f"{self.table_mb:.2f}", f"{self.step_us:.1f}", *beside]


def cpu_times(command, log, **settings):
    """CPU seconds of a process, of all that it has started, and MB of the largest of them."""
    with open(log, "w") as out:
        process = subprocess.Popen([str(word) for word in command], stdout=out, stderr=subprocess.STDOUT, **settings)
        os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)  # it has ended and can still be read
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} ended with {process.returncode}:\n{pathlib.Path(log).read_text()[-3000:]}")
    ticks = os.sysconf("SC_CLK_TCK")
    return sum(map(int, fields[11:13])) / ticks, sum(map(int, fields[13:15])) / ticks, used.ru_maxrss / 1024


def source_sizes(folder):
    """MB of what was emitted, without and of the table of everything that can be seen."""
    sizes = {path: path.stat().st_size / 1e6 for path in folder.iterdir() if path.suffix in (".cpp", ".hpp")}
    table = sum(size for path, size in sizes.items() if path.name == "plant.cpp")
    return sum(sizes.values()) - table, table


def step_us(executable, cpu):
    """Of a macro-step: median of five runs, each of ten milliseconds of computing and ten milliseconds of the plant at least."""
    command = ["taskset", "-c", str(cpu), str(executable), "--pace", "free", "--no-results", "--audit", "off", "--quiet", "--json", "--start", "given", "--for"]
    if subprocess.run(["chrt", "-f", "50", "true"], capture_output=True).returncode == 0:
        command = ["chrt", "-f", "50", *command]

    def once(milliseconds):
        """Seconds of computing, of all and of a macro-step."""
        done = subprocess.run([*command, f"{milliseconds} ms"], capture_output=True, text=True)
        summary = json.loads(done.stdout) if done.returncode in (0, 1) and done.stdout.startswith("{") else {}
        if abs(1e3 * summary.get("simulated_s", 0) - milliseconds) > 1e-6:
            sys.exit(f"{executable} ended with {done.returncode} before {milliseconds} ms:\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}")
        return summary["busy_s"], summary["busy_s"] / summary["macro_steps"]

    milliseconds = 10 * max(1, min(1000, round(0.01 / once(10)[0])))
    return 1e6 * statistics.median(once(milliseconds)[1] for _ in range(5))


def beside_klu(bench, kind, elements, folder, cpu):
    """us of factor and solve of the same matrix: by KLU, and by the kernel of the plant."""
    file = folder / f"{kind}_{elements}.network"
    file.write_text("".join(f"{a} {b} {g:.9g}\n" for a, b, g in network_shapes.reduced(kind, elements)))
    done = subprocess.run(["taskset", "-c", str(cpu), bench, "--network", file], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{bench} ended with {done.returncode}:\n{done.stderr}")
    words = done.stdout.split()
    own, klu = words.index("takt"), words.index("klu")
    return tuple(1e-3 * (float(words[at + 2]) + float(words[at + 3])) for at in (klu, own))


def costs(arguments, kind, elements, plant):
    """Of a plant that `takt check` has accepted."""
    folder = plant.parent / f"{plant.stem}_built"
    generate_s, compile_s, compile_mb = cpu_times(["taskset", "-c", arguments.cpu, arguments.takt, "build", plant, "--out", folder], plant.parent / "build.log",
                                                  env={**os.environ, "CCACHE_DISABLE": "1"})
    code_mb, table_mb = source_sizes(folder)
    found = Costs(generate_s, compile_s, compile_mb, code_mb, table_mb, step_us(folder / "bin" / plant.stem, arguments.cpu))
    bench = pathlib.Path(arguments.takt).parent / "takt-sparse-bench"
    if kind in network_shapes.SHAPES and bench.exists():
        found.klu_us, found.kernel_us = beside_klu(bench, kind, elements, plant.parent, arguments.cpu)
    return found
