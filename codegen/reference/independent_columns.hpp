#pragma once
// Columns of a matrix that determine all of its rows.

#include <cstddef>
#include <optional>
#include <vector>

namespace takt::codegen {

/// The first columns that are independent of those before them, as many as there are rows; nothing
/// where there are not.
[[nodiscard]] std::optional<std::vector<std::size_t>> first_independent(
    std::vector<std::vector<double>> columns, std::size_t rows);

}  // namespace takt::codegen
