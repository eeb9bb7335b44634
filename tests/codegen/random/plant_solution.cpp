#include "tests/codegen/random/plant_solution.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <stdexcept>

namespace takt::codegen::testing {
namespace {

std::string digits(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

class EquationCheck {
 public:
  EquationCheck(const Network& network, const CircuitTopology& circuit, const Surrogate& surrogate,
                const CircuitPoint& point)
      : network_(network),
        circuit_(circuit),
        surrogate_(surrogate),
        point_(point),
        interpreter_(network, surrogate, point.inputs) {}

  std::vector<std::string> run() {
    values_ = interpreter_.all(time_, point_.states);
    values_.insert(point_.inputs.begin(), point_.inputs.end());
    for (const Parameter& parameter : network_.parameters) values_.try_emplace(parameter.symbol, parameter.value);
    for (const auto& [symbol, value] : values_)
      if (!std::isfinite(value)) violated_.push_back(path(symbol) + " is not finite");
    if (!violated_.empty()) return violated_;
    find_scales();
    check_balances();
    for (const BranchId id : circuit_.branches) check_branch(branch(id));
    check_two_ports();
    check_mixing();
    check_rates();
    return violated_;
  }

 private:
  static constexpr double time_ = 0.002;
  const Branch& branch(BranchId id) const { return network_.branches[static_cast<std::size_t>(id)]; }
  const std::string& path(SymbolId symbol) const { return network_.graph().symbol(symbol).path; }
  bool known(SymbolId symbol) const { return values_.contains(symbol); }
  double at(SymbolId symbol) const { return values_.at(symbol); }
  double at(Expr expression, const Interpreter::Values& values) const {
    return network_.graph().evaluate(expression, [&](SymbolId symbol) { return values.at(symbol); });
  }
  double potential(NodeId id) const {
    const NetworkNode& node = network_.nodes[static_cast<std::size_t>(id)];
    return node.reference ? 0.0 : at(node.across);
  }
  /// |difference| must be rounding beside size, or beside `least`, the rounding of what it was computed from.
  void expect(const std::string& what, double difference, double size, double least) {
    if (std::abs(difference) <= 1e-6 * size + 1e-9 * least) return;
    violated_.push_back(what + ": off by " + digits(difference) + " of " + digits(size));
  }

  void find_scales() {
    for (const BranchId id : circuit_.branches) {
      most_across_ = std::max({most_across_, std::abs(potential(branch(id).from)), std::abs(potential(branch(id).to))});
      most_through_ = std::max(most_through_, std::abs(at(branch(id).through)));
    }
  }

  std::vector<BranchId> branches_and_ports() const {
    std::vector<BranchId> all = circuit_.branches;
    for (const std::uint32_t port : circuit_.two_ports)
      all.insert(all.end(), {network_.two_ports[port].a, network_.two_ports[port].b});
    return all;
  }

  void check_balances() {
    std::unordered_map<NodeId, std::pair<double, double>> sums;  // sum, sum of magnitudes
    for (const BranchId id : branches_and_ports()) {
      const Branch& b = branch(id);
      const double f = at(b.through), x = at(b.across), from = potential(b.from), to = potential(b.to);
      sums[b.from].first += f, sums[b.to].first -= f;
      sums[b.from].second += std::abs(f), sums[b.to].second += std::abs(f);
      expect("loop of " + b.path, x - (from - to), std::abs(x), std::abs(from) + std::abs(to) + most_across_);
    }
    for (const NodeId node : circuit_.nodes)
      expect("balance of " + network_.nodes[static_cast<std::size_t>(node)].path, sums[node].first, 0.0,
             sums[node].second + most_through_);
  }

  void check_branch(const Branch& b) {
    if (b.kind == BranchKind::through_source && point_.inputs.contains(b.through)) return;  // received
    double law = 0.0;
    try {
      law = at(b.law, values_);
    } catch (const std::out_of_range&) {
      violated_.push_back("law of " + b.path + " reads what the circuit does not know");
      return;
    }
    const bool across_storage = b.kind == BranchKind::across_storage;
    switch (b.form) {
      case LawForm::across_of:
        return expect("law of " + b.path, at(b.across) - law, std::abs(law), most_across_);
      case LawForm::through_of:
        return expect("law of " + b.path, at(b.through) - law, std::abs(law), most_through_);
      case LawForm::stored_of:
        return expect("law of " + b.path, at(*b.stored) - law, std::abs(law), 1e-9);
      case LawForm::from_stored:
        return expect("law of " + b.path, at(across_storage ? b.across : b.through) - law, std::abs(law),
                      across_storage ? most_across_ : most_through_);
      case LawForm::implicit:
        return expect("law of " + b.path, law, 0.0, most_across_ + most_through_);
      case LawForm::none:
        return;
    }
  }

  void check_two_ports() {
    for (const std::uint32_t k : circuit_.two_ports) {
      const TwoPort& port = network_.two_ports[k];
      const Branch &a = branch(port.a), &b = branch(port.b);
      expect("ratio of " + a.path, at(a.across) - port.ratio * at(b.across), std::abs(at(a.across)), most_across_);
      expect("power of " + a.path, at(b.through) + port.ratio * at(a.through), std::abs(at(b.through)), most_through_);
    }
  }

  /// Variables of elements and temperatures of junctions without contents.
  void check_mixing() {
    for (const ElementVariable& variable : network_.variables) {
      if (!known(variable.symbol)) continue;
      if (point_.inputs.contains(variable.symbol)) continue;
      const double value = at(variable.value, values_);
      expect(path(variable.symbol), at(variable.symbol) - value, std::abs(value), std::abs(value));
    }
    for (const NodeBalance& balance : network_.balances) {
      if (!known(balance.unknown) || point_.inputs.contains(balance.unknown)) continue;
      double most = 0.0;  // of the heat flows in it
      for (const SymbolId symbol : network_.graph().symbols_of(balance.residual))
        most = std::max(most, std::abs(at(symbol)));
      expect("mixing at " + path(balance.unknown), at(balance.residual, values_), most,
             1e-3);  // rounding beside the least that streams carry
    }
  }

  void check_rates() {
    const std::vector<double> rates = interpreter_.derivatives(time_, point_.states);
    double step = 1e-6;
    for (std::size_t k = 0; k < rates.size(); ++k)
      if (rates[k] != 0.0)
        step = std::min(step, 1e-5 * std::max(std::abs(point_.states[k]), 1e-9) / std::abs(rates[k]));
    const auto moved = [&](double by) {
      std::vector<double> states = point_.states;
      for (std::size_t k = 0; k < states.size(); ++k) states[k] += by * rates[k];
      return interpreter_.all(time_ + by, states);
    };
    const Interpreter::Values before = moved(-step), after = moved(step);
    for (const BranchId id : circuit_.branches) {
      const Branch& b = branch(id);
      if (!b.stored) continue;
      const double stored = at(*b.stored), slope = (after.at(*b.stored) - before.at(*b.stored)) / (2 * step);
      const double rate = at(b.kind == BranchKind::across_storage ? b.through : b.across);
      const double rounding = 1e-13 * std::abs(stored) / step;
      if (std::abs(slope - rate) > 1e-3 * (std::abs(slope) + std::abs(rate)) + rounding +
                                       1e-6 * (b.kind == BranchKind::across_storage ? most_through_ : most_across_))
        violated_.push_back("rate of " + path(*b.stored) + ": " + digits(rate) + " but it moves by " + digits(slope));
    }
  }

  const Network& network_;
  const CircuitTopology& circuit_;
  const Surrogate& surrogate_;
  const CircuitPoint& point_;
  Interpreter interpreter_;
  Interpreter::Values values_;
  double most_across_ = 0.0, most_through_ = 0.0;
  std::vector<std::string> violated_;
};

double random_input(const std::string& unit, std::mt19937_64& random) {
  const double share = static_cast<double>(random() % 1000) / 1000.0;
  if (unit == "K") return 290.0 + 60.0 * share;
  if (unit == "Pa") return 1e5 * (1.0 + 0.5 * share);
  if (unit == "W") return 10.0 * (share - 0.5);
  return share - 0.4;
}

}  // namespace

CircuitPoint random_point(const Network& network, const Surrogate& surrogate, const PlanSubsystem& planned,
                          std::mt19937_64& random) {
  CircuitPoint point;
  for (const SymbolId input : planned.inputs)
    point.inputs[input] = random_input(network.graph().symbol(input).unit, random);
  if (!is_circuit(surrogate.kind)) return point;
  Interpreter interpreter(network, surrogate, point.inputs);
  point.states = interpreter.start();
  const double most = surrogate.domain == CircuitDomain::fluid || surrogate.domain == CircuitDomain::gas ? 1e-3 : 0.1;
  for (double& state : point.states) state *= 1.0 + most * static_cast<double>(random() % 1000) / 1000.0;
  const std::vector<double> rates = interpreter.derivatives(0.0, point.states);
  for (std::size_t k = 0; k < rates.size(); ++k) point.states[k] += 1e-5 * rates[k];  // those that start at zero
  return point;
}

std::vector<std::string> violated_equations(const Network& network, const CircuitTopology& circuit,
                                            const Surrogate& surrogate, const CircuitPoint& point) {
  return EquationCheck(network, circuit, surrogate, point).run();
}

std::vector<std::string> algebraic_cycle(const Network& network, const DaeResult& dae, const Plan& plan,
                                         const std::vector<CircuitPoint>& points) {
  std::vector<std::vector<std::size_t>> next(plan.couplings.size());
  for (std::size_t first = 0; first < plan.couplings.size(); ++first) {
    const PlanCoupling& into = plan.couplings[first];
    const Surrogate& through = dae.subsystems[into.consumer];
    if (!is_circuit(through.kind)) continue;  // a sample is a delay
    const CircuitPoint& point = points[into.consumer];
    Interpreter::Values inputs = point.inputs;
    const auto before = Interpreter(network, through, inputs).all(0.002, point.states);
    inputs[into.to] += 0.01 * std::abs(inputs[into.to]) + 0.01;
    const auto after = Interpreter(network, through, inputs).all(0.002, point.states);
    for (std::size_t second = 0; second < plan.couplings.size(); ++second) {
      const PlanCoupling& out = plan.couplings[second];
      if (out.producer != into.consumer || !before.contains(out.from)) continue;
      const double change = after.at(out.from) - before.at(out.from);
      if (std::abs(change) > 1e-9 * std::abs(before.at(out.from)) + 1e-15) next[first].push_back(second);
    }
  }
  std::vector<int> state(next.size(), 0);  // 0 new, 1 on the path, 2 done
  std::vector<std::string> cycle;
  const std::function<bool(std::size_t)> visit = [&](std::size_t at) {
    state[at] = 1;
    for (const std::size_t to : next[at]) {
      if (state[to] == 2 || (state[to] == 0 && !visit(to))) continue;
      cycle.push_back(network.graph().symbol(plan.couplings[at].from).path);
      return true;
    }
    state[at] = 2;
    return false;
  };
  for (std::size_t start = 0; start < next.size() && cycle.empty(); ++start)
    if (state[start] == 0) static_cast<void>(visit(start));
  return cycle;
}

}  // namespace takt::codegen::testing
