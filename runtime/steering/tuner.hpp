#pragma once
// Coefficients of tuned parameters, computed outside real time on a copy of the plant.

#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/steering/action.hpp"

namespace takt {

/// What a tuning changes in plant memory. Nothing where it is refused.
struct Patch {
  struct Word {
    std::size_t offset = 0;
    std::uint64_t bits = 0;
  };
  Action action;
  std::vector<Word> words;                ///< parameters, then coefficients
  std::vector<std::uint16_t> subsystems;  ///< that they belong to
  std::string refused;                    ///< why
};

/// What parameters are tuned to, without faults, and the faults that are there, in the order of their injection.
struct Tuned {
  explicit Tuned(const PlantDescription& plant);  ///< as in plant memory; allocates
  /// A tuning, a fault or its end. Real-time: bounded.
  void take(const PlantDescription& plant, const Action& action) noexcept;
  std::vector<double> values;
  std::vector<std::uint32_t> faults;  ///< room for all
  std::uint32_t fault_count = 0;
};

/// Takes tunings and faults of elements in order and computes what they change with prepare(); it
/// refuses values outside the limits of the element library and steps that would not be stable.
/// A fault gives parameters other values than they are tuned to; what is tuned meanwhile holds when it ends.
/// Phases: construct (when the plant is prepared), then ask(), take() and give_back() by the real-time thread and
/// work() by an ordinary one. Real-time: the three are wait-free.
class Tuner {
 public:
  static constexpr std::size_t most = 256;  ///< tunings on their way

  Tuner(const PlantDescription& plant, Tuned tuned);
  ~Tuner();
  Tuner(const Tuner&) = delete;
  Tuner& operator=(const Tuner&) = delete;

  /// @return false: there is no room
  bool ask(const Action& action) noexcept { return asked_.push(action); }
  /// What has been asked for first and is not taken yet; nullptr: it is not computed yet.
  [[nodiscard]] const Patch* take() noexcept {
    const Patch* patch = nullptr;
    return done_.pop(patch) ? patch : nullptr;
  }
  void give_back(const Patch* patch) noexcept { used_.push(patch); }

  /// @return something was asked for and has been computed
  bool work();
  /// One tuning.
  [[nodiscard]] std::unique_ptr<Patch> compute(const Action& action);

 private:
  void free_used() noexcept;
  [[nodiscard]] std::vector<double> wanted() const;
  [[nodiscard]] std::string refusal_of(const std::vector<std::uint32_t>& changed) const;
  void prepare(std::size_t subsystem, Patch& patch);

  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::vector<Line> memory_;
  PlantDescription plant_;  // over memory_
  Tuned tuned_;
  boost::lockfree::spsc_queue<Action, boost::lockfree::capacity<most>> asked_;
  boost::lockfree::spsc_queue<const Patch*, boost::lockfree::capacity<2 * most>> done_, used_;
};

}  // namespace takt
