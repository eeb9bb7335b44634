#pragma once
// Two clients at the real virtual bus, over real sockets: one sends what the fuzzer has made, in pieces as its bytes
// say, the other listens.

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "runtime/io/can/virtual_bus.hpp"

namespace takt::can {

struct FuzzedClients {
  std::string_view listener_says, talker_says;  ///< before anything else
};

/// @param check  of every frame that the bus has taken
template <class Check>
void through_bus(VirtualBus& bus, std::string_view text, FuzzedClients clients, const Check& check) {
  std::array<int, 2> talker{}, listener{};
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, talker.data()) != 0) std::abort();
  if (::socketpair(AF_UNIX, SOCK_STREAM, 0, listener.data()) != 0) std::abort();
  const auto say = [](int socket, std::string_view words) {
    (void)!::send(socket, words.data(), words.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  };
  bus.adopt(talker[0]);
  bus.adopt(listener[0]);
  say(listener[1], clients.listener_says);
  say(talker[1], clients.talker_says);
  while (!text.empty()) {
    const std::size_t piece = std::min<std::size_t>(text.size(), 1U + static_cast<unsigned char>(text[0]));
    say(talker[1], text.substr(0, piece));
    text.remove_prefix(piece);
    bus.wait({});
    for (Frame frame; bus.receive(frame);) check(frame);
  }
  ::close(talker[1]);
  ::close(listener[1]);
  for (int k = 0; k < 64; ++k) bus.wait({});
  for (Frame frame; bus.receive(frame);) check(frame);
}

}  // namespace takt::can
