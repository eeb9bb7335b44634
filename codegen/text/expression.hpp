#pragma once
// The expression language of plant and library files.
//   numbers with unit literals (5 mOhm, 4 W/K), names with dots and indices
//   (electric.pack[3].r0.v),
//   + - * / ^, comparisons < <= > >= == !=, and or not, if(condition, a, b), calls f(x, ...).
// parse() checks grammar only; names are resolved when lowered.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/text/diagnostics.hpp"
#include "codegen/text/units.hpp"

namespace takt::codegen {

struct Ast {
  enum class Kind : std::uint8_t { number, name, unary, binary, call } kind = Kind::number;
  double value = 0.0;        ///< number, SI
  std::optional<Unit> unit;  ///< number with a unit literal
  std::string
      name;  ///< name; operator ("+", "<=", "and"); function name; of a number its unit as written
  std::vector<std::unique_ptr<Ast>> args;
  std::uint32_t offset = 0;  ///< byte offset in the expression text, for locating
};

/// @param where  location of the first character of text in its file; columns of findings are
/// where.column + offset
/// @return nullptr after reporting E0xx
[[nodiscard]] std::unique_ptr<Ast> parse_expression(std::string_view text, const Location& where,
                                                    Diagnostics& diagnostics);

}  // namespace takt::codegen
