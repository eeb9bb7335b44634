#pragma once
// Received messages that stayed away for longer than their time-out.

#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plant/time.hpp"

namespace takt {

/// What the plant had of it from one latch to another was no sender's: safe values, or those before.
struct Silence {
  std::string bus, message;
  SimTime from, to;
};

/// One entry of the log of a port.
struct HeardChange {
  std::size_t bus = 0, message = 0;
  SimTime time;
  bool away = false;  ///< else it is back
};

/// @param changes  in the order of time  @param end  of those that did not come back
/// @param names  of a bus and its message  @return in the order of their beginnings
[[nodiscard]] std::vector<Silence> silences_of(
    const std::vector<HeardChange>& changes, SimTime end,
    const std::function<std::pair<std::string, std::string>(std::size_t, std::size_t)>& names);

}  // namespace takt
