// What the real-time thread pays for the tap: ns per boundary that nobody asks for anything, and ns per observed value
// of 500, scattered over 64 KB, while the service reads them on another CPU.
//   cmake --build --preset release --target bench_tap && build/release/bin/bench_tap

#include <sched.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

#include "runtime/tap/service_end.hpp"
#include "runtime/tap/tap_port.hpp"
#include "tests/runtime/support/two_bodies.hpp"
#include "tests/runtime/tap/test_sink.hpp"

using namespace takt;

namespace {

constexpr std::size_t rows = 500, doubles = 8192;

void stay_on(unsigned cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

/// ns per boundary.
double boundaries(TapPort& port, test::TestSink& sink, int count) {
  const auto begin = std::chrono::steady_clock::now();
  for (int k = 0; k < count; ++k) {
    (void)port.looks_at(sink.now);
    port.direct(sink.now, sink);
    sink.now += SimDuration{1'000'000};
  }
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - begin).count() / count;
}

double quartile(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 4];
}

}  // namespace

int main() {
  test::TwoBodies<> bodies;
  PlantDescription plant = bodies.description();
  std::vector<double> memory(doubles, 1.0);
  std::vector<MemoryEntry> table;
  for (std::uint32_t k = 0; k < rows; ++k)
    table.push_back({"x", "", Role::signal, 0, (k * 2654435761U) % doubles * sizeof(double)});
  plant.memory = reinterpret_cast<std::byte*>(memory.data());
  plant.memory_size = memory.size() * sizeof(double);
  plant.table = table;
  TapMemory segment(plant, {.paced = true});
  SystemClock clock;
  TapPort port(plant, *segment, clock, {.paced = true});
  ServiceEnd service(*segment);
  test::TestSink sink;
  stay_on(std::thread::hardware_concurrency() > 1 ? 1 : 0);
  std::vector<double> idle, watched;
  for (int k = 0; k < 40; ++k) idle.push_back(boundaries(port, sink, 20'000));
  std::vector<std::uint32_t> all(rows);
  for (std::uint32_t k = 0; k < rows; ++k) all[k] = k;
  std::atomic<std::uint64_t> read{0};
  (void)service.subscribe(all, 1'000'000, {}, [&](const Sample& sample) { read += sample.values.size(); });
  (void)boundaries(port, sink, 5);
  std::atomic<bool> ends{false};
  std::thread reader([&] {
    stay_on(0);
    while (!ends) (void)service.poll({});
  });
  const auto dropped = [&] { return segment->status.samples_dropped.load(); };
  for (int k = 0; k < 300; ++k) {
    const std::uint64_t before = dropped();
    const double ns = boundaries(port, sink, 200);
    if (dropped() == before) watched.push_back(ns);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));  // the ring runs empty
  }
  ends = true;
  reader.join();
  std::printf("%.1f ns per boundary without a client, %.2f ns per observed value (%zu of 300 rounds without drops)\n",
              quartile(idle), (quartile(watched) - quartile(idle)) / rows, watched.size());
}
