#pragma once
// Head of every message between hosts.

#include <boost/crc.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plant/bytes.hpp"

namespace takt::hosts {

enum class Kind : std::uint8_t {
  hello,       ///< who is there, and with which plant
  conditions,  ///< the leader: of the run
  ready,       ///< all is prepared, from this start
  news,        ///< what has been computed, in lock-step
  ask_time,    ///< what is your clock? In real time
  tell_time,   ///< this it was
  begin,       ///< the leader: time 0, on its clock
  flow,        ///< what has been computed, in real time
  part,        ///< all that a worker leaves, in pieces
  bye          ///< nothing more comes
};

struct Head {
  Kind kind = Kind::bye;
  std::uint16_t host = 0;      ///< who sends it
  std::uint64_t identity = 0;  ///< of that process: an earlier run under the same name has another one
};

[[nodiscard]] inline ByteWriter begin_message(std::vector<std::byte>& message, const Head& head) {
  message.clear();
  ByteWriter to(message);
  to.put(head.kind), to.put(head.host), to.put(head.identity);
  return to;
}
/// @throw std::runtime_error  it is none
[[nodiscard]] inline Head take_head(ByteReader& from) {
  Head head;
  head.kind = from.take<Kind>(), head.host = from.take<std::uint16_t>(), head.identity = from.take<std::uint64_t>();
  return head;
}

/// At its end, a checksum: that of UDP is too weak for what nobody looks at twice.
inline void seal(std::vector<std::byte>& message) {
  boost::crc_32_type crc;
  crc.process_bytes(message.data(), message.size());
  ByteWriter(message).put(static_cast<std::uint32_t>(crc.checksum()));
}
/// @return what was sealed  @throw std::runtime_error  it has changed
[[nodiscard]] inline std::span<const std::byte> opened(std::span<const std::byte> message) {
  std::uint32_t told = 0;
  if (message.size() < sizeof told) throw std::runtime_error("a message of another host is cut short");
  const auto content = message.first(message.size() - sizeof told);
  std::memcpy(&told, message.data() + content.size(), sizeof told);
  boost::crc_32_type crc;
  crc.process_bytes(content.data(), content.size());
  if (crc.checksum() != told) throw std::runtime_error("a message of another host was changed on its way");
  return content;
}

}  // namespace takt::hosts
