#include <unistd.h>

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "runtime/io/record/formats/jsonl/jsonl_sink.hpp"
#include "runtime/io/record/recorded_file.hpp"

using namespace takt;

namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

SimTime ms(std::int64_t count) { return SimTime{count * 1'000'000}; }

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Two rates, whose rows meet at 0 and 2 ms.
std::filesystem::path written(const std::array<double, 4>& values) {
  const auto path = std::filesystem::temp_directory_path() / ("takt_jsonl_" + std::to_string(getpid()) + ".jsonl");
  JsonlSink sink;
  sink.open(path, {.title = "a \"b\"",
                   .properties = {{"host", "here"}},
                   .rates = {{SimDuration{1'000'000}, {{"a.v", "V"}}}, {SimDuration{2'000'000}, {{"b.k", ""}}}},
                   .compress = false,
                   .attachments = {}});
  sink.begin_at(1'700'000'000'000'000'000, 37);
  for (int k = 0; k < 4; ++k) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(values[static_cast<std::size_t>(k)]);
    sink.add({.plan = 0, .time = ms(k), .values = {&bits, 1}});
    if (k % 2 == 0) sink.add({.plan = 1, .time = ms(k), .values = {&bits, 1}});
  }
  sink.add_event(
      {.time = ms(3), .text = "now", .kind = RecordEvent::Kind::trigger, .before = SimDuration{500'000'000}});
  sink.finish();
  CHECK(sink.problem().empty());
  CHECK(sink.lost() == 0);
  sink.conclude({.events = {}, .properties = {{"digest", "7"}}, .summary = {"summary.json", "application/json", "{}"}});
  return path;
}

}  // namespace

TEST_CASE("JSON Lines: a head, a line for each time, events, an end") {
  const auto path = written({0.5, -0.0, 3.0, 1e22});
  CHECK(content(path) == R"({"takt":{"signals":1,"title":"a \"b\"","properties":{"host":"here"},"rates":[)"
                         R"({"period_ns":1000000,"columns":[{"path":"a.v","unit":"V"}]},)"
                         R"({"period_ns":2000000,"columns":[{"path":"b.k","unit":""}]}]}})"
                         "\n"
                         R"({"begin":{"utc_ns":1700000000000000000,"tai_minus_utc_s":37}})"
                         "\n"
                         R"({"time [s]":0.0,"a.v [V]":0.5,"b.k [1]":0.5})"
                         "\n"
                         R"({"time [s]":0.001,"a.v [V]":-0.0})"
                         "\n"
                         R"({"time [s]":0.002,"a.v [V]":3.0,"b.k [1]":3.0})"
                         "\n"
                         R"({"time [s]":0.003,"event":"now","trigger":{"before_s":0.5,"after_s":0.0}})"
                         "\n"
                         R"({"time [s]":0.003,"a.v [V]":1e+22})"
                         "\n"
                         R"({"end":{"digest":"7"},"summary":{}})"
                         "\n");
  std::filesystem::remove(path);
}

TEST_CASE("JSON Lines are read to the last bit, also what is no number in JSON") {
  const std::array<double, 4> values{std::nan(""), -infinity, std::nextafter(0.1, 1.0), 5e-324};
  const auto path = written(values);
  const auto groups = read_recorded(path);
  REQUIRE(groups.size() == 2);
  REQUIRE(groups[0].time_s == std::vector<double>{0.0, 0.001, 0.002, 0.003});
  CHECK(groups[1].time_s == std::vector<double>{0.0, 0.002});
  CHECK(groups[1].signals[0].path == "b.k");
  CHECK(groups[1].signals[0].unit.empty());
  CHECK(std::isnan(groups[0].signals[0].values[0]));
  for (std::size_t k = 1; k < 4; ++k) CHECK(groups[0].signals[0].values[k] == values[k]);
  CHECK(recorded_as_csv(path).value().starts_with("time [s],a.v [V],b.k [1]\n0,nan,nan\n0.001,-inf,\n"));
  std::filesystem::remove(path);
}

TEST_CASE("JSON Lines that end anywhere are read to their last whole line") {
  const auto path = written({1.0, 2.0, 3.0, 4.0});
  const std::string whole = content(path);
  const std::size_t head = whole.find('\n') + 1;
  for (std::size_t length = head; length < whole.size(); ++length) {
    std::ofstream(path, std::ios::trunc) << whole.substr(0, length);
    const auto groups = read_recorded(path);
    REQUIRE(groups.size() == 2);
    for (std::size_t k = 0; k < groups[0].time_s.size(); ++k)
      REQUIRE(groups[0].signals[0].values[k] == static_cast<double>(k + 1));
  }
  std::filesystem::remove(path);
}

TEST_CASE("JSON Lines with any byte changed are refused with their line, or read") {
  const auto path = written({1.0, 2.0, 3.0, 4.0});
  const std::string whole = content(path);
  for (std::size_t place = 30; place < whole.size(); ++place) {
    std::string damaged = whole;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x15);
    std::ofstream(path, std::ios::trunc) << damaged;
    try {
      for (const RecordedGroup& group : read_recorded(path))
        for (const RecordedGroup::Signal& signal : group.signals) REQUIRE(signal.values.size() == group.time_s.size());
    } catch (const std::runtime_error& error) {
      REQUIRE(std::string(error.what()).starts_with(path.string() + ":"));
    }
  }
  std::filesystem::remove(path);
}
