#include "codegen/model/foreign_variables.hpp"

#include "codegen/model/fmu_units.hpp"

namespace takt::codegen {

std::string plant_name(std::string name) {
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if ((c < 'a' || c > 'z') && (c < '0' || c > '9')) c = '_';
  }
  while (name.ends_with('_')) name.pop_back();
  if (name.empty() || (name.front() >= '0' && name.front() <= '9')) name.insert(0, "v_");
  return name;
}

ForeignModel::Port exchanged(Workspace& work, const ForeignModel& model, const ForeignPlace& place,
                             const ForeignName& name) {
  const auto& [path, where] = name;
  const FmuVariable& of = model.fmu->variables[place.variable];
  const FmuQuantity quantity = quantity_of(*model.fmu, of);
  if (quantity.unreadable)
    work.warning("Y110", where,
                 "the unit '" + of.unit + "' of " + path +
                     " is not known: values are taken as they are, and dimensions are not checked");
  const bool real = of.type == FmuType::float64 || of.type == FmuType::float32;
  ForeignModel::Port made{.variable = place.variable,
                          .element = place.element,
                          .factor = quantity.factor,
                          .offset = quantity.offset,
                          .jumps = !real || of.variability != FmuVariability::continuous};
  if (path.empty()) return made;
  if (work.names.contains(path)) {
    work.error("M019", where, "'" + path + "' means something already",
               "give the output another name");
    work.broken.insert(model.path);
  }
  made.symbol = work.make_symbol(path, quantity.unit);
  if (quantity.is_difference) work.kinds[made.symbol] = temperature_kind(0.0);
  return made;
}

}  // namespace takt::codegen
