#include "codegen/rig/emit_steps.hpp"

#include <map>

namespace takt::codegen {
namespace {

void write_sets(Writer& text, const std::vector<StepMap::Set>& sets, const std::string& name) {
  std::vector<std::string> rows;
  for (const StepMap::Set& set : sets) {
    Aggregate row;
    row.number("bus", set.bus)
        .number("message", set.message)
        .number("signal", set.signal)
        .number("value", set.value);
    rows.push_back(row.code());
  }
  write_array(text, {"can::SetPlan", name}, rows);
}

void write_table(Writer& text, const std::vector<StepMap>& steps, const std::string& name) {
  static const std::map<StepMap::Kind, std::string> kinds{{StepMap::Kind::set, "set"},
                                                          {StepMap::Kind::wait, "wait"},
                                                          {StepMap::Kind::when, "when"},
                                                          {StepMap::Kind::pause, "pause"}};
  std::vector<std::string> rows;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const StepMap& step = steps[k];
    const std::string sets = step.sets.empty() ? "" : name + "_" + std::to_string(k + 1) + "_sets";
    if (!sets.empty()) write_sets(text, step.sets, sets);
    Aggregate row;
    row.code("kind", "can::StepPlan::Kind::" + kinds.at(step.kind)).text("text", step.text);
    row.code("sets", sets.empty() ? "{}" : sets).number("bus", step.bus);
    add_comparison(row, step);
    rows.push_back(row.number("within_ns", step.within_ns).code());
  }
  write_array(text, {"can::StepPlan", name + "_steps"}, rows);
  text.blank();
}

}  // namespace

void add_comparison(Aggregate& plan, const StepMap& step) {
  static const std::map<std::string, std::string> words{
      {"", "equal"},      {"<", "less"},   {"<=", "at_most"},  {">", "greater"},
      {">=", "at_least"}, {"==", "equal"}, {"!=", "not_equal"}};
  plan.number("message", step.message).number("signal", step.signal);
  plan.code("comparison", "can::Comparison::" + words.at(step.comparison))
      .number("value", step.value);
}

void write_steps(Writer& text, const Rig& rig) {
  if (!has_steps(rig)) return;
  write_table(text, rig.start, "start");
  write_table(text, rig.stop, "stop");
}

}  // namespace takt::codegen
