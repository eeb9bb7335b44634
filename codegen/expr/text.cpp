// Expressions as text for people.

#include <algorithm>

#include "codegen/expr/expr.hpp"
#include "codegen/expr/infix.hpp"
#include "codegen/expr/op_words.hpp"
#include "codegen/expr/texts.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

// A DAG can be exponentially longer as text; what is longer than this is cut.
constexpr std::size_t longest_part = 2000;

}  // namespace

Fragment infix(Op op, const Fragment& a, const Fragment& b) {
  switch (op) {
    case Op::add:
      return join(a, " + ", b, Precedence::sum);
    case Op::sub:
      return join(a, " - ", b, Precedence::sum);
    case Op::mul:
      return join(a, "*", b, Precedence::product);
    case Op::div:
      return join(a, "/", b, Precedence::product);
    case Op::pow:
      return {wrap(a, Precedence::primary) + '^' + wrap(b, Precedence::primary), Precedence::sign};
    case Op::less:
      return join(a, " < ", b, Precedence::relation);
    case Op::less_equal:
      return join(a, " <= ", b, Precedence::relation);
    case Op::equal:
      return join(a, " == ", b, Precedence::equality);
    case Op::logical_and:
      return join(a, " and ", b, Precedence::logical_and);
    case Op::logical_or:
      return join(a, " or ", b, Precedence::logical_or);
    default:
      return {std::string(function_word(op)) + '(' + a.text + ", " + b.text + ')'};
  }
}

std::string Graph::text(Expr e) const { return texts(*this, {e}).front(); }

std::vector<std::string> texts(const Graph& graph, const std::vector<Expr>& roots) {
  const std::vector<Expr> walk = graph.reachable(roots);
  std::vector<Fragment> parts(walk.size());
  const auto part = [&](Expr child) -> const Fragment& {
    const auto found = std::lower_bound(walk.begin(), walk.end(), child);
    return parts[static_cast<std::size_t>(found - walk.begin())];
  };
  for (std::size_t position = 0; position < walk.size(); ++position) {
    const Node& n = graph.node(walk[position]);
    Fragment& out = parts[position];
    switch (n.op) {
      case Op::constant:
        out = {number_text(n.value), n.value < 0.0 ? Precedence::sign : Precedence::primary};
        break;
      case Op::symbol:
        out = {graph.symbol(SymbolId{n.payload}).path};
        break;
      case Op::neg:
        out = {'-' + wrap(part(n.a), Precedence::product), Precedence::sum};
        break;
      case Op::logical_not:
        out = {"not(" + part(n.a).text + ')'};
        break;
      case Op::select:
        out = {"if(" + part(n.a).text + ", " + part(n.b).text + ", " + part(n.c).text + ')'};
        break;
      case Op::table:
        out = {graph.table(TableId{n.payload}).name + '(' + part(n.a).text + ')'};
        break;
      case Op::table_slope:
        out = {graph.table(TableId{n.payload}).name + "'(" + part(n.a).text + ')'};
        break;
      case Op::table2:
        out = {graph.table(TableId{n.payload}).name + '(' + part(n.a).text + ", " + part(n.b).text +
               ')'};
        break;
      case Op::table2_x:
        out = {graph.table(TableId{n.payload}).name + "'x(" + part(n.a).text + ", " +
               part(n.b).text + ')'};
        break;
      case Op::table2_y:
        out = {graph.table(TableId{n.payload}).name + "'y(" + part(n.a).text + ", " +
               part(n.b).text + ')'};
        break;
      case Op::table2_xy:
        out = {graph.table(TableId{n.payload}).name + "'xy(" + part(n.a).text + ", " +
               part(n.b).text + ')'};
        break;
      default:
        out = Graph::arity(n.op) == 1
                  ? Fragment{std::string(function_word(n.op)) + '(' + part(n.a).text + ')'}
                  : infix(n.op, part(n.a), part(n.b));
    }
    if (out.text.size() > longest_part) out = {"(...)"};
  }
  std::vector<std::string> result;
  for (const Expr root : roots) result.push_back(part(root).text);
  return result;
}

}  // namespace takt::codegen
