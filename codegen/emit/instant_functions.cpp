#include "codegen/emit/instant_functions.hpp"

#include "codegen/code/print.hpp"
#include "codegen/code/runtime_names.hpp"
#include "codegen/emit/function_body.hpp"

namespace takt::codegen {
// Not by method exact, whose maps are of one length, nor by those that choose their steps. Of a
// switched circuit: where its gates may move.
bool knows_instants(const SubsystemView& view) {
  if (std::holds_alternative<SwitchedCircuit>(view.surrogate.kind)) return !view.instants.empty();
  return reads_inside(view) && !view.instants.empty() && !view.plan.linear;
}

bool reads_inside(const SubsystemView& view) {
  return std::holds_alternative<SmoothCircuit>(view.surrogate.kind) &&
         !view.plan.method->is_offline() &&
         (view.instants.jumps || (!view.instants.empty() && !view.plan.linear));
}

std::vector<std::string> cut_functions(const SubsystemView& view) {
  std::vector<std::string> functions;
  if (knows_instants(view)) functions.emplace_back("next_instant");
  if (!view.source_turns.empty()) functions.emplace_back("next_source_turn");
  return functions;
}

code::Block in_stage(const SubsystemView& view, code::Values& values) {
  code::Block block;
  if (!reads_inside(view)) return block;
  const code::Value t = values.variable("t");
  block.assign(t, values.call(values.member("inside", "of"), {t}));
  return block;
}

void write_instant_members(Writer& text, const SubsystemView& view) {
  if (reads_inside(view)) {
    text.line("/// Between these ends functions of the time are read.");
    text.line("takt::Inside inside{};");
  }
  if (!view.turns.empty()) {
    text.line("/// The first instant after t at which the duty of a leg jumps or bends; s.");
    text.line("[[nodiscard]] double next_turn(double t) const noexcept;");
  }
  if (!view.source_turns.empty()) {
    text.line("/// The first instant after t at which a source jumps or bends; s.");
    text.line("[[nodiscard]] double next_source_turn(double t) const noexcept;");
  }
  if (!knows_instants(view)) return;
  text.line("/// The first instant after t at which one of them jumps or bends; s.");
  text.line("[[nodiscard]] double next_instant(double t) const noexcept;");
}

std::vector<Expr> roots_of(const TimeInstants& instants) {
  std::vector<Expr> roots;
  for (const TimeInstants::Level& level : instants.levels) {
    roots.push_back(level.first);
    if (level.period) roots.push_back(*level.period);
  }
  for (const TimeInstants::Corners& corners : instants.corners)
    roots.insert(roots.end(), {corners.slope, corners.offset});
  return roots;
}

void first_after(const Graph& graph, const TimeInstants& instants, Statements& statements) {
  code::Values& values = statements.values();
  const code::Value t = values.variable("t"), next = values.variable("next");
  std::vector<code::Value> candidates;
  for (const TimeInstants::Level& level : instants.levels) {
    const code::Value first = statements.value(level.first);
    const code::Value period = level.period ? statements.value(*level.period) : values.number(0.0);
    candidates.push_back(values.call(runtime::instant_after, {t, first, period}));
  }
  for (const TimeInstants::Corners& corners : instants.corners) {
    const Table& table = graph.table(corners.table);
    const code::Value slope = statements.value(corners.slope),
                      offset = statements.value(corners.offset);
    const code::Value axis =
        values.variable("table_" + std::to_string(static_cast<std::uint32_t>(corners.table)) +
                        (corners.second ? "_y" : "_x"));
    const code::Value data =
        values.call(values.member(axis, "data"), std::initializer_list<code::Value>{});
    candidates.push_back(values.call(
        runtime::corner_after, {t, values.list({slope, offset}), data,
                                values.integer((corners.second ? table.second : table.x).size())}));
  }
  code::Block& block = statements.block();
  block.add(code::Definition{values.name("double"), next, candidates.front(), {}, false});
  for (std::size_t k = 1; k < candidates.size(); ++k)
    block.assign(next, values.call(runtime::min, {next, candidates[k]}));
  block.give(next);
}

namespace {

struct FirstAfter {
  const TimeInstants& of;
  std::string name;  ///< of the function
};

void emit_first_after(const SubsystemView& view, const FirstAfter& first,
                      Coefficients& coefficients, SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  body.begin({}, roots_of(first.of), false);
  first_after(view.graph(), first.of, body.statements());
  functions.text.blank();
  functions.text.open_of("double ", view.type, "::" + first.name + "(double t) const noexcept");
  code::print(functions.text, body.values(), {body.statements().body().statements()});
  functions.text.close();
}

}  // namespace

void emit_next_instant(const SubsystemView& view, Coefficients& coefficients,
                       SubsystemFunctions& functions) {
  if (knows_instants(view))
    emit_first_after(view, {view.instants, "next_instant"}, coefficients, functions);
  if (!view.turns.empty())
    emit_first_after(view, {view.turns, "next_turn"}, coefficients, functions);
  if (!view.source_turns.empty())
    emit_first_after(view, {view.source_turns, "next_source_turn"}, coefficients, functions);
}

void write_next_instant(Writer& text, const SubsystemView& view) {
  const std::vector<std::string> cuts = cut_functions(view);
  if (cuts.empty()) return;
  text.open("double next_instant_" + view.type + "(const std::byte* own, double t) noexcept");
  text.line("const auto& self = *reinterpret_cast<const " + view.type + "*>(own);");
  if (cuts.size() == 1)
    text.line("return self." + cuts[0] + "(t);");
  else
    text.line("return takt::math::min(self." + cuts[0] + "(t), self." + cuts[1] + "(t));");
  text.close();
}

}  // namespace takt::codegen
