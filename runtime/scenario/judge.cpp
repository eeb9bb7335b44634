// How expectations are judged, and what is told of it.

#include <cmath>

#include "runtime/scenario/scenario.hpp"

namespace takt {
namespace {

using Verdict = ExpectationResult::Verdict;

/// As a number of seconds reads: 0.03, not 0.030000000000000002.
double seconds(SimTime time) { return static_cast<double>(time.ns()) / 1e9; }

std::string short_text(double value, const char* unit) { return told_value(value, unit, {}); }

/// For differences.
WrittenUnits without_offsets(WrittenUnits written) {
  std::erase_if(written, [](const WrittenUnit& each) { return each.unit.offset != 0.0; });
  return written;
}

}  // namespace

void Scenario::judge_all(SimTime now) noexcept {
  for (std::uint32_t index = 0; index < judged_.size(); ++index)
    if (judged_[index].begun && judged_[index].verdict == Verdict::undecided) judge(index, now);
}

/// Whether it holds now, by itself or within its band.
Evaluation Scenario::compare(const Expectation& expectation, Judged& judged, SimTime now) const noexcept {
  const Evaluation found = program_.expressions[expectation.expression].evaluate(memory_, now);
  if (!expectation.band) return found;
  judged.reference = expectation.band->reference.at((now - judged.from).seconds());
  const double width = expectation.band->width(judged.reference);
  return {.value = std::fabs(found.value - judged.reference) <= width ? 1.0 : 0.0,
          .finite = found.finite && std::isfinite(found.value)};
}

void Scenario::judge(std::uint32_t index, SimTime now) noexcept {
  const Expectation& expectation = program_.expectations[index];
  const Evaluation found = compare(expectation, judged_[index], now);
  if (!found.finite) return decide(index, false, Why::not_finite, now);
  const bool holds = (found.value != 0.0) != expectation.never;
  switch (expectation.kind) {
    case Expectation::Kind::once:
      return decide(index, holds, Why::compared, now);
    case Expectation::Kind::within:
      return judge_within(expectation, index, holds, now);
    case Expectation::Kind::always:
      return judge_always(expectation, index, holds, now);
  }
}

void Scenario::judge_within(const Expectation& expectation, std::uint32_t index, bool holds, SimTime now) noexcept {
  Judged& judged = judged_[index];
  const SimDuration since = now - judged.from;
  const bool in_time = since < expectation.within;
  if (judged.reached && !holds && !in_time) return decide(index, false, Why::left, now);
  if (!holds) judged.reached = false;  // what leaves in time may come back
  if (!judged.reached && holds && since <= expectation.within) judged.reached = true, judged.reached_at = now;
  if (!judged.reached && !in_time) return decide(index, false, Why::too_late, now);
  if (judged.reached && now - judged.reached_at >= expectation.lasts) decide(index, true, Why::compared, now);
}

void Scenario::judge_always(const Expectation& expectation, std::uint32_t index, bool holds, SimTime now) noexcept {
  const SimDuration since = now - judged_[index].from;
  if (expectation.until != no_expression) {
    const Evaluation until = program_.expressions[expectation.until].evaluate(memory_, now);
    if (!until.finite) return decide(index, false, Why::not_finite, now);
    if (until.holds()) return decide(index, true, Why::compared, now);
  }
  if (!holds) return decide(index, false, Why::compared, now);
  if (expectation.lasts > SimDuration{} && since >= expectation.lasts) return decide(index, true, Why::compared, now);
  if (expectation.until != no_expression && since >= expectation.timeout)
    decide(index, false, Why::until_did_not_hold, now);
}

void Scenario::decide(std::uint32_t index, bool passed, Why why, SimTime now) noexcept {
  Judged& judged = judged_[index];
  const Expectation& expectation = program_.expectations[index];
  judged.verdict = passed ? Verdict::passed : Verdict::failed;
  judged.why = why;
  judged.time = now;
  const Expression& expression = program_.expressions[expectation.expression];
  const auto& rows = expression.rows;
  if (expression.compares()) judged.sides = expression.sides(memory_, now);
  for (std::size_t k = 0; k < rows.size(); ++k) values_[judged.values + k] = value_at(plant_.table[rows[k]].offset);
  waited_ -= expectation.waited ? 1U : 0U;
  open_ -= expectation.ends() ? 1U : 0U;
  if (waited_ == 0 && expectation.waited) base_ = now;
}

/// That of a signal it reads, where it fits: N*m is not to become J.
std::string Scenario::unit_compared(const Expression& expression) const {
  for (const std::uint32_t row : expression.rows) {
    const std::optional<Unit> unit = parse_unit(plant_.table[row].unit);
    if (unit && unit->factor == 1.0 && unit->dimension == expression.compared) return plant_.table[row].unit;
  }
  return dimension_text(expression.compared);
}

std::string Scenario::values_of(std::size_t index) const {
  const Expectation& expectation = program_.expectations[index];
  const Expression& expression = program_.expressions[expectation.expression];
  const auto& rows = expression.rows;
  const WrittenUnits& written = expression.written;
  std::string text;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const MemoryEntry& entry = plant_.table[rows[k]];
    text += (text.empty() ? "" : ", ") + std::string(entry.path) + " = " +
            told_value(values_[judged_[index].values + k], entry.unit, written);
  }
  if (!expectation.band && expression.compares_computed()) {
    const std::string unit = unit_compared(expression);
    const Expression::Sides& sides = judged_[index].sides;
    text += ": compared " + told_value(sides.left, unit, written) + " with " + told_value(sides.right, unit, written);
  }
  if (!expectation.band) return text;
  const std::string unit = dimension_text(expression.dimension);
  const double reference = judged_[index].reference;
  return text + ", reference = " + told_value(reference, unit, written) + " +- " +
         told_value(expectation.band->width(reference), unit, without_offsets(written));
}

std::string Scenario::because_of(std::size_t index) const {
  const Expectation& expectation = program_.expectations[index];
  const Judged& judged = judged_[index];
  if (!judged.begun) return "its step did not begin";
  if (judged.verdict == Verdict::undecided)
    return timed_out_ ? "not decided: the scenario ended before" : "not decided: the run ended before";
  switch (judged.why) {
    case Why::not_finite:
      return "a value is not finite";
    case Why::too_late:
      return "did not hold in time";
    case Why::left:
      return "held from " + short_text(seconds(judged.reached_at), "s") + " on, not long enough";
    case Why::until_did_not_hold:
      return "until did not hold within " + short_text(expectation.timeout.seconds(), "s");
    case Why::compared:
      return expectation.band ? "outside the band" : expectation.never ? "held" : "did not hold";
    case Why::nothing:
      break;
  }
  return {};
}

ExpectationResult Scenario::result_of(std::size_t index) const {
  const Expectation& expectation = program_.expectations[index];
  const Judged& judged = judged_[index];
  ExpectationResult result{
      .verdict = judged.verdict, .name = expectation.name, .text = expectation.text, .place = expectation.place.line()};
  if (judged.begun) result.from_s = seconds(judged.from);
  if (judged.verdict != Verdict::undecided) {
    result.time_s = seconds(judged.time);
    result.since_s = expectation.kind == Expectation::Kind::always ? result.from_s
                     : judged.reached                              ? seconds(judged.reached_at)
                                                                   : result.time_s;
    result.values = values_of(index);
  }
  if (judged.verdict != Verdict::passed) result.because = because_of(index);
  std::vector<std::uint32_t> rows = program_.expressions[expectation.expression].rows;
  if (expectation.until != no_expression)
    rows.insert(rows.end(), program_.expressions[expectation.until].rows.begin(),
                program_.expressions[expectation.until].rows.end());
  for (const std::uint32_t row : rows) result.paths.emplace_back(plant_.table[row].path);
  const Expression& signal = program_.expressions[expectation.expression];
  result.threshold = signal.threshold();
  if (expectation.band && judged.begun && signal.nodes.back().kind == ExpressionNode::Kind::value) {
    const ToleranceBand& band = *expectation.band;
    ExpectedBand& told = result.band.emplace();
    for (const double s : band.reference.seconds) told.time_s.push_back(result.from_s + s);
    told.reference = band.reference.values;
    told.held = band.reference.held;
    told.tolerance = band.tolerance, told.relative = band.relative;
  }
  return result;
}

/// What failed besides expectations.
std::string Scenario::why_failed() const {
  const auto place = [](const ScenarioStep& step) { return "step \"" + step.name + "\" (" + step.place.line() + ")"; };
  if (timed_out_) {
    const ScenarioStep& step = program_.steps[next_];
    return place(step) + ": its condition did not hold within " + short_text(step.timeout.seconds(), "s");
  }
  if (lost_ > 0) return std::to_string(lost_) + " actions found no room and were not taken";
  if (refused_ > 0)
    return std::to_string(refused_) + " tunings or faults were refused: the actions of the summary say why";
  for (std::size_t index = 0; index < program_.steps.size(); ++index)
    if (begun_[index] < SimTime{})
      return place(program_.steps[index]) + " did not begin before the run ended at " +
             short_text(seconds(ended_), "s");
  if (late_)
    return "a step should have begun before the one in front of it was done, at " + short_text(seconds(late_at_), "s");
  if (cut_) return "the run ended before its time, at " + short_text(seconds(ended_), "s");
  return {};
}

ScenarioResult Scenario::result() const {
  ScenarioResult result{.title = program_.title,
                        .file = program_.file,
                        .because = why_failed(),
                        .cut = cut_ && !timed_out_ && !late_ && lost_ == 0 && refused_ == 0,
                        .ended_s = seconds(ended_),
                        .judged_only = options_.judge_only};
  bool failed = !result.because.empty();
  for (std::size_t index = 0; index < judged_.size(); ++index) {
    result.expectations.push_back(result_of(index));
    failed = failed || judged_[index].verdict != Verdict::passed;
  }
  for (std::size_t index = 0; index < program_.steps.size(); ++index) {
    const ScenarioStep& step = program_.steps[index];
    if (begun_[index] < SimTime{}) continue;
    for (std::size_t k = 0; k < step.actions.size(); ++k)
      if (taken_[index][k] >= SimTime{})
        result.actions.push_back({seconds(taken_[index][k]), step.name, action_text(plant_, step.actions[k])});
    for (const std::uint32_t waveform : step.waveforms)
      if (!options_.judge_only)
        result.actions.push_back({seconds(begun_[index]), step.name, program_.waveforms[waveform].text});
  }
  using Found = ScenarioResult::Verdict;
  result.verdict = failed ? Found::failed : judged_.empty() ? Found::no_expectation : Found::passed;
  return result;
}

}  // namespace takt
