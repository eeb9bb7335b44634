#include "codegen/code/loop_rows.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace takt::codegen::code {
namespace {

/// Reads one statement; whatever may not stand in a loop makes it none.
class Reader {
 public:
  explicit Reader(const Values& values) : values_(values) {}

  std::optional<Row> read(Statement& statement) {
    row_ = {.statement = &statement, .form = {}, .holes = {}, .reads = {}, .write = {}};
    if (const auto* assignment = std::get_if<Assignment>(&statement)) {
      if (assignment->change != Change::set || !written(assignment->place)) return {};
      row_.reads.clear();
      return value(assignment->value) ? std::optional(std::move(row_)) : std::nullopt;
    }
    const auto* finding = std::get_if<Finding>(&statement);
    if (finding == nullptr) return {};
    put(finding_mark);
    return value(finding->condition) && written(finding->counter) ? std::optional(std::move(row_))
                                                                  : std::nullopt;
  }

 private:
  static constexpr std::uint32_t finding_mark = 1000;

  void put(std::uint32_t number) {
    row_.form.append(reinterpret_cast<const char*>(&number), sizeof number);
  }
  void put(Form form) { put(static_cast<std::uint32_t>(form)); }

  bool written(Value place) {
    if (!element(place)) return false;
    row_.write = row_.reads.back();
    return true;
  }

  /// A variable or a member of one.
  [[nodiscard]] bool is_name(Value value) const {
    if (values_.form(value) == Form::member) return is_name(Value{values_.node(value).a});
    return values_.form(value) == Form::variable;
  }

  bool name(Value value) {
    put(Form::variable);
    put(static_cast<std::uint32_t>(value));
    return is_name(value);
  }

  bool element(Value value) {
    if (values_.form(value) != Form::element) return false;
    const Node& node = values_.node(value);
    put(Form::element);
    put(node.a);
    row_.holes.push_back({.index = node.b});
    row_.reads.push_back({Value{node.a}, node.b});
    return is_name(Value{node.a});
  }

  bool number(Value value) {
    const double number = values_.number_of(value);
    if (!std::isfinite(number)) return false;
    if (std::signbit(number)) put(Form::negative);
    put(Form::number);
    row_.holes.push_back({.number = std::fabs(number), .is_number = true});
    return true;
  }

  /// A function without side effects, or inputs[3].at<1>(s).
  bool call(Value value) {
    const Value function{values_.node(value).a};
    put(Form::call);
    put(static_cast<std::uint32_t>(values_.operands(value).size()));
    if (values_.form(function) == Form::member) {
      const std::string& member = values_.name_of(function);
      if (!member.starts_with("at<")) return false;
      put(static_cast<std::uint32_t>(member[3]));
      if (!element(Value{values_.node(function).a})) return false;
    } else if (values_.form(function) != Form::variable ||
               !values_.name_of(function).starts_with("takt::math::") || !name(function)) {
      return false;
    }
    return all(values_.operands(value));
  }

  bool all(std::span<const Value> operands) {
    return std::all_of(operands.begin(), operands.end(),
                       [&](Value operand) { return value(operand); });
  }

  bool operation(Value value) {
    const Node& node = values_.node(value);
    put(node.form);
    for (const std::uint32_t operand : {node.a, node.b, node.c})
      if (operand != 0 && !this->value(Value{operand})) return false;
    return true;
  }

  bool value(Value value) {
    const Node& node = values_.node(value);
    switch (node.form) {
      case Form::variable:
      case Form::member:
        return name(value);
      case Form::element:
        return element(value);
      case Form::number:
        return number(value);
      case Form::integer:
        put(node.form), put(node.a);
        return true;
      case Form::call:
        return call(value);
      case Form::list:
        put(node.form), put(node.a), put(node.c);
        return all(values_.operands(value));
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
        return operation(value);
      case Form::none:
      case Form::element_at:
      case Form::unsized:
      case Form::all:
      case Form::decrease:
      case Form::field:
      case Form::verbatim:
        return false;
    }
    return false;
  }

  const Values& values_;
  Row row_;
};

}  // namespace

std::optional<Row> row_of(const Values& values, Statement& statement) {
  return Reader(values).read(statement);
}

}  // namespace takt::codegen::code
