#include "runtime/tap/session.hpp"

#include <catch2/catch.hpp>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/runtime/tap/desk_bench.hpp"

using namespace takt;
using Json = nlohmann::json;

TEST_CASE("hello tells what plant this is, and names the author") {
  test::DeskBench bench;
  const Json answer = bench.ask(R"({"id":1,"verb":"hello","name":"ana"})");
  CHECK(answer["ok"] == true);
  CHECK(answer["id"] == 1);
  CHECK(answer["plant"] == "two_bodies");
  CHECK(answer["macro_step_ns"] == 1'000'000);
  CHECK(answer["paced"] == true);
  (void)bench.ask(R"({"verb":"set","path":"heater","value":5})");
  REQUIRE(bench.sink.taken.size() == 1);
  CHECK(author_of(*bench.memory, bench.sink.taken[0].author) == "ana");
}

TEST_CASE("an action is answered with the time it takes effect; numbers are SI, texts have units") {
  test::DeskBench bench;
  bench.boundary();
  const Json answer = bench.ask(R"({"id":"a","verb":"set","path":"heater","value":"2 kW"})");
  CHECK(answer["ok"] == true);
  CHECK(answer["id"] == "a");
  CHECK(answer["effective_ns"] == 1'000'000);
  CHECK(answer["effective_s"].get<double>() == Approx(1e-3));
  REQUIRE(bench.sink.taken.size() == 1);
  CHECK(bench.sink.taken[0].action.value == 2000.0);
}

TEST_CASE("of several actions in one request all are right, or none is done") {
  test::DeskBench bench;
  const Json wrong =
      bench.ask(R"({"actions":[{"verb":"set","path":"heater","value":1},{"verb":"set","path":"haeter","value":1}]})");
  CHECK(wrong["ok"] == false);
  CHECK(bench.sink.taken.empty());
  const Json good =
      bench.ask(R"({"actions":[{"verb":"set","path":"heater","value":1},{"verb":"release","path":"heater"}]})");
  CHECK(good["ok"] == true);
  REQUIRE(bench.sink.taken.size() == 2);
  CHECK(bench.sink.taken[0].time == bench.sink.taken[1].time);
  std::string many = R"({"actions":[)";
  for (int k = 0; k < 17; ++k) many += std::string(k > 0 ? "," : "") + R"({"verb":"set","path":"heater","value":1})";
  CHECK_THAT(bench.ask(many + "]}")["error"].get<std::string>(), Catch::Contains("16"));
  const Json mixed =
      bench.ask(R"({"actions":[{"verb":"set","path":"heater","value":1},{"verb":"tune","path":"k","value":1}]})");
  CHECK(mixed["ok"] == false);
  CHECK(bench.sink.taken.size() == 2);
}

TEST_CASE("what nests without end, or has members without end, is refused in words and harms nothing") {
  test::DeskBench bench;
  const std::string open(300'000, '['), close(300'000, ']');
  for (const std::string& line : {open, open + close, R"({"verb":"read","paths":)" + open + close + "}",
                                  R"({"id":7,"verb":"set","path":"heater","value":)" + open + close + "}"}) {
    const Json answer = bench.ask(line);
    CHECK(answer["ok"] == false);
    CHECK_THAT(answer["error"].get<std::string>(), Catch::Contains("64 levels deep"));
  }
  std::string members = "{\"verb\":\"status\"";
  for (int k = 0; k < 90'000; ++k) members += ",\"" + std::to_string(k) + "\":0";
  CHECK_THAT(bench.ask(members + "}")["error"].get<std::string>(), Catch::Contains("more than 1000 members"));
  for (const char* line : {"{\"verb\":", "nonsense", "{\"verb\":\"read\",\"paths\":{}}", "\x01"})
    CHECK(bench.ask(line)["error"].get<std::string>().find("json.exception") == std::string::npos);
  CHECK(bench.ask(R"({"verb":"status"})")["ok"] == true);
}

TEST_CASE("read and watch give values with paths and units") {
  test::DeskBench bench;
  bench.bodies.memory.first.x[0] = 345.5;
  const Json read = bench.ask(R"({"id":3,"verb":"read","paths":["first.t","heater"]})");
  CHECK(read["ok"] == true);
  CHECK(read["values"] == Json::parse("[345.5,0.0]"));
  CHECK(read["units"] == Json::parse(R"(["K","W"])"));
  const Json begun = bench.ask(R"({"id":4,"verb":"watch","paths":["*.t"],"every":"2 ms"})");
  CHECK(begun["paths"] == Json::parse(R"(["first.t","second.t"])"));
  CHECK(begun["every_ns"] == 2'000'000);
  CHECK(begun["rounded"] == false);
  std::vector<std::int64_t> times;
  for (int k = 0; k < 6; ++k) {
    bench.boundary();
    for (const Json& line : bench.lines()) {
      CHECK(line["watch"] == begun["watch"]);
      CHECK(line["values"][0] == 345.5);
      times.push_back(line["time_ns"]);
    }
  }
  REQUIRE(times.size() == 3);
  CHECK(times[1] - times[0] == 2'000'000);
  CHECK(bench.ask(R"({"verb":"unwatch","watch":)" + begun["watch"].dump() + "}")["ok"] == true);
  bench.boundary();
  bench.boundary();
  bench.boundary();
  CHECK(bench.lines().empty());
}

TEST_CASE("rows as doubles are the bits of the plant") {
  test::DeskBench bench;
  const double values[] = {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity(), 1e-310};
  const Json begun = bench.ask(R"({"verb":"watch","paths":["second.t","first.t"],"every":"1 ms","as":"doubles"})");
  CHECK(begun["as"] == "doubles");
  for (const double value : values) {
    bench.bodies.memory.first.x[0] = value;
    bench.boundary();
    const std::string& output = bench.session->output;
    const std::size_t end = output.find('\n');
    const Json head = Json::parse(output.substr(0, end));
    CHECK(head["bytes"] == 16);
    CHECK(!head.contains("values"));
    REQUIRE(output.size() == end + 1 + 16);
    CHECK(std::memcmp(output.data() + end + 1 + 8, &value, 8) == 0);
    bench.session->output.clear();
  }
}

TEST_CASE("what is recorded, and how often") {
  test::DeskBench bench;
  const Json records = bench.ask(R"({"verb":"records"})")["records"];
  REQUIRE(records.size() == bench.plant.records.size());
  REQUIRE(!records.empty());
  CHECK(records[0]["every_ns"] == bench.plant.records[0].period_ns);
  REQUIRE(records[0]["paths"].size() == bench.plant.records[0].entries.size());
  const MemoryEntry& first = bench.plant.table[bench.plant.records[0].entries[0]];
  CHECK(records[0]["paths"][0] == first.path);
  CHECK(records[0]["units"][0] == first.unit);
}

TEST_CASE("the rows of a client that does not read are dropped and counted") {
  test::DeskBench bench;
  (void)bench.ask(R"({"verb":"watch","paths":["first.t"]})");
  while (bench.session->output.size() <= Session::most_waiting) bench.boundary();
  const std::size_t full = bench.session->output.size();
  for (int k = 0; k < 10; ++k) bench.boundary();
  CHECK(bench.session->output.size() == full);
  (void)bench.lines();
  bench.boundary();
  const auto lines = bench.lines();
  REQUIRE(lines.size() == 1);
  CHECK(lines[0]["dropped"] == 10);
}

TEST_CASE("events are kept, and followed by those who want to") {
  test::DeskBench bench;
  (void)bench.ask(R"({"verb":"set","path":"heater","value":7})");
  const Json before = bench.ask(R"({"verb":"events","follow":true})");
  REQUIRE(before["events"].size() == 1);
  CHECK_THAT(before["events"][0]["event"].get<std::string>(), Catch::Contains("heater"));
  (void)bench.ask(R"({"verb":"release","path":"heater"})");
  bench.session->tell_events();
  const auto lines = bench.lines();
  REQUIRE(lines.size() == 1);
  CHECK_THAT(lines[0]["event"].get<std::string>(), Catch::Contains("release"));
}

TEST_CASE("what is wrong is answered with what would do") {
  test::DeskBench bench;
  const std::pair<const char*, const char*> cases[] = {
      {"nonsense", "JSON"},
      {"[1,2]", "object"},
      {R"({"id":1})", "verb"},
      {R"({"id":1,"verb":"dance"})", "unknown verb"},
      {R"({"id":[1],"verb":"status"})", "id"},
      {R"({"verb":"read"})", "path"},
      {R"({"verb":"read","paths":[]})", "empty"},
      {R"({"verb":"read","paths":["first.u"]})", "did you mean \"first.t\""},
      {R"({"verb":"read","paths":["x*"]})", "matches"},
      {R"({"verb":"watch","path":"first.t","every":"never"})", "never"},
      {R"({"verb":"watch","path":"first.t","every_ns":0})", "more than 0"},
      {R"({"verb":"watch","path":"first.t","every_ns":-5})", "not below 0"},
      {R"({"verb":"watch","path":"first.t","as":"floats"})", "doubles"},
      {R"({"verb":"unwatch","watch":99})", "none of yours"},
      {R"({"verb":"set","path":"heater","value":"5 V"})", "V"},
      {R"({"verb":"set","path":"heater","value":[5]})", "number"},
      {R"({"verb":"set","path":"first.t","value":5})", "first.t"},
      {R"({"verb":"hello","name":"a\u0007b"})", "control"},
      {R"({"verb":"step","count":0})", "1 or more"},
      {R"({"verb":"pause"})", "wall clock"},
  };
  for (const auto& [request, cause] : cases) {
    INFO(request);
    const Json answer = bench.ask(request);
    CHECK(answer["ok"] == false);
    CHECK_THAT(answer["error"].get<std::string>(), Catch::Contains(cause));
  }
  CHECK(bench.sink.taken.empty());
}

TEST_CASE("patterns stand for paths") {
  test::DeskBench bench;
  CHECK(bench.ask(R"({"verb":"list"})")["rows"].size() == 5);
  CHECK(bench.ask(R"({"verb":"list","pattern":"first"})")["rows"].size() == 2);
  CHECK(bench.ask(R"({"verb":"list","pattern":"*.t"})")["rows"].size() == 2);
  CHECK(bench.ask(R"({"verb":"list","pattern":"?"})")["rows"].size() == 1);
  CHECK(bench.ask(R"({"verb":"list","pattern":"*a*a*a*a*a*a*a*"})")["rows"].empty());
  const Json page = bench.ask(R"({"verb":"list","limit":2})");
  CHECK(page["rows"].size() == 2);
  CHECK(bench.ask(R"({"verb":"list","limit":5,"from":)" + page["next"].dump() + "}")["rows"].size() == 3);
}

/// Requests cut, doubled and changed at random: each line has one answer of JSON, or none where it is empty.
TEST_CASE("whatever a client writes is answered") {
  const std::vector<std::string> seeds{
      R"({"id":1,"verb":"hello","name":"ana"})",
      R"({"id":2,"verb":"list","pattern":"*t","from":0,"limit":3})",
      R"({"id":3,"verb":"watch","paths":["first.t","heater"],"every":"2 ms"})",
      R"({"id":3,"verb":"watch","paths":["first.t","heater"],"as":"doubles"})",
      R"({"id":4,"actions":[{"verb":"set","path":"heater","value":"1 kW"},{"verb":"release","path":"heater"}]})",
      R"({"id":5,"verb":"inject","path":"first.t","value":"offset 2 K"})",
      R"({"id":6,"verb":"set","values":{"heater":3}})",
      R"({"id":7,"verb":"events","since":0,"follow":true})",
      R"({"id":8,"verb":"unwatch","watch":1})",
      R"({"id":9,"verb":"tune","path":"k","value":"2 W/K"})",
      R"({"id":10,"verb":"step","count":3})",
      R"({"id":11,"verb":"await","condition":"heater > 3 W or not time < 1 s","within":"2 ms","then":[{"verb":"stop"}]})",
      R"({"id":12,"verb":"unawait","await":2})",
      R"({"id":13,"verb":"set","path":"heater","value":3,"lease":true})",
      R"({"id":14,"verb":"detach"})",
      R"({"id":15,"verb":"lease"})"};
  std::mt19937_64 random(20261124);
  test::DeskBench bench;
  std::uint64_t lines = 0, answers = 0;
  for (int round = 0; round < 20'000; ++round) {
    std::string text = seeds[random() % seeds.size()];
    for (std::uint64_t change = random() % 4; change > 0 && !text.empty(); --change) {
      const std::size_t at = random() % text.size();
      switch (random() % 4) {
        case 0:
          text[at] = static_cast<char>(random());
          break;
        case 1:
          text.erase(at, 1 + random() % 8);
          break;
        case 2:
          text.insert(at, text.substr(random() % text.size(), random() % 20));
          break;
        default:
          text.insert(at, std::string(random() % 200, "[{\"9\\"[random() % 5]));
      }
    }
    std::erase(text, '\n');
    bench.session->take(text);
    lines += text.find_first_not_of(" \t\r") == std::string::npos ? 0 : 1;
    bench.boundary();
    bench.boundary();
    for (const Json& line : bench.lines()) answers += line.contains("ok") ? 1 : 0;
    if (round % 50 == 0) bench.renew();  // another client; what this one watched ends
  }
  bench.boundary();
  for (const Json& line : bench.lines()) answers += line.contains("ok") ? 1 : 0;
  CHECK(answers == lines);
}
