// What plant inputs follow: ramp, sine, table, replay.

#include <algorithm>
#include <map>

#include "runtime/plant/input_script.hpp"
#include "runtime/scenario/parse_expression.hpp"
#include "runtime/scenario/read_curve.hpp"
#include "runtime/scenario/read_step.hpp"

namespace takt {
namespace {

Dimension per_second() { return parse_unit("Hz")->dimension; }

SimDuration ceiled(double seconds) {
  const auto ns = static_cast<std::int64_t>(std::min(seconds, 9e9) * 1e9);
  return SimDuration{ns + (static_cast<double>(ns) * 1e-9 < seconds ? 1 : 0)};
}

}  // namespace

std::uint32_t StepReader::input_of(const TomlMember& given) const {
  const auto& inputs = source_.names.plant().plant_inputs;
  std::string known;
  for (std::uint32_t index = 0; index < inputs.size(); ++index) {
    if (given.key == inputs[index].path) return index;
    known += (known.empty() ? "it has " : ", ") + std::string(inputs[index].path);
  }
  throw ScenarioMistake(source_.place(given.where), "the plant has no input \"" + given.key + "\"",
                        known.empty() ? "it has none" : known);
}

void StepReader::add_waveform(Waveform waveform) {
  waveform.offset = source_.names.plant().inputs_offset + sizeof(double) * waveform.input;
  waveform.until = until_;
  if (first_words_.empty()) first_words_ = waveform.text;
  step_.frees.push_back(waveform.input);
  program_.waveforms.push_back(std::move(waveform));
  step_.waveforms.push_back(static_cast<std::uint32_t>(program_.waveforms.size() - 1));
}

void StepReader::read_waveforms(const TomlNode& table) {
  for (const TomlMember& member : table.members) {
    if (member.key == "replay") read_replay(member);
    if (member.key != "ramp" && member.key != "sine" && member.key != "table") continue;
    if (!member.value.is(TomlNode::Kind::table))
      throw ScenarioMistake(source_.place(member.value.where), member.key + " is a table, as in { INPUT = { ... } }");
    for (const TomlMember& one : member.value.members) read_waveform(one, member.key);
  }
}

void StepReader::read_waveform(const TomlMember& given, const std::string& kind) {
  Waveform waveform;
  waveform.input = input_of(given);
  const TomlNode& values = given.value;
  const WantedUnit unit = unit_as_written(source_.names.plant().plant_inputs[waveform.input].unit);
  if (!values.is(TomlNode::Kind::table))
    throw ScenarioMistake(source_.place(values.where), "a " + kind + " is a table of values");
  const auto value = [&](const char* key, const WantedUnit& wanted, bool needed) -> std::optional<double> {
    const TomlMember* member = values.find(key);
    if (member == nullptr && needed) throw ScenarioMistake(source_.place(values.where), "a " + kind + " needs " + key);
    return member == nullptr ? std::nullopt : std::optional(quantity_of(member->value, wanted, key, source_));
  };
  waveform.text = kind + " " + given.key;
  if (kind == "table") {
    waveform.kind = Waveform::Kind::curve;
    waveform.curve = read_curve(values, unit, source_);
    waveform.over = std::max(ceiled(waveform.curve.seconds.back()), SimDuration{1});
    return add_waveform(std::move(waveform));
  }
  if (const TomlMember* over = values.find("over")) waveform.over = duration_of(*over, source_);
  if (kind == "ramp") {
    allow_keys(values, {"to", "over", "from"}, source_);
    waveform.to = *value("to", unit, true);
    waveform.from = value("from", unit, false);
    if (waveform.over == SimDuration{}) throw ScenarioMistake(source_.place(values.where), "a ramp needs over");
  } else {
    allow_keys(values, {"mean", "amplitude", "frequency", "phase", "over"}, source_);
    waveform.kind = Waveform::Kind::sine;
    waveform.mean = value("mean", unit, false).value_or(0.0);
    if (const TomlMember* amplitude = values.find("amplitude"); amplitude != nullptr)
      waveform.amplitude = difference_of(amplitude->value, unit, "amplitude", source_);
    else
      throw ScenarioMistake(source_.place(values.where), "a sine needs amplitude");
    waveform.frequency = *value("frequency", per_second(), true);
    waveform.phase = value("phase", Dimension{}, false).value_or(0.0);
  }
  add_waveform(std::move(waveform));
}

/// Changes of every input that the log has, from the step's begin on.
void StepReader::read_replay(const TomlMember& given) {
  InputLog log;
  try {
    log = read_input_log(source_.path(text_of(given, source_)), source_.names.plant(), OtherSteps::accepted);
  } catch (const std::runtime_error& error) {
    throw ScenarioMistake(source_.place(given.value.where), error.what());
  }
  std::stable_sort(log.changes.begin(), log.changes.end(),
                   [](const auto& a, const auto& b) { return a.time < b.time; });
  std::map<std::uint32_t, TimeCurve> curves;
  for (const ScriptedInput& change : log.changes) {
    TimeCurve& curve = curves[change.input];
    curve.held = true;
    if (!curve.seconds.empty() && curve.seconds.back() == change.time.seconds()) {
      curve.values.back() = change.value;
      continue;
    }
    curve.seconds.push_back(change.time.seconds());
    curve.values.push_back(change.value);
  }
  if (curves.empty()) throw ScenarioMistake(source_.place(given.value.where), "this log has no changes of inputs");
  for (auto& [input, curve] : curves) {
    Waveform waveform{.kind = Waveform::Kind::curve, .input = input};
    waveform.over = std::max(ceiled(curve.seconds.back()), SimDuration{1});
    waveform.curve = std::move(curve);
    waveform.text = "replay " + std::string(source_.names.plant().plant_inputs[input].path);
    add_waveform(std::move(waveform));
  }
}

}  // namespace takt
