#include "runtime/program/scope_cost.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <vector>

#include "runtime/steering/window_copies.hpp"

namespace takt {
namespace {

constexpr int runs = 51;
constexpr std::size_t places = 32;  // further apart than a cache holds: what is copied to is cold

/// Median of copies of so many bytes, us.
double copy_us(std::size_t bytes, std::vector<std::byte>& from, std::vector<std::byte>& to) {
  std::vector<double> seen;
  for (int k = 0; k < runs; ++k) {
    const std::size_t at = static_cast<std::size_t>(k) % places * WindowCopies::room;
    const auto begin = std::chrono::steady_clock::now();
    std::memcpy(to.data() + at, from.data(), bytes);
    const auto end = std::chrono::steady_clock::now();
    from[0] = to[at];  // so that it is done
    seen.push_back(std::chrono::duration<double, std::micro>(end - begin).count());
  }
  std::nth_element(seen.begin(), seen.begin() + runs / 2, seen.end());
  return seen[runs / 2];
}

}  // namespace

ScopeCost scope_cost(const PlantDescription& plant) {
  std::size_t window = 0, macro_step = 0;
  for (std::size_t k = 0; k < plant.subsystems.size(); ++k) {
    const SubsystemDescription& subsystem = plant.subsystems[k];
    const std::size_t all = WindowCopies::macro_step_bytes(plant, k);
    if (subsystem.foreign || subsystem.touched == 0 || all > WindowCopies::room) continue;
    window = std::max(window, WindowCopies::window_bytes(subsystem));
    macro_step = std::max(macro_step, all);
  }
  if (window == 0) return {};
  std::vector<std::byte> from(WindowCopies::room), to(places * WindowCopies::room);
  (void)copy_us(window, from, to);  // the first ones find nothing of it ready
  return {.window_us = copy_us(window, from, to), .macro_step_us = copy_us(macro_step, from, to)};
}

}  // namespace takt
