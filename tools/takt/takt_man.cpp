// takt man: manual pages, of the same command lines as the help.

#include <fmt/format.h>

#include <filesystem>

#include "runtime/io/record/text_file.hpp"
#include "runtime/units/nearest.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/described_commands.hpp"
#include "tools/takt/man_page.hpp"

namespace takt::tools {

using command_line::Described;

namespace {

std::string page_named(const Described& takt, const std::string& name) {
  std::vector<std::string> names;
  for (const Described& command : takt.subcommands) {
    if (command.name == name) return man_page_of(command);
    names.push_back(command.name);
  }
  const std::string nearest = did_you_mean(name, names);
  throw UsageError("there is no command '" + name + "'" + (nearest.empty() ? "" : "; " + nearest));
}

void write_all(const Described& takt, const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  write_whole(folder / "takt.1", man_page(takt));
  for (const Described& command : takt.subcommands)
    write_whole(folder / ("takt-" + command.name + ".1"), man_page_of(command));
}

}  // namespace

int man_command(int argc, char** argv) {
  command_line::App app{"Manual pages of takt and its commands, for `man`.", "takt man"};
  std::string command, folder;
  app.add_option("command", command, "that of this command (default: of takt)");
  app.add_option("--out", folder, "write all pages into this folder, e.g. ~/.local/share/man/man1")
      ->excludes("command");
  app.example("takt man run | man -l -\ntakt man --out ~/.local/share/man/man1");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  const Described takt = described_commands();
  if (!folder.empty())
    write_all(takt, folder);
  else
    fmt::print("{}", command.empty() ? man_page(takt) : page_named(takt, command));
  return exit_ok;
}

}  // namespace takt::tools
