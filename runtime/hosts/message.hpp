#pragma once
// Head of every message between hosts.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plant/bytes.hpp"

namespace takt::hosts {

enum class Kind : std::uint8_t {
  hello,       ///< who is there, and with which plant
  conditions,  ///< the leader: of the run
  ready,       ///< all is prepared, from this start
  news,        ///< what has been computed
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

}  // namespace takt::hosts
