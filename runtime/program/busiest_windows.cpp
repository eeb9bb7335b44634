#include "runtime/program/busiest_windows.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "runtime/solver/time_instants.hpp"

namespace takt {
namespace {

/// Counts cuts window by window, as instants come in ascending order.
class CutCounter {
 public:
  CutCounter(const SubsystemDescription& of, std::int64_t met_until_ns) : of_(of), met_until_ns_(met_until_ns) {}

  void add(double instant) {
    const double step = 1e-9 * static_cast<double>(of_.step_ns);
    const double place = instant / step, begin = std::floor(place);
    if (place - begin < detail::snapped || begin + 1.0 - place < detail::snapped) return;  // between two steps
    if (instant - last_ < detail::snapped * step) return;                                  // the same piece
    last_ = instant;
    const auto step_ns = static_cast<std::int64_t>(begin) * of_.step_ns;
    const std::int64_t window_ns = step_ns - step_ns % of_.period_ns;
    cuts_ = window_ns == window_ns_ ? cuts_ + 1 : 1;
    window_ns_ = window_ns;
    if (cuts_ > most.cuts) most.cuts = cuts_, most.at_ns = window_ns;
    if (window_ns < met_until_ns_ && cuts_ > most.met) most.met = cuts_, most.met_ns = window_ns;
  }

  BusiestWindow most{};

 private:
  const SubsystemDescription& of_;
  std::int64_t met_until_ns_, window_ns_ = -1;
  double last_ = -1.0;
  int cuts_ = 0;
};

/// Median of some runs of a window that begins at `start_ns`, from the state as it is; us.
class WindowTimer {
 public:
  WindowTimer(const SubsystemDescription& of, std::byte* own, Clock& clock, std::int64_t enough_ns)
      : of_(of), own_(own), clock_(clock), enough_ns_(enough_ns), kept_(own, own + of.touched) {}

  [[nodiscard]] double median_us(std::int64_t start_ns) {
    constexpr std::size_t runs = 51, least = 5;
    std::vector<double> times;
    const Window window{
        .start_ns = start_ns, .step_ns = of_.step_ns, .steps = static_cast<std::int32_t>(of_.period_ns / of_.step_ns)};
    const WallTime begin = clock_.now();
    while (times.size() < least || (times.size() < runs && (clock_.now() - begin).ns() < enough_ns_)) {
      std::memcpy(own_, kept_.data(), kept_.size());
      const WallTime from = clock_.now();
      of_.run(own_, window);
      times.push_back(static_cast<double>((clock_.now() - from).ns()) * 1e-3);
    }
    std::memcpy(own_, kept_.data(), kept_.size());
    const auto middle = times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2);
    std::nth_element(times.begin(), middle, times.end());
    return *middle;
  }

 private:
  const SubsystemDescription& of_;
  std::byte* own_;
  Clock& clock_;
  std::int64_t enough_ns_;
  std::vector<std::byte> kept_;
};

}  // namespace

std::vector<BusiestWindow> busiest_windows(const PlantDescription& plant, std::int64_t met_until_ns,
                                           std::int64_t until_ns) {
  constexpr std::size_t most_of_one = 1'000'000, most_of_all = 4'000'000;
  const std::size_t most = std::min(most_of_one, most_of_all / std::max<std::size_t>(1, plant.subsystems.size()) + 1);
  std::vector<BusiestWindow> windows;
  const double until = 1e-9 * static_cast<double>(until_ns);
  for (std::size_t s = 0; s < plant.subsystems.size(); ++s) {
    const SubsystemDescription& subsystem = plant.subsystems[s];
    if (subsystem.next_instant == nullptr || subsystem.step_ns <= 0) continue;
    const std::byte* own = plant.memory + subsystem.offset;
    CutCounter counter(subsystem, met_until_ns);
    double t = subsystem.next_instant(own, 0.0);
    for (std::size_t k = 0; k < most && t < until; ++k, t = subsystem.next_instant(own, t)) counter.add(t);
    if (counter.most.cuts <= counter.most.met) continue;
    windows.push_back(counter.most);
    windows.back().subsystem = s;
  }
  return windows;
}

void measure_cuts(const PlantDescription& plant, std::vector<BusiestWindow>& windows, Clock& clock) {
  constexpr std::int64_t all_ns = 2'000'000'000, most_ns = 100'000'000;
  const std::int64_t enough_ns = std::min(most_ns, all_ns / static_cast<std::int64_t>(2 * windows.size() + 1));
  for (BusiestWindow& window : windows) {
    const SubsystemDescription& subsystem = plant.subsystems[window.subsystem];
    WindowTimer timer(subsystem, plant.memory + subsystem.offset, clock, enough_ns);
    const double usual = timer.median_us(window.met_ns);
    window.more_us = std::max(0.0, timer.median_us(window.at_ns) - usual);
  }
}

}  // namespace takt
