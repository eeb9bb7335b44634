#include "runtime/hosts/sender.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace takt::hosts {
namespace {

constexpr std::int64_t nap_ns = 50'000;
constexpr std::size_t piece = std::size_t{1} << 20U;  // bytes

}  // namespace

bool Sender::send(const std::function<void()>& meanwhile) {
  seal(message_);
  if (message_.size() > Transport::longest)
    throw std::runtime_error("a message to other hosts has " + std::to_string(message_.size() >> 20U) + " MB");
  while (!transport_.try_send(message_)) {
    if (!transport_.problem().empty()) return false;
    transport_.wait(nap_ns);
    if (meanwhile) meanwhile();
  }
  return true;
}

bool Sender::try_send() {
  seal(message_);
  return transport_.try_send(message_);
}

bool Sender::send_in_pieces(Kind kind, std::span<const std::byte> whole, const std::function<void()>& meanwhile) {
  for (std::size_t at = 0; at < whole.size(); at += piece) {
    ByteWriter to = begin(kind);
    to.put(static_cast<std::uint64_t>(whole.size()));
    to.put_bytes(whole.subspan(at, std::min(piece, whole.size() - at)));
    if (!send(meanwhile)) return false;
  }
  return true;
}

bool take_piece(ByteReader& from, std::vector<std::byte>& whole) {
  const auto size = from.take<std::uint64_t>();
  const auto bytes = from.take_bytes(from.left());
  whole.insert(whole.end(), bytes.begin(), bytes.end());
  return whole.size() >= size;
}

}  // namespace takt::hosts
