// [[start]] and [[stop]] as tables.

#include "codegen/rig/emit_steps.hpp"

#include <map>

#include "codegen/text/escape.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

std::string step_table(const std::vector<StepMap>& steps, const std::string& name) {
  static const std::map<StepMap::Kind, std::string> kinds{{StepMap::Kind::set, "set"},
                                                          {StepMap::Kind::wait, "wait"},
                                                          {StepMap::Kind::when, "when"},
                                                          {StepMap::Kind::pause, "pause"}};
  std::string out, table;
  for (std::size_t k = 0; k < steps.size(); ++k) {
    const StepMap& step = steps[k];
    const std::string sets = name + "_" + std::to_string(k + 1) + "_sets";
    if (!step.sets.empty()) {
      out += "constexpr std::array<can::SetPlan, " + std::to_string(step.sets.size()) + "> " + sets + "{{\n";
      for (const StepMap::Set& set : step.sets)
        out += "    {.bus = " + std::to_string(set.bus) + ", .message = " + std::to_string(set.message) +
               ", .signal = " + std::to_string(set.signal) + ", .value = " + double_literal(set.value) + "},\n";
      out += "}};\n";
    }
    table += "    {.kind = can::StepPlan::Kind::" + kinds.at(step.kind) + ", .text = " + string_literal(step.text) +
             ", .sets = " + (step.sets.empty() ? "{}" : sets) + ", .bus = " + std::to_string(step.bus) +
             ", .message = " + std::to_string(step.message) + ", .signal = " + std::to_string(step.signal) +
             ", .comparison = can::Comparison::" + comparison_word(step.comparison) +
             ", .value = " + double_literal(step.value) + ", .within_ns = " + std::to_string(step.within_ns) + "},\n";
  }
  return out + "constexpr std::array<can::StepPlan, " + std::to_string(steps.size()) + "> " + name + "_steps{" +
         (steps.empty() ? "" : "{\n" + table + "}") + "};\n\n";
}

}  // namespace

std::string comparison_word(const std::string& comparison) {
  static const std::map<std::string, std::string> words{{"", "equal"},      {"<", "less"},      {"<=", "at_most"},
                                                        {">", "greater"},   {">=", "at_least"}, {"==", "equal"},
                                                        {"!=", "not_equal"}};
  return words.at(comparison);
}

std::string emit_steps(const Rig& rig) {
  if (rig.start.empty() && rig.stop.empty()) return {};
  return step_table(rig.start, "start") + step_table(rig.stop, "stop");
}

}  // namespace takt::codegen
