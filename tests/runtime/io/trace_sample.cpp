// Writes the frames of a classic bus and of one with CAN FD as MF4: trace_sample FOLDER. Prints each frame as
// BUS TIME_US IDE ID SENT REMOTE FD BRS ESI DLC DATA. trace_sample_test.py reads both.
#include <cstdio>

#include "runtime/io/can/dlc.hpp"
#include "runtime/io/can/mdf_frames.hpp"

namespace {

using takt::can::Frame;

/// Every length there is, in both directions, with all ids and flags.
Frame sample(std::size_t number, bool fd) {
  Frame frame;
  frame.extended = number % 3 == 1;
  frame.id =
      frame.extended ? 0x1FFFFFFF - static_cast<std::uint32_t>(number) : 0x7FF - static_cast<std::uint32_t>(number);
  frame.remote = number % 7 == 6;
  frame.fd = fd && !frame.remote && number % 2 == 0;
  frame.brs = frame.fd && number % 4 == 0;
  frame.esi = frame.fd && number % 8 == 0;
  frame.len = frame.fd ? takt::can::fd_lengths[number % 16] : static_cast<std::uint8_t>(number % 9);
  for (std::size_t k = 0; k < frame.len && !frame.remote; ++k)
    frame.data[k] = static_cast<std::uint8_t>(number + 3 * k + 1);
  return frame;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  for (const bool fd : {false, true}) {
    const char* const name = fd ? "fd" : "classic";
    takt::can::MdfFrames file;
    file.open(std::string(argv[1]) + "/" + name + ".mf4",
              {.bus = name, .channel = "vcan0", .number = 5, .fd = fd, .utc_begin_ns = 1'700'000'000'123'456'000});
    for (std::size_t k = 0; k < 500; ++k) {
      const Frame frame = sample(k, fd);
      const std::int64_t time_us = static_cast<std::int64_t>(k) * 1'000'003;
      const bool sent = k % 5 == 0;
      file.add(frame, 1000 * time_us, sent);
      if (k % 100 == 99) file.flush();
      std::printf("%s %lld %d %u %d %d %d %d %d %u ", name, static_cast<long long>(time_us), frame.extended, frame.id,
                  sent, frame.remote, frame.fd, frame.brs, frame.esi,
                  frame.fd ? takt::can::fd_length_code(frame.len) : frame.len);
      for (std::size_t b = 0; b < frame.len && !frame.remote; ++b) std::printf("%02x", frame.data[b]);
      std::printf("-\n");
    }
    file.close();
  }
  return 0;
}
