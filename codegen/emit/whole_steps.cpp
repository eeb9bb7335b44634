#include "codegen/emit/whole_steps.hpp"

#include <optional>
#include <vector>

#include "codegen/code/paired_statements.hpp"
#include "codegen/code/print.hpp"
#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/function_body.hpp"
#include "codegen/emit/switched_bodies.hpp"
#include "codegen/emit/write_function.hpp"

namespace takt::codegen {
namespace {

using code::Value;

constexpr std::size_t largest_map = 256;  ///< entries, beyond which its product is a loop

struct Sizes {
  std::size_t histories, states, quadratures, modes;
};

/// The arrays that solve() writes, and of whole_steps() what it keeps.
class PairedSolve {
 public:
  PairedSolve(const SubsystemView& view, code::Values& values, Sizes sizes)
      : view_(view), values_(values), sizes_(sizes) {}

  void write_solve(const code::PairedStatements& statements, const FunctionHead& head,
                   Writer& text) {
    code::Block block;
    block.add(map_rows());
    block.act(values_.call(
        values_.member(values_.element_at(values_.variable("maps"), values_.variable("slot")),
                       runtime::map_apply),
        {values_.variable("w"), values_.variable("y")}));
    block.add(code::Definition{pair_type(), values_.unsized("u"),
                               values_.list(blocks_of("w", sizes_.histories))});
    code::PairedCode code(statements, block);
    const Value positive = any_positive(code);
    store(code, {"dz", sizes_.states}, block);
    store(code, {"v", sizes_.histories}, block);
    store(code, {"dq", sizes_.quadratures}, block);
    store(code, {"e", sizes_.modes}, block);
    block.give(positive);
    const code::UsedNames used(values_, {block.statements()});
    text.blank();
    text.open_of(head.result + " ", view_.type,
                 "::" + head.name + "(" + list_of(head.parameters, used) + ") noexcept");
    code::print(text, values_,
                {where_used(values_, factors_as(read_factors, values_), used), block.statements()});
    text.close();
  }

  void write_whole_steps(const code::PairedStatements& statements, SubsystemFunctions& functions) {
    const std::string parameters =
        "(std::int32_t count, double* __restrict from, double* __restrict earlier, double* "
        "__restrict sum) noexcept";
    functions.pairs = statements.invariants();
    functions.declarations.push_back("std::int32_t whole_steps" + parameters + ";");
    const Value u = values_.variable("u"), last = values_.variable("last"),
                sums = values_.variable("sums"), done = values_.variable("done");
    code::Block block;
    block.add(pointer("Factors*", "factorised", "&factors[slot]"));
    block.add(pointer("Map*", "map", "&maps[slot]"));
    const std::string histories = std::to_string((sizes_.histories + 1) / 2);
    const std::string quadratures = std::to_string((sizes_.quadratures + 1) / 2);
    const std::string arrays =
        "u[" + histories + "], last[" + histories + "], sums[" + quadratures + "]";
    block.add(code::Definition{pair_type(), values_.verbatim(arrays, {}), {}, {}, false});
    block.act(moved(runtime::load_pairs, "storage_count", values_.variable("from"), u));
    block.act(moved(runtime::load_pairs, "storage_count", values_.variable("from"), last));
    block.act(moved(runtime::load_pairs, "quadrature_count", values_.variable("sum"), sums));
    block.add(code::Definition{values_.name("std::int32_t"), done, values_.integer(0), {}, false});
    block.add(code::Loop{{},
                         done,
                         {},
                         values_.operation(code::Form::less, done, values_.variable("count")),
                         one_step(statements)});
    block.act(moved(runtime::store_pairs, "storage_count", u, values_.variable("from")));
    block.act(moved(runtime::store_pairs, "storage_count", last, values_.variable("earlier")));
    block.act(moved(runtime::store_pairs, "quadrature_count", sums, values_.variable("sum")));
    block.give(done);
    functions.text.blank();
    functions.text.open_of("std::int32_t ", view_.type, "::whole_steps" + parameters);
    code::print(functions.text, values_, {block.statements()});
    functions.text.close();
  }

 private:
  struct Array {
    const char* name;
    std::size_t size;
  };
  [[nodiscard]] code::Name pair_type() { return values_.name(runtime::two_doubles); }

  /// takt::TwoDoubles y[Map::blocks];
  code::Definition map_rows() {
    const Value blocks = values_.variable("Map::" + std::string(runtime::map_blocks));
    return {pair_type(), values_.element_at(values_.variable("y"), blocks), {}, {}, false};
  }
  code::Definition pointer(std::string_view type, std::string_view name, std::string to) {
    return {values_.name(type), values_.variable(name), values_.verbatim(std::move(to), {})};
  }
  Value moved(std::string_view function, std::string_view count, Value from, Value to) {
    return values_.call(std::string(function) + "<" + std::string(count) + ">", {from, to});
  }
  /// w + 2
  Value place_in(const char* array, std::size_t index) {
    const Value begin = values_.variable(array);
    return index > 0 ? values_.operation(code::Form::sum, begin, values_.integer(index)) : begin;
  }

  std::unique_ptr<code::Block> one_step(const code::PairedStatements& statements) {
    auto step = std::make_unique<code::Block>();
    const Value map = values_.variable("map"), factorised = values_.variable("factorised");
    step->act(values_.call(runtime::read_again, {map}));
    step->act(values_.call(runtime::read_again, {factorised}));
    code::Block rest;
    rest.add(map_rows());
    rest.act(values_.call("map->" + std::string(runtime::map_apply_pairs),
                          {values_.variable("u"), values_.variable("y")}));
    code::PairedCode code(statements, rest);
    const Value positive = any_positive(code);
    if (sizes_.modes > 0) rest.when(positive, code::Leave{});
    code::Block next;
    for (std::size_t block = 0; 2 * block < sizes_.histories; ++block)
      next.assign(values_.element("u", block), both(code, {"v", sizes_.histories}, block));
    for (std::size_t block = 0; 2 * block < sizes_.quadratures; ++block)
      if (!is_zero(statements, block))
        rest.change(values_.element("sums", block), code::Change::add,
                    both(code, {"dq", sizes_.quadratures}, block));
    for (std::size_t block = 0; 2 * block < sizes_.histories; ++block)
      rest.assign(values_.element("last", block), values_.element("u", block));
    rest.take(std::move(next));
    const code::Definition factors =
        alias_of(values_, read_factors, values_.verbatim("*factorised", {factorised}));
    for (code::Statement& alias :
         where_used(values_, factors, code::UsedNames(values_, {rest.statements()})))
      step->add(std::move(alias));
    step->take(std::move(rest));
    return step;
  }

  void store(code::PairedCode& code, const Array& array, code::Block& to) {
    for (std::size_t index = 0; index < array.size; index += 2)
      if (index + 1 < array.size) {
        // In one piece: what is read in pairs would wait for halves that were written one by one.
        const Value value = both(code, array, index / 2);
        to.act(values_.call(runtime::store_two, {value, place_in(array.name, index)}));
      } else {
        const Value value = code.value(values_.variable(array.name), index);
        to.assign(values_.element(array.name, index), value);
      }
  }

  std::vector<Value> blocks_of(const char* array, std::size_t count) {
    std::vector<Value> blocks;
    for (std::size_t index = 0; index < count; index += 2)
      blocks.push_back(index + 1 < count
                           ? values_.call(runtime::load_two, {place_in(array, index)})
                           : values_.list({values_.element(array, index), values_.number(0.0)},
                                          runtime::two_doubles));
    return blocks;
  }
  /// Two neighbours as one value, whether or not they were computed as one.
  Value both(code::PairedCode& code, const Array& of, std::size_t block) {
    const Value array = values_.variable(of.name);
    if (const auto pair = code.pair_value(array, block)) return *pair;
    const std::size_t index = 2 * block;
    const Value first = code.value(array, index);
    const Value second = index + 1 < of.size ? code.value(array, index + 1) : values_.number(0.0);
    return values_.list({first, second}, runtime::two_doubles);
  }
  Value any_positive(code::PairedCode& code) {
    if (sizes_.modes == 0) return values_.variable("false");
    std::vector<Value> arguments;
    for (std::size_t block = 0; 2 * block < sizes_.modes; ++block)
      arguments.push_back(both(code, {"e", sizes_.modes}, block));
    return values_.call(values_.variable(runtime::any_positive), arguments);
  }
  [[nodiscard]] bool is_zero(const code::PairedStatements& statements, std::size_t block) {
    bool zero = true;
    for (std::size_t index = 2 * block; index < 2 * block + 2 && index < sizes_.quadratures;
         ++index)
      zero = zero &&
             values_.same(statements.assigned(values_.variable("dq"), index), values_.number(0.0));
    return zero;
  }
  const SubsystemView& view_;
  code::Values& values_;
  Sizes sizes_;
};

/// {w[0], w[1], ...}: all histories in their order.
bool are_histories(code::Values& values, Value list, std::size_t count) {
  const std::span<const Value> moving = values.operands(list);
  bool same = moving.size() == count;
  for (std::size_t index = 0; same && index < count; ++index)
    same = values.same(moving[index], values.element("w", index));
  return same;
}

/// Of apply_affine(): what is written here applies the map in its own way.
bool is_of_map(code::Values& values, const code::Statement& statement, std::size_t histories) {
  if (const auto* action = std::get_if<code::Action>(&statement)) {
    const Value function{values.node(action->call).a};
    return values.form(action->call) == code::Form::call &&
           values.form(function) == code::Form::member &&
           values.name_of(function) == runtime::map_apply;
  }
  const auto* definition = std::get_if<code::Definition>(&statement);
  if (definition == nullptr) return false;
  if (values.form(definition->place) == code::Form::element_at)
    return values.text(definition->type) == runtime::two_doubles;
  return values.form(definition->place) == code::Form::unsized &&
         are_histories(values, definition->value, histories);
}

bool pairs_fit(const SubsystemView& view) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  const std::size_t states = view.surrogate.states.size();
  return view.plan.affine && part.points.empty() && states == part.histories.size() &&
         part.affine->columns == part.histories && part.affine->rows.size() * states <= largest_map;
}

}  // namespace

bool emit_paired(const SubsystemView& view, const FunctionHead& head, Statements& body,
                 SubsystemFunctions& functions) {
  if (!pairs_fit(view)) return false;
  const std::size_t states = view.surrogate.states.size();
  code::Values& values = body.values();
  std::vector<const code::Statement*> others;
  for (const code::Statement& statement : body.body().statements())
    if (!is_of_map(values, statement, states)) others.push_back(&statement);
  const Value w = values.variable("w"), y = values.variable("y"), dq = values.variable("dq");
  auto statements =
      code::PairedStatements::read(values, others, {{w, values.variable("u")}, {y, y}});
  if (!statements || statements->reads(values.variable("t")) ||
      statements->reads(values.variable("s")))
    return false;
  const Value arrays[] = {values.variable("e"), dq, values.variable("dz"), values.variable("v")};
  if (!statements->pair(arrays) || statements->invariants().empty()) return false;
  std::size_t quadratures = 0;
  while (statements->assigns(dq, quadratures)) ++quadratures;
  const std::size_t modes = switched_circuit(view.surrogate.kind).modes.size();
  PairedSolve solve(view, values, {states, states, quadratures, modes});
  solve.write_solve(*statements, head, functions.text);
  solve.write_whole_steps(*statements, functions);
  return true;
}

}  // namespace takt::codegen
