#include "codegen/topology/gate_relations.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace takt::codegen {
namespace {

constexpr std::size_t most_atoms = 12;  // 4096 assignments
constexpr std::size_t samples_per_span = 2048;

/// A signal as a function of atoms, quantities that are true (above 0.5) or not and know nothing of
/// each other.
class Truth {
 public:
  explicit Truth(const Graph& graph) : graph_(graph) {}

  /// @param assignment  bit k: atom k is true
  [[nodiscard]] bool of(Expr e, std::size_t assignment) {
    const Node node = graph_.node(e);
    switch (node.op) {
      case Op::constant:
        return node.value > 0.5;
      case Op::logical_and:
      case Op::mul:
      case Op::min:
        return both(of(node.a, assignment), of(node.b, assignment));
      case Op::logical_or:
      case Op::max:
        return either(of(node.a, assignment), of(node.b, assignment));
      case Op::logical_not:
        return !of(node.a, assignment);
      case Op::select: {
        const bool condition = of(node.a, assignment), yes = of(node.b, assignment),
                   no = of(node.c, assignment);
        return condition ? yes : no;
      }
      case Op::sub:
        if (graph_.is_constant(node.a, 1.0)) return !of(node.b, assignment);
        break;
      case Op::less:  // 0.5 < x, x < 0.5
        if (is_half(node.a)) return of(node.b, assignment);
        if (is_half(node.b)) return !of(node.a, assignment);
        return atom(Op::less, node.a, node.b, assignment);
      case Op::less_equal:
        return !atom(Op::less, node.b, node.a, assignment);
      default:
        break;
    }
    return atom(node.op, e, e, assignment);
  }
  [[nodiscard]] std::size_t count() const { return atoms_.size(); }
  /// Where the expression itself is an atom: its number.
  [[nodiscard]] std::optional<std::size_t> number_of(Expr e) const {
    const auto found = atoms_.find({graph_.node(e).op, e, e});
    return found == atoms_.end() ? std::nullopt : std::optional(found->second);
  }

 private:
  // Operands are evaluated before, so that every atom is met on the first walk.
  static bool both(bool a, bool b) { return a && b; }
  static bool either(bool a, bool b) { return a || b; }
  [[nodiscard]] bool is_half(Expr e) const { return graph_.is_constant(e, 0.5); }
  [[nodiscard]] bool atom(Op op, Expr a, Expr b, std::size_t assignment) {
    const auto [place, fresh] = atoms_.try_emplace({op, a, b}, atoms_.size());
    return place->second < 64 && (assignment >> place->second & 1) != 0;
  }

  const Graph& graph_;
  std::map<std::tuple<Op, Expr, Expr>, std::size_t> atoms_;
};

/// Times that meet whatever repeats within the run: low-discrepancy points over spans of several
/// sizes.
std::vector<double> sample_times(double duration_s) {
  constexpr double golden = 0.6180339887498949;
  std::vector<double> times;
  for (const double span : {duration_s, duration_s / 64.0, duration_s / 4096.0})
    for (std::size_t k = 0; k < samples_per_span; ++k) {
      const double place = golden * static_cast<double>(k);
      times.push_back(span * (place - std::floor(place)));
    }
  std::sort(times.begin(), times.end());
  return times;
}

}  // namespace

GateRelations::GateRelations(const Network& network, const NominalValues& values)
    : network_(network), values_(values) {
  const double duration_s =
      network.default_duration_ns ? static_cast<double>(*network.default_duration_ns) * 1e-9 : 0.1;
  times_ = sample_times(duration_s);
}

const std::vector<bool>& GateRelations::levels_of(std::uint32_t gate) {
  const auto [place, fresh] = levels_.try_emplace(gate);
  if (fresh)
    for (const double time : times_)
      place->second.push_back(values_.of(network_.gates[gate].signal, {{network_.time, time}}) >
                              0.5);
  return place->second;
}

bool GateRelations::excluded(const std::vector<Expr>& signals) const {
  Truth truth(network_.graph());
  for (const Expr signal : signals) (void)truth.of(signal, 0);
  if (truth.count() > most_atoms) return false;
  std::vector<std::pair<std::size_t, std::size_t>> never_both;
  for (const PwmLeg& leg : network_.legs) {
    // A symbol that no expression uses has no node; making one would change the graph.
    std::optional<std::size_t> high, low;
    for (const Expr e : network_.graph().reachable(signals)) {
      if (network_.graph().node(e).op != Op::symbol) continue;
      const auto symbol = static_cast<SymbolId>(network_.graph().node(e).payload);
      if (symbol == leg.high) high = truth.number_of(e);
      if (symbol == leg.low) low = truth.number_of(e);
    }
    if (high && low) never_both.emplace_back(*high, *low);
  }
  for (std::size_t assignment = 0; assignment < std::size_t{1} << truth.count(); ++assignment) {
    const bool allowed = std::none_of(never_both.begin(), never_both.end(), [&](const auto& pair) {
      return (assignment >> pair.first & 1) != 0 && (assignment >> pair.second & 1) != 0;
    });
    if (allowed && std::all_of(signals.begin(), signals.end(),
                               [&](Expr signal) { return truth.of(signal, assignment); }))
      return false;
  }
  return true;
}

TogetherVerdict GateRelations::of(const std::vector<std::uint32_t>& gates) {
  std::vector<Expr> signals;
  for (const std::uint32_t gate : gates) signals.push_back(network_.gates[gate].signal);
  TogetherVerdict verdict;
  verdict.same_signal =
      signals.size() > 1 &&
      std::all_of(signals.begin(), signals.end(), [&](Expr e) { return e == signals.front(); });
  if (excluded(signals)) {
    verdict.kind = Together::never;
    return verdict;
  }
  std::vector<const std::vector<bool>*> known;
  for (const std::uint32_t gate : gates)
    if (values_.is_known(network_.gates[gate].signal, true)) known.push_back(&levels_of(gate));
  for (std::size_t k = 0; k < times_.size() && !known.empty(); ++k) {
    if (!std::all_of(known.begin(), known.end(),
                     [&](const std::vector<bool>* levels) { return (*levels)[k]; }))
      continue;
    if (known.size() == gates.size()) verdict = {Together::seen, times_[k], verdict.same_signal};
    return verdict;
  }
  if (!known.empty()) verdict.kind = Together::not_seen;
  return verdict;
}

}  // namespace takt::codegen
