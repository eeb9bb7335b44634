#pragma once
// Plant inputs as they were when each window began, also where it is computed later.

#include <algorithm>
#include <memory_resource>
#include <span>
#include <vector>

#include "runtime/plant/schedule.hpp"

namespace takt {

/// Where every window that reads inputs runs at the instant at which it begins, values from outside go straight to
/// plant memory. Else each instant keeps its own. Phases: construct (allocates), begin(), then per instant newest() and
/// take(), per window seen_by(). Real-time: bounded by the number of inputs.
class InputLatch {
 public:
  /// @param shown  plant inputs in plant memory
  /// @param several  workers: then windows of an instant may run after the next one has come
  InputLatch(const Schedule& schedule, std::span<double> shown, bool several = false) : shown_(shown), newest_(shown) {
    const bool at_once =
        !several && std::all_of(schedule.slots().begin(), schedule.slots().end(), [](const Schedule::Slot& slot) {
          return !slot.reads_inputs || slot.opens == slot.instant + 1;
        });
    if (at_once || shown.empty()) return;
    own_.resize(shown.size());
    newest_ = own_;
    versions_.resize(shown.size() * schedule.instants().size());
  }
  InputLatch(const InputLatch&) = delete;
  InputLatch& operator=(const InputLatch&) = delete;
  ~InputLatch() = default;

  /// Plant memory has changed by other hands.
  void begin() noexcept {
    if (versions_.empty()) return;
    std::copy(shown_.begin(), shown_.end(), newest_.begin());
    for (std::size_t i = 0; i < versions_.size(); ++i) versions_[i] = shown_[i % shown_.size()];
  }
  /// Where values from outside go, before take().
  [[nodiscard]] std::span<double> newest() const noexcept { return newest_; }
  void take(std::uint32_t instant) noexcept {
    if (versions_.empty()) return;
    std::copy(newest_.begin(), newest_.end(), versions_.begin() + static_cast<std::ptrdiff_t>(instant * shown_.size()));
    std::copy(newest_.begin(), newest_.end(), shown_.begin());
  }
  /// What was taken at the last release of this instant; put() has it so on another host. Nothing without inputs.
  [[nodiscard]] std::span<const double> taken(std::uint32_t instant) const noexcept {
    return std::span<const double>(versions_).subspan(instant * row_size(), row_size());
  }
  void put(std::uint32_t instant, std::span<const double> inputs) noexcept {
    std::copy(inputs.begin(), inputs.end(), versions_.begin() + static_cast<std::ptrdiff_t>(instant * row_size()));
    std::copy(inputs.begin(), inputs.end(), shown_.begin());
  }
  [[nodiscard]] std::size_t row_size() const noexcept { return versions_.empty() ? 0 : shown_.size(); }
  /// What was taken as this window began.
  [[nodiscard]] const double* seen_by(const Schedule::Slot& slot) const noexcept {
    return versions_.empty() ? shown_.data() : versions_.data() + slot.instant * shown_.size();
  }

 private:
  std::span<double> shown_, newest_;
  std::pmr::vector<double> own_, versions_;  // by instant, then input
};

}  // namespace takt
