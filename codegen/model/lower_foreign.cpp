// What inputs and parameters of FMUs are fed with.

#include "codegen/fmu/fmu_description.hpp"
#include "codegen/model/foreign.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {

void lower_foreign(Workspace& work) {
  const Reading plant{&work.scopes.front(), "", std::nullopt};
  for (const Workspace::ForeignLine& line : work.foreign_lines) {
    if (line.model >= work.network.foreign.size()) continue;  // refused
    ForeignModel& model = work.network.foreign[line.model];
    ForeignModel::Fed& fed =
        line.slot != nullptr ? model.parameters[line.place] : model.inputs[line.place];
    std::optional<Named> value;
    if (line.slot != nullptr) {
      resolve(work, *line.slot);
      if (line.slot->state == Slot::State::done) value = work.named(*line.slot);
    } else {
      value = lower_value(work, *line.given, plant);
    }
    if (!value) continue;
    const Unit unit = parse_unit(line.unit).value_or(Unit{});
    const bool bare =
        work.network.graph().is_constant(value->value) && value->dimension == Dimension{};
    const std::string what =
        "what '" + model.fmu_of(fed.port).variables[fed.port.variable].name + "' of " +
        (model.members.empty() ? model.path : model.members[fed.port.member].path) + " is fed with";
    if (line.checked &&
        !check_dimension(work, *value, {unit, line.unit}, {line.given->where, what, bare}))
      continue;
    if (const auto conflict = wrong_kind(value->kind, line.kind); line.checked && conflict) {
      work.error("U007", line.given->where, what + " has another kind: " + conflict->cause,
                 conflict->remedy);
      continue;
    }
    fed.value = value->value;
  }
}

}  // namespace takt::codegen
