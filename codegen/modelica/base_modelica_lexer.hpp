#pragma once
// Words of a Base Modelica text (MCP-0031), each with its place.

#include <string>
#include <string_view>
#include <vector>

#include "codegen/modelica/flat_model.hpp"

namespace takt::codegen::modelica {

struct Token {
  enum class Kind : std::uint8_t {
    word,    ///< keywords and plain names
    quoted,  ///< 'L.p.v': a name without its quotes
    whole,
    real,
    text,  ///< without its quotes
    sign,  ///< operators and brackets
    end
  };
  Kind kind = Kind::end;
  std::string text{};
  double number = 0.0;
  Location where{};
};

/// Ends with a token of kind end.
/// @throw Refusal (D001) with the place
[[nodiscard]] std::vector<Token> tokens_of(std::string_view text, FileName file);

}  // namespace takt::codegen::modelica
