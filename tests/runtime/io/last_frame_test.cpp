// Frames in shared memory are whole whenever they are read, also where their writer was killed between two
// instructions.
#include "runtime/io/can/last_frame.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <csignal>
#include <thread>

#include "runtime/io/shared_array.hpp"

using takt::can::LastFrame;

namespace {

LastFrame::Data filled(std::uint64_t k) {
  LastFrame::Data data{};
  data.fill(static_cast<std::uint8_t>(k));
  return data;
}

bool is_whole(const LastFrame::Data& data) {
  return std::all_of(data.begin(), data.end(), [&](std::uint8_t byte) { return byte == data.front(); });
}

}  // namespace

TEST_CASE("nothing is read before something was stored") {
  const takt::SharedArray<LastFrame> frames(1);
  LastFrame::Data data{};
  CHECK_FALSE(frames[0].load(data));
  frames[0].store(filled(7));
  REQUIRE(frames[0].load(data));
  CHECK(data == filled(7));
}

TEST_CASE("a reader beside a writer sees whole frames") {
  const takt::SharedArray<LastFrame> frames(1);
  frames[0].store(filled(0));
  std::atomic<bool> stop{false};
  std::thread writer([&] {
    for (std::uint64_t k = 0; !stop.load(); ++k) frames[0].store(filled(k));
  });
  bool whole = true;
  for (int k = 0; k < 200'000 && whole; ++k) {
    LastFrame::Data data{};
    whole = frames[0].load(data) && is_whole(data);
  }
  stop.store(true);
  writer.join();
  CHECK(whole);
}

TEST_CASE("what a killed writer leaves is whole") {
  const takt::SharedArray<LastFrame> frames(1);
  for (int round = 0; round < 200; ++round) {
    const pid_t child = ::fork();
    if (child == 0)
      for (std::uint64_t k = 0;; ++k) frames[0].store(filled(k));
    REQUIRE(child > 0);
    LastFrame::Data data{};
    ::usleep(static_cast<useconds_t>(200 + 7 * round));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    if (frames[0].load(data)) REQUIRE(is_whole(data));
  }
  LastFrame::Data data{};
  CHECK(frames[0].load(data));
}
