#pragma once
// The one place at which JSON from outside is parsed. Not real-time.

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "runtime/json/nesting.hpp"

namespace takt {

/// A text that is no JSON, or more than anybody writes: what and where, in words.
struct JsonError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// What the parser says, without its own name and without what it quotes: "line 1, column 5: invalid literal".
[[nodiscard]] inline std::string json_mistake(std::string_view said) {
  const auto behind = [&](std::string_view words) {
    if (const std::size_t at = said.find(words); at != std::string_view::npos) said.remove_prefix(at + words.size());
  };
  behind("] ");
  behind("parse error at ");
  if (said.find(": ") == std::string_view::npos) return std::string(said.substr(0, said.find("; ")));
  const std::string_view where = said.substr(0, said.find(": "));
  behind(said.find(" - ") == std::string_view::npos ? ": " : " - ");
  return std::string(where) + ": " + std::string(said.substr(0, said.find("; ")));
}

/// @throw JsonError
template <class Json>
[[nodiscard]] Json parse_json(std::string_view text, std::size_t most_members = any_number) {
  switch (json_excess(text, most_members)) {
    case JsonExcess::none:
      break;
    case JsonExcess::levels:
      throw JsonError("lists and objects stand in each other more than " + std::to_string(most_json_levels) +
                      " levels deep");
    case JsonExcess::members:
      throw JsonError("an object has more than " + std::to_string(most_members) + " members");
  }
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos)
    throw JsonError("line 1, column 1: unexpected end of input");
  try {
    return Json::parse(text);
  } catch (const typename Json::exception& error) {
    throw JsonError(json_mistake(error.what()));
  }
}

/// Discarded where it is none.
template <class Json>
[[nodiscard]] Json json_or_none(std::string_view text) {
  if (json_excess(text) != JsonExcess::none) return Json(Json::value_t::discarded);
  return Json::parse(text, nullptr, false);
}

/// Discarded where there is no such file, or no JSON in it.
template <class Json>
[[nodiscard]] Json json_file_or_none(const std::filesystem::path& file) {
  std::ifstream input(file, std::ios::binary);
  return json_or_none<Json>(std::string(std::istreambuf_iterator<char>(input), {}));
}

}  // namespace takt
