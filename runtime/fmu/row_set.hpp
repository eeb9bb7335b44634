#pragma once
// Variables that are read or written together, sorted by type once, so that each type is one call of the FMU.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "runtime/fmu/result.hpp"
#include "runtime/fmu/table.hpp"

namespace takt::fmu {

/// Rows of one type: what one call takes.
struct RowGroup {
  Type type{};
  std::vector<std::uint32_t> references;
  std::vector<std::uint32_t> elements;  ///< of the raw values: index among the caller's
  std::vector<std::uint32_t> rows;      ///< of the raw values: row they belong to
  std::vector<std::byte> raw;           ///< in the FMU's type
};

/// Made while there is time; to_values() and from_values() allocate nothing.
class RowSet {
 public:
  RowSet() = default;
  /// @param rows  indices of elements, Row::first, refer to the values handed to get() and set()
  /// @throw std::invalid_argument  where FMI 2 has not the type, or not arrays
  RowSet(Version version, std::span<const Row> rows);

  [[nodiscard]] std::span<RowGroup> groups() noexcept { return groups_; }
  [[nodiscard]] std::span<const Row> rows() const noexcept { return rows_; }
  /// Number of values that get() and set() take at least.
  [[nodiscard]] std::size_t values() const noexcept { return values_; }

  /// Doubles into the FMU's types. Whole numbers must be whole and in range, booleans 0 or 1; a float32 is rounded.
  /// Real-time: yes.
  Result from_values(std::span<const double> values) noexcept;
  /// Refuses whole numbers beyond 2^53, which a double cannot tell apart. Real-time: yes.
  Result to_values(std::span<double> values) const noexcept;

 private:
  Version version_ = Version::v3;
  std::vector<Row> rows_;
  std::vector<RowGroup> groups_;
  std::size_t values_ = 0;
};

}  // namespace takt::fmu
