// What one end of an element gives another one some time later.

#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {

void read_delays(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics) {
  const TomlValue* delays = table.get("delay");
  if (delays == nullptr || !expect_kind(*delays, TomlValue::Kind::table, "'delay'", diagnostics))
    return;
  for (const TomlEntry& entry : delays->entries) {
    if (!is_name(entry.key)) {
      diagnostics.error("M006", entry.where, "'" + entry.key + "' is no name",
                        "names are lower-case letters, digits and _, beginning with a letter");
      continue;
    }
    if (!expect_kind(entry.value, TomlValue::Kind::table, "delay '" + entry.key + "'", diagnostics))
      continue;
    check_keys(entry.value, {"unit", "of", "by", "start", "power"}, "L003", "a delay", diagnostics);
    DelayDefinition delay;
    delay.name = entry.key;
    delay.unit_text = read_unit_text(entry.value, diagnostics);
    delay.of = required_expression(entry, "of", diagnostics);
    delay.by = required_expression(entry, "by", diagnostics);
    delay.power = required_expression(entry, "power", diagnostics);
    delay.start = entry.value.get("start") != nullptr
                      ? required_expression(entry, "start", diagnostics)
                      : make_expression("0", entry.where, diagnostics);
    delay.where = entry.where;
    element.delays.push_back(std::move(delay));
  }
  if (!element.delays.empty() && element.joins_circuit)
    diagnostics.error("L020", delays->where,
                      "'" + element.name + "' has delays, but its ends are of one circuit",
                      "write joins_circuit = false: what a delay joins is cut in two");
}

}  // namespace takt::codegen
