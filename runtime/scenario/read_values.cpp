#include "runtime/scenario/read_values.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "runtime/scenario/parse_expression.hpp"
#include "runtime/units/nearest.hpp"

namespace takt {
namespace {

constexpr double longest_s = 9e9;

ScenarioVariable variable_of(const TomlNode& node, const std::string& of, const ScenarioSource& source) {
  if (node.is(TomlNode::Kind::string)) return parse_constant(node.text, source.place(node.text_where), source.names);
  if (node.is(TomlNode::Kind::boolean)) return {node.flag ? 1.0 : 0.0, {}};
  if (!node.is_number())
    throw ScenarioMistake(source.place(node.where), of + " needs a value, such as 0.5 or \"80 N*m\"",
                          node.is(TomlNode::Kind::table) ? "a path with points stands in quotes" : "");
  if (!std::isfinite(node.number)) throw ScenarioMistake(source.place(node.where), of + " is not finite");
  return {node.number, {}};
}

}  // namespace

WantedUnit::WantedUnit(const Dimension& of) : dimension(of), text(unit_of(of)) {}

WantedUnit unit_as_written(const char* unit) {
  const auto parsed = parse_unit(unit);
  if (!parsed || parsed->dimension == Dimension{}) return Dimension{};
  return {parsed->dimension, unit};
}

std::string ScenarioSource::path(const std::string& name) const {
  return (std::filesystem::path(folder) / name).lexically_normal().string();
}

void allow_keys(const TomlNode& table, AllowedKeys keys, const ScenarioSource& source) {
  for (const TomlMember& member : table.members) {
    if (std::find(keys.begin(), keys.end(), member.key) != keys.end()) continue;
    const std::vector<std::string> known(keys.begin(), keys.end());
    std::string hint = did_you_mean(member.key, known);
    if (hint.empty()) {
      hint = "known here:";
      for (const std::string& key : known) hint += " " + key;
    }
    throw ScenarioMistake(source.place(member.where), "unknown key \"" + member.key + "\"", hint);
  }
}

const std::string& text_of(const TomlMember& member, const ScenarioSource& source) {
  if (!member.value.is(TomlNode::Kind::string))
    throw ScenarioMistake(source.place(member.value.where), member.key + " is a text in quotes");
  return member.value.text;
}

double quantity_of(const TomlNode& node, const WantedUnit& wanted, const std::string& of,
                   const ScenarioSource& source) {
  const ScenarioVariable value = variable_of(node, of, source);
  if (const auto conflict = wrong_kind(value.kind, kind_of_unit(wanted.text)))
    throw ScenarioMistake(source.place(node.text_where), of + " is in " + wanted.text + ": " + conflict->cause,
                          conflict->remedy);
  if (value.dimension == wanted.dimension) return value.value;
  const bool bare = value.dimension == Dimension{};
  if (bare && value.value == 0.0) return 0.0;
  const bool text = node.is(TomlNode::Kind::string);
  throw ScenarioMistake(
      source.place(text ? node.text_where : node.where),
      of + " is in " + wanted.text + ", this is " + (bare ? "a plain number" : "in " + unit_of(value.dimension)),
      bare ? "write the unit, as in \"" + (text ? node.text : exact_text(node.number)) + " " + wanted.text + "\"" : "");
}

double difference_of(const TomlNode& node, const WantedUnit& wanted, const std::string& of,
                     const ScenarioSource& source) {
  if (wrong_kind(variable_of(node, of, source).kind, temperature_kind(0.0)))
    throw ScenarioMistake(source.place(node.text_where), of + " is a difference of temperatures", "write it in K");
  return quantity_of(node, {wanted.dimension, unit_of(wanted.dimension)}, of, source);
}

SimDuration time_of(const TomlMember& member, const ScenarioSource& source) {
  const double seconds = quantity_of(member.value, parse_unit("s")->dimension, member.key, source);
  if (!(seconds >= 0.0 && seconds <= longest_s))
    throw ScenarioMistake(source.place(member.value.where), member.key + " lies between 0 s and 9e9 s");
  return SimDuration{std::llround(seconds * 1e9)};
}

SimDuration duration_of(const TomlMember& member, const ScenarioSource& source) {
  const SimDuration time = time_of(member, source);
  if (time <= SimDuration{})
    throw ScenarioMistake(source.place(member.value.where), member.key + " is longer than 0 s");
  return time;
}

Expression condition_of(const TomlMember& member, const ScenarioSource& source) {
  return parse_condition(text_of(member, source), source.place(member.value.text_where), source.names);
}

std::string exact_text(double value) {
  char buffer[32];
  const auto [end, status] = std::to_chars(buffer, buffer + sizeof buffer, value);
  return {buffer, end};
}

std::string read_whole_file(const std::string& path) {
  constexpr std::uintmax_t largest = std::uintmax_t{1} << 28U;
  std::error_code error;
  const bool regular = std::filesystem::is_regular_file(path, error);
  if (error) throw std::runtime_error("cannot read " + path + ": " + error.message());
  if (!regular) throw std::runtime_error("cannot read " + path + ": it is not a regular file");
  if (std::filesystem::file_size(path, error) > largest || error)
    throw std::runtime_error("cannot read " + path + ": it has more than 256 MiB");
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream.is_open() || stream.bad())
    throw std::runtime_error("cannot read " + path + ": " + (errno != 0 ? std::strerror(errno) : "reading fails"));
  return text;
}

}  // namespace takt
