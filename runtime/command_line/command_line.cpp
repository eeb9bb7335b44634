#include "runtime/command_line/command_line.hpp"

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <map>

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

Option* Option::in_range(int least, int most) { return option_->check(CLI::Range(least, most)), this; }
Option* Option::in_range(double least, double most) { return finite()->option_->check(CLI::Range(least, most)), this; }
Option* Option::positive() { return finite()->option_->check(CLI::PositiveNumber), this; }
Option* Option::non_negative() { return finite()->option_->check(CLI::NonNegativeNumber), this; }
/// No comparison with a limit refuses what is no number.
Option* Option::finite() {
  const auto problem = [](const std::string& text) {
    return std::isfinite(std::strtod(text.c_str(), nullptr)) ? std::string() : text + " is no finite number";
  };
  return option_->check(CLI::Validator(problem, "")), this;
}

Option* Option::one_of(const std::vector<std::string>& values) { return option_->check(CLI::IsMember(values)), this; }
Option* Option::one_of(std::initializer_list<int> values) { return option_->check(CLI::IsMember(values)), this; }
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

struct App::State {
  State(const std::string& description, const std::string& name)
      : own(std::make_unique<CLI::App>(description, name)), app(*own) {}
  explicit State(CLI::App& subcommand) : app(subcommand) {}

  Option* add(CLI::Option* option) { return &options.emplace_back(*option); }

  std::unique_ptr<CLI::App> own;  // none: that of the program has it
  CLI::App& app;
  std::deque<Option> options;  // none of them moves
  std::vector<std::unique_ptr<App>> subcommands;
};

namespace {

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
      std::vector<std::string> names;
      for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
      const std::string nearest = did_you_mean(word, names);
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
void App::footer(const std::string& text) { state_->app.footer(text); }

std::optional<int> App::parse(int argc, const char* const* argv) {
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

std::vector<std::string> App::remaining() const { return state_->app.remaining(); }

}  // namespace takt::command_line
