#include "codegen/emit/whole_steps.hpp"

#include <optional>
#include <vector>

#include "codegen/emit/function_body.hpp"
#include "codegen/emit/paired_statements.hpp"
#include "codegen/emit/switched_bodies.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t largest_map = 256;  ///< entries, beyond which its product is a loop

struct Sizes {
  std::size_t histories, states, quadratures, modes;
};

/// The arrays that solve() writes, and of whole_steps() what it keeps.
class PairedSolve {
 public:
  PairedSolve(const SubsystemView& view, PairedStatements statements, Sizes sizes)
      : view_(view), statements_(std::move(statements)), sizes_(sizes) {}

  void write_solve(const FunctionHead& head, Writer& text) {
    PairedStatements statements = statements_;
    std::vector<std::string> lines;
    const std::string positive = any_positive(statements, lines);
    const auto store = [&](const char* array, std::size_t count) {
      for (std::size_t block = 0; 2 * block < count; ++block) {
        const std::string at = std::string(array) + (block > 0 ? " + " + std::to_string(2 * block) : "");
        const std::string value = 2 * block + 1 < count ? both(statements, {array, block, count}, lines)
                                                        : statements.value(array, 2 * block, lines);
        // In one piece: what is read in pairs would wait for halves that were written one by one.
        lines.push_back(2 * block + 1 < count ? "takt::store_two(" + value + ", " + at + ");"
                                              : element(array, 2 * block) + " = " + value + ";");
      }
    };
    store("dz", sizes_.states), store("v", sizes_.histories), store("dq", sizes_.quadratures);
    store("e", sizes_.modes);
    text.blank();
    text.open(head.result + " " + view_.type + "::" + head.name + "(" + head.parameters + ") noexcept");
    text.line(read_factors);
    text.line("takt::TwoDoubles y[Map::blocks];");
    text.line("maps[slot].apply(w, y);");
    text.line("const takt::TwoDoubles u[] = {" + blocks_of("w", sizes_.histories) + "};");
    for (const std::string& line : lines) text.line(line);
    text.line("return " + positive + ";");
    text.close();
  }

  void write_whole_steps(SubsystemFunctions& functions) {
    const std::string parameters =
        "(std::int32_t count, double* __restrict from, double* __restrict earlier, double* __restrict sum) noexcept";
    functions.pairs = statements_.invariants();
    functions.declarations.push_back("std::int32_t whole_steps" + parameters + ";");
    Writer& text = functions.text;
    PairedStatements statements = statements_;
    std::vector<std::string> lines;
    const std::string positive = any_positive(statements, lines);
    if (positive != "false") lines.push_back("if (" + positive + ") break;");
    std::vector<std::string> next;
    for (std::size_t block = 0; 2 * block < sizes_.histories; ++block)
      next.push_back("u[" + std::to_string(block) + "] = " + both(statements, {"v", block, sizes_.histories}, lines) +
                     ";");
    for (std::size_t block = 0; 2 * block < sizes_.quadratures; ++block)
      if (!is_zero(block))
        lines.push_back("sums[" + std::to_string(block) +
                        "] += " + both(statements, {"dq", block, sizes_.quadratures}, lines) + ";");
    const std::string histories = std::to_string((sizes_.histories + 1) / 2);
    const std::string quadratures = std::to_string((sizes_.quadratures + 1) / 2);
    text.blank();
    text.open("std::int32_t " + view_.type + "::whole_steps" + parameters);
    text.line("const Factors* factorised = &factors[slot];");
    text.line("const Map* map = &maps[slot];");
    text.line("takt::TwoDoubles u[" + histories + "], last[" + histories + "], sums[" + quadratures + "];");
    text.line("takt::load_pairs<storage_count>(from, u);");
    text.line("takt::load_pairs<storage_count>(from, last);");
    text.line("takt::load_pairs<quadrature_count>(sum, sums);");
    text.line("std::int32_t done = 0;");
    text.open("for (; done < count; ++done)");
    text.line("takt::read_again(map);");
    text.line("takt::read_again(factorised);");
    text.line("[[maybe_unused]] const auto& f = *factorised;");
    text.line("takt::TwoDoubles y[Map::blocks];");
    text.line("map->apply_pairs(u, y);");
    for (const std::string& line : lines) text.line(line);
    for (std::size_t block = 0; 2 * block < sizes_.histories; ++block)
      text.line(element("last", block) + " = " + element("u", block) + ";");
    for (const std::string& line : next) text.line(line);
    text.close();
    text.line("takt::store_pairs<storage_count>(u, from);");
    text.line("takt::store_pairs<storage_count>(last, earlier);");
    text.line("takt::store_pairs<quadrature_count>(sums, sum);");
    text.line("return done;");
    text.close();
  }

 private:
  struct Block {
    const char* array;
    std::size_t block, count;
  };
  static std::string element(const std::string& array, std::size_t index) { return at(array, index); }

  static std::string blocks_of(const std::string& array, std::size_t count) {
    std::string text;
    for (std::size_t index = 0; index < count; index += 2) {
      const std::string place = array + (index > 0 ? " + " + std::to_string(index) : "");
      text += (text.empty() ? "" : ", ") + (index + 1 < count ? "takt::load_two(" + place + ")"
                                                              : "takt::TwoDoubles{" + element(array, index) + ", 0.0}");
    }
    return text;
  }
  /// Two neighbours as one value, whether or not they were computed as one.
  static std::string both(PairedStatements& statements, const Block& of, std::vector<std::string>& lines) {
    if (const auto pair = statements.pair_value(of.array, of.block, lines)) return *pair;
    const std::size_t index = 2 * of.block;
    const std::string first = statements.value(of.array, index, lines);
    const std::string second = index + 1 < of.count ? statements.value(of.array, index + 1, lines) : "0.0";
    return "takt::TwoDoubles{" + first + ", " + second + "}";
  }
  std::string any_positive(PairedStatements& statements, std::vector<std::string>& lines) const {
    if (sizes_.modes == 0) return "false";
    std::string arguments;
    for (std::size_t block = 0; 2 * block < sizes_.modes; ++block)
      arguments += (block > 0 ? ", " : "") + both(statements, {"e", block, sizes_.modes}, lines);
    return "takt::any_positive(" + arguments + ")";
  }
  [[nodiscard]] bool is_zero(std::size_t block) const {
    bool zero = true;
    for (std::size_t index = 2 * block; index < 2 * block + 2 && index < sizes_.quadratures; ++index)
      zero = zero && statements_.is_text("dq", index, "0.0");
    return zero;
  }
  const SubsystemView& view_;
  PairedStatements statements_;
  Sizes sizes_;
};

}  // namespace

bool emit_paired(const SubsystemView& view, const FunctionHead& head, const std::string& body,
                 SubsystemFunctions& functions) {
  const SwitchedCircuit& part = switched_circuit(view.surrogate.kind);
  const std::size_t states = view.surrogate.states.size();
  if (!view.plan.affine || !part.points.empty() || states != part.histories.size()) return false;
  if (part.affine->columns != part.histories || part.affine->rows.size() * states > largest_map) return false;
  std::string moving;
  for (std::size_t index = 0; index < states; ++index) moving += (index > 0 ? ", " : "") + at("w", index);
  auto statements = PairedStatements::read(
      body,
      {"takt::TwoDoubles y[Map::blocks];", "const double moving[] = {" + moving + "};", "maps[slot].apply(moving, y);"},
      {{"w", "u"}, {"y", "y"}});
  if (!statements || statements->reads("t") || statements->reads("s")) return false;
  if (!statements->pair({"e", "dq", "dz", "v"}) || statements->invariants().empty()) return false;
  std::size_t quadratures = 0;
  while (statements->assigns("dq", quadratures)) ++quadratures;
  PairedSolve solve(view, std::move(*statements), {states, states, quadratures, part.modes.size()});
  solve.write_solve(head, functions.text);
  solve.write_whole_steps(functions);
  return true;
}

}  // namespace takt::codegen
