// Who may come in to takt view, and what its conversations say, without a socket.

#include <catch2/catch.hpp>
#include <cstring>

#include "tests/tools/view_bench.hpp"
#include "tools/view/active.hpp"
#include "tools/view/foxglove_words.hpp"
#include "tools/view/http.hpp"

using namespace takt;
using namespace takt::view;
using Json = nlohmann::ordered_json;

namespace {

const Door door{.hosts = {"rig"},
                .origins = {"https://app.foxglove.dev"},
                .steer_token = "steersteersteers",
                .look_token = "looklooklooklook"};

Right right_of(Caller caller) { return entry_of(door, caller).right; }

/// Of the answer to the request of this id.
Json answer_to(const test::ViewBench& bench, int id) {
  for (const Json& line : bench.said())
    if (line.value("id", Json()) == id) return line;
  return {};
}

}  // namespace

TEST_CASE("a name that a name server may give is no name of this machine") {
  const auto asked_by = [](std::string_view host) { return right_of({.host = host, .is_own_user = true}); };
  for (const char* good :
       {"localhost", "localhost:1", "127.0.0.1:8800", "[::1]:8800", "[::1]", "10.0.0.7:80", "rig:8800"})
    CHECK(asked_by(good) == Right::steer);
  for (const char* wrong :
       {"", ":8800", "evil.example", "rig.evil.example", "127.0.0.1.evil.example", "localhost.", "a[::1]"})
    CHECK(asked_by(wrong) == Right::none);
}

TEST_CASE("a page of another site is refused") {
  const auto from = [](std::string_view origin) {
    return right_of({.host = "127.0.0.1:8800", .origin = origin, .is_own_user = true});
  };
  CHECK(from("http://127.0.0.1:8800") == Right::steer);
  CHECK(from("https://app.foxglove.dev") == Right::steer);
  for (const char* wrong : {"http://127.0.0.1", "http://localhost:8800", "null", "http://evil.example",
                            "http://127.0.0.1:8800.evil.example"})
    CHECK(from(wrong) == Right::none);
}

TEST_CASE("who is not of this user needs a token, and gets what it is for") {
  CHECK(right_of({.host = "10.0.0.7"}) == Right::none);
  CHECK(right_of({.host = "10.0.0.7", .query = "token=steersteersteers"}) == Right::steer);
  CHECK(right_of({.host = "10.0.0.7", .query = "run=a&token=looklooklooklook"}) == Right::look);
  CHECK(right_of({.host = "10.0.0.7", .cookies = "a=b; takt_view=looklooklooklook"}) == Right::look);
  for (const char* wrong : {"token=", "token=steersteersteer", "token=steersteersteersx", "tokens=steersteersteers"})
    CHECK(right_of({.host = "10.0.0.7", .query = wrong}) == Right::none);
  const Door open{};
  CHECK(entry_of(open, {.host = "10.0.0.7", .query = "token="}).right == Right::none);
}

TEST_CASE("parts of a query are decoded") {
  CHECK(query_value("run=%2Ftmp%2Fa+b&token=x", "run") == "/tmp/a b");
  CHECK(query_value("run=%zz%", "run") == "%zz%");
  CHECK(query_value("a=1", "b").empty());
}

TEST_CASE("what is active is what was begun and has not ended") {
  Active active;
  auto event = [&, number = 0](const char* verb, const char* path, const char* value, bool element = false) mutable {
    return active.note(
        {{"event", "..."},
         {"number", ++number},
         {"time_ns", 5},
         {"action", {{"verb", verb}, {"path", path}, {"value", value}, {"author", "ana"}, {"element", element}}}});
  };
  event("set", "a", "1"), event("set", "a", "2"), event("override", "b", "3");
  event("inject", "b", "stuck"), event("inject", "r", "short", true), event("inject", "r", "open", true),
      event("tune", "k", "5");
  REQUIRE(active.list().size() == 6);
  CHECK(active.list()[0]["value"] == "2");
  CHECK(active.is_whole());
  const auto requests = active.release_all();
  REQUIRE(requests.size() == 2);  // faults of elements take effect later: apart
  CHECK(requests[0]["actions"] ==
        Json::parse(R"([{"verb":"release","path":"a"},{"verb":"release","path":"b"},{"verb":"clear","path":"b"}])"));
  CHECK(requests[1]["actions"].size() == 2);
  event("clear", "r", "short", true), event("release", "b", ""), event("clear", "b", "");
  CHECK(active.list().size() == 3);  // a, r open, k
  CHECK_FALSE(active.note({{"event", "overruns"}, {"number", 99}}));
}

TEST_CASE("who may look does nothing to the plant") {
  test::ViewBench::desk().renew();
  test::ViewBench bench(page_talk, Right::look);
  bench.take(R"({"id":1,"verb":"set","path":"heater","value":3})");
  bench.take(R"({"id":2,"actions":[{"verb":"set","path":"heater","value":3}]})");
  bench.take(R"({"id":3,"verb":"release_all"})");
  bench.take(R"({"id":4,"verb":"read","paths":["heater"]})");
  for (const int id : {1, 2, 3})
    CHECK(answer_to(bench, id)["error"].get<std::string>().find("token") != std::string::npos);
  CHECK(answer_to(bench, 4)["ok"] == true);
}

TEST_CASE("a page is told what it did, and rows come as blocks of doubles") {
  test::ViewBench::desk().renew();
  test::ViewBench bench(page_talk, Right::steer);
  CHECK(bench.said().front()["view"] == "hello");
  bench.take(R"({"id":1,"verb":"set","path":"heater","value":3})");
  CHECK(answer_to(bench, 1)["ok"] == true);
  bench.take(R"({"id":2,"verb":"watch","paths":["second.t","heater"],"every_ns":1})");
  REQUIRE(answer_to(bench, 2)["ok"] == true);
  bench.settle();
  REQUIRE_FALSE(bench.blocks.empty());
  std::array<std::uint32_t, 4> head{};
  std::memcpy(head.data(), bench.blocks.back().data(), sizeof head);
  CHECK(head[0] == 1);
  CHECK(head[1] == answer_to(bench, 2)["watch"]);
  CHECK(head[3] == 3);
  CHECK(bench.blocks.back().size() == sizeof head + head[2] * head[3] * sizeof(double));
  bench.take(R"({"id":3,"verb":"release_all"})");
  CHECK(answer_to(bench, 3)["ok"] == true);
  const auto said = bench.said();
  const auto last =
      std::find_if(said.rbegin(), said.rend(), [](const Json& line) { return line.value("view", "") == "active"; });
  REQUIRE(last != said.rend());
  CHECK((*last)["active"].empty());
}

TEST_CASE("Foxglove's binary messages are read as they are written") {
  const std::string called = std::string("\x02", 1) + std::string("\x03\0\0\0\x09\0\0\0\x04\0\0\0json{}", 18);
  const auto bytes = foxglove::client_bytes(called);
  REQUIRE(bytes);
  CHECK(bytes->id == 3);
  CHECK(bytes->call == 9);
  CHECK(bytes->encoding == "json");
  CHECK(bytes->payload == "{}");
  for (std::size_t size = 0; size < 17; ++size)
    CHECK_FALSE(foxglove::client_bytes(std::string_view(called).substr(0, size)));
  const std::string message = foxglove::message(7, 1'000'000'001, 0.1);
  CHECK(message.substr(0, 5) == std::string("\x01\x07\0\0\0", 5));
  CHECK(message.substr(13) == R"({"value":0.1})");
  CHECK(foxglove::topic_of("electric.link.v") == "/electric/link/v");
}
