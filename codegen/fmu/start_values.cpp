#include "codegen/fmu/start_values.hpp"

#include <string_view>
#include <type_traits>

#include "codegen/fmu/fmu_reading.hpp"

namespace takt::codegen {
namespace {

template <class Value, class Read>
FmuStart list_of(std::string_view text, const Read& read) {
  std::vector<Value> values;
  for (std::string_view word : xml::words(text))
    if (const auto value = read(word)) values.push_back(static_cast<Value>(*value));
  return values;
}

FmuStart texts_of(pugi::xml_node node, FmuType type) {
  std::vector<std::string> values;
  if (const pugi::xml_attribute one = node.attribute("start"))
    values.emplace_back(one.value());  // FMI 2
  for (pugi::xml_node child : node.children("Start")) {
    const std::string_view value = child.attribute("value").value();
    values.push_back(type == FmuType::binary ? xml::bytes(value).value_or("") : std::string(value));
  }
  return values.empty() ? FmuStart{} : FmuStart{values};
}

}  // namespace

FmuStart read_start(pugi::xml_node node, FmuType type) {
  if (type == FmuType::string || type == FmuType::binary) return texts_of(node, type);
  const pugi::xml_attribute start = node.attribute("start");
  if (!start || type == FmuType::clock) return {};
  const std::string_view text = start.value();
  if (is_float(type)) return list_of<double>(text, xml::number);
  if (type == FmuType::boolean) return list_of<std::int64_t>(text, xml::boolean);
  if (is_unsigned(type)) return list_of<std::uint64_t>(text, xml::integer<std::uint64_t>);
  return list_of<std::int64_t>(text, xml::integer<std::int64_t>);
}

FmuInitial default_initial(FmuCausality causality, FmuVariability variability) {
  switch (causality) {
    case FmuCausality::structural_parameter:
    case FmuCausality::parameter:
    case FmuCausality::input:
      return FmuInitial::exact;
    case FmuCausality::independent:
      return FmuInitial::none;
    default:
      return variability == FmuVariability::constant ? FmuInitial::exact : FmuInitial::calculated;
  }
}

bool has_start(const FmuVariable& variable) {
  return !std::holds_alternative<std::monostate>(variable.start);
}

std::size_t start_count(const FmuStart& start) {
  return std::visit(
      [](const auto& values) -> std::size_t {
        if constexpr (std::is_same_v<std::decay_t<decltype(values)>, std::monostate>)
          return 0;
        else
          return values.size();
      },
      start);
}

bool fit_start(FmuStart& start, std::size_t size) {
  return std::visit(
      [&](auto& values) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(values)>, std::monostate>) {
          if (values.size() == 1 && size > 1) {
            const auto value = values[0];
            values.assign(size, value);
          }
          return values.size() == size;
        }
        return true;
      },
      start);
}

}  // namespace takt::codegen
