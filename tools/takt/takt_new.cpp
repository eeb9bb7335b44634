// takt new NAME: a folder to begin with, made of files of this installation (config/new/kinds.toml says which).

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "runtime/command_line/command_line.hpp"
#include "runtime/command_line/wrapped.hpp"
#include "runtime/program/run_origin.hpp"
#include "runtime/scenario/read_values.hpp"
#include "runtime/toml/document.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/new_folder.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;

struct CopiedFile {
  fs::path to;    ///< in the new folder
  fs::path from;  ///< in the folder config
};

struct Kind {
  std::string name, doc;
  std::vector<CopiedFile> files;
};

std::vector<Kind> kinds_in(const fs::path& file) {
  std::vector<Kind> kinds;
  for (const TomlMember& member : parse_toml_text(read_whole_file(file.string()), file.string()).members) {
    Kind& kind = kinds.emplace_back();
    kind.name = member.key;
    if (const TomlMember* doc = member.value.find("doc")) kind.doc = doc->value.text;
    if (const TomlMember* files = member.value.find("files"))
      for (const TomlMember& each : files->value.members) kind.files.push_back({each.key, each.value.text});
  }
  return kinds;
}

void replace_all(std::string& text, const std::string& before, const std::string& after) {
  for (std::size_t at = 0; (at = text.find(before, at)) != std::string::npos; at += after.size())
    text.replace(at, before.size(), after);
}

std::string between(const fs::path& from, const fs::path& to) {
  return '"' + to.lexically_relative(from.parent_path()).generic_string() + '"';
}

/// A rig file names its database by a path from its own place; both have moved.
std::string text_of(const CopiedFile& file, const Kind& kind, const std::string& name, const fs::path& config) {
  std::string text = read_whole_file((config / file.from).string());
  if (file.to.extension() == ".toml")
    for (const CopiedFile& other : kind.files)
      replace_all(text, between(file.from, other.from), between(file.to, other.to));
  if (file.to == "README.md") replace_all(text, "NAME", name);
  return text;
}

/// The commands of its README.
std::string first_commands(const std::string& readme) {
  std::string commands;
  for (std::size_t at = 0; at < readme.size();) {
    const std::size_t end = std::min(readme.find('\n', at), readme.size());
    if (readme.compare(at, 4, "    ") == 0)
      commands += readme.substr(at + 2, end - at - 1);
    else if (!commands.empty())
      break;
    at = end + 1;
  }
  return commands;
}

const Kind& wanted_kind(const std::vector<Kind>& kinds, const std::string& like) {
  const auto found = std::find_if(kinds.begin(), kinds.end(), [&](const Kind& kind) { return kind.name == like; });
  if (found == kinds.end()) throw std::runtime_error("this installation has no files of the kind " + like);
  return *found;
}

}  // namespace

int new_command(int argc, char** argv) {
  command_line::App app{"A folder to begin with: plant, scenario, and as the kind has it rig, DBC file and ECU.",
                        "takt new"};
  const fs::path config = find_home().config;
  const std::vector<Kind> kinds = kinds_in(config / "new/kinds.toml");
  std::vector<std::string> names;
  std::string list = "kinds:", name, like = "motor_ecu";
  for (const Kind& kind : kinds) {
    names.push_back(kind.name);
    std::string row = command_line::wrapped(kind.doc, 13, command_line::help_width());
    list += "\n" + row.replace(2, kind.name.size(), kind.name);
  }
  app.add_option("name", name, "the folder; its last part is the plant's name")->required();
  app.add_option("--like", like, "what it begins as")->capture_default_str()->one_of(names);
  app.example("takt new demo && cd demo && takt check .\ntakt new drive --like ev");
  app.footer(list);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;

  const Kind& kind = wanted_kind(kinds, like);
  if (name.empty()) throw UsageError("the folder needs a name; nothing was written");
  if (!is_free_for_folder(name))
    throw UsageError("'" + name + "' is there already; nothing was written. Give another name");
  std::vector<std::pair<std::string, std::string>> texts;
  for (const CopiedFile& file : kind.files)
    texts.emplace_back(file.to.string(), text_of(file, kind, name_of_folder(name), config));
  write_new_folder(name, {texts.begin(), texts.end()});
  fmt::print("{}: {}\n", name, kind.doc);
  std::string commands;
  for (const auto& [file, text] : texts)
    if (file == "README.md") commands = first_commands(text);
  fmt::print("\n  cd {}\n{}\nREADME.md there says what each file is.\n", shell_word(name), commands);
  return exit_ok;
}

}  // namespace takt::tools
