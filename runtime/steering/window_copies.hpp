#pragma once
// Memory of subsystems as their windows begin, for whoever computes these again to see what lies inside of them.

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "runtime/plant/description.hpp"

namespace takt {

/// Phases: construct (allocates); begin(), taken(), clear() and end() by the leader while nobody computes; keep() by
/// whoever computes the subsystem. Real-time: all but the constructor; no heap, no system call; bounded by `most` and
/// one copy of window_bytes(). In memory of std::pmr::get_default_resource().
class WindowCopies {
 public:
  static constexpr std::size_t most = 4;          ///< subsystems at a time
  static constexpr std::size_t room = 1U << 18U;  ///< bytes of a macro-step, of each

  explicit WindowCopies(const PlantDescription& plant);

  /// Bytes of one window: all that it reads or writes.
  [[nodiscard]] static std::size_t window_bytes(const SubsystemDescription& subsystem) noexcept {
    return (subsystem.touched + sizeof(double) - 1) / sizeof(double) * sizeof(double);
  }
  [[nodiscard]] static std::size_t macro_step_bytes(const PlantDescription& plant, std::size_t subsystem) noexcept {
    const SubsystemDescription& s = plant.subsystems[subsystem];
    return window_bytes(s) * static_cast<std::size_t>(plant.macro_step_ns / s.period_ns);
  }

  /// @return false: all are in use, it is being copied already, or there is no room for its windows
  [[nodiscard]] bool begin(std::uint16_t subsystem) noexcept;
  void end(std::uint16_t subsystem) noexcept;
  [[nodiscard]] bool wants(std::uint16_t subsystem) const noexcept { return copy_of_[subsystem] != none; }
  /// As its next window begins, after its inputs have been fed. Real-time: one copy of window_bytes().
  void keep(std::uint16_t subsystem) noexcept;
  /// Windows of the macro-step that has just ended, in their order.
  [[nodiscard]] std::span<const std::byte> taken(std::uint16_t subsystem) const noexcept;
  void clear(std::uint16_t subsystem) noexcept;

 private:
  static constexpr std::uint8_t none = 0xff;
  struct Copy {
    std::pmr::vector<std::byte> memory;
    std::size_t used = 0;
    bool free = true;
  };

  const std::byte* memory_;
  std::span<const SubsystemDescription> subsystems_;
  std::int64_t macro_step_ns_;
  std::pmr::vector<std::uint8_t> copy_of_;  // by subsystem
  std::pmr::vector<Copy> copies_;
};

}  // namespace takt
