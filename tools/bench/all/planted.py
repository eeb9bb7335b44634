"""A plant that is slower on purpose: its generated sources with idle work in every window, built again. The product has no hook for it."""

import re
import shutil

import machine
from machine import Failed

EVERY = 16  # windows: so long a piece of idle work cannot hide behind the work around it
CHAIN = "x = x * 6364136223846793005ULL + 1; asm volatile(\"\" : \"+r\"(x));"  # each waits for the one before
PLANTED = """
namespace {
void planted_work() noexcept {
  static thread_local unsigned calls = 0;
  if (++calls % %EVERY% != 0) return;
  unsigned long long x = calls;
  for (long k = 0; k < %COUNT%; ++k) { %CHAIN% }
}
}  // namespace
"""
MEASURE = """#include <chrono>
#include <cstdio>
int main() {
  double least = 1e30;
  for (int round = 0; round < 20; ++round) {
    const auto begin = std::chrono::steady_clock::now();
    unsigned long long x = 1;
    for (long k = 0; k < 1000000; ++k) { %CHAIN% }
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
    if (took.count() < least) least = took.count();
  }
  std::printf("%f\\n", least / 1e6);
}
"""


def filled(text, **values):
    for name, value in values.items():
        text = text.replace(f"%{name}%", str(value))
    return text


def round_ns(bench):
    """What one round of the idle loop takes."""
    source = bench.folder / "idle.cpp"
    source.write_text(filled(MEASURE, CHAIN=CHAIN))
    machine.output_of(["g++", "-O3", source, "-o", source.with_suffix("")])
    return float(bench.cpu.run(source.with_suffix("")))


def executable(bench, name, percent):
    """The executable of a plant whose solvers have so many percent more to do in time."""
    if percent == 0:
        return bench.executable(name)
    folder = bench.folder / "planted" / name.replace(":", "_x")
    shutil.rmtree(folder, ignore_errors=True)
    bench.build(name, folder)
    plant = bench.plant(name)
    runs = [plant.summary("--no-results") for _ in range(5)]
    windows = sum(subsystem["windows"] for subsystem in runs[0]["subsystems"])
    window_ns = sorted(run["solver_s"] for run in runs)[2] * 1e9 / windows
    count = round(EVERY * window_ns * percent / 100 / round_ns(bench))
    source = folder / "plant.cpp"
    text, changed = re.subn(r"(void run_\w+\(std::byte\* own,\s+const takt::Window& window\) noexcept \{)", r"\1 planted_work();", source.read_text())
    if not changed:
        raise Failed(f"{source}: no function of a window found to plant idle work in")
    at = text.index("namespace takt_plant")
    source.write_text(text[:at] + filled(PLANTED, EVERY=EVERY, COUNT=count, CHAIN=CHAIN) + text[at:])
    machine.output_of(["cmake", "--build", folder / "build"])
    built = list((folder / "build/out").iterdir())
    if len(built) != 1:
        raise Failed(f"{folder}/build/out holds {len(built)} executables in place of one")
    return built[0]
