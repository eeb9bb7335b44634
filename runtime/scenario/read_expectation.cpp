// What a step expects.

#include <algorithm>

#include "runtime/scenario/parse_expression.hpp"
#include "runtime/scenario/read_curve.hpp"
#include "runtime/scenario/read_step.hpp"

namespace takt {
namespace {

/// For names: a time as somebody would write it.
std::string time_text(SimDuration time) {
  const std::int64_t ns = time.ns();
  if (ns % 1'000'000'000 == 0) return std::to_string(ns / 1'000'000'000) + " s";
  if (ns >= 1'000'000'000) return exact_text(time.seconds()) + " s";
  if (ns % 1'000'000 == 0) return std::to_string(ns / 1'000'000) + " ms";
  return exact_text(static_cast<double>(ns) * 1e-3) + " us";
}

const TomlMember* first_of(const TomlNode& table, const TomlNode* inner, const char* key) {
  const TomlMember* found = inner != nullptr ? inner->find(key) : nullptr;
  return found != nullptr ? found : table.find(key);
}

}  // namespace

void StepReader::read_limits(const TomlNode& table, const TomlNode* inner, Expectation& expectation) {
  const TomlMember *within = first_of(table, inner, "within"), *lasts = first_of(table, inner, "for");
  if (within != nullptr) expectation.within = duration_of(*within, source_);
  if (lasts != nullptr) expectation.lasts = duration_of(*lasts, source_);
  expectation.timeout = step_.timeout;
  expectation.until = until_;
  if (inner != nullptr && inner->find("until") != nullptr)
    expectation.until = keep(condition_of(*inner->find("until"), source_));
  if (within != nullptr && expectation.until != no_expression)
    throw ScenarioMistake(source_.place(within->where), "within and until do not go together",
                          "within waits for a condition, until is the end of one that holds all the time");
  if (lasts != nullptr && expectation.until != no_expression)
    throw ScenarioMistake(source_.place(lasts->where), "for and until do not go together", "give one of them");
  if (within != nullptr && expectation.kind == Expectation::Kind::always && expectation.never)
    throw ScenarioMistake(source_.place(within->where), "within and never do not go together",
                          "never has for or until");
  if (within != nullptr)
    expectation.kind = Expectation::Kind::within;
  else if (lasts != nullptr || expectation.until != no_expression)
    expectation.kind = Expectation::Kind::always;
}

void StepReader::finish(Expectation expectation, const std::string& words) {
  expectation.text = words;
  if (expectation.kind == Expectation::Kind::within) expectation.text += " within " + time_text(expectation.within);
  if (expectation.lasts > SimDuration{}) expectation.text += " for " + time_text(expectation.lasts);
  if (expectation.until != no_expression) expectation.text += " until " + program_.expressions[expectation.until].text;
  expectation.name = expectation.text;
  if (first_words_.empty()) first_words_ = expectation.text;
  program_.expectations.push_back(std::move(expectation));
  step_.expectations.push_back(static_cast<std::uint32_t>(program_.expectations.size() - 1));
}

/// `expect`, `always`, `never`: an expression or several.
void StepReader::add_expectations(const TomlMember& given, const TomlNode& step) {
  std::vector<TomlNode> texts{given.value};
  if (given.value.is(TomlNode::Kind::array)) texts = given.value.items;
  if (texts.empty()) throw ScenarioMistake(source_.place(given.value.where), given.key + " is empty");
  const TomlMember* never = step.find("never");
  const bool turned = never != nullptr && never->value.is(TomlNode::Kind::boolean) && never->value.flag;
  for (const TomlNode& text : texts) {
    if (!text.is(TomlNode::Kind::string))
      throw ScenarioMistake(source_.place(text.where), given.key + " is a condition in quotes");
    Expectation expectation{.place = source_.place(text.where)};
    expectation.never = given.key == "never" || (turned && given.key == "expect");
    if (given.key != "expect" || expectation.never) expectation.kind = Expectation::Kind::always;
    read_limits(step, nullptr, expectation);
    expectation.expression = keep(parse_condition(text.text, source_.place(text.text_where), source_.names));
    const char* word = expectation.never ? "never " : expectation.kind == Expectation::Kind::always ? "always " : "";
    finish(std::move(expectation), word + text.text);
  }
}

/// In which values of a band are told.
void StepReader::note_units(const TomlMember& reference, Expression& value) const {
  if (!reference.value.is(TomlNode::Kind::string)) return;
  const WrittenUnits more =
      parse_constant(reference.value.text, source_.place(reference.value.text_where), source_.names).written;
  value.written.insert(value.written.end(), more.begin(), more.end());
}

void StepReader::read_band(const TomlMember& given, const TomlNode& step) {
  const TomlNode& table = given.value;
  if (!table.is(TomlNode::Kind::table))
    throw ScenarioMistake(source_.place(table.where), "band is a table with signal, reference and tolerance");
  allow_keys(table, {"signal", "reference", "tolerance", "relative", "for", "until", "within"}, source_);
  const TomlMember *signal = table.find("signal"), *reference = table.find("reference"),
                   *tolerance = table.find("tolerance"), *relative = table.find("relative");
  if (signal == nullptr || reference == nullptr || (tolerance != nullptr) == (relative != nullptr))
    throw ScenarioMistake(source_.place(table.where), "a band has signal, reference and one of tolerance and relative");
  Expectation expectation{.kind = Expectation::Kind::always, .place = source_.place(given.where)};
  Expression value =
      parse_expression(text_of(*signal, source_), source_.place(signal->value.text_where), source_.names);
  if (value.condition)
    throw ScenarioMistake(source_.place(signal->value.where), "a signal is a value, not a condition");
  ToleranceBand band;
  if (reference->value.is(TomlNode::Kind::table)) {
    band.reference = read_curve(reference->value, value.dimension, source_);
  } else {
    band.reference.seconds = {0.0};
    band.reference.values = {quantity_of(reference->value, value.dimension, "reference", source_)};
  }
  note_units(*reference, value);
  band.relative = relative != nullptr;
  band.tolerance = band.relative ? quantity_of(relative->value, Dimension{}, "relative", source_)
                                 : difference_of(tolerance->value, value.dimension, "tolerance", source_);
  if (!(band.tolerance >= 0.0))
    throw ScenarioMistake(source_.place(band.relative ? relative->where : tolerance->where),
                          "a tolerance is not below 0");
  read_limits(step, &table, expectation);
  const std::string words = signal->value.text + " in band";
  expectation.band = std::move(band);
  expectation.expression = keep(std::move(value));
  finish(std::move(expectation), words);
}

void StepReader::read_expectations(const TomlNode& table) {
  const TomlMember* never = table.find("never");
  if (never != nullptr && never->value.is(TomlNode::Kind::boolean) && table.find("expect") == nullptr)
    throw ScenarioMistake(source_.place(never->where), "never = true turns an expect, here is none",
                          "write never = \"CONDITION\"");
  for (const TomlMember& member : table.members) {
    const bool flag = member.key == "never" && member.value.is(TomlNode::Kind::boolean);
    if (member.key == "expect" || member.key == "always" || (member.key == "never" && !flag))
      add_expectations(member, table);
    if (member.key == "band") read_band(member, table);
  }
  const bool any = !step_.expectations.empty();
  for (const char* key : {"within", "for", "background"})
    if (const TomlMember* member = table.find(key); member != nullptr && !any)
      throw ScenarioMistake(source_.place(member->where),
                            std::string(key) + " belongs to an expectation, here is none");
  const TomlMember* background = table.find("background");
  if (background != nullptr && !background->value.is(TomlNode::Kind::boolean))
    throw ScenarioMistake(source_.place(background->value.where), "background is true or false");
  for (const std::uint32_t index : step_.expectations) {
    Expectation& expectation = program_.expectations[index];
    expectation.waited =
        background == nullptr ? expectation.kind == Expectation::Kind::within : !background->value.flag;
    if (expectation.waited && !expectation.ends())
      throw ScenarioMistake(source_.place(background->where),
                            "what holds to the end of the scenario cannot be waited for", "give it for or until");
  }
}

}  // namespace takt
