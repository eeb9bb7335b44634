#include "codegen/code/rolled_loops.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <map>
#include <string_view>
#include <unordered_map>

#include "codegen/code/loop_rows.hpp"

namespace takt::codegen::code {
namespace {

constexpr std::size_t fewest_rows = 4;  // a loop over fewer is no shorter

struct SlotHash {
  std::size_t operator()(const Slot& slot) const {
    return static_cast<std::size_t>(slot.array) * 40503u + slot.index;
  }
};

bool same(const Hole& a, const Hole& b) {
  return a.index == b.index && std::memcmp(&a.number, &b.number, sizeof(double)) == 0;
}

/// What each statement waits for, and the order of forms in which fewest loops are needed: the form
/// of which most are ready is taken until none is.
class Schedule {
 public:
  explicit Schedule(const std::vector<Row>& all)
      : all_(all), waits_(all.size()), next_(all.size()) {
    std::unordered_map<Slot, std::size_t, SlotHash> written;
    std::unordered_map<Slot, std::vector<std::size_t>, SlotHash> read;
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (const Slot& slot : all[k].reads) {
        if (const auto last = written.find(slot); last != written.end()) follows(last->second, k);
        read[slot].push_back(k);
      }
      if (const auto last = written.find(all[k].write); last != written.end())
        follows(last->second, k);
      if (const auto readers = read.find(all[k].write); readers != read.end()) {
        for (const std::size_t reader : readers->second) follows(reader, k);
        readers->second.clear();
      }
      written[all[k].write] = k;
      form_.push_back(forms_.emplace(all[k].form, forms_.size()).first->second);
    }
    for (std::size_t k = 0; k < all.size(); ++k)
      if (waits_[k] == 0) ready_[form_[k]].push_back(k);
  }

  /// Statements of one form that can follow one another now; empty where all are done.
  std::vector<std::size_t> take() {
    const auto most = std::max_element(
        ready_.begin(), ready_.end(),
        [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
    std::vector<std::size_t> taken;
    if (most == ready_.end()) return taken;
    std::deque<std::size_t>& open = most->second;
    while (!open.empty()) {
      taken.push_back(open.front());
      open.pop_front();
      for (const std::size_t next : next_[taken.back()])
        if (--waits_[next] == 0) ready_[form_[next]].push_back(next);
    }
    ready_.erase(most);
    return taken;
  }

 private:
  void follows(std::size_t first, std::size_t second) {
    if (first == second) return;
    next_[first].push_back(second);
    ++waits_[second];
  }

  const std::vector<Row>& all_;
  std::vector<std::size_t> waits_;
  std::vector<std::vector<std::size_t>> next_;
  std::unordered_map<std::string_view, std::size_t> forms_;
  std::vector<std::size_t> form_;
  std::map<std::size_t, std::deque<std::size_t>> ready_;  // form -> statements
};

/// What stands in one hole of all rows of a loop.
using Column = std::vector<Hole>;

bool same(const Column& a, const Column& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const Hole& x, const Hole& y) { return same(x, y); });
}

bool is_constant(const Column& column) {
  return std::all_of(column.begin(), column.end(),
                     [&](const Hole& each) { return same(each, column.front()); });
}

/// Whether indices go up by the same step from row to row.
bool is_progression(const Column& column) {
  if (column[0].is_number || column[1].index <= column[0].index) return false;
  const std::size_t first = column[0].index, step = column[1].index - first;
  for (std::size_t row = 1; row < column.size(); ++row)
    if (column[row].index != first + step * row) return false;
  return true;
}

/// The tables of one loop, and the statement in it.
class LoopBody {
 public:
  LoopBody(Values& values, std::vector<Column> columns)
      : values_(values), columns_(std::move(columns)) {
    for (const Column& column : columns_) {
      std::vector<const Column*>& table = column.front().is_number ? numbers_ : indices_;
      const auto known = std::find_if(table.begin(), table.end(),
                                      [&](const Column* other) { return same(*other, column); });
      const bool is_table = !is_constant(column) && !is_progression(column);
      places_.push_back(is_table ? static_cast<std::size_t>(known - table.begin()) : 0);
      if (is_table && known == table.end()) table.push_back(&column);
    }
  }

  void define_tables(Block& scope) const {
    std::uint32_t largest = 0;
    for (const Column* column : indices_)
      for (const Hole& each : *column) largest = std::max(largest, each.index);
    const char* type = largest < 65536 ? "std::uint16_t" : "std::uint32_t";
    if (!indices_.empty())
      scope.add(Table{values_.name(type), values_.variable("at"), row_by_row(indices_)});
    if (!numbers_.empty())
      scope.add(Table{values_.name("double"), values_.variable("value"), row_by_row(numbers_)});
  }

  [[nodiscard]] Statement statement(const Statement& first) {
    if (const auto* finding = std::get_if<Finding>(&first)) {
      const Value condition = filled(finding->condition);
      return Finding{condition, filled(finding->counter), {}};
    }
    const auto& assignment = std::get<Assignment>(first);
    const Value place = filled(assignment.place);
    return Assignment{place, filled(assignment.value), {}};
  }

 private:
  [[nodiscard]] std::vector<double> row_by_row(const std::vector<const Column*>& table) const {
    std::vector<double> all;
    for (std::size_t row = 0; row < table.front()->size(); ++row)
      for (const Column* column : table)
        all.push_back((*column)[row].is_number ? (*column)[row].number : (*column)[row].index);
    return all;
  }

  /// first + step * n
  Value counted(std::size_t first, std::size_t step) {
    const Value n = values_.variable("n");
    return first == 0 ? stepped(step, n)
                      : values_.operation(Form::sum, values_.integer(first), stepped(step, n));
  }
  Value stepped(std::size_t step, Value n) {
    return step == 1 ? n : values_.operation(Form::product, values_.integer(step), n);
  }

  /// at[3 * n + 1]
  Value in_table(const char* name, std::size_t width, std::size_t place) {
    const Value row = stepped(width, values_.variable("n"));
    return values_.element_at(
        values_.variable(name),
        place == 0 ? row : values_.operation(Form::sum, row, values_.integer(place)));
  }

  Value next_index(Value array) {
    const Column& column = columns_[hole_];
    const std::size_t place = places_[hole_++];
    if (is_constant(column)) return values_.element(array, column.front().index);
    if (is_progression(column))
      return values_.element_at(array, counted(column[0].index, column[1].index - column[0].index));
    return values_.element_at(array, in_table("at", indices_.size(), place));
  }

  Value next_number(bool below_zero) {
    const Column& column = columns_[hole_];
    const std::size_t place = places_[hole_++];
    const Value number = is_constant(column) ? values_.number(column.front().number)
                                             : in_table("value", numbers_.size(), place);
    return below_zero ? values_.negated(number) : number;
  }

  /// The same value with what stands in the holes of each row. In the order in which Reader met
  /// them.
  Value filled(Value value) {
    const Node node = values_.node(value);
    switch (node.form) {
      case Form::element:
        return next_index(Value{node.a});
      case Form::number:
        return next_number(std::signbit(values_.number_of(value)));
      case Form::call: {
        const Value function{node.a};
        const bool is_member = values_.form(function) == Form::member;
        const Value name = is_member ? values_.member(filled(Value{values_.node(function).a}),
                                                      std::string(values_.name_of(function)))
                                     : function;
        return values_.call(name, all(value));
      }
      case Form::list:
        return values_.list(all(value), std::string(values_.name_of(value)));
      case Form::variable:
      case Form::member:
      case Form::integer:
        return value;
      default: {
        const Value a = filled_if_any(node.a), b = filled_if_any(node.b);
        return values_.operation(node.form, a, b, filled_if_any(node.c));
      }
    }
  }
  Value filled_if_any(std::uint32_t operand) {
    return operand == 0 ? Value::none : filled(Value{operand});
  }
  std::vector<Value> all(Value value) {
    const auto operands = values_.operands(value);
    std::vector<Value> result(operands.begin(), operands.end());
    for (Value& each : result) each = filled(each);
    return result;
  }

  Values& values_;
  std::vector<Column> columns_;
  std::vector<std::size_t> places_;  ///< of columns in tables
  std::vector<const Column*> indices_, numbers_;
  std::size_t hole_ = 0;
};

void add_loop(Values& values, const std::vector<Row>& all, const std::vector<std::size_t>& rows,
              Block& to) {
  const Row& first = all[rows.front()];
  std::vector<Column> columns(first.holes.size());
  for (std::size_t hole = 0; hole < columns.size(); ++hole)
    for (const std::size_t row : rows) columns[hole].push_back(all[row].holes[hole]);
  LoopBody body(values, std::move(columns));
  Block& scope = to.scope();
  body.define_tables(scope);
  const Value n = values.variable("n");
  Loop loop{.type = values.name("std::uint32_t"),
            .counter = n,
            .first = values.integer(0),
            .condition = values.operation(Form::less, n, values.integer(rows.size())),
            .body = std::make_unique<Block>(),
            .in_line = true};
  loop.body->add(body.statement(*first.statement));
  scope.add(std::move(loop));
}

void add_run(Values& values, std::vector<Row>& run, Block& to) {
  Schedule schedule(run);
  for (auto rows = schedule.take(); !rows.empty(); rows = schedule.take()) {
    if (rows.size() >= fewest_rows)
      add_loop(values, run, rows, to);
    else
      for (const std::size_t row : rows) to.add(std::move(*run[row].statement));
  }
  run.clear();
}

}  // namespace

void roll_loops(Values& values, Block& body) {
  Block rolled;
  std::vector<Row> run;
  for (Statement& statement : body.statements()) {
    if (auto row = row_of(values, statement)) {
      run.push_back(std::move(*row));
      continue;
    }
    add_run(values, run, rolled);
    if (Block* inside = block_in(statement); inside != nullptr && !stands_in_line(statement))
      roll_loops(values, *inside);
    rolled.add(std::move(statement));
  }
  add_run(values, run, rolled);
  body = std::move(rolled);
}

}  // namespace takt::codegen::code
