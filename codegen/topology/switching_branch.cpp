#include "codegen/topology/switching_branch.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/topology/mode_kinds.hpp"

namespace takt::codegen {

NominalValues::NominalValues(const Network& network) : network_(network) {
  for (const Parameter& parameter : network.parameters) known_[parameter.symbol] = parameter.value;
  for (const PlantInput& input : network.inputs) inputs_[input.symbol] = input.start;
}

double NominalValues::of(Expr e, const std::unordered_map<SymbolId, double>& given) const {
  return network_.graph().evaluate(e, [&](SymbolId symbol) {
    for (const auto* values : {&given, &known_, &inputs_})
      if (const auto found = values->find(symbol); found != values->end()) return found->second;
    return network_.graph().symbol(symbol).unit == "K" ? 298.15 : 0.0;
  });
}

bool NominalValues::is_known(Expr e, bool with_time) const {
  const std::vector<SymbolId> symbols = network_.graph().symbols_of(e);
  return std::all_of(symbols.begin(), symbols.end(), [&](SymbolId symbol) {
    return known_.contains(symbol) || (with_time && symbol == network_.time);
  });
}

double through_at(const NominalValues& values, const Branch& branch, double across,
                  std::unordered_map<SymbolId, double>& given) {
  const auto law = [&](double v, double i) {
    given[branch.across] = v;
    given[branch.through] = i;
    return values.of(branch.law, given);
  };
  if (branch.form == LawForm::through_of) return law(across, 0.0);
  if (branch.form == LawForm::across_of)
    return (across - law(0.0, 0.0)) / (law(0.0, 1.0) - law(0.0, 0.0));
  return -law(across, 0.0) / (law(across, 1.0) - law(across, 0.0));
}

namespace {

constexpr double high_voltage = 1e6;   // above every knee
constexpr double least_ratio = 100.0;  // between closed and open; less is a resistor of two values
constexpr std::size_t most_switches = 6;  // gates and modes of one element

template <class Item>
std::vector<std::uint32_t> of_element(const std::vector<Item>& items, ElementId element) {
  std::vector<std::uint32_t> found;
  for (std::size_t k = 0; k < items.size(); ++k)
    if (items[k].element == element) found.push_back(static_cast<std::uint32_t>(k));
  return found;
}

/// One branch with its gates and modes at chosen values.
class Device {
 public:
  Device(const Network& network, const NominalValues& values, const Branch& branch)
      : network_(network),
        values_(values),
        branch_(branch),
        gates_(of_element(network.gates, branch.element)),
        modes_(of_element(network.modes, branch.element)),
        points_(of_element(network.points, branch.element)) {
    if (!gates_.empty()) return;
    const auto first = std::stable_partition(modes_.begin(), modes_.end(), [&](std::uint32_t k) {
      return ModeKinds(network, values).of(network.modes[k]) != ModeKind::latched;
    });
    latched_.assign(first, modes_.end());
    modes_.erase(first, modes_.end());
  }

  [[nodiscard]] bool switches() const {
    const auto depends = [&](const auto& items, const std::vector<std::uint32_t>& indices) {
      return std::any_of(indices.begin(), indices.end(), [&](std::uint32_t k) {
        return network_.graph().depends_on(branch_.law, items[k].symbol);
      });
    };
    return depends(network_.gates, gates_) || depends(network_.modes, modes_) ||
           depends(network_.modes, latched_) || depends(network_.points, points_);
  }

  [[nodiscard]] SwitchingBranch describe(BranchId id) {
    SwitchingBranch result;
    result.branch = id;
    result.closed = network_.graph().zero();
    for (const int direction : {1, -1}) measure(direction);
    const auto [least, most] = std::minmax_element(seen_.begin(), seen_.end());
    if (!(*least > 0.0) || *most < least_ratio * *least) return result;
    limit_ = std::sqrt(*least) * std::sqrt(*most);
    result.gates = gates_;
    result.latched = !latched_.empty();
    result.gated = {on_[0] > limit_, on_[1] > limit_};
    result.free = {off_[0] > limit_, off_[1] > limit_};
    result.resistance = 1.0 / std::min(result.gated.forward ? on_[0] : on_[1],
                                       result.gated.backward ? on_[1] : on_[0]);
    if (!gates_.empty()) result.closed = closed_condition();
    return result;
  }

 private:
  /// Conductances with the gates on, and once they are off again, from high voltage in this
  /// direction.
  void measure(int direction) {
    const std::size_t side = direction > 0 ? 0 : 1;
    given_.clear();
    for (const std::uint32_t k : points_) given_[network_.points[k].symbol] = direction;
    set_gates(0.0);
    settle(direction);
    seen_.push_back(conductance());
    set_gates(1.0);
    settle(direction);
    seen_.push_back(on_[side] = conductance());
    set_gates(0.0);
    settle(direction);
    seen_.push_back(off_[side] = conductance());
    if (gates_.empty() && latched_.empty()) on_[side] = 0.0;
  }

  void set_gates(double level) {
    for (const std::uint32_t k : gates_) given_[network_.gates[k].symbol] = level;
    for (const std::uint32_t k : latched_) given_[network_.modes[k].symbol] = level;
  }
  /// Modes that agree with a high voltage in this direction.
  void settle(int direction) {
    for (std::size_t round = 0; round < 2 * modes_.size() + 2; ++round) {
      given_[branch_.across] = direction * high_voltage;
      given_[branch_.through] = current(direction * high_voltage);
      bool flipped = false;
      for (const std::uint32_t k : modes_) {
        double& mode = given_[network_.modes[k].symbol];
        if (!(values_.of(mode > 0.5 ? network_.modes[k].turn_off : network_.modes[k].turn_on,
                         given_) > 0.0))
          continue;
        mode = 1.0 - mode;
        flipped = true;
      }
      if (!flipped) return;
    }
  }
  [[nodiscard]] double current(double across) {
    return through_at(values_, branch_, across, given_);
  }
  [[nodiscard]] double conductance() {
    const double g = current(1.0) - current(0.0);
    return std::isfinite(g) ? g : 0.0;
  }

  /// Over the gates and the modes that hang on them: closed whatever the others are.
  [[nodiscard]] Expr closed_condition() {
    std::vector<SymbolId> symbols;
    for (const std::uint32_t k : gates_) symbols.push_back(network_.gates[k].symbol);
    given_.clear();
    for (const std::uint32_t k : modes_) {
      const Mode& mode = network_.modes[k];
      const bool hangs = std::any_of(gates_.begin(), gates_.end(), [&](std::uint32_t g) {
        const SymbolId gate = network_.gates[g].symbol;
        return network_.graph().depends_on(mode.turn_on, gate) ||
               network_.graph().depends_on(mode.turn_off, gate);
      });
      if (hangs) symbols.push_back(mode.symbol);
    }
    Graph& graph = network_.graph();
    if (symbols.size() > most_switches) return graph.zero();
    std::vector<bool> closed(std::size_t{1} << symbols.size());
    for (std::size_t state = 0; state < closed.size(); ++state) {
      for (std::size_t bit = 0; bit < symbols.size(); ++bit)
        given_[symbols[bit]] = (state >> bit & 1) != 0 ? 1.0 : 0.0;
      closed[state] = conductance() > limit_;
    }
    return sum_of_products(symbols, closed);
  }
  [[nodiscard]] Expr sum_of_products(const std::vector<SymbolId>& symbols,
                                     const std::vector<bool>& closed) {
    Graph& graph = network_.graph();
    const auto is_on = [&](std::size_t bit) {
      return graph.binary(Op::less, graph.constant(0.5), graph.use(symbols[bit]));
    };
    // Mostly one product: all of a few must be on.
    for (std::size_t needed = 1; needed < closed.size(); ++needed) {
      bool fits = true;
      for (std::size_t state = 0; state < closed.size(); ++state)
        fits = fits && closed[state] == ((state & needed) == needed);
      if (!fits) continue;
      Expr product = graph.one();
      for (std::size_t bit = 0; bit < symbols.size(); ++bit)
        if ((needed >> bit & 1) != 0) product = graph.binary(Op::logical_and, product, is_on(bit));
      return product;
    }
    Expr sum = graph.zero();
    for (std::size_t state = 0; state < closed.size(); ++state) {
      if (!closed[state]) continue;
      Expr product = graph.one();
      for (std::size_t bit = 0; bit < symbols.size(); ++bit)
        product = graph.binary(
            Op::logical_and, product,
            (state >> bit & 1) != 0 ? is_on(bit) : graph.unary(Op::logical_not, is_on(bit)));
      sum = graph.binary(Op::logical_or, sum, product);
    }
    return sum;
  }

  const Network& network_;
  const NominalValues& values_;
  const Branch& branch_;
  std::vector<std::uint32_t> gates_, modes_, latched_,
      points_;  // latched: without gates, modes that turn by what they remember
  std::unordered_map<SymbolId, double> given_;
  std::vector<double> seen_;
  double on_[2]{}, off_[2]{}, limit_ = 0.0;  // conductances forward and backward, S
};

}  // namespace

std::vector<SwitchingBranch> switching_branches(const Network& network,
                                                const CircuitTopology& circuit,
                                                const NominalValues& values) {
  std::vector<SwitchingBranch> found;
  for (const BranchId id : circuit.branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    if (branch.kind != BranchKind::dissipator) continue;
    Device device(network, values, branch);
    if (!device.switches()) continue;
    const SwitchingBranch described = device.describe(id);
    if (described.gated.forward || described.gated.backward || described.free.forward ||
        described.free.backward)
      found.push_back(described);
  }
  return found;
}

}  // namespace takt::codegen
