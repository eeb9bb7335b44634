#pragma once
// The command line of a program: its options, help and mistakes. CLI11 does the work behind it and is included by
// command_line.cpp alone, because it takes seconds to compile; methods are named as there.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace takt::command_line {

/// What is wrong with the text of a value, for the message; empty: nothing.
using Problem = std::string (*)(const std::string& text);
/// The same; it may put another text in its place.
using Change = std::string (*)(std::string& text);

/// A suffix of a number, as k in "500k".
struct Unit {
  const char* name;
  std::uint32_t factor;
};

/// What a command line is made of, for completion and manual pages.
struct DescribedOption {
  std::vector<std::string> names;   ///< "-h", "--help"; empty: an argument by its place
  std::string place;                ///< of such an argument
  std::string value;                ///< what stands behind it, "TEXT"; empty: nothing
  std::vector<std::string> values;  ///< all that are taken; empty: any
  std::string help;
  bool is_required = false, is_hidden = false;  ///< the help does not show it
};

struct Described {
  std::string name, help, example, notes;
  bool takes_more = false;  ///< also options that are not its own
  std::vector<DescribedOption> options;
  std::vector<Described> subcommands;
};

/// Calls what parses a command line; parse() parses nothing there, but tells what it is made of.
[[nodiscard]] Described describe(const std::function<void()>& program);

/// One option or flag. It belongs to its App; what it is told it is told before parse().
class Option {
 public:
  explicit Option(CLI::Option& option) : option_(&option) {}
  Option(const Option&) = delete;
  Option& operator=(const Option&) = delete;

  Option* required(bool is_required = true);
  Option* needs(Option* other);
  Option* excludes(Option* other);
  Option* excludes(const std::string& name);

  /// The help shows the value that the variable has now.
  Option* capture_default_str();
  /// The help shows it in this group; "": nowhere.
  Option* group(const std::string& name);
  Option* type_name(const std::string& name);

  /// So many values behind it.
  Option* expected(int least, int most);
  /// Of a list: several values behind one occurrence.
  Option* allow_extra_args(bool are_allowed);
  Option* delimiter(char between_values);

  Option* in_range(int least, int most);
  Option* in_range(double least, double most);
  Option* positive();
  Option* non_negative();
  Option* one_of(const std::vector<std::string>& values);
  Option* one_of(std::initializer_list<int> values);
  Option* one_of(std::initializer_list<double> values);
  /// @param type  for the help, e.g. "NAME"
  Option* check(Problem problem, const std::string& type);
  Option* transform(Change change, const std::string& type);
  /// The number may have one of these suffixes, by which it is multiplied.
  Option* with_unit(const std::vector<Unit>& units, const std::string& type);

  /// How often it was given: after parse().
  [[nodiscard]] std::size_t count() const;

 private:
  friend class App;
  Option* finite();
  Option* takes(std::vector<std::string> values);
  CLI::Option* option_;
  std::vector<std::string> values_;  // all that it takes; empty: any
};

/// A program or one of its subcommands: first options are added, then parse() fills the variables, which outlive it;
/// then it is asked.
class App {
 public:
  /// @param name  for the help; "": that of argv[0]
  explicit App(const std::string& description, const std::string& name = "");
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  /// @param names  "--out", "--to,--bus"; without dashes: an argument by its place
  Option* add_option(const std::string& names, std::string& value, const std::string& help = "");
  Option* add_option(const std::string& names, std::vector<std::string>& values, const std::string& help = "");
  Option* add_option(const std::string& names, int& value, const std::string& help = "");
  Option* add_option(const std::string& names, std::uint32_t& value, const std::string& help = "");
  Option* add_option(const std::string& names, std::uint64_t& value, const std::string& help = "");
  Option* add_option(const std::string& names, double& value, const std::string& help = "");
  Option* add_option(const std::string& names, std::optional<double>& value, const std::string& help = "");
  Option* add_flag(const std::string& names, bool& value, const std::string& help = "");
  /// One that has been added.
  [[nodiscard]] Option* get_option(const std::string& name) const;

  App* add_subcommand(const std::string& name, const std::string& description);
  void require_subcommand(int count);
  void require_subcommand(std::size_t least, std::size_t most);
  /// What is not known stays in remaining().
  void allow_extras();
  void name(const std::string& name);
  /// What somebody might type, a line each; the help begins with it.
  void example(const std::string& lines);
  /// Behind the options in the help; a line that is not indented is broken where it is too long.
  void footer(const std::string& text);

  /// @return the exit code where the program ends here: 0, help was asked for; 2, it is used wrongly, which has been
  /// said
  [[nodiscard]] std::optional<int> parse(int argc, const char* const* argv);

  /// Whether this subcommand was given.
  [[nodiscard]] bool parsed() const;
  /// The first subcommand that was given; empty: none.
  [[nodiscard]] std::string given_subcommand() const;
  /// "did you mean ...?" where this is nearly a subcommand; else empty.
  [[nodiscard]] std::string nearest_subcommand(const std::string& word) const;
  [[nodiscard]] std::vector<std::string> remaining() const;

 private:
  struct State;
  explicit App(std::unique_ptr<State> state);
  static Described described(const State& state);
  friend Described describe(const std::function<void()>& program);

  std::unique_ptr<State> state_;
};

}  // namespace takt::command_line
