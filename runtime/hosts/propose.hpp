#pragma once
// Which subsystems several hosts might compute: by measured costs and what couples them.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime/executive/placement.hpp"

namespace takt::hosts {

/// What crosses between hosts, by a placement.
struct Cut {
  std::size_t couplings = 0, without_lag = 0;  ///< that cross; of these, known within the same H
  std::int64_t shortest_ns = 0;                ///< H of a coupling that crosses; 0: none does
  std::vector<double> shares;                  ///< of the work, by host
};
[[nodiscard]] Cut cut_of(const PlantDescription& plant, std::span<const double> work, const Placement& placement);

/// Shares the work out evenly, to 10 % of the mean or as near as the subsystems allow, and cuts as few couplings as it
/// finds, counted by how often they are exchanged, those without lag twice: grown from each subsystem in turn along the
/// couplings, then improved one subsystem at a time (C. M. Fiduccia, R. M. Mattheyses, A Linear-Time Heuristic for
/// Improving Network Partitions, 1982, without its buckets).
/// @param work  seconds in a macro-step, by subsystem  @param hosts  2 to the number of subsystems
[[nodiscard]] Placement share_evenly(const PlantDescription& plant, std::span<const double> work, std::size_t hosts);

struct Wish {
  std::size_t hosts = 2;
  double round_trip_s = 0.0;  ///< of a message between hosts
};
/// The better in lock-step of an even one and of what PlacementSearch finds.
/// @param costs  seconds of computing time of a window, by subsystem
/// @return [host.NAME] tables for a rig file, with what is to be expected of them
/// @throw std::runtime_error  more hosts than subsystems
[[nodiscard]] std::string proposed_hosts(const PlantDescription& plant, std::span<const double> costs,
                                         const Wish& wish);

}  // namespace takt::hosts
