#include "codegen/modelica/shared_texts.hpp"

#include "codegen/expr/op_words.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen::modelica {
namespace {

/// A line that is longer is broken by a name, so that neither people nor the parser meet thousands
/// of brackets.
constexpr std::size_t longest = 300;
/// Shorter ones are written again where they are read again.
constexpr std::size_t shortest_shared = 24;

}  // namespace

SharedTexts::SharedTexts(const Graph& graph, const std::vector<Expr>& roots, Names names,
                         Fresh fresh)
    : graph_(graph), names_(std::move(names)) {
  const std::vector<Expr> walk = graph.reachable(roots);
  std::unordered_map<Expr, int> uses;
  for (const Expr root : roots) ++uses[root];
  for (const Expr e : walk) {
    const Node& node = graph.node(e);
    const std::array<Expr, 3> operands{node.a, node.b, node.c};
    for (std::size_t k = 0; k < static_cast<std::size_t>(Graph::arity(node.op)); ++k)
      ++uses[operands[k]];
  }
  for (const Expr e : walk) {
    Fragment made = fragment(graph.node(e));
    const bool shared =
        uses[e] > 1 && made.text.size() >= shortest_shared && Graph::arity(graph.node(e).op) > 0;
    if (fresh && (shared || made.text.size() > longest)) {
      shared_.emplace_back(fresh(), made.text);
      made = {shared_.back().first};
    }
    parts_[e] = std::move(made);
  }
}

std::string SharedTexts::text(Expr root) const { return parts_.at(root).text; }

Fragment SharedTexts::fragment(const Node& node) const {
  const auto part = [&](Expr e) -> const Fragment& { return parts_.at(e); };
  switch (node.op) {
    case Op::constant:
      return {number_text(node.value), node.value < 0.0 ? Precedence::sign : Precedence::primary};
    case Op::symbol:
      return {names_.of_symbol(SymbolId{node.payload})};
    case Op::table:
    case Op::table2:
      return {names_.of_table(TableId{node.payload}) + '(' + part(node.a).text +
              (node.op == Op::table2 ? ", " + part(node.b).text : "") + ')'};
    case Op::neg:
      return {'-' + wrap(part(node.a), Precedence::primary), Precedence::sum};
    case Op::logical_not:
      return {"(not (" + part(node.a).text + "))"};
    case Op::select:
      return {"if(" + part(node.a).text + ", " + part(node.b).text + ", " + part(node.c).text +
              ')'};
    case Op::equal: {
      // Plant files compare numbers, not truth values.
      const auto number = [&](Expr e) {
        return graph_.is_condition(e) && !graph_.is_constant(e)
                   ? Fragment{"if(" + part(e).text + ", 1, 0)"}
                   : part(e);
      };
      return infix(node.op, number(node.a), number(node.b));
    }
    default:
      return Graph::arity(node.op) == 1
                 ? Fragment{std::string(function_word(node.op)) + '(' + part(node.a).text + ')'}
                 : infix(node.op, part(node.a), part(node.b));
  }
}

}  // namespace takt::codegen::modelica
