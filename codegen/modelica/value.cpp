#include "codegen/modelica/value.hpp"

#include <algorithm>
#include <utility>

namespace takt::codegen::modelica {
namespace {

Refusal shapes(std::string message) {
  return {"D004",
          std::move(message),
          "sizes of arrays must agree; the front end should have said so",
          {}};
}

bool is_matrix(const Value& value) {
  return value.is_array() && !value.items.empty() && value.items.front().is_array();
}

Value dot(Graph& graph, const Value& a, const Value& b) {
  if (a.items.size() != b.items.size()) throw shapes("a product of arrays of different sizes");
  Expr sum = graph.zero();
  for (std::size_t k = 0; k < a.items.size(); ++k)
    sum = graph.add(sum, graph.mul(scalar_of(a.items[k]), scalar_of(b.items[k])));
  return Value::of(sum);
}

}  // namespace

const Value* Value::field(std::string_view name) const {
  for (std::size_t k = 0; k < fields.size(); ++k)
    if (fields[k] == name) return &items[k];
  return nullptr;
}

Value* Value::field(std::string_view name) {
  return const_cast<Value*>(std::as_const(*this).field(name));
}

Value map(const Value& a, const std::function<Expr(Expr)>& f) {
  if (a.is_text()) throw shapes("a text where a number is needed");
  if (a.kind == Value::Kind::scalar) return Value::of(f(a.scalar));
  Value made = a;
  for (Value& item : made.items) item = map(item, f);
  return made;
}

Value map(const Value& a, const Value& b, const std::function<Expr(Expr, Expr)>& f) {
  if (a.is_text() || b.is_text()) throw shapes("a text where a number is needed");
  const bool plain_a = a.kind == Value::Kind::scalar, plain_b = b.kind == Value::Kind::scalar;
  if (plain_a && plain_b) return Value::of(f(a.scalar, b.scalar));
  if (!plain_a && !plain_b && (a.kind != b.kind || a.items.size() != b.items.size()))
    throw shapes("an operation on arrays of " + std::to_string(a.items.size()) + " and " +
                 std::to_string(b.items.size()) + " elements");
  Value made = plain_a ? b : a;
  for (std::size_t k = 0; k < made.items.size(); ++k)
    made.items[k] = map(plain_a ? a : a.items[k], plain_b ? b : b.items[k], f);
  return made;
}

std::vector<std::size_t> shape_of(const Value& value) {
  std::vector<std::size_t> sizes;
  for (const Value* at = &value; at->is_array(); at = &at->items.front()) {
    sizes.push_back(at->items.size());
    if (at->items.empty()) break;
  }
  return sizes;
}

std::vector<Expr> flattened(const Value& value) {
  if (value.kind == Value::Kind::scalar) return {value.scalar};
  if (value.is_text()) throw shapes("a text where a number is needed");
  std::vector<Expr> all;
  for (const Value& item : value.items) {
    const auto part = flattened(item);
    all.insert(all.end(), part.begin(), part.end());
  }
  return all;
}

Expr scalar_of(const Value& value) {
  if (value.kind != Value::Kind::scalar)
    throw shapes(value.is_text() ? "a text where a number is needed"
                                 : "an array where one number is needed");
  return value.scalar;
}

Value product(Graph& graph, const Value& a, const Value& b) {
  if (!a.is_array() || !b.is_array())
    return map(a, b, [&](Expr x, Expr y) { return graph.mul(x, y); });
  if (!is_matrix(a) && !is_matrix(b)) return dot(graph, a, b);
  const Value columns = is_matrix(b) ? transposed(b) : b;
  const auto row_times = [&](const Value& row) {
    if (!is_matrix(b)) return dot(graph, row, b);
    Value made = Value::array({});
    for (const Value& column : columns.items) made.items.push_back(dot(graph, row, column));
    return made;
  };
  if (!is_matrix(a)) return row_times(a);
  Value made = Value::array({});
  for (const Value& row : a.items) made.items.push_back(row_times(row));
  return made;
}

Value transposed(const Value& matrix) {
  if (!is_matrix(matrix)) throw shapes("the transpose of what is no matrix");
  Value made = Value::array({});
  for (std::size_t column = 0; column < matrix.items.front().items.size(); ++column) {
    Value row = Value::array({});
    for (const Value& each : matrix.items) {
      if (column >= each.items.size()) throw shapes("a matrix whose rows differ in length");
      row.items.push_back(each.items[column]);
    }
    made.items.push_back(std::move(row));
  }
  return made;
}

Value filled(const Value& value, const std::vector<std::size_t>& sizes) {
  constexpr double most = 1e6;
  double count = 1.0;
  for (const std::size_t size : sizes) count *= static_cast<double>(size);
  if (count > most) throw Refusal{"D004", "an array of more than a million elements", "", {}};
  Value made = value;
  for (auto size = sizes.rbegin(); size != sizes.rend(); ++size)
    made = Value::array(std::vector<Value>(*size, made));
  return made;
}

}  // namespace takt::codegen::modelica
