#include "tools/dds/requests.hpp"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

#include "tools/dds/commands.hpp"

namespace takt::dds {
namespace {

using Json = nlohmann::ordered_json;

enum class Takes { values, paths, count, nothing };
struct Verb {
  std::string_view name;
  Takes takes;
};
constexpr Verb verbs[] = {{"set", Takes::values},         {"override", Takes::values}, {"inject", Takes::values},
                          {"tune", Takes::values},        {"release", Takes::paths},   {"clear", Takes::paths},
                          {"checkpoint", Takes::nothing}, {"pause", Takes::nothing},   {"resume", Takes::nothing},
                          {"step", Takes::count},         {"stop", Takes::nothing}};

std::vector<std::string> texts_of(const dds_sequence_string& sequence, const char* name) {
  if (sequence._length > Commands::most_texts)
    throw std::runtime_error("more than " + std::to_string(Commands::most_texts) + " " + name +
                             " in one command, which all take effect at once");
  std::vector<std::string> texts;
  for (std::uint32_t k = 0; k < sequence._length; ++k) {
    texts.emplace_back(sequence._buffer[k] == nullptr ? "" : sequence._buffer[k]);
    if (texts.back().size() > Commands::longest_text)
      throw std::runtime_error("one of the " + std::string(name) + " has " + std::to_string(texts.back().size()) +
                               " bytes: " + std::to_string(Commands::longest_text) + " at most");
  }
  return texts;
}

std::uint64_t count_of(const std::vector<std::string>& values) {
  std::uint64_t count = 1;
  if (values.empty()) return count;
  const std::string& text = values[0];
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error != std::errc() || end != text.data() + text.size() || values.size() > 1 || count < 1 ||
      count > 1'000'000'000)
    throw std::runtime_error("step takes one value, a number of macro-steps from 1 to 1000000000");
  return count;
}

void check_counts(const Verb& verb, const std::vector<std::string>& paths, const std::vector<std::string>& values) {
  const std::string name(verb.name);
  if ((verb.takes == Takes::values || verb.takes == Takes::paths) && paths.empty())
    throw std::runtime_error(name + " takes at least one path");
  if (verb.takes == Takes::values && values.size() != paths.size())
    throw std::runtime_error(name + " takes a value for each path: there are " + std::to_string(paths.size()) +
                             " paths and " + std::to_string(values.size()) + " values");
  if (verb.takes == Takes::paths && !values.empty()) throw std::runtime_error(name + " takes no values");
  if ((verb.takes == Takes::nothing || verb.takes == Takes::count) && !paths.empty())
    throw std::runtime_error(name + " takes no paths");
  if (verb.takes == Takes::nothing && !values.empty()) throw std::runtime_error(name + " takes no values");
}

}  // namespace

nlohmann::ordered_json request_of(const Command& command) {
  const std::string name = std::string(command.verb).substr(0, 64);
  const auto* verb = std::find_if(std::begin(verbs), std::end(verbs), [&](const Verb& v) { return v.name == name; });
  if (verb == std::end(verbs))
    throw std::runtime_error("unknown verb \"" + name +
                             "\": set, override, release, inject, clear, tune, checkpoint, pause, resume, step, stop "
                             "or start");
  const std::vector<std::string> paths = texts_of(command.paths, "paths"), values = texts_of(command.values, "values");
  check_counts(*verb, paths, values);
  if (verb->takes == Takes::count) return {{"verb", name}, {"count", count_of(values)}};
  if (verb->takes == Takes::nothing) return {{"verb", name}};
  Json actions = Json::array();
  for (std::size_t k = 0; k < paths.size(); ++k) {
    actions.push_back({{"verb", name}, {"path", paths[k]}});
    if (verb->takes == Takes::values) actions.back()["value"] = values[k];
  }
  return {{"actions", std::move(actions)}};
}

void check_author(const std::string& author) {
  constexpr std::size_t longest = 63;  // of the log
  const bool printable =
      std::all_of(author.begin(), author.end(), [](char c) { return static_cast<unsigned char>(c) >= 32; });
  if (author.empty() || author.size() > longest || !printable)
    throw std::runtime_error("an author is a text of 1 to " + std::to_string(longest) +
                             " bytes without control characters: it stands in the log of the run");
}

}  // namespace takt::dds
