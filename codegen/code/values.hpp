#pragma once
// Values of emitted C++ as typed nodes: places, constants, operations, calls. What a value reads is
// asked of its nodes; its text is made by print.hpp alone.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace takt::codegen::code {

/// A node of a Values.
enum class Value : std::uint32_t { none };
/// A text of a Values: a name, a type, a comment.
enum class Name : std::uint32_t { none };

enum class Form : std::uint8_t {
  none,
  // Places.
  variable,    ///< t1
  member,      ///< k.mass
  element,     ///< x[3]
  element_at,  ///< y[Map::blocks]
  unsized,     ///< entries[], where it is declared
  // Constants.
  number,
  integer,
  // Operations, grouped as C++ groups them.
  negative,
  negation,
  sum,
  difference,
  product,
  quotient,
  less,
  less_equal,
  greater,
  greater_equal,
  equal,
  unequal,
  both,
  either,
  choice,
  bracketed,         ///< (a), where nothing asks for it
  all,               ///< a && b && c
  decrease,          ///< - (a) * b - (c) * d
  outside,           ///< !(a <= b): what is no number is outside, too
  outside_strictly,  ///< !(a < b)
  // Others.
  call,
  list,      ///< {a, b}, T{a, b}
  field,     ///< .name = a
  verbatim,  ///< text that no pass looks into, and what it reads
};

/// Operands are nodes that were there before.
struct Node {
  Form form = Form::none;
  bool truth = false;  ///< of type bool
  std::uint32_t a = 0, b = 0, c = 0;
};

/// Where something is kept, told before there is a function that reads it: scale, modes[3],
/// legs[2].high
struct Place {
  std::string name;
  std::optional<std::size_t> index = {};
  std::string member = {};
  bool truth = false;
};

/// The values of one function.
class Values {
 public:
  Values();

  /// One name for each text.
  [[nodiscard]] Name name(std::string_view text);
  /// A text that is not looked for.
  [[nodiscard]] Name note(std::string text);
  /// Whether anything has this name.
  [[nodiscard]] bool knows(std::string_view text) const { return names_.contains(text); }
  [[nodiscard]] const std::string& text(Name name) const {
    return texts_[static_cast<std::size_t>(name)];
  }

  [[nodiscard]] Value variable(std::string_view name);
  [[nodiscard]] Value member(Value of, std::string_view name);
  [[nodiscard]] Value member(std::string_view of, std::string_view name) {
    return member(variable(of), name);
  }
  [[nodiscard]] Value element(Value array, std::size_t index);
  [[nodiscard]] Value element(std::string_view array, std::size_t index) {
    return element(variable(array), index);
  }
  [[nodiscard]] Value element_at(Value array, Value index) {
    return operation(Form::element_at, array, index);
  }
  [[nodiscard]] Value place(const Place& place);
  [[nodiscard]] Value unsized(std::string_view array) {
    return operation(Form::unsized, variable(array));
  }

  [[nodiscard]] Value number(double value);
  [[nodiscard]] Value integer(std::size_t value);
  [[nodiscard]] Value operation(Form form, Value a, Value b = Value::none, Value c = Value::none);
  /// The same value below zero: -a, the sign of a product at its first factor. What has a sign
  /// loses it.
  [[nodiscard]] Value negated(Value value);
  /// 1.0 where it is true, else 0.0.
  [[nodiscard]] Value as_number(Value truth) {
    return operation(Form::choice, truth, number(1.0), number(0.0));
  }
  /// The place holds a truth value.
  Value as_truth(Value place);

  [[nodiscard]] Value all(std::span<const Value> values) { return joined(Form::all, 0, values); }
  /// @param terms  a, b, c, d of - a * b - c * d
  [[nodiscard]] Value decrease(std::span<const Value> terms) {
    return joined(Form::decrease, 0, terms);
  }
  [[nodiscard]] Value call(Value function, std::span<const Value> operands);
  [[nodiscard]] Value call(Value function, std::initializer_list<Value> operands) {
    return call(function, std::span(operands.begin(), operands.size()));
  }
  /// Of a function of the runtime: call(runtime::max, {a, b}).
  [[nodiscard]] Value call(std::string_view function, std::initializer_list<Value> operands) {
    return call(variable(function), operands);
  }
  [[nodiscard]] Value list(std::span<const Value> operands, std::string_view type = {});
  [[nodiscard]] Value list(std::initializer_list<Value> operands, std::string_view type = {}) {
    return list(std::span(operands.begin(), operands.size()), type);
  }
  [[nodiscard]] Value field(std::string_view name, Value value);
  [[nodiscard]] Value verbatim(std::string text, std::initializer_list<Value> reads);
  /// The same of other operands. @param operands  as many as for_operands() visits, in its order
  [[nodiscard]] Value with_operands(Value value, std::span<const Value> operands);

  [[nodiscard]] const Node& node(Value value) const {
    return nodes_[static_cast<std::size_t>(value)];
  }
  [[nodiscard]] Form form(Value value) const { return node(value).form; }
  [[nodiscard]] bool is_truth(Value value) const { return node(value).truth; }
  /// @pre form(value) == Form::number
  [[nodiscard]] double number_of(Value value) const { return numbers_[node(value).a]; }
  /// @pre it has a name: a variable, a member, a field, a list with a type, verbatim text
  [[nodiscard]] const std::string& name_of(Value value) const;
  /// A member of k, f or g, which hold coefficients.
  [[nodiscard]] bool is_coefficient(Value value) const;
  /// Verbatim text stands in it.
  [[nodiscard]] bool has_text(Value value) const;
  /// Operands of what has any number of them.
  [[nodiscard]] std::span<const Value> operands(Value value) const;
  /// Calls `visit` with each node below, of a call also its function.
  template <class Visit>
  void for_operands(Value value, const Visit& visit) const;
  /// A minus sign stands first and may be taken off.
  [[nodiscard]] bool has_sign(Value value) const;
  [[nodiscard]] bool same(Value one, Value other) const;
  /// How many nodes there are.
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }

 private:
  Value add(const Node& node);
  Value joined(Form form, std::uint32_t a, std::span<const Value> operands);
  [[nodiscard]] Value without_sign(Value value);
  [[nodiscard]] Value with_first(Value product, Value first);

  std::vector<Node> nodes_;
  std::vector<double> numbers_;
  std::vector<Value> operands_;
  std::deque<std::string> texts_;
  std::unordered_map<std::string_view, Name> names_;
  std::unordered_map<std::uint64_t, Value>
      places_;  ///< variables and members, by name and what they are members of
};

template <class Visit>
void Values::for_operands(Value value, const Visit& visit) const {
  const Node& of = node(value);
  switch (of.form) {
    case Form::none:
    case Form::variable:
    case Form::number:
    case Form::integer:
      return;
    case Form::member:
    case Form::element:
      return visit(Value{of.a});
    case Form::field:
      return visit(Value{of.b});
    case Form::call:
      visit(Value{of.a});
      [[fallthrough]];
    case Form::list:
    case Form::all:
    case Form::decrease:
    case Form::verbatim:
      for (const Value operand : operands(value)) visit(operand);
      return;
    case Form::element_at:
    case Form::unsized:
    case Form::negative:
    case Form::negation:
    case Form::sum:
    case Form::difference:
    case Form::product:
    case Form::quotient:
    case Form::less:
    case Form::less_equal:
    case Form::greater:
    case Form::greater_equal:
    case Form::equal:
    case Form::unequal:
    case Form::both:
    case Form::either:
    case Form::choice:
    case Form::bracketed:
    case Form::outside:
    case Form::outside_strictly:
      for (const std::uint32_t operand : {of.a, of.b, of.c})
        if (operand != 0) visit(Value{operand});
  }
}

}  // namespace takt::codegen::code
