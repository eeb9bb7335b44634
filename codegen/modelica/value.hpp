#pragma once
// What an expression of a flat model is: a scalar of the graph, a text, an array or a record of
// such.

#include <functional>
#include <string>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/modelica/flat_model.hpp"

namespace takt::codegen::modelica {

struct Value {
  enum class Kind : std::uint8_t { scalar, text, array, record };
  Kind kind = Kind::scalar;
  Expr scalar{};  ///< truth values are 1 and 0, literals of enumerations their ordinals
  std::string text;
  std::vector<Value> items;  ///< of an array; of a record in the order of its fields
  std::vector<std::string> fields;

  [[nodiscard]] bool is_array() const { return kind == Kind::array; }
  [[nodiscard]] bool is_record() const { return kind == Kind::record; }
  [[nodiscard]] bool is_text() const { return kind == Kind::text; }
  [[nodiscard]] const Value* field(std::string_view name) const;
  [[nodiscard]] Value* field(std::string_view name);

  static Value of(Expr scalar) {
    return {.kind = Kind::scalar, .scalar = scalar, .text = {}, .items = {}, .fields = {}};
  }
  static Value of(std::string text) {
    return {.kind = Kind::text, .scalar = {}, .text = std::move(text), .items = {}, .fields = {}};
  }
  static Value array(std::vector<Value> items) {
    return {.kind = Kind::array, .scalar = {}, .text = {}, .items = std::move(items), .fields = {}};
  }
  friend bool operator==(const Value&, const Value&) = default;
};

/// Element by element; a scalar meets every element of an array.
/// @throw Refusal (D004) where shapes differ
[[nodiscard]] Value map(const Value& a, const std::function<Expr(Expr)>& f);
[[nodiscard]] Value map(const Value& a, const Value& b, const std::function<Expr(Expr, Expr)>& f);

/// Sizes from the outside; of a scalar none.
[[nodiscard]] std::vector<std::size_t> shape_of(const Value& value);
/// All scalars in a row.
[[nodiscard]] std::vector<Expr> flattened(const Value& value);
/// @throw Refusal (D004)
[[nodiscard]] Expr scalar_of(const Value& value);

/// a*b: of matrices and vectors by the rules of linear algebra.
[[nodiscard]] Value product(Graph& graph, const Value& a, const Value& b);
[[nodiscard]] Value transposed(const Value& matrix);
[[nodiscard]] Value filled(const Value& value, const std::vector<std::size_t>& sizes);

}  // namespace takt::codegen::modelica
