#include "runtime/command_line/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>
#include <sstream>
#include <utility>

#include "runtime/command_line/wrapped.hpp"
#include "runtime/units/nearest.hpp"

namespace takt::command_line {

Option* Option::required(bool is_required) { return option_->required(is_required), this; }
Option* Option::needs(Option* other) { return option_->needs(other->option_), this; }
Option* Option::excludes(Option* other) { return option_->excludes(other->option_), this; }
Option* Option::excludes(const std::string& name) { return option_->excludes(name), this; }

Option* Option::capture_default_str() { return option_->capture_default_str(), this; }
Option* Option::group(const std::string& name) { return option_->group(name), this; }
Option* Option::type_name(const std::string& name) { return option_->type_name(name), this; }

Option* Option::expected(int least, int most) { return option_->expected(least, most), this; }
Option* Option::allow_extra_args(bool are_allowed) { return option_->allow_extra_args(are_allowed), this; }
Option* Option::delimiter(char between_values) { return option_->delimiter(between_values), this; }

Option* Option::in_range(int least, int most) {
  option_->check(CLI::Range(least, most).description(""));
  option_->type_name(std::to_string(least) + ".." + std::to_string(most));
  return this;
}
Option* Option::in_range(double least, double most) {
  return finite()->option_->check(CLI::Range(least, most).description("")), this;
}
Option* Option::positive() {
  return finite()->option_->check(CLI::Validator(CLI::PositiveNumber).description("")), this;
}
Option* Option::non_negative() {
  return finite()->option_->check(CLI::Validator(CLI::NonNegativeNumber).description("")), this;
}
/// No comparison with a limit refuses what is no number.
Option* Option::finite() {
  const auto problem = [](const std::string& text) {
    return std::isfinite(std::strtod(text.c_str(), nullptr)) ? std::string() : text + " is no finite number";
  };
  return option_->check(CLI::Validator(problem, "")), this;
}

Option* Option::takes(std::vector<std::string> values) {
  option_->type_name(CLI::detail::join(values, "|"));
  values_ = std::move(values);
  return this;
}

Option* Option::one_of(const std::vector<std::string>& values) {
  const auto problem = [values](const std::string& text) {
    if (std::find(values.begin(), values.end(), text) != values.end()) return std::string();
    const std::string nearest = did_you_mean(text, values);
    return "'" + text + "' is none of " + CLI::detail::join(values, ", ") + (nearest.empty() ? "" : "; " + nearest);
  };
  option_->check(CLI::Validator(problem, ""));
  return takes(values);
}
Option* Option::one_of(std::initializer_list<int> values) {
  std::vector<std::string> texts;
  for (const int value : values) texts.push_back(std::to_string(value));
  option_->check(CLI::IsMember(values).description(""));
  return takes(texts);
}
Option* Option::one_of(std::initializer_list<double> values) { return option_->check(CLI::IsMember(values)), this; }

Option* Option::check(Problem problem, const std::string& type) {
  return option_->check(CLI::Validator(problem, type)), this;
}

Option* Option::transform(Change change, const std::string& type) {
  return option_->transform(CLI::Validator(change, type)), this;
}

Option* Option::with_unit(const std::vector<Unit>& units, const std::string& type) {
  std::map<std::string, std::uint32_t> factors;
  for (const Unit& unit : units) factors.emplace(unit.name, unit.factor);
  option_->transform(CLI::AsNumberWithUnit(factors, CLI::AsNumberWithUnit::CASE_SENSITIVE, type));
  return this;
}

std::size_t Option::count() const { return option_->count(); }

namespace {

constexpr std::size_t column = 30;

/// `left`, and `right` in a column of its own.
std::string row(const std::string& left, const std::string& right) {
  std::string text = "  " + left;
  if (right.empty()) return text + '\n';
  const std::size_t width = help_width();
  if (width < 2 * column) return text + '\n' + wrapped(right, 6, width) + '\n';
  std::string words = wrapped(right, column, width);
  if (text.size() + 1 >= column) return wrapped(left, 2, width) + '\n' + words + '\n';
  return text + words.substr(text.size()) + '\n';
}

/// What stands behind the name of an option. CLI11 appends what its checks are called.
std::string value_of(const CLI::Option& option) {
  if (option.get_type_size() == 0 || option.get_expected_max() == 0) return "";
  std::string type = option.get_type_name();
  if (const std::size_t colon = type.rfind(':'); colon != std::string::npos) type = type.substr(colon + 1);
  return type == "FLOAT" ? "NUMBER" : type == "UINT" ? "INT" : type;
}

}  // namespace

/// The help begins with an example, and its lines fit the terminal.
class Help : public CLI::Formatter {
 public:
  std::string example;  ///< lines

  /// Its own, or those lines of the command above that call it.
  [[nodiscard]] std::string example_of(const CLI::App& app) const {
    const auto* above =
        app.get_parent() == nullptr ? nullptr : dynamic_cast<const Help*>(app.get_parent()->get_formatter().get());
    if (!example.empty() || above == nullptr) return example;
    std::string found;
    std::istringstream lines(above->example);
    for (std::string line; std::getline(lines, line);)
      if ((line + ' ').find(' ' + app.get_name() + ' ') != std::string::npos)
        found += (found.empty() ? "" : "\n") + line;
    return found;
  }

  std::string make_help(const CLI::App* app, std::string name, CLI::AppFormatMode mode) const override {
    std::string text = wrapped(app->get_description(), 0, help_width()) + "\n\n";
    const std::string typed = example_of(*app);
    if (!typed.empty())
      text += (typed.find('\n') == std::string::npos ? "example:\n" : "examples:\n") + indented(typed) + '\n';
    text += make_usage(app, name) + make_positionals(app) + make_groups(app, mode) + make_subcommands(app, mode);
    return app->get_footer().empty() ? text : text + '\n' + broken(app->get_footer());
  }

  std::string make_option(const CLI::Option* option, bool by_place) const override {
    std::string left = make_option_name(option, by_place);
    const std::string value = value_of(*option);
    if (!value.empty() && !(by_place && value == "TEXT")) left += ' ' + value;
    if (option->get_expected_max() >= CLI::detail::expected_max_vector_size) left += " ...";
    std::string right = option->get_description();
    if (!option->get_default_str().empty()) right += " (default: " + option->get_default_str() + ')';
    for (const CLI::Option* other : option->get_needs()) right += "; needs " + other->get_name();
    for (const CLI::Option* other : option->get_excludes()) right += "; not with " + other->get_name();
    return row(left, right);
  }

  std::string make_subcommand(const CLI::App* app) const override {
    return row(app->get_name(), app->get_description());
  }

 private:
  static std::string indented(const std::string& lines) {
    std::string text = "  ";
    for (const char c : lines) text += c == '\n' ? std::string("\n  ") : std::string(1, c);
    return text + '\n';
  }

  static std::string broken(const std::string& notes) {
    std::string text;
    std::istringstream from(notes);
    for (std::string line; std::getline(from, line);)
      text += (line.starts_with(" ") ? line : wrapped(line, 0, help_width())) + '\n';
    return text;
  }
};

struct App::State {
  State(const std::string& description, const std::string& name)
      : own(std::make_unique<CLI::App>(description, name)), app(*own) {
    app.formatter(help);
  }
  explicit State(CLI::App& subcommand) : app(subcommand) { app.formatter(help); }

  Option* add(CLI::Option* option) { return &options.emplace_back(*option); }

  std::unique_ptr<CLI::App> own;  // none: that of the program has it
  CLI::App& app;
  std::shared_ptr<Help> help = std::make_shared<Help>();
  std::deque<Option> options;  // none of them moves
  std::vector<std::unique_ptr<App>> subcommands;
};

namespace {

std::vector<std::string> subcommands_of(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
  return names;
}

/// What begins like an option and is none, of the subcommand that was given; empty: nothing does. Where what is not
/// known goes on to somebody else, only what is nearly an option here.
std::string unknown_option(const CLI::App& app) {
  const std::vector<CLI::App*> given = app.get_subcommands();
  const CLI::App& asked = given.empty() ? app : *given.front();
  std::vector<std::string> known;
  for (const CLI::App* each : {&asked, &app})
    for (const CLI::Option* option : each->get_options())
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& word : app.remaining(true)) {
    if (given.empty() && !app.get_subcommands({}).empty() && !word.starts_with("-")) {
      const std::string nearest = did_you_mean(word, subcommands_of(app));
      return "unknown command '" + word + "'" + (nearest.empty() ? "" : "; " + nearest);
    }
    if (word.size() < 2 || word.front() != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    const std::string nearest = did_you_mean(name, known);
    if (asked.get_allow_extras() && nearest.empty()) continue;
    return "unknown option " + name + (nearest.empty() ? "" : "; " + nearest);
  }
  return {};
}

}  // namespace

App::App(const std::string& description, const std::string& name) : App(std::make_unique<State>(description, name)) {}
App::App(std::unique_ptr<State> state) : state_(std::move(state)) {}
App::~App() = default;

// CLI11 takes the type in the help and the conversion from the type of the variable.

Option* App::add_option(const std::string& names, std::string& value, const std::string& help) {
  return state_->add(state_->app.add_option(names, value, help));
}
Option* App::add_option(const std::string& names, std::vector<std::string>& values, const std::string& help) {
  return state_->add(state_->app.add_option(names, values, help));
}
Option* App::add_option(const std::string& names, int& value, const std::string& help) {
  return state_->add(state_->app.add_option(names, value, help));
}
Option* App::add_option(const std::string& names, std::uint32_t& value, const std::string& help) {
  return state_->add(state_->app.add_option(names, value, help));
}
Option* App::add_option(const std::string& names, std::uint64_t& value, const std::string& help) {
  return state_->add(state_->app.add_option(names, value, help));
}
Option* App::add_option(const std::string& names, double& value, const std::string& help) {
  return state_->add(state_->app.add_option(names, value, help));
}
Option* App::add_option(const std::string& names, std::optional<double>& value, const std::string& help) {
  return state_->add(state_->app.add_option(names, value, help));
}
Option* App::add_flag(const std::string& names, bool& value, const std::string& help) {
  return state_->add(state_->app.add_flag(names, value, help));
}

Option* App::get_option(const std::string& name) const {
  const CLI::Option* wanted = state_->app.get_option(name);
  for (Option& option : state_->options)
    if (option.option_ == wanted) return &option;
  throw CLI::OptionNotFound(name);  // --help, which CLI11 has added
}

App* App::add_subcommand(const std::string& name, const std::string& description) {
  auto state = std::make_unique<State>(*state_->app.add_subcommand(name, description));
  state_->subcommands.push_back(std::unique_ptr<App>(new App(std::move(state))));
  return state_->subcommands.back().get();
}

void App::require_subcommand(int count) { state_->app.require_subcommand(count); }
void App::require_subcommand(std::size_t least, std::size_t most) { state_->app.require_subcommand(least, most); }
void App::allow_extras() { state_->app.allow_extras(); }
void App::name(const std::string& name) { state_->app.name(name); }
void App::example(const std::string& lines) { state_->help->example = lines; }
void App::footer(const std::string& text) { state_->app.footer(text); }

namespace {

/// Where parse() describes in place of parsing.
thread_local Described* asked_for = nullptr;

}  // namespace

Described describe(const std::function<void()>& program) {
  Described found;
  Described* const before = std::exchange(asked_for, &found);
  program();
  asked_for = before;
  return found;
}

Described App::described(const State& state) {
  const CLI::App& app = state.app;
  Described found{.name = app.get_name(),
                  .help = app.get_description(),
                  .example = state.help->example_of(app),
                  .notes = app.get_footer(),
                  .takes_more = app.get_allow_extras(),
                  .options = {},
                  .subcommands = {}};
  for (const CLI::Option* option : app.get_options()) {
    DescribedOption& one = found.options.emplace_back();
    for (const std::string& name : option->get_snames()) one.names.push_back("-" + name);
    for (const std::string& name : option->get_lnames()) one.names.push_back("--" + name);
    if (option->get_positional()) one.place = option->get_name(true, false);
    one.value = value_of(*option);
    one.help = option->get_description();
    one.is_required = option->get_required();
    one.is_hidden = option->get_group().empty();
    for (const Option& own : state.options)
      if (own.option_ == option) one.values = own.values_;
  }
  for (const auto& subcommand : state.subcommands) found.subcommands.push_back(described(*subcommand->state_));
  return found;
}

std::optional<int> App::parse(int argc, const char* const* argv) {
  if (asked_for != nullptr) return *asked_for = described(*state_), 0;
  try {
    state_->app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    // CLI11 looks for what is missing first, and so misses what was misspelt.
    const std::string unknown = error.get_exit_code() == 0 ? std::string() : unknown_option(state_->app);
    if (unknown.empty()) return state_->app.exit(error) == 0 ? 0 : 2;
    std::fprintf(stderr, "%s\nRun with --help for more information.\n", unknown.c_str());
    return 2;
  }
  return std::nullopt;
}

bool App::parsed() const { return state_->app.parsed(); }

std::string App::given_subcommand() const {
  const std::vector<CLI::App*> given = state_->app.get_subcommands();
  return given.empty() ? std::string() : given.front()->get_name();
}

std::string App::nearest_subcommand(const std::string& word) const {
  return did_you_mean(word, subcommands_of(state_->app));
}

std::vector<std::string> App::remaining() const { return state_->app.remaining(); }

}  // namespace takt::command_line
