#include "codegen/code/paired_statements.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/code/runtime_names.hpp"

namespace takt::codegen::code {
namespace {

bool is_place(Form form) {
  return form == Form::variable || form == Form::member || form == Form::element;
}

/// Calls `visit` with each place that a value reads.
template <class Visit>
void for_places(const Values& values, Value value, const Visit& visit) {
  if (is_place(values.form(value))) return visit(value);
  values.for_operands(value, [&](Value operand) { for_places(values, operand, visit); });
}

/// f.mass: a coefficient with a name.
std::optional<Place> coefficient_of(const Values& values, Value value) {
  if (!values.is_coefficient(value)) return {};
  return Place{.name = values.name_of(Value{values.node(value).a}),
               .member = values.name_of(value)};
}

/// A name that is no name of the runtime's.
bool is_own_place(const Values& values, Value value) {
  if (values.form(value) != Form::variable)
    return is_own_place(values, Value{values.node(value).a});
  return values.name_of(value).find(':') == std::string::npos;
}

bool is_arithmetic(const Values& values, Value value);

bool are_arithmetic(const Values& values, Value value) {
  bool arithmetic = true;
  values.for_operands(
      value, [&](Value operand) { arithmetic = arithmetic && is_arithmetic(values, operand); });
  return arithmetic;
}

/// Nothing that a pair cannot do: conditions and functions.
bool is_arithmetic(const Values& values, Value value) {
  switch (values.form(value)) {
    case Form::variable:
    case Form::member:
    case Form::element:
      return is_own_place(values, value);
    case Form::number:
      return std::isfinite(values.number_of(value));
    case Form::integer:
      return true;
    case Form::negative:
    case Form::sum:
    case Form::difference:
    case Form::product:
    case Form::quotient:
    case Form::bracketed:
      return are_arithmetic(values, value);
    case Form::none:
    case Form::element_at:
    case Form::unsized:
    case Form::negation:
    case Form::less:
    case Form::less_equal:
    case Form::greater:
    case Form::greater_equal:
    case Form::equal:
    case Form::unequal:
    case Form::both:
    case Form::either:
    case Form::choice:
    case Form::all:
    case Form::decrease:
    case Form::outside:
    case Form::outside_strictly:
    case Form::call:
    case Form::list:
    case Form::field:
    case Form::verbatim:
      return false;
  }
  return false;
}

/// Of arithmetic: a place, a number.
bool is_atom(Form form) { return is_place(form) || form == Form::number || form == Form::integer; }

/// The same operations, whatever they are made with.
bool of_one_shape(const Values& values, Value first, Value second) {
  if (is_atom(values.form(first)) || is_atom(values.form(second)))
    return is_atom(values.form(first)) && is_atom(values.form(second));
  if (values.form(first) != values.form(second)) return false;
  const Node &one = values.node(first), &other = values.node(second);
  return of_one_shape(values, Value{one.a}, Value{other.a}) &&
         (one.b == 0 || of_one_shape(values, Value{one.b}, Value{other.b}));
}

}  // namespace

std::optional<PairedStatements> PairedStatements::read(Values& values,
                                                       std::span<const Statement* const> body,
                                                       std::vector<Lanes> lanes) {
  PairedStatements result(values);
  result.lanes_ = std::move(lanes);
  for (const Statement* statement : body)
    if (!result.take(*statement)) return std::nullopt;
  return result;
}

bool PairedStatements::take(const Statement& statement) {
  const auto add = [&](const Target& target, Name type, Value value, Name comment) {
    return !values_->has_text(value) &&
           statements_.emplace(target, Single{type, value, values_->text(comment)}).second;
  };
  if (const auto* definition = std::get_if<Definition>(&statement)) {
    const std::string& type = values_->text(definition->type);
    return definition->constant && (type == "double" || type == "bool") &&
           definition->value != Value::none && values_->form(definition->place) == Form::variable &&
           add(target_of(definition->place), definition->type, definition->value,
               definition->comment);
  }
  const auto* assignment = std::get_if<Assignment>(&statement);
  if (assignment == nullptr || assignment->change != Change::set ||
      values_->form(assignment->place) != Form::element)
    return false;
  const Target target = target_of(assignment->place);
  return values_->form(target.first) == Form::variable &&
         add(target, {}, assignment->value, assignment->comment);
}

PairedStatements::Target PairedStatements::target_of(Value place) const {
  if (values_->form(place) != Form::element) return {place, 0};
  return element_of(Value{values_->node(place).a}, values_->node(place).b);
}

bool PairedStatements::is_truth(const Single& single) const {
  return values_->text(single.type) == "bool";
}

bool PairedStatements::reads(Value variable) const {
  return std::any_of(statements_.begin(), statements_.end(), [&](const auto& statement) {
    bool found = false;
    for_places(*values_, statement.second.value,
               [&](Value place) { found = found || place == variable; });
    return found;
  });
}

bool PairedStatements::pair(std::span<const Value> arrays) {
  for (const Value array : arrays)
    for (std::size_t index = 0; assigns(array, index + 1); index += 2)
      static_cast<void>(merged(element_of(array, index), element_of(array, index + 1)));
  std::map<Target, int> state;
  return std::none_of(statements_.begin(), statements_.end(), [&](const auto& statement) {
    return waits_in_circle(statement.first, state);
  });
}

std::optional<Value> PairedStatements::merged(const Target& first, const Target& second) {
  if (const auto half = halves_.find(first); half != halves_.end()) {
    const auto other = halves_.find(second);
    const bool both =
        other != halves_.end() && other->second.pair == half->second.pair && half->second.lane == 0;
    return both ? std::optional(half->second.pair) : std::nullopt;
  }
  if (first == second || halves_.contains(second) || failed_.contains({first, second}))
    return std::nullopt;
  failed_.emplace(first, second);  // until the end, and for what would need itself
  const Single &a = statements_.at(first), &b = statements_.at(second);
  if (is_truth(a) || is_truth(b) || !is_arithmetic(*values_, a.value) ||
      !is_arithmetic(*values_, b.value) || !of_one_shape(*values_, a.value, b.value))
    return std::nullopt;
  Reads reads;
  const std::optional<Value> value = merged_values(a.value, b.value, reads);
  if (!value || reads.vectors == 0 || reads.gathered > 1 || halves_.contains(first) ||
      halves_.contains(second))
    return std::nullopt;
  const bool renames = pairs_.contains({*value, 0});
  const Value name = renames ? *value : values_->variable("both_" + std::to_string(pairs_.size()));
  halves_[first] = {name, 0}, halves_[second] = {name, 1};
  const std::string between = a.comment.empty() || b.comment.empty() ? "" : "; ";
  pairs_.emplace(Target{name, 0}, Single{{}, *value, a.comment + between + b.comment});
  return name;
}

/// @pre both are arithmetic and of one shape
std::optional<Value> PairedStatements::merged_values(Value first, Value second, Reads& reads) {
  const Form form = values_->form(first);
  if (is_atom(form)) {
    if (!is_place(form) || !is_place(values_->form(second)))
      return values_->same(first, second) ? std::optional(first) : std::nullopt;
    return merged_places(first, second, reads);
  }
  const Node one = values_->node(first), other = values_->node(second);
  const std::optional<Value> left = merged_values(Value{one.a}, Value{other.a}, reads);
  if (!left || one.b == 0)
    return left ? std::optional(values_->operation(form, *left)) : std::nullopt;
  const std::optional<Value> right = merged_values(Value{one.b}, Value{other.b}, reads);
  return right ? std::optional(values_->operation(form, *left, *right)) : std::nullopt;
}

std::optional<Value> PairedStatements::merged_places(Value first, Value second, Reads& reads) {
  const auto one = lane_of(first), other = lane_of(second);
  if (one && other && one->first == other->first && one->second == 0 && other->second == 1) {
    ++reads.vectors;
    return values_->element(one->first.first, one->first.second - 1);
  }
  if (values_->same(first, second)) return first;
  const std::optional<Place> coefficient = coefficient_of(*values_, first);
  if (const std::optional<Place> next = coefficient_of(*values_, second); coefficient && next)
    return invariant_of(*coefficient, *next);
  const auto of_first = statements_.find(target_of(first)),
             of_second = statements_.find(target_of(second));
  if (of_first != statements_.end() && of_second != statements_.end())
    if (const std::optional<Value> both = merged(of_first->first, of_second->first)) {
      ++reads.vectors;
      return both;
    }
  for (const auto& found : {of_first, of_second})
    if (found != statements_.end() && is_truth(found->second)) return std::nullopt;
  ++reads.gathered;
  return values_->list({first, second}, runtime::two_doubles);
}

Value PairedStatements::invariant_of(const Place& first, const Place& second) {
  const std::pair names{first.name + "." + first.member, second.name + "." + second.member};
  const auto [found, is_new] = invariant_.emplace(names, invariants_.size());
  if (is_new) invariants_.push_back({first, second});
  return values_->element(values_->member("f", "pairs"), found->second);
}

std::optional<std::pair<PairedStatements::Target, std::uint32_t>> PairedStatements::lane_of(
    Value place) const {
  if (values_->form(place) != Form::element) return std::nullopt;
  const auto [array, next] = target_of(place);
  const std::uint32_t index = next - 1;
  for (const Lanes& lanes : lanes_) {
    if (lanes.array != lanes.pairs && array == lanes.array)
      return std::pair{element_of(lanes.pairs, index / 2), index % 2};
    if (lanes.array == lanes.pairs && values_->form(array) == Form::element &&
        target_of(array).first == lanes.array)
      return std::pair{target_of(array), index};
  }
  return std::nullopt;
}

PairedStatements::Target PairedStatements::source_of(const Target& target) const {
  const auto half = halves_.find(target);
  return half == halves_.end() ? target : Target{half->second.pair, 0};
}

const PairedStatements::Single* PairedStatements::statement_of(const Target& source) const {
  if (const auto pair = pairs_.find(source); pair != pairs_.end()) return &pair->second;
  const auto single = statements_.find(source);
  return single == statements_.end() ? nullptr : &single->second;
}

bool PairedStatements::waits_in_circle(const Target& target, std::map<Target, int>& state) const {
  const Target source = source_of(target);
  const Single* statement = statement_of(source);
  if (statement == nullptr) return false;
  constexpr int open = 1, closed = 2;
  int& mine = state[source];
  if (mine != 0) return mine == open;
  mine = open;
  bool circle = false;
  for_places(*values_, statement->value,
             [&](Value place) { circle = circle || waits_in_circle(target_of(place), state); });
  if (!circle) mine = closed;
  return circle;
}

std::optional<Value> PairedCode::pair_value(Value array, std::size_t block) {
  const auto half = statements_.halves_.find(PairedStatements::element_of(array, 2 * block));
  if (half == statements_.halves_.end() || half->second.lane != 0) return std::nullopt;
  define(half->first);
  return half->second.pair;
}

Value PairedCode::value(Value array, std::size_t index) {
  define(PairedStatements::element_of(array, index));
  return scalar(values_.element(array, index));
}

void PairedCode::define(const Target& target) {
  const Target source = statements_.source_of(target);
  const PairedStatements::Single* statement = statements_.statement_of(source);
  if (statement == nullptr || !defined_.insert(source).second) return;
  define_reads(statement->value);
  const bool is_pair = statements_.pairs_.contains(source);
  const Name number = values_.name("double"), both = values_.name(runtime::two_doubles);
  const Name type = is_pair ? both : statement->type == Name::none ? number : statement->type;
  to_.add(Definition{type, is_pair ? source.first : local_of(source),
                     with_scalars(statement->value), values_.note(statement->comment)});
}

void PairedCode::define_reads(Value value) {
  for_places(values_, value, [&](Value place) { define(statements_.target_of(place)); });
}

/// An assignment that others read has a local.
Value PairedCode::local_of(const Target& target) {
  if (target.second == 0) return target.first;
  return values_.variable("of_" + values_.name_of(target.first) + "_" +
                          std::to_string(target.second - 1));
}

/// What reads a number: a half of a pair, a lane, a local.
Value PairedCode::scalar(Value place) {
  const Target target = statements_.target_of(place);
  if (const auto half = statements_.halves_.find(target); half != statements_.halves_.end())
    return values_.element(half->second.pair, half->second.lane);
  if (const auto lane = statements_.lane_of(place))
    return values_.element(values_.element(lane->first.first, lane->first.second - 1),
                           lane->second);
  return statements_.statements_.contains(target) ? local_of(target) : place;
}

Value PairedCode::with_scalars(Value value) {
  if (is_place(values_.form(value))) return scalar(value);
  std::vector<Value> operands;
  values_.for_operands(value, [&](Value operand) { operands.push_back(with_scalars(operand)); });
  return values_.with_operands(value, operands);
}

}  // namespace takt::codegen::code
