#pragma once
// What buses report at the end of a run, read back from IoPort::statistics_json().

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace takt {

/// A signal of a message that the plant sends, with values that are not what a receiver finds, or out of range.
struct BusSignal {
  std::string name;
  std::uint64_t saturated = 0, not_numbers = 0, out_of_range = 0;
};

struct BusMessage {
  std::string name;
  bool sent = false;  ///< by the plant; else received
  std::uint64_t frames = 0, timeouts = 0;
  std::uint64_t before_start = 0;         ///< received: of the frames those that came before time 0
  std::uint64_t refused = 0;              ///< received: with values that are no numbers; sent: failed at the first try
  std::uint64_t out_of_range = 0;         ///< values beyond the range of the database, taken or sent all the same
  std::uint64_t did_not_fit = 0;          ///< sent: values that their signals do not hold, and what is no number
  std::uint64_t too_short = 0;            ///< received: frames with less data than the message has, not taken
  std::uint64_t too_long = 0;             ///< received: frames with more data than the message has, taken
  std::uint64_t wrong_checksum = 0;       ///< received: frames of a protected message, not taken
  std::uint64_t superseded = 0;           ///< sent: replaced by newer values before they left
  std::optional<double> mean_cycle_us{};  ///< between the first and the last frame; none: of one frame or none
  std::optional<double> max_age_us{};     ///< received: of values that a window has used
  std::vector<BusSignal> signals{};       ///< sent: those with any of these values
  std::vector<std::pair<std::string, std::uint64_t>> of_kind{};  ///< what its kind of bus counts besides, in words
};

struct BusLatency {
  std::string what;
  std::uint64_t count = 0;
  double p50_us = 0.0, p99_us = 0.0, p999_us = 0.0, max_us = 0.0;
};

struct BusResult {
  std::string name, bus;
  std::string link{};  ///< of an interface: its state at the end, load, error counters; empty: none was watched
  std::uint64_t received = 0, sent = 0, not_mapped = 0, too_short = 0, lost = 0, errors = 0;
  std::uint64_t bus_off = 0, lost_by_controller = 0;
  std::string rest_never{};  ///< what its rest bus has waited for in vain; empty: it began, or there is none
  std::vector<std::pair<std::string, std::uint64_t>> counters{};  ///< of its kind, and those of the fields above
  std::vector<BusMessage> messages{};
  std::vector<BusLatency> latencies{};
};

/// One direction of a gateway between two buses.
struct GatewayResult {
  std::string name, from, to;
  /// taken = forwarded + dropped (the queue was full) + refused (CAN FD on a classic bus) + cut (the bus was) + waiting
  std::uint64_t taken = 0, forwarded = 0, dropped = 0, refused = 0, cut = 0, waiting = 0;
  double p50_us = 0.0, p99_us = 0.0, max_us = 0.0;  ///< from one bus to the other
};

/// As bus_results().
[[nodiscard]] std::vector<GatewayResult> gateway_results(const std::string& statistics_json);

/// What is missing or of another type counts as 0. Never throws; empty where the text is no JSON or names no bus.
[[nodiscard]] std::vector<BusResult> bus_results(const std::string& statistics_json);

}  // namespace takt
