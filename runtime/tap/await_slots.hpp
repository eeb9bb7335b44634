#pragma once
// Conditions that clients wait for, as the plant keeps them.

#include <array>
#include <cstdint>

#include "runtime/plant/description.hpp"
#include "runtime/scenario/expression.hpp"
#include "runtime/tap/segment.hpp"

namespace takt {

/// Phases: construct (allocates), then begin(), judge() and end() at boundaries.
/// Real-time: bounded by most_awaits conditions of most_nodes nodes each; no heap.
class AwaitSlots {
 public:
  struct Await {
    std::uint64_t id = 0;  ///< of its command; 0: nothing is awaited
    std::int64_t until_ns = 0;
    std::uint16_t author = 0;
    bool observes = false;
    std::uint32_t count = 0;
    std::array<TapCommand, TapSegment::most_then> then{};  ///< what is done where it holds
    Expression condition{};                                ///< its nodes alone
  };

  AwaitSlots(const PlantDescription& plant, const TapSegment& segment);

  /// Takes over what is staged.  @return nullptr: nonsense, or the slot is in use
  [[nodiscard]] Await* begin(const TapCommand& command) noexcept;
  void end(Await& await) noexcept { await.id = 0, recount(); }
  /// @return nullptr: none of this command
  [[nodiscard]] Await* find(std::uint64_t id) noexcept;
  [[nodiscard]] bool holds(const Await& await, SimTime now) const noexcept {
    return await.condition.evaluate(memory_, now).holds();
  }
  /// What its nodes that are values of the plant read now.
  void read(const Await& await, std::array<double, StagedAwait::most_nodes>& values) const noexcept;
  [[nodiscard]] std::size_t slot_of(const Await& await) const noexcept {
    return static_cast<std::size_t>(&await - awaits_.data());
  }
  [[nodiscard]] std::array<Await, TapSegment::most_awaits>& all() noexcept { return awaits_; }
  [[nodiscard]] bool any() const noexcept { return used_ > 0; }
  /// One of them reads what has to be brought up to date.
  [[nodiscard]] bool observes() const noexcept { return observing_ > 0; }
  void recount() noexcept;

 private:
  const std::byte* memory_;
  const std::size_t memory_size_;
  const TapSegment& segment_;
  std::array<Await, TapSegment::most_awaits> awaits_;
  std::uint32_t used_ = 0, observing_ = 0;
};

}  // namespace takt
