#include "codegen/emit/exact_functions.hpp"

#include <algorithm>
#include <functional>

#include "codegen/code/print.hpp"
#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/exact_blocks.hpp"
#include "codegen/emit/function_body.hpp"
#include "codegen/emit/instant_functions.hpp"
#include "codegen/emit/write_function.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

std::string map_name(std::size_t block) { return "map_" + std::to_string(block); }

template <class Items, class Text>
std::string listed(const Items& items, const Text& text) {
  std::string list;
  for (const auto& item : items) list += (list.empty() ? "" : ", ") + text(item);
  return "{" + list + "}";
}

std::string number(std::size_t value) { return std::to_string(value); }

void emit_driving(const SubsystemView& view, Coefficients& coefficients,
                  SubsystemFunctions& functions) {
  const LinearForm& form = *view.plan.linear;
  FunctionBody body(view, coefficients, "x");
  std::vector<Expr> roots;
  for (const auto* driving : {&form.rate_driving, &form.integrand_driving})
    for (const LinearForm::Driving& row : *driving) roots.push_back(row.value);
  const std::vector<std::size_t> steps = needed_steps(view, roots, {});
  body.begin(steps, roots, false);
  body.algebra(steps);
  for (std::size_t k = 0; k < roots.size(); ++k) {
    const bool rate = k < form.rate_driving.size();
    const std::string meaning =
        rate ? "in d/dt " +
                   view.graph().symbol(view.surrogate.states[form.rate_driving[k].row].symbol).path
             : "in integral " + number(form.integrand_driving[k - form.rate_driving.size()].row);
    body.assign("b", k, roots[k], meaning);
  }
  write_function(functions, view, {"driving", time_and({{"double*", "b"}})},
                 {body.statements(), in_stage(view, body.values())});
}

void emit_loss(const SubsystemView& view, Coefficients& coefficients,
               SubsystemFunctions& functions) {
  const std::vector<std::size_t> wanted = nonlinear_integrals(*view.plan.linear);
  const EnergyBalance& energy = view.surrogate.energy;
  const std::size_t first_power = view.plan.sent.size() + view.plan.received.size();
  const std::vector<Expr> by_place{energy.supplied, energy.dissipated, energy.exchanged};
  std::vector<Expr> roots;
  std::vector<SymbolId> symbols;
  for (const std::size_t row : wanted) {
    if (row >= first_power)
      roots.push_back(by_place[row - first_power]);
    else
      symbols.push_back(view.plan.sent[row]);  // what is received is linear
  }
  FunctionBody body(view, coefficients, "z");
  const std::vector<std::size_t> steps = needed_steps(view, roots, symbols);
  body.begin(steps, roots, true);
  body.algebra(steps);
  for (const std::size_t row : wanted) {
    if (row >= first_power)
      body.assign("dq", row, by_place[row - first_power], "");
    else
      body.store("dq", row, body.own(view.plan.sent[row]), view.label(view.plan.sent[row]));
  }
  write_function(functions, view, {"loss", time_and({{"const double*", "z"}, {"double*", "dq"}})},
                 {body.statements(), in_stage(view, body.values())});
}

/// One block moves everything as it stands; several gather what is theirs.
void emit_increments(const SubsystemView& view, Writer& text) {
  const LinearForm& form = *view.plan.linear;
  const std::vector<ExactBlock> blocks = exact_blocks(view);
  const std::size_t n = view.surrogate.states.size(), m = form.rate_driving.size(),
                    parts = nonlinear_integrals(form).empty() ? 1 : 2;
  text.blank();
  text.open_of("void ", view.type,
               "::increments(" +
                   list_of({{"const double*", "drive"}, {"double*", "move"}}, !blocks.empty()) +
                   ") const noexcept");
  std::vector<bool> begun(state_integrals(form).size(), false);
  for (std::size_t index = 0; index < blocks.size(); ++index) {
    const ExactBlock& block = blocks[index];
    const std::string own = "move_" + number(index);
    std::vector<std::size_t> from = block.states;
    for (int power = 1; power < form.points; ++power)
      for (const std::size_t k : block.driven)
        from.push_back(n + static_cast<std::size_t>(power - 1) * m + k);
    const bool whole = blocks.size() == 1;
    const std::string drive = whole ? "drive" : "drive_" + number(index);
    if (!whole)
      text.line("const double " + drive +
                "[] = " + listed(from, [](std::size_t k) { return at("drive", k); }) + ";");
    text.line("takt::TwoDoubles " + own + "[decltype(" + map_name(index) + ")::blocks];");
    text.line(map_name(index) + ".apply(" + drive + ", " + own + ");");
    if (whole) {
      text.line("for (std::size_t row = 0; row < " + number(block.rows(form)) +
                "; ++row) move[row] = " + own + "[row / 2][row % 2];");
      continue;
    }
    std::size_t row = 0;
    const auto next = [&] {
      const std::size_t k = row++;
      return own + "[" + number(k / 2) + "][" + number(k % 2) + "]";
    };
    for (std::size_t part = 0; part < parts; ++part)
      for (const std::size_t state : block.states)
        text.line(at("move", part * n + state) + " = " + next() + ";");
    for (const std::size_t place : block.integrals) {
      text.line(at("move", parts * n + place) + (begun[place] ? " += " : " = ") + next() + ";");
      begun[place] = true;
    }
  }
  text.close();
}

/// How a function computes the maps: what an entry of A or C is there, and the definition of `work`
/// for that many doubles.
struct MapSource {
  Statements& statements;
  std::function<code::Value(Expr)> entry;
  code::Definition (*work)(code::Values& values, code::Value size);
};

/// The tables of one map, in its scope, and their names as fields of its block.
class MapScope {
 public:
  MapScope(code::Values& values, code::Block& scope) : values_(values), scope_(scope) {}

  void define(const char* type, const char* name, const std::vector<code::Value>& items) {
    if (items.empty()) return;
    scope_.add(code::Definition{
        values_.name(type), values_.unsized(name), values_.list(items), {}, false});
    fields_.push_back(values_.field(name, values_.variable(name)));
  }
  void field(const char* name, code::Value value) { fields_.push_back(values_.field(name, value)); }
  [[nodiscard]] code::Value block() { return values_.list(fields_); }

 private:
  code::Values& values_;
  code::Block& scope_;
  std::vector<code::Value> fields_;
};

void set_exact(const SubsystemView& view, std::size_t index, const ExactBlock& block,
               const MapSource& source) {
  const LinearForm& form = *view.plan.linear;
  const std::vector<std::size_t> integrals = state_integrals(form);
  code::Values& values = source.statements.values();
  std::vector<code::Value> driven, rates, integrands, entries;
  const auto place = [&](std::size_t row, std::size_t column) {
    return values.list({values.integer(row), values.integer(column)});
  };
  const auto owns = [&](const Jacobian::Entry& entry) {
    return std::binary_search(block.states.begin(), block.states.end(), entry.column);
  };
  for (const Jacobian::Entry& entry : form.rates) {
    if (!owns(entry)) continue;
    rates.push_back(place(place_in(block.states, entry.row), place_in(block.states, entry.column)));
    entries.push_back(source.entry(entry.value));
  }
  for (const Jacobian::Entry& entry : form.integrands) {
    if (!owns(entry)) continue;
    integrands.push_back(place(place_in(block.integrals, place_in(integrals, entry.row)),
                               place_in(block.states, entry.column)));
    entries.push_back(source.entry(entry.value));
  }
  for (const std::size_t k : block.driven)
    driven.push_back(values.integer(place_in(block.states, form.rate_driving[k].row)));
  const std::string work_size =
      std::string(runtime::phi_functions) + "::" + std::string(runtime::phi_work_size);
  code::Block& scope = source.statements.last().scope();
  MapScope map(values, scope);
  const std::string places = "static constexpr " + std::string(runtime::matrix_place);
  map.field("states", values.integer(block.states.size()));
  map.field("integrals", values.integer(block.integrals.size()));
  map.define("static constexpr std::uint16_t", "driven", driven);
  map.define(places.c_str(), "rates", rates);
  map.define(places.c_str(), "integrands", integrands);
  map.define("const double", "entries", entries);
  for (const char* member : {"points", "middle", "step_s"})
    map.field(member, values.variable(member));
  scope.add(source.work(values, values.call(work_size, {values.integer(block.states.size())})));
  scope.act(values.call(runtime::set_exact,
                        {values.variable(map_name(index)), map.block(), values.variable("work")}));
}

void emit_maps(const SubsystemView& view, const MapSource& source) {
  const std::vector<ExactBlock> blocks = exact_blocks(view);
  for (std::size_t index = 0; index < blocks.size(); ++index)
    set_exact(view, index, blocks[index], source);
}

void emit_prepared_maps(const SubsystemView& view, Coefficients& coefficients,
                        Statements& prepare) {
  const Graph& graph = view.graph();
  emit_maps(view,
            {prepare,
             [&](Expr value) {
               return graph.is_constant(value) ? prepare.values().number(graph.node(value).value)
                                               : coefficients.value_of(value, prepare.values());
             },
             [](code::Values& values, code::Value size) {
               const code::Value work = values.call(values.variable("work"), {size});
               return code::Definition{values.name("std::vector<double>"), work, {}, {}, false};
             }});
}

code::Block hold_inputs(const SubsystemView& view, code::Values& values) {
  code::Block block;
  const code::Value before = values.variable("before");
  block.add(code::Definition{values.name("auto"), before, values.variable("held")});
  code::Value moved{};
  for (const SymbolId symbol : view.plan.linear->held) {
    const std::size_t input = view.input.at(symbol);
    const code::Value held = values.element("held", input);
    block.assign(held, input_at(view, input, values), values.note(view.label(symbol)));
    const code::Value moves =
        values.operation(code::Form::unequal, held, values.element(before, input));
    moved = moved == code::Value::none ? moves : values.operation(code::Form::either, moved, moves);
  }
  block.give(moved);
  return block;
}

/// Maps with coefficients that follow inputs: held, compared and computed again in the real-time
/// part.
void emit_refresh(const SubsystemView& view, Coefficients& coefficients,
                  SubsystemFunctions& functions) {
  Writer& text = functions.text;
  text.blank();
  text.open_of("void ", view.type, "::forget() noexcept");
  text.line("held.fill(std::numeric_limits<double>::quiet_NaN());");
  text.close();
  text.blank();
  text.open_of("bool ", view.type, "::hold(double s) noexcept");
  code::Values values;
  code::print(text, values, {hold_inputs(view, values).statements()});
  text.close();

  FunctionBody body(view, coefficients, "x");
  std::vector<Expr> roots;
  for (const auto* entries : {&view.plan.linear->rates, &view.plan.linear->integrands})
    for (const Jacobian::Entry& entry : *entries) roots.push_back(entry.value);
  const std::vector<std::size_t> steps = needed_steps(view, roots, {});
  body.begin(steps, roots, false);
  body.algebra(steps);
  for (std::size_t k = 0; k < roots.size(); ++k) body.assign("all", k, roots[k], "");
  emit_maps(view, {body.statements(),
                   [&](Expr value) {
                     const auto place =
                         std::find(roots.begin(), roots.end(), value) - roots.begin();
                     return body.values().element("all", static_cast<std::size_t>(place));
                   },
                   [](code::Values& values, code::Value size) {
                     const code::Value work = values.element_at(values.variable("work"), size);
                     return code::Definition{values.name("double"), work, {}, {}, false};
                   }});
  write_function(functions, view, {"refresh", {{"double*", "all"}}}, {body.statements()});
}

}  // namespace

void emit_exact(const SubsystemView& view, Coefficients& coefficients, Statements& prepare,
                SubsystemFunctions& functions) {
  emit_driving(view, coefficients, functions);
  emit_loss(view, coefficients, functions);
  emit_increments(view, functions.text);
  if (view.plan.linear->held.empty()) return emit_prepared_maps(view, coefficients, prepare);
  emit_refresh(view, coefficients, functions);
  code::Values& values = prepare.values();
  prepare.last().act(values.call("forget", {}));
}

void write_exact_members(Writer& text, const SubsystemView& view) {
  const LinearForm& form = *view.plan.linear;
  const std::vector<std::size_t> none_linear = nonlinear_integrals(form);
  std::vector<std::size_t> driven_integrals;
  for (const LinearForm::Driving& row : form.integrand_driving) driven_integrals.push_back(row.row);
  const auto list = [&](const std::string& name, const std::vector<std::size_t>& items) {
    text.line("static constexpr std::array<std::size_t, " + number(items.size()) + "> " + name +
              listed(items, number) + ";");
  };
  text.line("/// Micro-step the maps are for [s].");
  text.line("double step_s = " + double_literal(static_cast<double>(view.plan.step_ns) * 1e-9) +
            ";");
  text.line(
      "/// Of what drives the states: known at so many points of a step; whether powers are wanted "
      "in its middle; states whose driving moves.");
  text.line("static constexpr int points = " + std::to_string(form.points) + ";");
  text.line("static constexpr bool middle = " +
            std::string(none_linear.empty() ? "false" : "true") + ";");
  text.line("static constexpr std::size_t driven_count = " + number(form.rate_driving.size()) +
            ";");
  text.line("/// Integrals in q: driven by what moves, fed by states, not linear.");
  list("driven_integrals", driven_integrals);
  list("state_integrals", state_integrals(form));
  list("powers", none_linear);
  const bool follows = !form.held.empty();
  text.line("static constexpr bool follows_inputs = " + std::string(follows ? "true" : "false") +
            ";");
  if (follows) {
    text.line(
        "/// Coefficients that follow inputs: their values over this window, and how many entries "
        "of matrices hang on them.");
    text.line("std::array<double, " + number(view.plan.inputs.size()) + "> held{};");
    text.line("static constexpr std::size_t entry_count = " +
              number(form.rates.size() + form.integrands.size()) + ";");
    text.line("/// @return whether one has moved");
    text.line("bool hold(double s) noexcept;");
    text.line("void forget() noexcept;");
    text.line("void refresh(double* all) noexcept;");
  }
  const std::vector<ExactBlock> blocks = exact_blocks(view);
  if (!blocks.empty())
    text.line(
        "/// What a step adds to states that hang together, computed by prepare() from the matrix "
        "exponential.");
  for (std::size_t index = 0; index < blocks.size(); ++index)
    text.line("takt::AffineMap<" + number(blocks[index].rows(form)) + ", " +
              number(blocks[index].columns(form)) + "> " + map_name(index) + "{};");
  text.line("/// What drives the states that do not hold still, and the integrals.");
  text.line("void driving(double t, double s, double* b) noexcept;");
  text.line("/// Integrands that are not linear.");
  text.line("void loss(double t, double s, const double* z, double* dq) noexcept;");
  text.line("void increments(const double* drive, double* move) const noexcept;");
}

}  // namespace takt::codegen
