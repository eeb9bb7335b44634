#include "runtime/fmu/row_set.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <type_traits>

namespace takt::fmu {
namespace {

/// A boolean as this version passes it.
struct Boolean2 {
  std::int32_t value;
};
struct Boolean3 {
  bool value;
};

template <class Do>
auto with_type(Version version, Type type, Do&& act) {
  switch (type) {
    case Type::float64:
      return act(double{});
    case Type::float32:
      return act(float{});
    case Type::int8:
      return act(std::int8_t{});
    case Type::uint8:
      return act(std::uint8_t{});
    case Type::int16:
      return act(std::int16_t{});
    case Type::uint16:
      return act(std::uint16_t{});
    case Type::int32:
      return act(std::int32_t{});
    case Type::uint32:
      return act(std::uint32_t{});
    case Type::int64:
      return act(std::int64_t{});
    case Type::uint64:
      return act(std::uint64_t{});
    case Type::enumeration:
      return version == Version::v2 ? act(std::int32_t{}) : act(std::int64_t{});
    case Type::boolean:
      break;
  }
  return version == Version::v2 ? act(Boolean2{}) : act(Boolean3{});
}

template <class T>
const char* to_raw(double value, T& raw) noexcept {
  if constexpr (std::is_same_v<T, Boolean2> || std::is_same_v<T, Boolean3>) {
    if (value != 0.0 && value != 1.0) return "a boolean is 0 or 1";
    raw.value = value != 0.0;
  } else if constexpr (std::is_floating_point_v<T>) {
    raw = static_cast<T>(value);
  } else {
    if (!(std::trunc(value) == value)) return "not a whole number";
    // The limits themselves may round up to a power of two, which no longer fits.
    if (value < static_cast<double>(std::numeric_limits<T>::min()) ||
        value >= std::ldexp(1.0, std::numeric_limits<T>::digits))
      return "out of the range of its type";
    raw = static_cast<T>(value);
  }
  return nullptr;
}

template <class T>
const char* to_double(const T& raw, double& value) noexcept {
  if constexpr (std::is_same_v<T, Boolean2> || std::is_same_v<T, Boolean3>) {
    value = raw.value ? 1.0 : 0.0;
  } else if constexpr (sizeof(T) == 8 && std::is_integral_v<T>) {
    constexpr T exact = T{1} << 53;
    if (raw > exact || (std::is_signed_v<T> && raw < -exact)) return "beyond 2^53, where a double has gaps";
    value = static_cast<double>(raw);
  } else {
    value = static_cast<double>(raw);
  }
  return nullptr;
}

}  // namespace

RowSet::RowSet(Version version, std::span<const Row> rows) : version_(version), rows_(rows.begin(), rows.end()) {
  for (std::size_t number = 0; number < rows_.size(); ++number) {
    const Row& row = rows_[number];
    const bool in_fmi2 = row.count == 1 && (row.type == Type::float64 || row.type == Type::int32 ||
                                            row.type == Type::boolean || row.type == Type::enumeration);
    if (version == Version::v2 && !in_fmi2) throw std::invalid_argument("an array, or a type that FMI 2 has not");
    auto group =
        std::find_if(groups_.begin(), groups_.end(), [&](const RowGroup& own) { return own.type == row.type; });
    if (group == groups_.end()) group = groups_.insert(groups_.end(), RowGroup{row.type, {}, {}, {}, {}});
    group->references.push_back(row.reference);
    for (std::uint32_t element = 0; element < row.count; ++element) {
      group->elements.push_back(row.first + element);
      group->rows.push_back(static_cast<std::uint32_t>(number));
    }
    values_ = std::max<std::size_t>(values_, row.first + row.count);
  }
  for (RowGroup& group : groups_)
    group.raw.resize(group.elements.size() * with_type(version, group.type, [](auto sample) { return sizeof sample; }));
}

Result RowSet::from_values(std::span<const double> values) noexcept {
  for (RowGroup& group : groups_)
    for (std::size_t k = 0; k < group.elements.size(); ++k) {
      const char* problem = with_type(version_, group.type, [&](auto raw) {
        const char* found = to_raw(values[group.elements[k]], raw);
        if (found == nullptr) std::memcpy(group.raw.data() + k * sizeof raw, &raw, sizeof raw);
        return found;
      });
      if (problem != nullptr) return {Status::refused, "Set", problem, group.rows[k]};
    }
  return {};
}

Result RowSet::to_values(std::span<double> values) const noexcept {
  for (const RowGroup& group : groups_)
    for (std::size_t k = 0; k < group.elements.size(); ++k) {
      const char* problem = with_type(version_, group.type, [&](auto raw) {
        std::memcpy(&raw, group.raw.data() + k * sizeof raw, sizeof raw);
        return to_double(raw, values[group.elements[k]]);
      });
      if (problem != nullptr) return {Status::refused, "Get", problem, group.rows[k]};
    }
  return {};
}

}  // namespace takt::fmu
