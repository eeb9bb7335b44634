// takt completion SHELL: a script for a shell, which asks `takt completion --words ...` what could stand next.

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "runtime/io/record/text_file.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/described_commands.hpp"

namespace takt::tools {

using command_line::Described;
using command_line::DescribedOption;

namespace {

constexpr const char* bash_script = R"(# bash: source <(takt completion bash)
_takt() {
  local word rest
  COMPREPLY=()
  while IFS=$'\t' read -r word rest; do
    COMPREPLY+=("$word")
  done < <("${COMP_WORDS[0]}" completion --words "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _takt takt
)";

constexpr const char* zsh_script = R"(#compdef takt
# zsh: source <(takt completion zsh), after compinit; or as the file _takt in a folder of fpath
_takt() {
  local -a found
  local word rest
  while IFS=$'\t' read -r word rest; do
    found+=("${word//:/\\:}:${rest//:/\\:}")
  done < <("${words[1]}" completion --words "${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( $#found )); then _describe takt found; else _files; fi
}
if [ "$funcstack[1]" = _takt ]; then _takt "$@"; else compdef _takt takt; fi
)";

constexpr const char* fish_script = R"(# fish: takt completion fish | source
function __takt_next
    set -l words (commandline -opc) (commandline -ct)
    $words[1] completion --words $words[2..-1] 2>/dev/null
end
complete -c takt -n 'test (count (commandline -opc)) -eq 1' -f
complete -c takt -a '(__takt_next)'
)";

/// What could stand in a place, with a few words on it.
struct Candidate {
  std::string word, help;
};

bool is_called(const DescribedOption& option, const std::string& name) {
  return std::find(option.names.begin(), option.names.end(), name) != option.names.end();
}

/// Where a command line has come to.
class Place {
 public:
  /// @param words  what has been typed before, behind `takt`
  Place(const Described& takt, const std::vector<std::string>& words) : command_(&takt) {
    for (const std::string& word : words) take(word);
  }

  /// Nothing where files could stand: the shell knows them.
  [[nodiscard]] std::vector<Candidate> next(const std::string& begun) const {
    if (waiting_ != nullptr) return values_of(waiting_, begun == "=" ? "" : begun);
    if (begun.starts_with("-")) return options(begun);
    const DescribedOption* const here = argument();
    if (here != nullptr && !here->values.empty()) return values_of(here, begun);
    std::vector<Candidate> found;
    if (here == nullptr || !begun.empty())
      for (const Described& subcommand : command_->subcommands) add(found, subcommand.name, subcommand.help, begun);
    return found;
  }

 private:
  void take(const std::string& word) {
    if (waiting_ != nullptr) {
      if (word != "=") waiting_ = nullptr;  // bash has it as a word of its own
      return;
    }
    for (const DescribedOption& option : command_->options)
      if (is_called(option, word)) {
        if (!option.value.empty()) waiting_ = &option;
        return;
      }
    for (const Described& subcommand : command_->subcommands)
      if (subcommand.name == word) {
        command_ = &subcommand;
        arguments_ = 0;
        return;
      }
    if (!word.starts_with("-")) ++arguments_;
  }

  static void add(std::vector<Candidate>& found, const std::string& word, const std::string& help,
                  const std::string& begun) {
    if (word.starts_with(begun)) found.push_back({word, help.substr(0, help.find_first_of(";\n"))});
  }

  static std::vector<Candidate> values_of(const DescribedOption* option, const std::string& begun) {
    std::vector<Candidate> found;
    for (const std::string& value : option->values) add(found, value, "", begun);
    return found;
  }

  /// Their names; behind `--name=` its values.
  [[nodiscard]] std::vector<Candidate> options(const std::string& begun) const {
    std::vector<Candidate> found;
    const std::size_t equals = begun.find('=');
    for (const DescribedOption& option : command_->options)
      if (equals != std::string::npos) {
        if (!is_called(option, begun.substr(0, equals))) continue;
        for (const std::string& value : option.values) add(found, begun.substr(0, equals + 1) + value, "", begun);
      } else {
        for (const std::string& name : option.names)
          if (name.starts_with("--")) add(found, name, option.help, begun);
      }
    return found;
  }

  /// What the next argument by its place is.
  [[nodiscard]] const DescribedOption* argument() const {
    std::size_t place = 0;
    for (const DescribedOption& option : command_->options)
      if (option.names.empty() && place++ == arguments_) return &option;
    return nullptr;
  }

  const Described* command_;
  const DescribedOption* waiting_ = nullptr;  // for its value
  std::size_t arguments_ = 0;                 // of the command, by their places
};

int tell_next(std::vector<std::string> words) {
  const std::string begun = words.empty() ? "" : words.back();
  if (!words.empty()) words.pop_back();
  const Described takt = described_commands();
  for (const Candidate& candidate : Place(takt, words).next(begun))
    fmt::print("{}\t{}\n", candidate.word, candidate.help);
  return exit_ok;
}

}  // namespace

int completion_command(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--words") return tell_next({argv + 2, argv + argc});
  command_line::App app{"A script that completes commands, options and their values in a shell.", "takt completion"};
  std::string shell, file;
  app.add_option("shell", shell, "what reads the script")->one_of({"bash", "zsh", "fish"})->required();
  app.add_option("--out", file, "write it there (default: print it)");
  app.example(
      "source <(takt completion bash)\n"
      "takt completion zsh --out ~/.zfunc/_takt\n"
      "takt completion fish --out ~/.config/fish/completions/takt.fish");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  const char* const script = shell == "bash" ? bash_script : shell == "zsh" ? zsh_script : fish_script;
  if (file.empty())
    fmt::print("{}", script);
  else
    write_whole(file, script);
  return exit_ok;
}

}  // namespace takt::tools
