#include "codegen/emit/instant_functions.hpp"

#include "codegen/emit/function_body.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
// Not by method exact, whose maps are of one length, nor by those that choose their steps. Of a switched circuit: where
// its gates may move.
bool knows_instants(const SubsystemView& view) {
  if (std::holds_alternative<SwitchedCircuit>(view.surrogate.kind)) return !view.instants.empty();
  return reads_inside(view) && !view.instants.empty() && !view.plan.linear;
}

bool reads_inside(const SubsystemView& view) {
  return std::holds_alternative<SmoothCircuit>(view.surrogate.kind) && !view.plan.method->is_offline() &&
         (view.instants.jumps || (!view.instants.empty() && !view.plan.linear));
}

std::vector<std::string> cut_functions(const SubsystemView& view) {
  std::vector<std::string> functions;
  if (knows_instants(view)) functions.emplace_back("next_instant");
  if (!view.source_turns.empty()) functions.emplace_back("next_source_turn");
  return functions;
}

std::vector<std::string> stage_lines(const SubsystemView& view) {
  if (!reads_inside(view)) return {};
  return {"t = inside.of(t);"};
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

std::vector<std::string> first_after_lines(const Graph& graph, const TimeInstants& instants, Statements& statements) {
  std::vector<std::string> candidates;
  for (const TimeInstants::Level& level : instants.levels)
    candidates.push_back("takt::instant_after(t, " + statements.value(level.first) + ", " +
                         (level.period ? statements.value(*level.period) : "0.0") + ")");
  for (const TimeInstants::Corners& corners : instants.corners) {
    const Table& table = graph.table(corners.table);
    candidates.push_back("takt::corner_after(t, {" + statements.value(corners.slope) + ", " +
                         statements.value(corners.offset) + "}, table_" +
                         std::to_string(static_cast<std::uint32_t>(corners.table)) + (corners.second ? "_y" : "_x") +
                         ".data(), " + std::to_string((corners.second ? table.second : table.x).size()) + ")");
  }
  std::vector<std::string> lines{"double next = " + candidates.front() + ";"};
  for (std::size_t k = 1; k < candidates.size(); ++k)
    lines.push_back("next = takt::math::min(next, " + candidates[k] + ");");
  lines.emplace_back("return next;");
  return lines;
}

namespace {

struct FirstAfter {
  const TimeInstants& of;
  std::string name;  ///< of the function
};

void emit_first_after(const SubsystemView& view, const FirstAfter& first, Coefficients& coefficients,
                      SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  body.begin({}, roots_of(first.of), false);
  const std::vector<std::string> after = first_after_lines(view.graph(), first.of, body.statements());
  functions.text.blank();
  functions.text.open("double " + view.type + "::" + first.name + "(double t) const noexcept");
  functions.text.lines(body.statements().text().text());
  for (const std::string& line : after) functions.text.line(line);
  functions.text.close();
}

}  // namespace

void emit_next_instant(const SubsystemView& view, Coefficients& coefficients, SubsystemFunctions& functions) {
  if (knows_instants(view)) emit_first_after(view, {view.instants, "next_instant"}, coefficients, functions);
  if (!view.turns.empty()) emit_first_after(view, {view.turns, "next_turn"}, coefficients, functions);
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
