#pragma once
// Statements that may stand in a loop over tables, as the form they share and what differs in it.
// Internal to codegen/code.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/code/block.hpp"

namespace takt::codegen::code {

/// An element of an array: any two names are two arrays.
struct Slot {
  Value array{};
  std::uint32_t index = 0;
  friend bool operator==(const Slot&, const Slot&) = default;
};

/// What stands in the place of a hole: an index, or a number of this magnitude.
struct Hole {
  double number = 0.0;
  std::uint32_t index = 0;
  bool is_number = false;
};

/// A statement that may stand in a loop.
struct Row {
  Statement* statement = nullptr;
  std::string form;  ///< its nodes in order, with a hole for each index and each number
  std::vector<Hole> holes;
  std::vector<Slot> reads;
  Slot write;
};

/// The statement as a row; nothing where it may not stand in a loop: it calls what has side
/// effects, or does not assign an element of an array.
[[nodiscard]] std::optional<Row> row_of(const Values& values, Statement& statement);

}  // namespace takt::codegen::code
