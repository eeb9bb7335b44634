// Faults of elements as data: which parameters take which values while they last.

#include "codegen/emit/plant_parts.hpp"
#include "codegen/text/escape.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

std::string change_row(const Network& network, const ElementFault::Change& change) {
  const auto path = [&](std::size_t parameter) {
    return comment_text(network.graph().symbol(network.parameters[parameter].symbol).path);
  };
  Aggregate row;
  row.number("parameter", change.parameter);
  std::string comment = path(change.parameter);
  if (change.of) {
    row.number("of", *change.of).number("factor", change.factor);
    if (*change.of != change.parameter) comment += " by " + path(*change.of);
  } else {
    row.number("value", change.value);
  }
  return row.code() + "  /* " + comment + " */";
}

}  // namespace

void write_faults(Writer& text, const Network& network) {
  std::vector<std::string> changes, faults;
  for (const ElementFault& fault : network.faults) {
    Aggregate row;
    row.text("element", fault.element).text("name", fault.name).text("text", fault.text);
    row.code("changes", "{fault_changes.data() + " + number(changes.size()) + ", " +
                            number(fault.changes.size()) + "}");
    faults.push_back(row.code());
    for (const ElementFault::Change& change : fault.changes)
      changes.push_back(change_row(network, change));
  }
  text.blank();
  write_array(text, "takt::FaultChange", "fault_changes", changes);
  text.blank();
  write_array(text, "takt::FaultDescription", "faults", faults);
}

}  // namespace takt::codegen
