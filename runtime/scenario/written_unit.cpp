#include "runtime/scenario/written_unit.hpp"

#include <cstdio>
#include <optional>

#include "runtime/units/kinds.hpp"

namespace takt {
namespace {

/// N*m of a torque and J have one dimension.
bool of_torque(std::string_view unit) { return unit.find("N*m") != std::string_view::npos; }

/// The first that means the same; where both degC and K are written, K, which is right for differences, too.
const WrittenUnit* unit_for(std::string_view unit, const WrittenUnits& written) {
  const std::optional<Unit> own = parse_unit(unit);
  if (!own || own->dimension == Dimension{}) return nullptr;
  const WrittenUnit* found = nullptr;
  for (const WrittenUnit& each : written) {
    if (each.unit.dimension != own->dimension || wrong_kind(kind_of_unit(unit), kind_of_unit(each.text)) ||
        of_torque(unit) != of_torque(each.text))
      continue;
    if (found == nullptr || (found->unit.offset != 0.0 && each.unit.offset == 0.0)) found = &each;
  }
  return found;
}

}  // namespace

std::string told_value(double si, std::string_view unit, const WrittenUnits& written) {
  const WrittenUnit* const wanted = unit_for(unit, written);
  const std::string_view shown = wanted == nullptr ? unit : std::string_view(wanted->text);
  char text[32];
  std::snprintf(text, sizeof text, "%.7g", wanted == nullptr ? si : from_si(si, wanted->unit));
  return std::string(text) + (shown.empty() || shown == "1" ? "" : " " + std::string(shown));
}

}  // namespace takt
