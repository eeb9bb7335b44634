#pragma once
// What one process says to the other hosts: begun, sealed, sent when there is room.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "runtime/hosts/message.hpp"
#include "runtime/hosts/transport.hpp"

namespace takt::hosts {

/// One message at a time. Not real-time.
class Sender {
 public:
  struct Who {
    std::uint16_t host = 0;
    std::uint64_t identity = 0;
  };
  Sender(Transport& transport, const Who& who) : transport_(transport), who_(who) {}

  [[nodiscard]] std::uint64_t identity() const noexcept { return who_.identity; }
  [[nodiscard]] ByteWriter begin(Kind kind) {
    return begin_message(message_, {.kind = kind, .host = who_.host, .identity = who_.identity});
  }
  /// @param meanwhile  while there is no room, but not what begins another message
  /// @return false: nothing goes through any more (Transport::problem())
  /// @throw std::runtime_error  it is longer than a message may be
  bool send(const std::function<void()>& meanwhile = {});
  /// @return there was room at once
  bool try_send();
  /// The same for what may be longer, as messages of this kind: take_piece() puts them together.
  bool send_in_pieces(Kind kind, std::span<const std::byte> whole, const std::function<void()>& meanwhile = {});

 private:
  Transport& transport_;
  const Who who_;
  std::vector<std::byte> message_;
};

/// @return the last piece has come: `whole` is
/// @throw std::runtime_error  it is none
[[nodiscard]] bool take_piece(ByteReader& from, std::vector<std::byte>& whole);

}  // namespace takt::hosts
