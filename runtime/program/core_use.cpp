#include "runtime/program/core_use.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <fstream>
#include <map>
#include <mutex>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "runtime/csv/csv.hpp"
#include "runtime/executive/executive.hpp"
#include "runtime/executive/rate_split.hpp"
#include "runtime/executive/realtime_thread.hpp"
#include "runtime/foreign/port.hpp"
#include "runtime/program/thread_stack.hpp"

namespace takt {
namespace {

constexpr std::string_view head = "# takt placement 1", columns = "subsystem,worker";
constexpr std::chrono::milliseconds measured_for{100};

struct alignas(64) Line {
  std::byte bytes[64];
};

/// Asks a plant to stop after a time, unless it is gone by then.
class StopAfter {
 public:
  StopAfter(std::chrono::milliseconds time, Executive& executive)
      : watch_([this, time, &executive] {
          std::unique_lock lock(mutex_);
          if (!gone_.wait_for(lock, time, [this] { return is_gone_; })) executive.request_stop();
        }) {}
  ~StopAfter() {
    {
      const std::lock_guard lock(mutex_);
      is_gone_ = true;
    }
    gone_.notify_one();
    watch_.join();
  }
  StopAfter(const StopAfter&) = delete;
  StopAfter& operator=(const StopAfter&) = delete;

 private:
  std::mutex mutex_;
  std::condition_variable gone_;
  bool is_gone_ = false;
  std::thread watch_;
};

Placement read_placement(const std::filesystem::path& path, const PlantDescription& plant, std::size_t most) {
  std::ifstream file(path);
  if (!file) throw std::runtime_error(path.string() + ": cannot be read");
  std::map<std::string_view, std::size_t> index;
  for (std::size_t i = 0; i < plant.subsystems.size(); ++i) index[plant.subsystems[i].name] = i;
  std::vector<int> workers(plant.subsystems.size(), -1);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    const auto fail = [&](const std::string& cause) {
      throw std::runtime_error(path.string() + ":" + std::to_string(number) + ": " + cause);
    };
    if (number == 1 && line != head) fail("not a placement file: its first line is '" + std::string(head) + "'");
    if (number == 2 && line != columns) fail("expected '" + std::string(columns) + "'");
    if (number <= 2 || line.empty()) continue;
    const std::vector<std::string> cells = csv_cells(line, path.string() + ":" + std::to_string(number));
    if (cells.size() != 2) fail("expected '" + std::string(columns) + "'");
    const auto subsystem = index.find(cells[0]);
    if (subsystem == index.end()) fail("this plant has no subsystem " + cells[0]);
    std::size_t worker = 0;
    const char* end = cells[1].data() + cells[1].size();
    const auto [rest, error] = std::from_chars(cells[1].data(), end, worker);
    if (error != std::errc{} || rest != end || worker >= most)
      fail("worker '" + cells[1] + "': expected 0 to " + std::to_string(most - 1) + ", as there are CPUs given");
    if (workers[subsystem->second] >= 0) fail("subsystem " + cells[0] + " stands here twice");
    workers[subsystem->second] = static_cast<int>(worker);
  }
  for (std::size_t i = 0; i < workers.size(); ++i)
    if (workers[i] < 0)
      throw std::runtime_error(path.string() + ": subsystem " + plant.subsystems[i].name + " is missing");
  const std::set<int> used(workers.begin(), workers.end());
  if (*used.rbegin() + 1 != static_cast<int>(used.size()))
    throw std::runtime_error(path.string() + ": workers are counted from 0 without gaps");
  return {workers.begin(), workers.end()};
}

}  // namespace

std::vector<double> window_costs(const PlantDescription& of, std::span<const BundledRun> bundled,
                                 const InputScript& script, int cpu) {
  PlantDescription plant = of;
  std::vector<Line> memory((plant.memory_size + sizeof(Line) - 1) / sizeof(Line));
  std::memcpy(memory.data(), plant.memory, plant.memory_size);
  plant.memory = reinterpret_cast<std::byte*>(memory.data());
  SystemClock clock;
  const foreign::Rehearsal rehearsal;
  Executive executive(plant, {.bundled = bundled}, {.clock = clock, .script = script});
  (void)executive.prepare();
  {
    const StopAfter stop(measured_for, executive);
    const RealtimeTask task{.cpu = cpu, .work = [&] { executive.run(); }};
    run_realtime_threads({.stack_size = thread_stack(plant)}, {&task, 1});
  }
  RunResults results;
  executive.report(results);
  std::vector<double> costs;
  for (const SubsystemResult& s : results.subsystems)
    costs.push_back((s.rtf.mean > 3.0 * s.rtf.p50 ? s.rtf.p50 : s.rtf.mean) *
                    s.sync_s);  // others may have computed meanwhile
  return costs;
}

CoreUse choose_cores(const PlantDescription& plant, const CoreWish& wish, const InputScript& script) {
  for (const int cpu : wish.cpus)
    if (cpu >= static_cast<int>(sysconf(_SC_NPROCESSORS_CONF)))
      throw std::runtime_error("there is no CPU " + std::to_string(cpu) + " on this machine");
  if (wish.paced && std::set<int>(wish.cpus.begin(), wish.cpus.end()).size() < wish.cpus.size())
    throw std::runtime_error(
        "in real time every core is given once: no thread may wait for another one of its own core");
  CoreUse use{
      .cpus = {wish.cpus.front()}, .below = {0}, .placement = {}, .cores = {}, .concurrency = {}, .warnings = {}};
  const bool several = wish.cpus.size() > 1, splits = wish.paced && has_slower_parts(plant);
  if (!several && !wish.placement.empty()) throw std::runtime_error("--placement needs several cores: give --cores");
  if (!several && !splits) return use;
  const std::vector<double> costs = window_costs(plant, wish.bundled, script, wish.cpus.front());
  use.cores.assign(plant.subsystems.size(), 0);
  if (several) {
    const PlacementSearch search(plant, Schedule(plant), costs);
    const PlacementResult result = wish.placement.empty()
                                       ? search.place(wish.cpus.size())
                                       : search.rate(read_placement(wish.placement, plant, wish.cpus.size()));
    use.cores = result.placement;
    use.concurrency = {.asked = wish.cpus.size(),
                       .used = result.workers,
                       .given = !wish.placement.empty(),
                       .work_s = result.concurrency.work,
                       .critical_path_s = result.concurrency.critical_path,
                       .bound_s = result.concurrency.bound(wish.cpus.size()),
                       .planned_s = result.concurrency.reached};
  }
  const std::size_t cores = std::size_t{1} + *std::max_element(use.cores.begin(), use.cores.end());
  RateSplit split{.placement = use.cores, .core_of = std::vector<std::size_t>(cores), .below = std::vector<int>(cores)};
  std::iota(split.core_of.begin(), split.core_of.end(), std::size_t{0});
  if (splits) split = split_by_rate(plant, use.cores, costs);
  use.cpus.clear();
  for (const std::size_t core : split.core_of) use.cpus.push_back(wish.cpus[core]);
  use.below = split.below;
  if (use.cpus.size() > 1) use.placement = split.placement;
  if (cores < 2) use.cores.clear();
  if (wish.paced && cores > 1 && static_cast<long>(cores) >= sysconf(_SC_NPROCESSORS_ONLN))
    use.warnings.push_back(
        "the plant computes on every CPU of this machine: buses, recording and the system wait until it rests");
  return use;
}

std::string placement_text(const PlantDescription& plant, const Placement& placement) {
  std::string text = std::string(head) + "\n" + std::string(columns) + "\n";
  for (std::size_t i = 0; i < placement.size(); ++i)
    text += csv_cell(plant.subsystems[i].name) + "," + std::to_string(placement[i]) + "\n";
  return text;
}

}  // namespace takt
