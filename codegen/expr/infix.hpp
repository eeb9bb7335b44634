#pragma once
// Pieces of infix text with their precedence, for Graph::text() and for the C++ that codegen/emit
// prints.

#include <string>
#include <string_view>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {

/// Higher binds tighter; the order is that of C++.
enum class Precedence : int {
  choice,
  logical_or,
  logical_and,
  equality,
  relation,
  sum,
  product,
  sign,
  primary
};

struct Fragment {
  std::string text;
  Precedence precedence = Precedence::primary;
  bool is_bool = false;  ///< C++: of type bool, not double
};

/// In parentheses unless it binds at least as tightly as asked.
[[nodiscard]] inline std::string wrap(const Fragment& fragment, Precedence least) {
  return fragment.precedence >= least ? fragment.text : '(' + fragment.text + ')';
}

[[nodiscard]] inline Precedence tighter(Precedence precedence) {
  return static_cast<Precedence>(static_cast<int>(precedence) + 1);
}

/// left OP right, grouping to the left: (a - b) - c without, a - (b - c) with parentheses.
[[nodiscard]] inline Fragment join(const Fragment& left, std::string_view op, const Fragment& right,
                                   Precedence level) {
  std::string right_text = wrap(right, tighter(level));
  if (right_text.front() == '-') right_text = '(' + right_text + ')';
  std::string text = wrap(left, level);
  text += op;
  text += right_text;
  return {std::move(text), level, false};
}

/// A node of two operands as plant files write it: operators where there is one, else a function.
[[nodiscard]] Fragment infix(Op op, const Fragment& a, const Fragment& b);

}  // namespace takt::codegen
