#pragma once
// What carries messages between hosts.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace takt::hosts {

/// From one host to all others, whole, in order, none lost; only those that are there when a message is sent have it.
/// Used by one thread at a time. Not real-time.
class Transport {
 public:
  Transport() = default;
  virtual ~Transport() = default;
  Transport(const Transport&) = delete;
  Transport& operator=(const Transport&) = delete;

  static constexpr std::size_t longest = std::size_t{16} << 20U;  ///< message, bytes
  /// @return false: not now  @pre message.size() <= longest
  [[nodiscard]] virtual bool try_send(std::span<const std::byte> message) = 0;
  /// @return false: there is none
  [[nodiscard]] virtual bool try_receive(std::vector<std::byte>& message) = 0;
  /// Until a message may have come, at most that long.
  virtual void wait(std::int64_t at_most_ns) = 0;
  /// Empty while messages go through.
  [[nodiscard]] virtual std::string problem() const = 0;
};

}  // namespace takt::hosts
