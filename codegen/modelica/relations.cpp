#include "codegen/modelica/relations.hpp"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "codegen/modelica/point_values.hpp"

namespace takt::codegen::modelica {
namespace {

using Point = std::unordered_map<SymbolId, double>;

/// One equation and the relations in it.
class Judge {
 public:
  Judge(const ScalarModel& model, const ScalarEquation& equation, const Point& given)
      : model_(model),
        graph_(model.graph),
        equation_(equation),
        given_(given),
        values_(model.graph, {equation.left, equation.right}) {
    for (const SymbolId symbol : graph_.symbols_of({equation.left, equation.right}))
      if (!given.contains(symbol)) varied_.push_back(symbol);
  }

  /// In words, what no event can stand for; empty: nothing.
  /// @param jumps  relations at which it jumps are added
  std::string jump(std::set<Expr>& jumps) {
    std::set<Expr> literal;
    for (const Expr e : values_.nodes()) {
      const Node& node = graph_.node(e);
      if (node.op != Op::logical_and) continue;
      if (const auto condition = marked_of(node)) literal.insert(*condition), marked_.push_back(e);
    }
    for (const Expr e : values_.nodes()) {
      const Node& node = graph_.node(e);
      const bool relation =
          node.op == Op::less || node.op == Op::less_equal || node.op == Op::equal;
      if (node.op == Op::floor && varies(node.a))
        return "floor, integer, mod, div or rem of a variable jumps";
      if (!relation || literal.contains(e) || (!varies(node.a) && !varies(node.b))) continue;
      const Verdict verdict = judged(node);
      if (verdict == Verdict::jumps && node.op == Op::equal)
        return "the equation jumps where " + graph_.text(e) + " changes";
      if (verdict == Verdict::jumps) jumps.insert(e);
      if (verdict == Verdict::unknown)
        return "whether the equation jumps where " + graph_.text(e) + " changes could not be told";
    }
    return "";
  }

 private:
  enum class Verdict : std::uint8_t { continuous, jumps, unknown };

  /// The condition that is taken as it is.
  [[nodiscard]] std::optional<Expr> marked_of(const Node& node) const {
    const auto is_mark = [&](Expr e) {
      const Node& operand = graph_.node(e);
      return operand.op == Op::symbol && SymbolId{operand.payload} == model_.literal_mark;
    };
    if (is_mark(node.b)) return node.a;
    return is_mark(node.a) ? std::optional(node.b) : std::nullopt;
  }

  /// With what the solver computes: not with time and inputs alone.
  [[nodiscard]] bool varies(Expr e) const {
    const auto symbols = graph_.symbols_of(e);
    return std::any_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
      if (given_.contains(symbol) || symbol == model_.time) return false;
      const auto variable = model_.variable_of.find(symbol);
      return variable == model_.variable_of.end() || !model_.variables[variable->second].is_given();
    });
  }

  Verdict judged(const Node& relation) {
    constexpr int most_points = 300, enough = 12;
    int seen = 0;
    for (int k = 0; k < most_points && seen < enough; ++k) {
      Point at = drawn();
      const auto moved = put_on_border(relation, at);
      if (!moved) continue;
      const Verdict verdict = looked_at(*moved, at);
      if (verdict == Verdict::jumps) return verdict;
      seen += verdict == Verdict::continuous ? 1 : 0;
    }
    if (seen > 0) return Verdict::continuous;
    return is_continuous_in_its_side(relation) ? Verdict::continuous : Verdict::unknown;
  }

  /// Where no point of the border is found, perhaps because there is none: what is continuous in
  /// the side that varies, as if that could be anything, is continuous.
  bool is_continuous_in_its_side(const Node& relation) {
    if (varies(relation.a) == varies(relation.b)) return false;
    const Expr side = varies(relation.a) ? relation.a : relation.b;
    const Expr border = side == relation.a ? relation.b : relation.a;
    constexpr int points = 24, enough = 12;
    int seen = 0;
    for (int k = 0; k < points && seen < enough; ++k) {
      const Point at = drawn();
      PointValues limit(graph_, {border});
      limit.evaluate(at);
      const double middle = limit[border];
      const auto residual = [&](double x, const std::unordered_map<Expr, double>& held) {
        auto with = held;
        with[side] = x;
        values_.evaluate(at, &with);
        return values_[equation_.left] - values_[equation_.right];
      };
      const Verdict verdict = judged_beside(middle, at, residual);
      if (verdict == Verdict::jumps) return false;
      seen += verdict == Verdict::continuous ? 1 : 0;
    }
    return seen > 0;
  }

  [[nodiscard]] Point drawn() {
    Point at = given_;
    std::uniform_real_distribution<double> size(-2.5, 2.5), side(-1.0, 1.0);
    for (const SymbolId symbol : varied_)
      at[symbol] = (side(random_) < 0.0 ? -1.0 : 1.0) * std::pow(10.0, size(random_));
    at[model_.time] = std::pow(10.0, size(random_));
    return at;
  }

  /// Moves one variable until both sides of the relation are equal.  @return which
  std::optional<SymbolId> put_on_border(const Node& relation, Point& at) {
    PointValues sides(graph_, {relation.a, relation.b});
    const auto difference = [&](SymbolId symbol, double x) {
      at[symbol] = x;
      sides.evaluate(at);
      return sides[relation.a] - sides[relation.b];
    };
    std::vector<SymbolId> movable;
    for (const SymbolId symbol : graph_.symbols_of({relation.a, relation.b}))
      if (!given_.contains(symbol)) movable.push_back(symbol);
    std::shuffle(movable.begin(), movable.end(), random_);
    for (const SymbolId symbol : movable) {
      const double start = at[symbol];
      double x0 = start, x1 = start + 0.1 * (1.0 + std::fabs(start));
      double f0 = difference(symbol, x0), f1 = difference(symbol, x1);
      for (int k = 0; k < 60 && f1 != 0.0 && std::isfinite(f1) && f1 != f0; ++k) {
        const double x2 = x1 - f1 * (x1 - x0) / (f1 - f0);
        x0 = x1, f0 = f1, x1 = x2;
        f1 = difference(symbol, x1);
      }
      const double scale = std::fabs(sides[relation.a]) + std::fabs(sides[relation.b]);
      if (std::isfinite(f1) && std::fabs(f1) <= 1e-12 * scale + 1e-300) return symbol;
      at[symbol] = start;
    }
    return std::nullopt;
  }

  Verdict looked_at(SymbolId moved, Point& at) {
    const double border = at[moved];
    const auto residual = [&](double x, const std::unordered_map<Expr, double>& held) {
      at[moved] = x;
      values_.evaluate(at, &held);
      return values_[equation_.left] - values_[equation_.right];
    };
    const Verdict verdict = judged_beside(border, at, residual);
    at[moved] = border;
    return verdict;
  }

  /// Both sides of the border, from far and from near: what is continuous comes together.
  /// @param residual  of the equation, at a place and with nodes that are held
  template <class Residual>
  Verdict judged_beside(double border, const Point& at, const Residual& residual) {
    const double unit = 1.0 + std::fabs(border);
    values_.evaluate(at);
    std::unordered_map<Expr, double> held;
    for (const Expr e : marked_) held[e] = values_[e];
    double scale = 0.0;
    const auto gap = [&](double distance) {
      const double above = residual(border + distance * unit, held);
      const double below = residual(border - distance * unit, held);
      scale = std::max(std::fabs(values_[equation_.left]), std::fabs(values_[equation_.right]));
      return std::fabs(above - below);
    };
    const double far = gap(1e-4), near = gap(1e-8);
    if (!std::isfinite(far) || !std::isfinite(near)) return Verdict::unknown;
    return near <= 0.2 * far || near <= 1e-7 * scale ? Verdict::continuous : Verdict::jumps;
  }

  const ScalarModel& model_;
  const Graph& graph_;
  const ScalarEquation& equation_;
  const Point& given_;
  PointValues values_;
  std::vector<SymbolId> varied_;
  std::vector<Expr> marked_;
  std::mt19937_64 random_{20};
};

}  // namespace

std::set<Expr> judge_relations(ScalarModel& model, const ReducedModel& reduced,
                               Diagnostics& diagnostics) {
  std::set<Expr> jumps;
  Point given = given_values(model);
  given.erase(model.time);
  std::size_t told = 0;
  const auto judge = [&](const ScalarEquation& equation, std::set<Expr>& held) {
    const std::string jump = Judge(model, equation, given).jump(held);
    if (jump.empty() || ++told > 20) return;
    diagnostics.error("D022", equation.where, equation.origin + ": " + jump,
                      "where the jump is meant as it stands, use noEvent");
  };
  for (const ScalarEquation& each : reduced.equations) judge(each, jumps);
  const auto whole = [&](const std::string& name) {
    Expr value = put_through(model, reduced, symbol_of(model, name));
    for (auto named = reduced.named.rbegin(); named != reduced.named.rend(); ++named)
      if (model.graph.depends_on(value, named->symbol))
        value = model.graph.substitute(value, {{named->symbol, named->value}});
    return value;
  };
  for (const FlatJoin& each : model.flat->joins)
    for (const std::string* name : {&each.across, &each.through}) {
      std::set<Expr> outside;
      const ScalarEquation joined{whole(*name), model.graph.zero(),
                                  "connector '" + each.connector + "'", each.where};
      judge(joined, outside);
      if (!outside.empty())
        diagnostics.error("D022", each.where,
                          joined.origin + ": the equation jumps where " +
                              model.graph.text(*outside.begin()) +
                              " changes, and it is part of a circuit",
                          "where the jump is meant as it stands, use noEvent");
    }
  return jumps;
}

}  // namespace takt::codegen::modelica
