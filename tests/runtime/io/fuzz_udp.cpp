// libFuzzer entry of the receiver of UDP frames: the input is a series of datagrams, each behind two bytes with its
// length. Each is counted in one place, whatever it is.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "runtime/io/udp/receiver.hpp"
#include "tests/runtime/io/udp/sample_udp.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace takt::udp;
  static const BusPlan bus = sample_udp::bus("127.0.0.1:1", true);
  Receiver receiver(bus, 16);
  std::uint64_t heard = 0;
  for (std::span<const std::uint8_t> left(data, size); left.size() >= 2; ++heard) {
    const std::size_t length =
        std::min<std::size_t>({left.size() - 2, static_cast<std::size_t>(left[0] << 8U | left[1]), most_bytes + 1});
    receiver.hear(left.subspan(2, length), takt::WallTime{static_cast<std::int64_t>(heard) * 1'000'000});
    left = left.subspan(2 + length);
    for (std::size_t frame = 0; frame < 2 && heard % 7 == 0; ++frame)
      while (receiver.ring(frame).front() != nullptr) receiver.ring(frame).pop();
  }
  std::uint64_t counted = receiver.refused().wrong_length + receiver.refused().wrong_constant;
  for (std::size_t frame = 0; frame < 2; ++frame) {
    const Sequence::Counts& sequence = *receiver.sequence(frame);
    counted += receiver.counts(frame).frames + sequence.overtaken + sequence.doubled + sequence.doubtful;
  }
  if (counted != heard) std::abort();
  return 0;
}
