#include "tools/takt/described_commands.hpp"

#include <algorithm>

#include "tools/takt/command_table.hpp"
#include "tools/takt/plant_options.hpp"

namespace takt::tools {

using command_line::Described;
using command_line::DescribedOption;

namespace {

Described described(Command command, std::vector<std::string> words) {
  return command_line::describe([&] {
    std::vector<char*> argv;
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    command(static_cast<int>(words.size()), argv.data());
  });
}

/// A subcommand that parses its own command line.
void describe_apart(Described& subcommand, Command command, const std::string& above) {
  Described own = described(command, {above, subcommand.name});
  if (own.name == above + ' ' + subcommand.name) own.name = subcommand.name, subcommand = std::move(own);
}

void add_missing(std::vector<DescribedOption>& options, const std::vector<DescribedOption>& more) {
  for (const DescribedOption& one : more) {
    const auto is_same = [&](const DescribedOption& other) { return other.names == one.names; };
    if (std::none_of(options.begin(), options.end(), is_same)) options.push_back(one);
  }
}

/// What the help does not show.
void drop_hidden(Described& command) {
  std::erase_if(command.options, [](const DescribedOption& option) { return option.is_hidden; });
  for (Described& subcommand : command.subcommands) drop_hidden(subcommand);
}

}  // namespace

Described described_commands() {
  Described takt{.name = "takt",
                 .help = "turns a model of a multi-physical network into a plant that runs in real time",
                 .example = "takt new demo && cd demo && takt check .",
                 .notes = "exit code: 0 ok, 1 the model or the run failed, 2 usage",
                 .takes_more = false,
                 .options = {},
                 .subcommands = {}};
  takt.options.push_back({.names = {"-h", "--help"}, .place = {}, .value = {}, .values = {}, .help = "the commands"});
  takt.options.push_back({.names = {"--version"}, .place = {}, .value = {}, .values = {}, .help = "the version"});
  const std::vector<DescribedOption> of_plants = options_of_plants();
  for (const CommandEntry& entry : all_commands()) {
    const std::string name = "takt " + std::string(entry.name);
    Described& command = takt.subcommands.emplace_back(described(entry.run, {name}));
    command.name = entry.name;
    for (Described& subcommand : command.subcommands) describe_apart(subcommand, entry.run, name);
    if (command.takes_more) add_missing(command.options, of_plants);
  }
  drop_hidden(takt);
  return takt;
}

}  // namespace takt::tools
