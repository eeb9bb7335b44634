#pragma once
// Which worker computes what: list scheduling on the critical path from measured costs, then local improvement.

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "runtime/executive/work_plan.hpp"

namespace takt {

/// What a macro-step takes, in seconds of computing time, by the costs of its windows.
struct Concurrency {
  double work = 0.0;           ///< W: on one core
  double critical_path = 0.0;  ///< P: with a core for each subsystem, exchange at no cost
  double reached = 0.0;        ///< by the placement, exchange between cores included

  /// No placement on that many cores takes less.
  [[nodiscard]] double bound(std::size_t cores) const noexcept {
    const double shared = work / static_cast<double>(cores);
    return shared > critical_path ? shared : critical_path;
  }
};

struct PlacementResult {
  Placement placement;  ///< all on worker 0 where more would not help
  std::size_t workers = 1;
  Concurrency concurrency;
};

/// How long a macro-step takes in the long run, if each worker computes its windows in the order of the schedule as
/// soon as what they need is there. A subsystem does not move while it runs. Of a schedule with more than some ten
/// thousand windows in a macro-step the first of them are looked at.
class PlacementSearch {
 public:
  /// What it costs that values cross between workers; as given, between cores.
  struct Crossing {
    double journey_s = 0.25e-6;  ///< until a value of one is seen on another
    double message_s = 0.1e-6;   ///< computing time of a message, for who sends and for who takes it
  };
  static constexpr double least_gain = 0.08;  ///< of the time on one core, for which more are used

  /// @param costs  seconds of computing time of a window, by subsystem
  PlacementSearch(const PlantDescription& plant, const Schedule& schedule, std::span<const double> costs)
      : PlacementSearch(plant, schedule, costs, Crossing{}) {}
  PlacementSearch(const PlantDescription& plant, const Schedule& schedule, std::span<const double> costs,
                  const Crossing& crossing);
  /// @param cores  1 and up
  [[nodiscard]] PlacementResult place(std::size_t cores) const;
  /// On that many, whether or not one would do as well. @pre there are as many subsystems
  [[nodiscard]] PlacementResult spread(std::size_t cores) const;
  /// What a given placement reaches.
  [[nodiscard]] PlacementResult rate(const Placement& placement) const;

 private:
  struct Need {
    std::uint32_t slot, earlier;
  };
  [[nodiscard]] double time_of(const Placement& placement, bool with_exchange = true) const;
  [[nodiscard]] std::vector<double> costs_in(const Placement& placement) const;
  [[nodiscard]] Placement by_parts(std::size_t cores) const;
  [[nodiscard]] Placement by_order(std::size_t cores) const;
  void improve(Placement& placement, double& time, std::size_t cores) const;

  Crossing crossing_;
  std::vector<double> costs_;
  std::vector<std::uint16_t> subsystem_of_;  // by slot
  /// Who sends to whom, each pair once.
  std::vector<std::pair<std::uint16_t, std::uint16_t>> pairs_;
  std::vector<std::vector<Need>> needs_;  // by slot
  std::vector<std::size_t> parts_;        // by subsystem: those that exchange something are in one
  double scale_ = 1.0;                    // macro-step over what is looked at
};

}  // namespace takt
