#pragma once
// Micro-steps of a subsystem, computed a second time beside the plant: from its memory at the beginning of each window
// and its inputs in it, as the plant has told them. The plant pays one copy of that memory per window, and computes
// nothing.

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"

namespace takt {

/// Bytes of a subsystem's own memory: to that of the next one, or the end of the plant's.
[[nodiscard]] std::size_t own_memory_size(const PlantDescription& plant, std::size_t subsystem) noexcept;
/// Why its micro-steps cannot be computed from what the boundaries of macro-steps show; empty: they can.
[[nodiscard]] std::string why_no_replay(const PlantDescription& plant, std::size_t subsystem);

/// One subsystem. A window is computed by windows of one micro-step each, with its inputs moved to where each begins:
/// the same method from the same memory, the same numbers but for rounding. How far that is off is measured where the
/// plant shows the next window, against the plant itself.
class ScopeReplay {
 public:
  /// @param own  the subsystem's memory behind a micro-step, everything observed
  using OnStep = std::function<void(std::int64_t time_ns, const std::byte* own)>;

  ScopeReplay(const PlantDescription& plant, std::uint16_t subsystem);

  /// The windows of a macro-step (WindowCopies) that has ended at this time.  @return it follows the last one
  bool take(std::int64_t end_ns, std::span<const double> windows, const OnStep& each);
  /// Of all windows so far: largest difference of a state at its end, over the largest that state has been.
  [[nodiscard]] double deviation() const noexcept { return deviation_; }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  void compute(std::int64_t begin_ns, std::span<const double> begin, const OnStep& each);
  void compare(std::span<const double> next);
  [[nodiscard]] std::byte* own() noexcept { return reinterpret_cast<std::byte*>(work_.data()); }
  [[nodiscard]] std::size_t at(std::size_t plant_offset) const noexcept { return plant_offset - subsystem_.offset; }

  const SubsystemDescription& subsystem_;
  const std::int64_t macro_step_ns_;
  std::vector<Line> work_;
  std::int64_t end_ns_ = -1;     // of what was computed last
  std::vector<double> largest_;  // by state
  double deviation_ = 0.0;
};

}  // namespace takt
