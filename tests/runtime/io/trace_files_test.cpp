#include "runtime/io/can/trace_files.hpp"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "runtime/plant/wall_clock.hpp"

using namespace takt;
using namespace takt::can;

namespace {

struct Folder {
  Folder() { std::filesystem::create_directories(path); }
  ~Folder() { std::filesystem::remove_all(path); }
  std::filesystem::path path = std::filesystem::temp_directory_path() / ("takt_trace_" + std::to_string(::getpid()));
};

Frame frame(std::uint32_t id, WallTime stamp) {
  Frame made;
  made.id = id;
  made.stamp = stamp;
  return made;
}

/// Lines of a log without their stamps.
std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line.substr(line.find(' ') + 1));
  return lines;
}

TraceFiles::Settings settings_of(TraceRing& ring) {
  return {.bus = "can0", .channel = "vcan7", .fd = true, .formats = trace_candump, .ring = &ring};
}

}  // namespace

TEST_CASE("frames are written in the order of their stamps, once nothing earlier can follow") {
  const Folder folder;
  const auto ring = std::make_unique<TraceRing>();
  const WallTime begin = wall_now();
  TraceFiles files(folder.path, settings_of(*ring), UtcOfRun(begin));
  const WallDuration ms{1'000'000};
  ring->push_sent(frame(0x103, {}), begin + ms * 3);  // left before the I/O thread looked for what had come
  ring->push_received(frame(0x101, begin + ms));
  ring->push_received(frame(0x102, begin + ms));  // equal stamps stay in their order
  ring->push_received(frame(0x105, begin + ms * 5));
  ring->settle(begin + ms * 4);
  files.take(false);
  files.flush();
  CHECK(lines_of(folder.path / "bus_can0.log") ==
        std::vector<std::string>{"vcan7 101# R", "vcan7 102# R", "vcan7 103# T"});
  ring->push_received(frame(0x104, begin + ms * 4 + WallDuration{1}));
  files.take(true);
  files.close();
  CHECK(lines_of(folder.path / "bus_can0.log") ==
        std::vector<std::string>{"vcan7 101# R", "vcan7 102# R", "vcan7 103# T", "vcan7 104# R", "vcan7 105# R"});
  REQUIRE(files.accounts().size() == 1);
  CHECK((files.accounts()[0].frames == 5 && files.accounts()[0].lost == 0));
}

TEST_CASE("stamps never go back, and begin with the run") {
  const Folder folder;
  const auto ring = std::make_unique<TraceRing>();
  const WallTime begin = wall_now();
  const UtcOfRun utc(begin);
  TraceFiles files(folder.path, settings_of(*ring), utc);
  const WallDuration second{1'000'000'000};
  ring->push_received(frame(1, begin - second));
  files.take(true);
  ring->push_received(frame(2, begin + second));
  files.take(true);
  ring->push_received(frame(3, begin));
  files.take(true);
  files.close();
  std::ifstream in(folder.path / "bus_can0.log");
  std::vector<std::string> stamps;
  for (std::string line; std::getline(in, line);) stamps.push_back(line.substr(0, line.find(' ')));
  const auto text = [](std::int64_t us) {
    const std::string digits = std::to_string(us);
    const std::size_t point = digits.size() - 6;
    std::string made = "(";
    return made.append(digits, 0, point).append(".").append(digits, point).append(")");
  };
  CHECK(stamps == std::vector<std::string>{text(utc.begin_us()), text(utc.begin_us() + 1'000'000),
                                           text(utc.begin_us() + 1'000'000)});
}

TEST_CASE("frames of CAN FD are written as the bus pads them, with their flags") {
  const Folder folder;
  const auto ring = std::make_unique<TraceRing>();
  const WallTime begin = wall_now();
  TraceFiles files(folder.path, settings_of(*ring), UtcOfRun(begin));
  Frame fd = frame(0x1ABCDEF0, begin);
  fd.extended = fd.fd = fd.brs = fd.esi = true;
  fd.len = 9;
  fd.data.fill(0xA5);  // also behind its end
  ring->push_sent(fd, begin);
  Frame remote = frame(0x7F, begin);
  remote.remote = true;
  remote.len = 3;
  ring->push_received(remote);
  files.take(true);
  files.close();
  CHECK(lines_of(folder.path / "bus_can0.log") ==
        std::vector<std::string>{"vcan7 1ABCDEF0##3A5A5A5A5A5A5A5A5A5000000 T", "vcan7 07F#R3 R"});
}

TEST_CASE("a ring that nobody empties drops frames and counts them") {
  const auto ring = std::make_unique<TraceRing>();
  for (std::size_t k = 0; k < TraceRing::capacity + 7; ++k) ring->push_received(frame(1, wall_now()));
  CHECK(ring->dropped() == 7);
  TracedFrame traced;
  std::size_t popped = 0;
  while (ring->pop(traced)) ++popped;
  CHECK(popped == TraceRing::capacity);
}

TEST_CASE("words for formats") {
  CHECK(trace_formats_of("candump") == trace_candump);
  CHECK(trace_formats_of("mf4,candump") == (trace_candump | trace_mf4));
  CHECK(trace_formats_of("off") == TraceFormats{0});
  for (const char* wrong : {"", "blf", "candump,", ",mf4", "candump mf4", "off,mf4"})
    CHECK_FALSE(trace_formats_of(wrong));
}
