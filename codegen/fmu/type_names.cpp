#include "codegen/fmu/type_names.hpp"

#include <array>
#include <utility>

#include "codegen/fmu/fmu_reading.hpp"

namespace takt::codegen {
namespace {

using namespace std::literals;

constexpr std::array types{"Float64"sv, "Float32"sv, "Int8"sv,   "UInt8"sv,       "Int16"sv,
                           "UInt16"sv,  "Int32"sv,   "UInt32"sv, "Int64"sv,       "UInt64"sv,
                           "Boolean"sv, "String"sv,  "Binary"sv, "Enumeration"sv, "Clock"sv};
constexpr std::array types_of_2{
    std::pair{"Real"sv, FmuType::float64}, std::pair{"Integer"sv, FmuType::int32},
    std::pair{"Boolean"sv, FmuType::boolean}, std::pair{"String"sv, FmuType::string},
    std::pair{"Enumeration"sv, FmuType::enumeration}};
constexpr std::array causalities{"structuralParameter"sv,
                                 "parameter"sv,
                                 "calculatedParameter"sv,
                                 "input"sv,
                                 "output"sv,
                                 "local"sv,
                                 "independent"sv};
constexpr std::array variabilities{"constant"sv, "fixed"sv, "tunable"sv, "discrete"sv,
                                   "continuous"sv};
constexpr std::array initials{""sv, "exact"sv, "approx"sv, "calculated"sv};

template <class Value, std::size_t count>
std::optional<Value> named(const std::array<std::string_view, count>& names,
                           std::string_view name) {
  for (std::size_t k = 0; k < count; ++k)
    if (names[k] == name) return static_cast<Value>(k);
  return std::nullopt;
}

}  // namespace

std::optional<FmuType> type_named(std::string_view name, FmiVersion version) {
  if (version == FmiVersion::v2) {
    for (const auto& [known, type] : types_of_2)
      if (known == name) return type;
    return std::nullopt;
  }
  if (name.ends_with("Type")) name.remove_suffix(4);
  return named<FmuType>(types, name);
}

std::optional<FmuCausality> causality_named(std::string_view name) {
  return named<FmuCausality>(causalities, name);
}
std::optional<FmuVariability> variability_named(std::string_view name) {
  return named<FmuVariability>(variabilities, name);
}
FmuInitial initial_named(std::string_view name) {
  return named<FmuInitial>(initials, name).value_or(FmuInitial::none);
}

std::string_view text(FmuCausality causality) {
  return causalities[static_cast<std::size_t>(causality)];
}
std::string_view text(FmuVariability variability) {
  return variabilities[static_cast<std::size_t>(variability)];
}
std::string_view text(FmuInitial initial) { return initials[static_cast<std::size_t>(initial)]; }
std::string_view text(FmuType type) { return types[static_cast<std::size_t>(type)]; }

bool is_float(FmuType type) { return type == FmuType::float64 || type == FmuType::float32; }
bool is_unsigned(FmuType type) {
  return type == FmuType::uint8 || type == FmuType::uint16 || type == FmuType::uint32 ||
         type == FmuType::uint64;
}

}  // namespace takt::codegen
