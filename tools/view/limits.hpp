#pragma once
// What one client, and all of them, may take of the server.

#include <chrono>
#include <cstddef>

namespace takt::view {

struct Limits {
  std::size_t header_bytes = 8192;
  std::size_t waiting_clients = 100;         ///< that have not asked yet: then the oldest gives way
  std::size_t talks = 20;                    ///< the tap gives a process 24 places
  std::size_t queued_bytes = 1U << 20U;      ///< to a client: more is not read from its tap
  std::size_t asked_bytes = 1U << 18U;       ///< to a tap: more is not read from its client
  std::chrono::seconds longest_request{5};   ///< until it has asked
  std::chrono::seconds longest_write{5};     ///< of one message: a client that does not read is dropped
  std::chrono::seconds longest_silence{30};  ///< it is asked whether it is there
  std::chrono::milliseconds between_flushes{25};
};
inline constexpr Limits limits;

/// Told when the server ends.
struct Counts {
  std::size_t clients = 0, talks = 0, gave_way = 0, refused = 0, too_slow = 0;
};

}  // namespace takt::view
