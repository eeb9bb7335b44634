// Values that travel between the ends of an element.

#include <algorithm>

#include "codegen/model/expand.hpp"
#include "codegen/model/laws.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {

void make_delays(Workspace& work, Instance& instance) {
  for (const DelayDefinition& delay : instance.definition->delays) {
    const std::string path = instance.path + "." + delay.name;
    TravelDelay made;
    made.element = instance.element;
    made.arriving = work.make_symbol(path, delay.unit_text);
    made.leaving = work.make_symbol(path + ".leaving", delay.unit_text);
    made.under_way = work.make_symbol(path + ".energy", "J");
    made.where = instance.entry->where;
    instance.variables[delay.name] = {work.network.graph().use(made.arriving),
                                      work.dimensions.at(made.arriving)};
    // They belong to the circuits at the ends; no other expression may read them.
    for (const SymbolId symbol : {made.arriving, made.under_way})
      work.names.erase(work.network.graph().symbol(symbol).path);
    work.network.delays.push_back(made);
  }
}

void lower_delays(Workspace& work, Instance& instance, InstanceNames& names) {
  const auto of_instance = [&](const TravelDelay& delay) {
    return delay.element == instance.element;
  };
  auto made = std::find_if(work.network.delays.begin(), work.network.delays.end(), of_instance);
  for (const DelayDefinition& delay : instance.definition->delays) {
    const std::string what = "of delay '" + delay.name + "'";
    const auto constant = [&](const SourceExpression& expression, const std::string& unit,
                              const char* role) {
      const auto value = names.lower(expression);
      if (!value) return 0.0;
      names.expect(*value, unit, expression, role + what);
      return structural_value(work, value->value, instance.entry->where,
                              "the " + (role + what) + " of '" + instance.path + "'")
          .value_or(0.0);
    };
    made->travel_s = constant(delay.by, "s", "time ");
    made->start = constant(delay.start, delay.unit_text, "start ");
    made->power = constant(delay.power, "W/(" + delay.unit_text + ")^2", "power ");
    if (!(made->travel_s > 0.0) && !work.diagnostics.has_errors())
      work.error("U006", instance.entry->where, "'" + instance.path + "' delays by no time",
                 "a line without a delay is a wire: name one node at both places");
    if (const auto leaving = names.lower(delay.of)) {
      names.expect(*leaving, delay.unit_text, delay.of,
                   "what leaves by delay '" + delay.name + "'");
      work.network.variables.push_back(
          {instance.element, made->leaving, leaving->value, instance.entry->where});
    }
    ++made;
  }
}

}  // namespace takt::codegen
