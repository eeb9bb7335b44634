#include "codegen/code/values.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "codegen/code/precedence.hpp"

namespace takt::codegen::code {
namespace {

std::uint32_t index_of(Value value) { return static_cast<std::uint32_t>(value); }
std::uint32_t index_of(Name name) { return static_cast<std::uint32_t>(name); }

bool is_condition(Form form) {
  switch (form) {
    case Form::negation:
    case Form::less:
    case Form::less_equal:
    case Form::greater:
    case Form::greater_equal:
    case Form::equal:
    case Form::unequal:
    case Form::both:
    case Form::either:
    case Form::all:
    case Form::outside:
    case Form::outside_strictly:
      return true;
    default:
      return false;
  }
}

}  // namespace

Values::Values() : nodes_(1), texts_(1) { names_.emplace(texts_.front(), Name::none); }

Value Values::add(const Node& node) {
  nodes_.push_back(node);
  return Value{static_cast<std::uint32_t>(nodes_.size() - 1)};
}

Name Values::name(std::string_view text) {
  if (const auto known = names_.find(text); known != names_.end()) return known->second;
  const Name name = note(std::string(text));
  names_.emplace(this->text(name), name);
  return name;
}

Name Values::note(std::string text) {
  if (text.empty()) return Name::none;
  texts_.push_back(std::move(text));
  return Name{static_cast<std::uint32_t>(texts_.size() - 1)};
}

Value Values::variable(std::string_view name) {
  Value& place = places_[index_of(this->name(name))];
  if (place == Value::none) place = add({.form = Form::variable, .a = index_of(this->name(name))});
  return place;
}

Value Values::member(Value of, std::string_view name) {
  const std::uint32_t own = index_of(this->name(name));
  Value& place = places_[std::uint64_t{index_of(of)} << 32 | own];
  if (place == Value::none) place = add({.form = Form::member, .a = index_of(of), .b = own});
  return place;
}

Value Values::element(Value array, std::size_t index) {
  return add({.form = Form::element, .a = index_of(array), .b = static_cast<std::uint32_t>(index)});
}

Value Values::place(const Place& place) {
  Value value = variable(place.name);
  if (place.index) value = element(value, *place.index);
  if (!place.member.empty()) value = member(value, place.member);
  return place.truth ? as_truth(value) : value;
}

Value Values::number(double value) {
  numbers_.push_back(value);
  return add({.form = Form::number, .a = static_cast<std::uint32_t>(numbers_.size() - 1)});
}

Value Values::integer(std::size_t value) {
  return add({.form = Form::integer, .a = static_cast<std::uint32_t>(value)});
}

Value Values::operation(Form form, Value a, Value b, Value c) {
  return add({.form = form,
              .truth = is_condition(form),
              .a = index_of(a),
              .b = index_of(b),
              .c = index_of(c)});
}

Value Values::as_truth(Value place) {
  nodes_[index_of(place)].truth = true;
  return place;
}

Value Values::joined(Form form, std::uint32_t a, std::span<const Value> operands) {
  const auto begin = static_cast<std::uint32_t>(operands_.size());
  operands_.insert(operands_.end(), operands.begin(), operands.end());
  return add({.form = form,
              .truth = is_condition(form),
              .a = a,
              .b = begin,
              .c = static_cast<std::uint32_t>(operands.size())});
}

Value Values::call(Value function, std::span<const Value> operands) {
  return joined(Form::call, index_of(function), operands);
}

Value Values::list(std::span<const Value> operands, std::string_view type) {
  return joined(Form::list, index_of(name(type)), operands);
}

Value Values::field(std::string_view name, Value value) {
  return add({.form = Form::field, .a = index_of(this->name(name)), .b = index_of(value)});
}

Value Values::verbatim(std::string text, std::initializer_list<Value> reads) {
  return joined(Form::verbatim, index_of(note(std::move(text))),
                std::span(reads.begin(), reads.size()));
}

Value Values::with_operands(Value value, std::span<const Value> operands) {
  Node of = node(value);
  const auto operand = [&](std::size_t index) {
    return index < operands.size() ? index_of(operands[index]) : 0;
  };
  switch (of.form) {
    case Form::none:
    case Form::variable:
    case Form::number:
    case Form::integer:
      return value;
    case Form::member:
      return member(operands[0], name_of(value));
    case Form::element:
      of.a = operand(0);
      return add(of);
    case Form::field:
      of.b = operand(0);
      return add(of);
    case Form::call:
      return call(operands[0], operands.subspan(1));
    case Form::list:
    case Form::all:
    case Form::decrease:
    case Form::verbatim:
      return joined(of.form, of.a, operands);
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
      of.a = operand(0), of.b = operand(1), of.c = operand(2);
      return add(of);
  }
  return value;
}

const std::string& Values::name_of(Value value) const {
  const Node& of = node(value);
  return text(Name{of.form == Form::member ? of.b : of.a});
}

bool Values::is_coefficient(Value value) const {
  const Value holder{form(value) == Form::member ? node(value).a : 0};
  if (form(holder) != Form::variable) return false;
  const std::string& name = name_of(holder);
  return name == "k" || name == "f" || name == "g";
}

bool Values::has_text(Value value) const {
  bool found = form(value) == Form::verbatim;
  for_operands(value, [&](Value operand) { found = found || has_text(operand); });
  return found;
}

std::span<const Value> Values::operands(Value value) const {
  return std::span(operands_).subspan(node(value).b, node(value).c);
}

bool Values::has_sign(Value value) const {
  const Precedence precedence = precedence_of(*this, value);
  const bool product = precedence == Precedence::product || precedence == Precedence::sign;
  return product && !is_truth(value) && begins_with_minus(*this, value);
}

Value Values::with_first(Value product, Value first) {
  const Node of = node(product);
  return operation(of.form, first, Value{of.b});
}

/// The first factor of a product has its sign. @pre has_sign(value)
Value Values::without_sign(Value value) {
  const Node of = node(value);
  if (of.form == Form::number) return number(-number_of(value));
  if (of.form != Form::negative) return with_first(value, without_sign(Value{of.a}));
  const Value inner{of.a};
  return precedence_of(*this, inner) == Precedence::primary ? inner
                                                            : operation(Form::bracketed, inner);
}

Value Values::negated(Value value) {
  if (has_sign(value)) return without_sign(value);
  if (precedence_of(*this, value) == Precedence::product)
    return with_first(value, negated(Value{node(value).a}));
  return operation(Form::negative, value);
}

bool Values::same(Value one, Value other) const {
  if (one == other) return true;
  const Node &a = node(one), &b = node(other);
  if (a.form != b.form) return false;
  if (a.form == Form::number)
    return std::bit_cast<std::uint64_t>(number_of(one)) ==
           std::bit_cast<std::uint64_t>(number_of(other));
  std::vector<Value> of_one, of_other;
  for_operands(one, [&](Value operand) { of_one.push_back(operand); });
  for_operands(other, [&](Value operand) { of_other.push_back(operand); });
  const bool own_index = a.form == Form::element || a.form == Form::member;
  const bool own_text = a.form == Form::variable || a.form == Form::integer ||
                        a.form == Form::list || a.form == Form::field || a.form == Form::verbatim;
  if ((own_index && a.b != b.b) || (own_text && a.a != b.a)) return false;
  return std::equal(of_one.begin(), of_one.end(), of_other.begin(), of_other.end(),
                    [&](Value left, Value right) { return same(left, right); });
}

}  // namespace takt::codegen::code
