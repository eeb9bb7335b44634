#include "codegen/topology/mode_kinds.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace takt::codegen {
namespace {

/// What the indicators read, through variables of elements too.
std::unordered_set<SymbolId> read_by(const Network& network, const Mode& mode) {
  std::unordered_map<SymbolId, Expr> definition;
  for (const ElementVariable& variable : network.variables)
    definition.emplace(variable.symbol, variable.value);
  std::unordered_set<SymbolId> read;
  std::vector<SymbolId> open = network.graph().symbols_of(std::vector{mode.turn_on, mode.turn_off});
  while (!open.empty()) {
    const SymbolId symbol = open.back();
    open.pop_back();
    if (!read.insert(symbol).second) continue;
    if (const auto found = definition.find(symbol); found != definition.end())
      for (const SymbolId next : network.graph().symbols_of(found->second)) open.push_back(next);
  }
  return read;
}

/// Whether the indicators read something of the circuit besides their own branch. (Temperatures and
/// commands are held from outside.)
bool reads_others(const Network& network, const Mode& mode, const Branch& own) {
  std::unordered_set<SymbolId> read = read_by(network, mode);
  read.erase(own.across);
  read.erase(own.through);
  const auto is_read = [&](SymbolId symbol) { return read.contains(symbol); };
  return std::any_of(network.states.begin(), network.states.end(),
                     [&](const ElementState& state) { return is_read(state.symbol); }) ||
         std::any_of(network.branches.begin(), network.branches.end(), [&](const Branch& branch) {
           return branch.domain == own.domain &&
                  (is_read(branch.across) || is_read(branch.through) ||
                   (branch.stored && is_read(*branch.stored)));
         });
}

struct Agreement {
  bool off = false, on = false;
};

/// One mode in the branch it switches, behind a source and a resistance in series.
class ModeTrial {
 public:
  ModeTrial(const NominalValues& values, const Mode& mode, const Branch& branch,
            const std::vector<SymbolId>& gates)
      : values_(values), mode_(mode), branch_(branch), gates_(gates) {}

  /// follows: just one of on and off agrees; fired: with gates off both may; latched: anything
  /// else.
  [[nodiscard]] ModeKind kind() {
    ModeKind kind = ModeKind::follows;
    const Pair with_gates = lines(1.0), without = gates_.empty() ? with_gates : lines(0.0);
    const double steepest = std::max({with_gates.off.slope, with_gates.on.slope, without.on.slope});
    if (!(steepest > 0.0)) return ModeKind::latched;
    for (const double resistance : {1e-3 / steepest, 1.0 / steepest})
      for (double size = 1e-6; size < 1e6; size *= 4.7)
        for (const double source : {size, -size}) {
          const Agreement gated = agreement(with_gates, source, resistance, 1.0);
          if (gated.off == gated.on) return ModeKind::latched;
          if (gates_.empty()) continue;
          const Agreement free = agreement(without, source, resistance, 0.0);
          if (!free.off && !free.on) return ModeKind::latched;
          if (free.off && free.on && without.off.slope != without.on.slope) kind = ModeKind::fired;
        }
    return kind;
  }

 private:
  struct Line {  ///< through = at_zero + slope * across
    double at_zero = 0.0, slope = 0.0;
  };
  struct Pair {
    Line off, on;
  };
  [[nodiscard]] Pair lines(double gates) { return {line(0.0, gates), line(1.0, gates)}; }
  [[nodiscard]] Line line(double mode, double gates) {
    set(mode, gates);
    const double at_zero = through_at(values_, branch_, 0.0, given_),
                 slope = through_at(values_, branch_, 1.0, given_) - at_zero;
    return {at_zero, std::isfinite(slope) ? std::max(slope, 0.0) : 0.0};
  }
  [[nodiscard]] Agreement agreement(const Pair& pair, double source, double resistance,
                                    double gates) {
    const auto agrees = [&](const Line& line, double mode, Expr indicator) {
      set(mode, gates);
      const double across = (source - resistance * line.at_zero) / (1.0 + resistance * line.slope);
      given_[branch_.across] = across;
      given_[branch_.through] = line.at_zero + line.slope * across;
      return !(values_.of(indicator, given_) > 0.0);
    };
    return {agrees(pair.off, 0.0, mode_.turn_on), agrees(pair.on, 1.0, mode_.turn_off)};
  }
  void set(double mode, double gates) {
    for (const SymbolId gate : gates_) given_[gate] = gates;
    given_[mode_.symbol] = mode;
  }

  const NominalValues& values_;
  const Mode& mode_;
  const Branch& branch_;
  const std::vector<SymbolId>& gates_;
  std::unordered_map<SymbolId, double> given_;
};

/// The branch whose law the mode switches; null where there is not just one.
const Branch* switched_branch(const Network& network, const Mode& mode) {
  const Branch* found = nullptr;
  for (const BranchId id : network.elements[static_cast<std::size_t>(mode.element)].branches) {
    const Branch& branch = network.branches[static_cast<std::size_t>(id)];
    if (branch.kind != BranchKind::dissipator ||
        !network.graph().depends_on(branch.law, mode.symbol))
      continue;
    if (found != nullptr) return nullptr;
    found = &branch;
  }
  return found;
}

}  // namespace

ModeKind ModeKinds::of(const Mode& mode) const {
  const Branch* branch = switched_branch(network_, mode);
  if (branch == nullptr || reads_others(network_, mode, *branch)) return ModeKind::latched;
  std::vector<SymbolId> gates;
  for (const Gate& gate : network_.gates)
    if (gate.element == mode.element) gates.push_back(gate.symbol);
  return ModeTrial(values_, mode, *branch, gates).kind();
}

std::vector<std::uint32_t> ModeKinds::sorted(const std::vector<std::uint32_t>& modes) const {
  std::vector<std::uint32_t> result;
  for (const ModeKind kind : {ModeKind::follows, ModeKind::fired, ModeKind::latched})
    std::copy_if(modes.begin(), modes.end(), std::back_inserter(result),
                 [&](std::uint32_t k) { return of(network_.modes[k]) == kind; });
  return result;
}

std::size_t ModeKinds::count(const std::vector<std::uint32_t>& modes, ModeKind kind) const {
  return static_cast<std::size_t>(std::count_if(
      modes.begin(), modes.end(), [&](std::uint32_t k) { return of(network_.modes[k]) == kind; }));
}

}  // namespace takt::codegen
