#pragma once
// Copies of a running plant, from which stretches of its run can be computed again afterwards.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/coupling/exchange.hpp"
#include "runtime/plant/description.hpp"

namespace takt {

/// Plant memory and what lies between subsystems, at the beginning of a macro-step.
struct PlantCopy {
  std::uint64_t macro_step = 0;
  std::vector<std::byte> memory, exchanges;
};

/// Copies spread over a run. Where its length is not known and the room is used up, every second one is given up and
/// the distance doubles. Phases: construct (allocates), take() where it is due as a macro-step ends, then read.
/// Real-time: take() copies plant memory; no heap.
class PlantCopies {
 public:
  struct Options {
    std::uint64_t macro_steps = 0;       ///< of the run; 0: not known
    std::size_t most = 24;               ///< copies
    std::size_t most_bytes = 64u << 20;  ///< all together, but for two copies
  };
  PlantCopies(const PlantDescription& plant, const Exchanges& exchanges, Options options);

  /// @param macro_step  that begins now
  [[nodiscard]] bool is_due(std::uint64_t macro_step) const noexcept { return macro_step == next_; }
  /// @pre is_due(macro_step)
  void take(std::uint64_t macro_step) noexcept;
  [[nodiscard]] std::span<const PlantCopy> taken() const noexcept { return {copies_.data(), used_}; }

 private:
  const PlantDescription& plant_;
  const Exchanges& exchanges_;
  std::vector<PlantCopy> copies_;
  std::size_t used_ = 0;
  std::uint64_t stride_ = 1, next_ = 0;
};

}  // namespace takt
