// Parts of takt-dds without a plant: what becomes of rows, of commands, of arguments.

#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>

#include "tools/dds/domain.hpp"
#include "tools/dds/interface.hpp"
#include "tools/dds/options.hpp"
#include "tools/dds/requests.hpp"
#include "tools/dds/telemetry.hpp"
#include "tools/takt/arguments.hpp"

using namespace takt::dds;

namespace {

/// Of this process alone: others may run the same test.
Origin own_origin() {
  Origin origin;
  origin.session = 5, origin.macro_step_ns = 1'000'000;
  origin.prefix = "rt/takt/parts" + std::to_string(::getpid()) + "/";
  return origin;
}

/// The blocks of a telemetry whose rows come from here.
struct Wire {
  Domain domain{87, domain_settings(find_interface("lo"), "")};
  Origin origin = own_origin();
  Telemetry telemetry{
      domain, domain.writer(takt_msgs_msg_dds__Description__desc, origin.prefix + "description", {.latched = true})};
  dds_entity_t reader =
      domain.reader(takt_msgs_msg_dds__Block__desc, origin.prefix + "blocks/fast", -1, {.depth = 100});

  Wire() {
    const BlockPlan plan{.name = "fast", .period_ns = 2'000'000, .paths = {"a", "b"}};
    const auto begun = RunLink::Json::parse(R"({"watch":3,"every_ns":2000000,"paths":["a","b"],"units":["V",""]})");
    REQUIRE(telemetry.begin(origin, plan, begun).empty());
  }
  void row(std::int64_t time_ns, std::span<const double> values, std::uint64_t watch = 3) {
    telemetry.publish({.watch = watch, .time_ns = time_ns, .values = values});
  }
  std::vector<Block> read() const {
    std::vector<Block> found;
    std::array<void*, 100> samples{};
    std::array<dds_sample_info_t, 100> infos{};
    const int count = dds_read(reader, samples.data(), infos.data(), 100, 100);
    for (int k = 0; k < count; ++k) found.push_back(*static_cast<const Block*>(samples[static_cast<std::size_t>(k)]));
    return found;  // they stay as long as the loan
  }
};

Command command_of(const char* verb, std::vector<char*>& paths, std::vector<char*>& values) {
  const auto sequence = [](std::vector<char*>& texts) {
    const auto count = static_cast<std::uint32_t>(texts.size());
    return dds_sequence_string{._maximum = count, ._length = count, ._buffer = texts.data(), ._release = false};
  };
  return {.layout = the_layout,
          .author = borrowed("ana"),
          .id = 1,
          .verb = const_cast<char*>(verb),
          .paths = sequence(paths),
          .values = sequence(values)};
}

}  // namespace

TEST_CASE("values on DDS are the bits of the row, whatever they are") {
  Wire wire;
  const std::array values{std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()};
  wire.row(2'000'000, values);
  wire.row(4'000'000, values, 4);  // of nobody's watch
  const auto blocks = wire.read();
  REQUIRE(blocks.size() == 1);
  CHECK(blocks[0].session == 5);
  CHECK(blocks[0].number == 0);
  CHECK(blocks[0].time_ns == 2'000'000);
  REQUIRE(blocks[0].values._length == 2);
  CHECK(std::memcmp(blocks[0].values._buffer, values.data(), sizeof values) == 0);
}

TEST_CASE("rows that are missing on their grid are counted, those that come again are passed over") {
  Wire wire;
  const std::array values{1.0, 2.0};
  for (const std::int64_t ms : {10, 12, 20, 20, 12, 22}) wire.row(ms * 1'000'000, values);
  const auto blocks = wire.read();
  REQUIRE(blocks.size() == 4);
  const std::array<std::uint64_t, 4> dropped{0, 0, 3, 3};
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    CHECK(blocks[k].number == k);
    CHECK(blocks[k].dropped == dropped[k]);
  }
  CHECK(wire.telemetry.counts().written == 4);
  CHECK(wire.telemetry.counts().dropped == 3);
}

TEST_CASE("as many blocks are kept as come in two seconds, where there is room") {
  CHECK(block_depth(1'000'000, 500) == 2000);
  CHECK(block_depth(1'000'000'000, 500) == 16);
  CHECK(block_depth(1'000, 500) == (64 << 20) / 4100);
  CHECK(block_depth(1'000'000, 4096) * (4096 * 8 + 100) <= 64 << 20);
}

TEST_CASE("blocks are asked for by name, period and signals") {
  const BlockPlan plan = parse_block(" fast = 250 us : electric.*,control.x ");
  CHECK(plan.name == "fast");
  CHECK(plan.period_ns == 250'000);
  CHECK(plan.paths == std::vector<std::string>{"electric.*", "control.x"});
  CHECK(default_name(1'000'000) == "every_1_ms");
  CHECK(default_name(2'500'000'000) == "every_2_5_s");
  for (const char* text :
       {"", "a", "a=1 ms", "a:b=1 ms", "=1 ms: b", "a=: b", "a=0 s: b", "a=1 ms:", "a=1 ms: b,,c", "a b=1 ms: c"})
    CHECK_THROWS_AS(parse_block(text), takt::tools::UsageError);
}

TEST_CASE("a command is a request, or is told what is wrong with it") {
  std::string path = "u", value = "5 V", many = "10";
  std::vector<char*> none, one{path.data()}, two{path.data(), path.data()}, text{value.data()}, count{many.data()};
  CHECK(request_of(command_of("set", one, text)).dump() == R"({"actions":[{"verb":"set","path":"u","value":"5 V"}]})");
  CHECK(request_of(command_of("release", two, none))["actions"].size() == 2);
  CHECK(request_of(command_of("checkpoint", none, none)).dump() == R"({"verb":"checkpoint"})");
  CHECK(request_of(command_of("step", none, count)).dump() == R"({"verb":"step","count":10})");
  CHECK_THROWS_WITH(request_of(command_of("set", two, text)), Catch::Contains("2 paths and 1 values"));
  CHECK_THROWS_WITH(request_of(command_of("set", none, none)), Catch::Contains("at least one path"));
  CHECK_THROWS_WITH(request_of(command_of("stop", one, none)), Catch::Contains("no paths"));
  CHECK_THROWS_WITH(request_of(command_of("step", none, text)), Catch::Contains("macro-steps"));
  CHECK_THROWS_WITH(request_of(command_of("watch", one, none)), Catch::Contains("unknown verb"));
  std::vector<char*> seventeen(17, path.data());
  CHECK_THROWS_WITH(request_of(command_of("release", seventeen, none)), Catch::Contains("more than 16"));
}
