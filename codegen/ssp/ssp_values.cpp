#include "codegen/ssp/ssp_values.hpp"

#include <fmt/format.h>

#include "codegen/ssp/ssp_names.hpp"

namespace takt::codegen {

SspMap after(const SspMap& second, const SspMap& first) {
  return {second.factor * first.factor, second.factor * first.offset + second.offset};
}

SspMap in_si(const SspTransformation& transformation, const SspUnit& unit) {
  // x = (s - w)/u, x' = f x + o, s' = u x' + w
  const auto [f, o] = transformation;
  return {f, unit.factor * o + (unit.offset - f * unit.offset)};
}

SspMap in_si_unconverted(const SspTransformation& transformation, const SspUnit& from,
                         const SspUnit& to) {
  if (from == to) return in_si(transformation, to);
  const auto [f, o] = transformation;
  const double factor = to.factor * f / from.factor;
  return {factor, to.factor * o + to.offset - factor * from.offset};
}

std::optional<SspUnit> unit_of(const FmuQuantity& quantity) {
  if (!quantity.dimension) return std::nullopt;
  return SspUnit{*quantity.dimension, quantity.factor, quantity.offset};
}

std::string si_text(double si, const std::optional<Dimension>& dimension) {
  const std::string number = tidy_number(si);
  return !dimension || *dimension == Dimension{} ? number
                                                 : number + " " + dimension_text(*dimension);
}

std::string value_text(double value, const FmuQuantity& quantity) {
  if (!quantity.dimension) return si_text(value, std::nullopt);
  const auto known = parse_unit(quantity.unit);
  const bool same =
      known && known->factor == quantity.factor && known->offset == 0.0 && quantity.offset == 0.0;
  if (same && !(*quantity.dimension == Dimension{} && quantity.factor == 1.0))
    return fmt::format("{} {}", value, quantity.unit);
  return si_text(value * quantity.factor + quantity.offset, quantity.dimension);
}

std::string fed_text(const std::string& signal, const SspMap& map,
                     const std::optional<Dimension>& dimension) {
  std::string text = map.factor == 1.0 ? signal : tidy_number(map.factor) + "*" + signal;
  if (map.offset != 0.0) {
    const bool minus = map.offset < 0.0;
    text += (minus ? " - " : " + ") + si_text(minus ? -map.offset : map.offset, dimension);
  }
  return text;
}

}  // namespace takt::codegen
