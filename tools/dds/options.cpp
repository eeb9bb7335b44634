#include "tools/dds/options.hpp"

#include <algorithm>
#include <set>
#include <string_view>

#include "runtime/command_line/command_line.hpp"
#include "runtime/plant/quantity.hpp"
#include "runtime/stats/format.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::dds {
namespace {

using tools::UsageError;

std::string trimmed(const std::string& text) {
  const std::size_t begin = text.find_first_not_of(" \t"), end = text.find_last_not_of(" \t");
  return begin == std::string::npos ? std::string() : text.substr(begin, end - begin + 1);
}

void check(const Options& options, bool may_start) {
  if (options.domain < 0 || options.domain > highest_domain)
    throw UsageError("--domain " + std::to_string(options.domain) + ": 0 to " + std::to_string(highest_domain) +
                     ", the domains whose ports there are");
  if (!options.name.empty() && !is_topic_word(options.name))
    throw UsageError("--name '" + options.name + "': letters, digits and '_', no digit first: it is part of topics");
  if (may_start && options.plant.empty())
    throw UsageError("--may-start needs the plant's executable and its arguments behind '--'");
  if (!may_start && !options.plant.empty())
    throw UsageError("'" + options.plant.front() + "': only with --may-start is there something behind RUN");
  for (const std::string& argument : options.plant)
    if (argument == "--out" || argument.starts_with("--out="))
      throw UsageError("--out behind '--': RUN says where the run is");
  std::set<std::string> names;
  for (const BlockPlan& block : options.blocks)
    if (!names.insert(block.name).second) throw UsageError("--block: there are two of the name '" + block.name + "'");
}

}  // namespace

bool is_topic_word(const std::string& text) {
  const auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && text.size() <= 100 && (text[0] < '0' || text[0] > '9') &&
         std::all_of(text.begin(), text.end(), fits);
}

std::string default_name(std::int64_t period_ns) {
  std::string name = "every_" + short_duration(static_cast<double>(period_ns) / 1e9);
  for (char& c : name)
    if (c == ' ' || c == '.' || c == '+' || c == '-') c = '_';
  return name;
}

BlockPlan parse_block(const std::string& text) {
  const std::string form = "--block '" + text + "': expected NAME=PERIOD: SIGNAL, ..., as \"fast=1 ms: electric.*\"";
  const std::size_t equals = text.find('='), colon = text.find(':');
  if (equals == std::string::npos || colon == std::string::npos || colon < equals) throw UsageError(form);
  BlockPlan block{.name = trimmed(text.substr(0, equals)), .paths = {}};
  if (!is_topic_word(block.name))
    throw UsageError("--block '" + text + "': a name has letters, digits and '_', no digit first");
  try {
    block.period_ns = parse_duration(trimmed(text.substr(equals + 1, colon - equals - 1)));
  } catch (const std::runtime_error& error) {
    throw UsageError("--block '" + text + "': " + error.what());
  }
  for (std::size_t begin = colon + 1; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    block.paths.push_back(trimmed(text.substr(begin, end - begin)));
    if (block.paths.back().empty()) throw UsageError(form);
    begin = end + 1;
  }
  return block;
}

std::optional<int> parse_options(int argc, char** argv, Options& options) {
  command_line::App app("takt-dds: signals, status and events of a run on DDS, and commands to it");
  std::vector<std::string> blocks;
  bool may_start = false;
  app.add_option("run", options.run, "directory of the run, or its name under ./runs")->required();
  app.add_option("--interface", options.interface, "network interface, the only one that is used, as lo or eth1")
      ->required();
  app.add_option("--domain", options.domain, "DDS domain, 0 to 230")->capture_default_str();
  app.add_option("--block", blocks,
                 "\"NAME=1 ms: electric.*, control.x\": signals of a topic; without: all that the plant records");
  app.add_option("--config", options.config, "settings of Cyclone DDS in addition, as those of DDS Security (XML)");
  app.add_option("--name", options.name, "stands in the topics in place of the plant's name");
  app.add_flag("--may-start", may_start,
               "a command may start the plant given behind '--'; RUN is where its run will be");
  app.example("takt-dds runs/ev-1 --interface lo");
  app.footer(
      "behind -- stand the plant's executable and its arguments, without --out; topics and types: "
      "config/dds/README.md");
  char** const last = argv + argc;
  char** const dashes =
      std::find_if(argv, last, [](const char* argument) { return std::string_view(argument) == "--"; });
  if (const auto code = app.parse(static_cast<int>(dashes - argv), argv)) return code;
  if (dashes != last) options.plant.assign(dashes + 1, last);
  for (const std::string& block : blocks) options.blocks.push_back(parse_block(block));
  check(options, may_start);
  return std::nullopt;
}

}  // namespace takt::dds
