#pragma once
// What is undone where the connection of the client that has done it is lost. The plant keeps it: whatever becomes of
// the service, somebody knows.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/steering/action.hpp"
#include "runtime/tap/segment.hpp"

namespace takt {

/// Phases: construct (allocates), then at boundaries. An owner is a connection; 0: nobody.
/// Real-time: bounded by most_leases; no heap.
class Leases {
 public:
  struct Lease {
    std::uint32_t owner = 0;
    std::uint16_t author = 0;
    bool lost = false;  ///< its owner is
    Action undo{};      ///< of a lease of the run: none
  };

  explicit Leases(const PlantDescription& plant);

  /// What ends an action, or the action itself where it ends one; none: nothing of it lasts, or nothing ends it.
  [[nodiscard]] std::optional<Action> end_of(const Action& action) const noexcept;
  [[nodiscard]] std::size_t room() const noexcept { return leases_.size() - count_; }
  /// It has been done: the lease of what it replaces or ends is gone. With an owner a new one begins.  @pre room()
  void note(const Action& action, std::uint32_t owner, std::uint16_t author) noexcept;
  /// The run ends where this owner is lost.  @return false: no room
  [[nodiscard]] bool bind_run(std::uint32_t owner, std::uint16_t author) noexcept;
  /// What this owner has done stays.  @return how much that is; the run counts as one
  std::uint32_t detach(std::uint32_t owner) noexcept;
  /// What this owner has done is to be undone; 0: what anybody has.
  void lose(std::uint32_t owner) noexcept;
  [[nodiscard]] bool any() const noexcept { return count_ > 0 || bound_ > 0; }
  /// The oldest that is to be undone; note() of that takes it away.  @return nullptr: none
  [[nodiscard]] const Lease* next_lost() const noexcept;
  /// One of the run whose owner is lost, once.  @return nullptr: none
  [[nodiscard]] const Lease* take_lost_run() noexcept;

 private:
  static constexpr std::uint32_t no_row = static_cast<std::uint32_t>(-1);

  std::array<Lease, TapSegment::most_leases> leases_{};    // the first count_
  std::array<Lease, TapSegment::most_run_leases> runs_{};  // the first bound_
  std::size_t count_ = 0, bound_ = 0;
  Lease lost_run_{};
  std::vector<std::uint32_t> input_rows_;  // of the table, by plant input
};

}  // namespace takt
