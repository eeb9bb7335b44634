#include "runtime/json/parse_json.hpp"

#include <catch2/catch.hpp>
#include <string>

using takt::json_excess;
using takt::JsonError;
using takt::JsonExcess;
using takt::most_json_levels;
using takt::parse_json;
using Json = nlohmann::ordered_json;

namespace {

std::string nested(std::size_t levels) { return std::string(levels, '[') + std::string(levels, ']'); }

}  // namespace

TEST_CASE("a text that nests too deeply is refused before it is parsed, whether it is complete or not") {
  CHECK(json_excess(nested(most_json_levels)) == JsonExcess::none);
  CHECK(json_excess(nested(most_json_levels + 1)) == JsonExcess::levels);
  CHECK(json_excess(std::string(300'000, '[')) == JsonExcess::levels);
  std::string objects;
  for (std::size_t k = 0; k <= most_json_levels; ++k) objects += "{\"a\":";
  CHECK(json_excess(objects) == JsonExcess::levels);
  CHECK_THROWS_WITH((void)parse_json<Json>(objects), Catch::Contains("64 levels deep"));
  CHECK(takt::json_or_none<Json>(objects).is_discarded());
}

TEST_CASE("brackets within texts do not nest, and those that are closed do not add up") {
  CHECK(json_excess("\"" + std::string(1000, '[') + "\"") == JsonExcess::none);
  CHECK(json_excess(R"("\"[)" + std::string(1000, '{') + "\"") == JsonExcess::none);
  std::string list = "[";
  for (int k = 0; k < 1000; ++k) list += "[{}],";
  CHECK(json_excess(list + "0]") == JsonExcess::none);
}

TEST_CASE("members are counted by object") {
  const auto object = [](int members) {
    std::string text = "{";
    for (int k = 0; k < members; ++k) text += (k > 0 ? ",\"" : "\"") + std::to_string(k) + "\":0";
    return text + "}";
  };
  CHECK(json_excess("[" + object(10) + "," + object(10) + "]", 10) == JsonExcess::none);
  CHECK(json_excess(object(11), 10) == JsonExcess::members);
  CHECK_THROWS_AS((void)parse_json<Json>(object(11), 10), JsonError);
}

TEST_CASE("what is no JSON is said with its place, without the names and quotes of the parser") {
  CHECK_THROWS_WITH((void)parse_json<Json>("{\"a\":\n nonsense}"), "line 2, column 3: invalid literal");
  CHECK_THROWS_WITH((void)parse_json<Json>("[1,"), "line 1, column 4: unexpected end of input");
  CHECK_THROWS_WITH((void)parse_json<Json>(" \n"), "line 1, column 1: unexpected end of input");
  for (const char* text : {"\x01", "{\"\xff\":1}", "\"\\u12\"", "1e999", "]", "{,}", "\"\x1f\""}) {
    INFO(text);
    try {
      (void)parse_json<Json>(text);
      FAIL("taken");
    } catch (const JsonError& error) {
      CHECK(std::string(error.what()).find("json.exception") == std::string::npos);
    }
  }
}
