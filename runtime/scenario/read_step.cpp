#include "runtime/scenario/read_step.hpp"

#include <algorithm>
#include <array>

#include "runtime/plant/outside_fault.hpp"
#include "runtime/scenario/parse_expression.hpp"

namespace takt {
namespace {

Dimension per_second() { return parse_unit("Hz")->dimension; }

}  // namespace

std::uint32_t StepReader::keep(Expression expression) {
  program_.expressions.push_back(std::move(expression));
  return static_cast<std::uint32_t>(program_.expressions.size() - 1);
}

void StepReader::read(const TomlNode& table, const std::string& suffix) {
  allow_keys(table, {"name",   "at",     "after", "when",  "timeout", "set",   "override",  "release",
                     "tune",   "inject", "clear", "ramp",  "sine",    "table", "replay",    "until",
                     "expect", "within", "for",   "never", "always",  "band",  "background"},
             source_);
  step_ = ScenarioStep{.place = source_.place(table.where)};
  first_words_.clear();
  if (const TomlMember* name = table.find("name")) step_.name = text_of(*name, source_);
  read_trigger(table);
  until_ = no_expression;
  if (const TomlMember* until = table.find("until")) until_ = keep(condition_of(*until, source_));
  read_actions(table);
  read_waveforms(table);
  read_expectations(table);
  if (until_ != no_expression && step_.waveforms.empty() && step_.expectations.empty())
    throw ScenarioMistake(source_.place(table.find("until")->where),
                          "until ends waveforms and expectations, here are none",
                          "to wait for a condition a step says when");
  if (table.find("timeout") != nullptr && step_.when == no_expression && until_ == no_expression)
    throw ScenarioMistake(source_.place(table.find("timeout")->where), "timeout belongs to when and until");
  name_it(table, suffix);
  program_.steps.push_back(std::move(step_));
}

void StepReader::name_it(const TomlNode& table, const std::string& suffix) {
  const bool named = table.find("name") != nullptr;
  if (!named) step_.name = first_words_.empty() ? "step at " + step_.place.line() : first_words_;
  step_.name += suffix;
  for (const std::uint32_t index : step_.expectations) {
    Expectation& expectation = program_.expectations[index];
    const std::string words = expectation.name;
    if (named) expectation.name = step_.expectations.size() == 1 ? step_.name : step_.name + ": " + words;
    if (!named) expectation.name = words + suffix;
  }
}

void StepReader::read_trigger(const TomlNode& table) {
  const TomlMember *at = table.find("at"), *after = table.find("after"), *when = table.find("when");
  const TomlMember* second = at != nullptr && after != nullptr ? after : when;
  if ((at != nullptr) + (after != nullptr) + (when != nullptr) > 1)
    throw ScenarioMistake(source_.place(second->where), "a step begins by one of at, after and when",
                          "make two steps of it");
  step_.timeout = timeout_;
  if (const TomlMember* timeout = table.find("timeout")) step_.timeout = duration_of(*timeout, source_);
  if (at != nullptr) step_.trigger = ScenarioStep::Trigger::at, step_.time = time_of(*at, source_);
  if (after != nullptr) step_.trigger = ScenarioStep::Trigger::after, step_.time = time_of(*after, source_);
  if (when == nullptr) return;
  step_.trigger = ScenarioStep::Trigger::when;
  step_.when = keep(condition_of(*when, source_));
  first_words_ = "when " + when->value.text;
}

const MemoryEntry& StepReader::target(const std::string& path, TomlPlace where) const {
  const auto row = source_.names.row(path);
  if (!row) throw ScenarioMistake(source_.place(where), "nothing is called \"" + path + "\"", source_.names.hint(path));
  return source_.names.entry(*row);
}

void StepReader::add_action(std::string_view verb, const std::string& path, const std::string& argument,
                            TomlPlace where) {
  try {
    step_.actions.push_back(parse_action(source_.names.plant(), verb, path, argument));
  } catch (const std::exception& error) {
    throw ScenarioMistake(source_.place(where), error.what());
  }
  const Action& action = step_.actions.back();
  if (first_words_.empty()) first_words_ = action_text(source_.names.plant(), action);
  if (action.verb == Action::Verb::set) step_.frees.push_back(action.target);
  if (action.verb != Action::Verb::release) return;
  const MemoryEntry& entry = source_.names.plant().table[action.target];
  if (entry.role == Role::plant_input)
    step_.frees.push_back(
        static_cast<std::uint32_t>((entry.offset - source_.names.plant().inputs_offset) / sizeof(double)));
}

/// What a sampled reader sees: the amount in the unit that its word asks for, in SI.
std::string StepReader::distortion(const TomlMember& given) const {
  const std::string& text = text_of(given, source_);
  const std::size_t space = text.find(' ');
  const std::string word = text.substr(0, space);
  static constexpr std::array words{"stuck", "offset", "gain", "drift", "noise", "delay", "open", "value"};
  const auto outside = outside_faults(source_.names.plant());  // faults of a bus have words of their own
  const bool is_outside =
      std::any_of(outside.begin(), outside.end(), [&](const OutsideFault& fault) { return fault.path == given.key; });
  if (is_outside || std::find(words.begin(), words.end(), word) == words.end() || word == "stuck" ||
      space == std::string::npos)
    return text;
  const MemoryEntry& entry = target(given.key, given.where);
  WantedUnit wanted = unit_as_written(entry.unit);
  if (word == "gain") wanted = WantedUnit(Dimension{});
  if (word == "delay") wanted = WantedUnit(parse_unit("s")->dimension);
  if (word == "drift") {
    --wanted.dimension.exponent[2];
    wanted.text = std::string(wanted.dimension == per_second() ? "1" : entry.unit) + "/s";
  }
  const std::size_t seed = std::min(text.find(" seed "), text.size());
  TomlNode amount;
  amount.kind = TomlNode::Kind::string;
  amount.text = text.substr(space + 1, seed - space - 1);
  amount.where = amount.text_where = given.value.text_where;
  amount.text_where.column += static_cast<std::uint32_t>(space + 1);
  const bool difference = word == "offset" || word == "noise" || word == "drift";
  const double value =
      difference ? difference_of(amount, wanted, word, source_) : quantity_of(amount, wanted, word, source_);
  return word + " " + exact_text(value) + text.substr(seed);
}

void StepReader::act(std::string_view verb, const TomlMember& given) {
  if (verb == "inject") {
    const std::string argument = distortion(given);
    const auto row = source_.names.row(given.key);
    add_action(verb, row && argument != given.value.text ? source_.names.entry(*row).path : given.key, argument,
               given.where);
    return;
  }
  const MemoryEntry& entry = target(given.key, given.where);
  const double value = quantity_of(given.value, unit_as_written(entry.unit), given.key, source_);
  add_action(verb, entry.path, exact_text(value), given.where);
}

void StepReader::read_action_list(const TomlMember& list, std::string_view verb) {
  if (!list.value.is(TomlNode::Kind::array))
    throw ScenarioMistake(source_.place(list.value.where),
                          list.key + " is a list of names, as in [\"electric.link.v\"]");
  for (const TomlNode& item : list.value.items) {
    if (!item.is(TomlNode::Kind::string))
      throw ScenarioMistake(source_.place(item.where), "a name is a text in quotes");
    const std::size_t space = item.text.find(' ');
    const std::string path = item.text.substr(0, space);
    const auto row = source_.names.row(path);
    add_action(verb, row && space == std::string::npos ? source_.names.entry(*row).path : path,
               space == std::string::npos ? "" : item.text.substr(space + 1), item.where);
  }
}

void StepReader::read_actions(const TomlNode& table) {
  for (const TomlMember& member : table.members) {
    if (member.key == "release" || member.key == "clear") read_action_list(member, member.key);
    if (member.key != "set" && member.key != "override" && member.key != "tune" && member.key != "inject") continue;
    if (!member.value.is(TomlNode::Kind::table))
      throw ScenarioMistake(source_.place(member.value.where), member.key + " is a table, as in { NAME = \"VALUE\" }");
    for (const TomlMember& one : member.value.members) act(member.key, one);
  }
}

}  // namespace takt
