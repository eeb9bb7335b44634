#include "codegen/code/lanes.hpp"

#include <algorithm>
#include <stdexcept>
#include <vector>

#include "codegen/code/runtime_names.hpp"
#include "codegen/code/unused_locals.hpp"

namespace takt::codegen::code {
namespace {

/// Arrays of the part whose elements are numbers of each copy.
constexpr std::string_view number_arrays[] = {"dz",        "dq",      "outputs",
                                              "still_now", "running", "energy"};

/// What statements mean to a Newton block.
class NewtonWords {
 public:
  explicit NewtonWords(const Values& values) : values_(values) {}

  /// OBJECT.NAME
  [[nodiscard]] bool is_member(Value value, std::string_view name) const {
    return values_.form(value) == Form::member && values_.name_of(value) == name;
  }
  /// OBJECT.NAME(...)
  [[nodiscard]] bool calls(Value value, std::string_view name) const {
    return values_.form(value) == Form::call && is_member(a(value), name);
  }
  [[nodiscard]] bool is_called(Value value, std::string_view name) const {
    return values_.form(value) == Form::variable && values_.name_of(value) == name;
  }
  /// move == MOVE
  [[nodiscard]] bool is_move(Value value, std::string_view move) const {
    return values_.form(value) == Form::equal && is_called(b(value), move);
  }
  /// damping.solved || move == takt::NewtonMove::undo
  [[nodiscard]] bool ends(Value value) const {
    return values_.form(value) == Form::either && is_member(a(value), runtime::solved) &&
           is_move(b(value), runtime::move_undo);
  }
  /// Of what is there for more than plain iterations, and for a block that they left unsolved.
  [[nodiscard]] bool is_left_out(const Statement& statement) const {
    if (const auto* definition = std::get_if<Definition>(&statement))
      return values_.text(definition->type) == runtime::newton_unknown;
    const auto* branch = std::get_if<Branch>(&statement);
    if (branch == nullptr) return false;
    const Value condition = branch->condition;
    return ends(condition) || calls(condition, runtime::looks) ||
           is_move(condition, runtime::move_limited) || is_move(condition, runtime::move_lower) ||
           (values_.form(condition) == Form::negation && is_member(a(condition), runtime::solved));
  }
  [[nodiscard]] Value a(Value value) const { return Value{values_.node(value).a}; }
  [[nodiscard]] Value b(Value value) const { return Value{values_.node(value).b}; }

 private:
  const Values& values_;
};

void leave_out(const NewtonWords& words, Block& block) {
  std::erase_if(block.statements(),
                [&](const Statement& statement) { return words.is_left_out(statement); });
  for (Statement& statement : block.statements())
    if (Block* inside = block_in(statement)) leave_out(words, *inside);
}

class LaneStatements {
 public:
  explicit LaneStatements(Values& values) : v_(values), words_(values) {}

  Block of(Block& body) {
    Block lanes;
    for (Statement& statement : body.statements()) {
      for_values(statement, [&](Value value) {
        if (v_.has_text(value)) refuse("text");
      });
      std::visit([&](auto& each) { put(each, lanes); }, statement);
    }
    return lanes;
  }

 private:
  [[noreturn]] static void refuse(std::string_view what) {
    throw std::logic_error("this has no form in lanes: " + std::string(what));
  }
  Value in_lanes(Value value) {
    return value == Value::none ? value : v_.call(runtime::in_lanes, {value});
  }

  /// {a, b}: each item in lanes, whatever it is.
  Value items_in_lanes(Value list) {
    const std::span<const Value> given = v_.operands(list);
    std::vector<Value> items(given.begin(), given.end());
    for (Value& item : items) item = in_lanes(item);
    return v_.list(items, v_.name_of(list));
  }
  void put(Definition& s, Block& to) {
    const std::string& type = v_.text(s.type);
    if (type == "double")
      return to.add(
          Definition{v_.name(runtime::lanes), s.place, in_lanes(s.value), {}, s.constant});
    if (type == "bool")
      return to.add(
          Definition{v_.name(runtime::lane_truths), s.place, truth(s.value), {}, s.constant});
    if (type == runtime::newton_damping)
      return to.add(Definition{v_.name(runtime::lane_damping), s.place, s.value, {}, s.constant});
    if (type == runtime::newton_move) return judge(s.value, to);
    const Value numbers = s.value;
    if (v_.form(numbers) != Form::list ||
        type != runtime::array_of("double", v_.operands(numbers).size()))
      refuse(type);
    const Name lanes = v_.name(runtime::array_of(runtime::lanes, v_.operands(numbers).size()));
    to.add(Definition{lanes, s.place, items_in_lanes(numbers), {}, s.constant});
  }

  /// Whether a step is whole is asked no more: where one is not, lanes have given up.
  Value truth(Value value) {
    if (v_.form(value) != Form::all || !words_.calls(v_.operands(value).front(), runtime::whole))
      return value;
    const std::span<const Value> given = v_.operands(value).subspan(1);
    return v_.all(std::vector<Value>(given.begin(), given.end()));
  }

  void judge(Value call, Block& to) {
    const Value gives_up = v_.variable("gives_up");
    to.when(v_.operation(Form::negation, call), Assignment{gives_up, v_.variable("true")});
    to.when(gives_up, Leave{});
  }

  void put(Assignment& s, Block& to) {
    if (words_.calls(s.value, runtime::next) && v_.operands(s.value).size() == 4) {
      const Value damping = words_.a(v_.operands(s.value)[1]), at = v_.operands(s.value)[2],
                  step = v_.operands(s.value)[3];
      return to.assign(s.place, v_.call(v_.member(damping, runtime::next_lanes), {at, step}));
    }
    const bool is_number =
        s.change == Change::set && v_.form(s.place) == Form::element &&
        std::any_of(std::begin(number_arrays), std::end(number_arrays), [&](std::string_view name) {
          return words_.is_called(words_.a(s.place), name);
        });
    to.change(s.place, s.change, is_number ? in_lanes(s.value) : s.value);
  }

  void put(Action& s, Block& to) {
    const std::span<const Value> given = v_.operands(s.call);
    if (!words_.is_called(words_.a(s.call), runtime::pow_each)) return to.act(s.call);
    const Value array = given[0], exponents = items_in_lanes(given[1]);
    to.act(v_.call(runtime::pow_each, {array, exponents}));
  }

  void put(Finding& s, Block& to) {
    to.act(v_.call(runtime::count_left, {s.condition, s.counter, v_.variable("alert")}));
  }
  void put(Event& s, Block& to) { to.add(s); }
  void put(Leave& s, Block& to) { to.add(s); }

  void put(Branch& s, Block& to) {
    const Statement* only =
        s.then->statements().size() == 1 ? &s.then->statements().front() : nullptr;
    if (const auto* event = only == nullptr ? nullptr : std::get_if<Event>(only);
        event != nullptr && words_.is_member(s.condition, runtime::turned))
      return to.act(
          v_.call(runtime::count_turned, {s.condition, event->counter, v_.variable("alert")}));
    if (const auto* action = only == nullptr ? nullptr : std::get_if<Action>(only);
        action != nullptr && words_.calls(action->call, runtime::settle))
      return to.when(v_.call(v_.member(words_.a(words_.a(action->call)), runtime::settle_lanes),
                             {s.condition}),
                     Leave{});
    to.add(Branch{s.condition, std::make_unique<Block>(of(*s.then)), s.unlikely, s.in_line});
  }
  void put(Loop& s, Block& to) {
    to.add(Loop{s.type, s.counter, s.first, s.condition, std::make_unique<Block>(of(*s.body)),
                s.in_line});
  }
  void put(Scope& s, Block& to) { to.add(Scope{std::make_unique<Block>(of(*s.body))}); }
  void put(Rows& s, Block&) { refuse(v_.text(s.type)); }
  void put(Table& s, Block&) { refuse(v_.text(s.type)); }

  Values& v_;
  NewtonWords words_;
};

/// Operations between two operands, and functions of numbers.
std::size_t operations_in(const Values& values, Value value) {
  std::size_t count = 0;
  switch (values.form(value)) {
    case Form::sum:
    case Form::difference:
    case Form::product:
    case Form::quotient:
    case Form::less:
    case Form::outside_strictly:
      count = 1;
      break;
    case Form::decrease:
      count = values.operands(value).size();
      break;
    case Form::variable:
      count = values.name_of(value).starts_with(runtime::functions_of_numbers) ? 1 : 0;
      break;
    default:
      break;
  }
  values.for_operands(value, [&](Value operand) { count += operations_in(values, operand); });
  return count;
}

}  // namespace

std::size_t operations_in(const Values& values, const Block& block) {
  std::size_t count = 0;
  for (const Statement& statement : block.statements()) {
    for_values(statement, [&](Value value) { count += operations_in(values, value); });
    if (const Block* inside = block_in(statement)) count += operations_in(values, *inside);
  }
  return count;
}

Block in_lanes(Values& values, Block&& body) {
  leave_out(NewtonWords(values), body);
  drop_unused_locals(values, body, Block());
  return LaneStatements(values).of(body);
}

}  // namespace takt::codegen::code
