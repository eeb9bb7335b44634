#include "codegen/code/precedence.hpp"

#include <cmath>

namespace takt::codegen::code {

Infix infix_of(Form form) {
  switch (form) {
    case Form::sum:
      return {" + ", Precedence::sum};
    case Form::difference:
      return {" - ", Precedence::sum};
    case Form::product:
      return {" * ", Precedence::product};
    case Form::quotient:
      return {" / ", Precedence::product};
    case Form::less:
      return {" < ", Precedence::relation};
    case Form::less_equal:
      return {" <= ", Precedence::relation};
    case Form::greater:
      return {" > ", Precedence::relation};
    case Form::greater_equal:
      return {" >= ", Precedence::relation};
    case Form::equal:
      return {" == ", Precedence::equality};
    case Form::unequal:
      return {" != ", Precedence::equality};
    case Form::both:
      return {" && ", Precedence::logical_and};
    case Form::either:
      return {" || ", Precedence::logical_or};
    default:
      return {nullptr, Precedence::primary};
  }
}

Precedence precedence_of(const Values& values, Value value) {
  const Form form = values.form(value);
  switch (form) {
    case Form::number: {
      const double number = values.number_of(value);
      return number < 0.0 || (number == 0.0 && std::signbit(number)) ? Precedence::sign
                                                                     : Precedence::primary;
    }
    case Form::negative:
    case Form::negation:
    case Form::outside:
    case Form::outside_strictly:
      return Precedence::sign;
    case Form::choice:
      return Precedence::choice;
    case Form::all:
      return Precedence::logical_and;
    case Form::decrease:
      return Precedence::sum;
    default:
      return infix_of(form).level;
  }
}

bool begins_with_minus(const Values& values, Value value) {
  const Form form = values.form(value);
  if (form == Form::negative || form == Form::decrease) return true;
  if (form == Form::number) return precedence_of(values, value) == Precedence::sign;
  const Infix infix = infix_of(form);
  if (infix.text == nullptr || form == Form::both || form == Form::either) return false;
  const Value left{values.node(value).a};
  return precedence_of(values, left) >= infix.level && begins_with_minus(values, left);
}

}  // namespace takt::codegen::code
