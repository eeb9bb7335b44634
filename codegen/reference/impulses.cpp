#include "codegen/reference/impulses.hpp"

#include <algorithm>
#include <map>

namespace takt::codegen {
namespace {

/// By the variable whose integral it holds: what is stored.
std::unordered_map<SymbolId, SymbolId> stored_by_rate(const Network& network) {
  std::unordered_map<SymbolId, SymbolId> stored;
  for (const Branch& branch : network.branches)
    if (branch.stored)
      stored[branch.kind == BranchKind::across_storage ? branch.through : branch.across] =
          *branch.stored;
  return stored;
}

/// Variables that have no impulses.
std::unordered_set<SymbolId> finite_symbols(const Network& network) {
  std::unordered_set<SymbolId> finite;
  for (const Branch& branch : network.branches) {
    const BranchKind kind = branch.kind;
    if (kind == BranchKind::port) continue;
    if (kind != BranchKind::through_storage && kind != BranchKind::through_source)
      finite.insert(branch.across);
    if (kind != BranchKind::across_storage && kind != BranchKind::across_source)
      finite.insert(branch.through);
  }
  return finite;
}

/// What may have impulses, by those of the storages.
std::vector<Impulse> impulses(const Network& network, const std::vector<LinearRow>& kirchhoff) {
  const auto stored = stored_by_rate(network);
  const auto finite = finite_symbols(network);
  std::vector<LinearRow> rows;
  std::vector<SymbolId> others;
  for (LinearRow row : kirchhoff) {
    std::erase_if(row, [&](const auto& term) { return finite.contains(term.first); });
    for (const auto& [symbol, coefficient] : row)
      if (!stored.contains(symbol)) others.push_back(symbol);
    if (!row.empty()) rows.push_back(std::move(row));
  }
  std::sort(others.begin(), others.end());
  others.erase(std::unique(others.begin(), others.end()), others.end());
  std::vector<LinearRow> left;
  const std::vector<PivotedRow> solved = pivoted(std::move(rows), others, left);
  std::vector<SymbolId> rates;
  for (const auto& [rate, of] : stored) rates.push_back(rate);
  std::sort(rates.begin(), rates.end());
  std::vector<LinearRow> none;
  std::unordered_set<SymbolId>
      still;  // storages that nothing but themselves could change in no time
  for (const PivotedRow& row : pivoted(std::move(left), rates, none))
    if (row.row.size() == 1) still.insert(row.pivot);
  std::vector<Impulse> result;
  const auto note = [&](SymbolId symbol, std::vector<Impulse::Share> shares) {
    if (!shares.empty()) result.push_back({symbol, std::move(shares), ""});
  };
  for (const PivotedRow& row : solved) {
    std::vector<Impulse::Share> shares;
    for (const auto& [symbol, coefficient] : row.row)
      if (stored.contains(symbol) && !still.contains(symbol))
        shares.push_back({stored.at(symbol), (-(coefficient / row.row.at(row.pivot))).value()});
    note(row.pivot, std::move(shares));
  }
  for (const SymbolId rate : rates)
    if (!still.contains(rate)) note(rate, {{stored.at(rate), 1.0}});
  return result;
}

/// The first reader of each symbol in a law, a balance or a rate of the network, through variables
/// of elements.
std::unordered_map<SymbolId, std::string> readers(const Network& network) {
  const Graph& graph = network.graph();
  std::unordered_map<SymbolId, Expr> value_of;
  for (const ElementVariable& variable : network.variables)
    value_of[variable.symbol] = variable.value;
  std::unordered_map<SymbolId, std::string> found;
  const auto look = [&](Expr equation, const std::string& path) {
    std::vector<SymbolId> open = graph.symbols_of(equation);
    std::unordered_set<SymbolId> seen(open.begin(), open.end());
    while (!open.empty()) {
      const SymbolId symbol = open.back();
      open.pop_back();
      found.try_emplace(symbol, path);
      const auto variable = value_of.find(symbol);
      if (variable == value_of.end()) continue;
      for (const SymbolId read : graph.symbols_of(variable->second))
        if (seen.insert(read).second) open.push_back(read);
    }
  };
  const auto path = [&](SymbolId symbol) { return graph.symbol(symbol).path; };
  const auto element = [&](ElementId id) {
    return network.elements[static_cast<std::size_t>(id)].path;
  };
  for (const Branch& branch : network.branches)
    if (branch.form != LawForm::none) look(branch.law, branch.path);
  for (const ElementState& state : network.states) look(state.derivative, path(state.symbol));
  for (const NodeBalance& balance : network.balances) look(balance.residual, path(balance.unknown));
  for (const HeatInput& input : network.heat_inputs) look(input.value, path(input.received));
  for (const FreeEquation& equation : network.free_equations)
    look(equation.zero, element(equation.element));
  return found;
}

/// @param seen  symbols behind which nothing has been found that moves
bool moves(const Graph& graph, Expr e, const Motion& motion, std::unordered_set<SymbolId>& seen) {
  const std::vector<SymbolId> read = graph.symbols_of(e);
  return std::any_of(read.begin(), read.end(), [&](SymbolId symbol) {
    if (motion.moving.contains(symbol)) return true;
    const auto behind = motion.value_of.find(symbol);
    return behind != motion.value_of.end() && seen.insert(symbol).second &&
           moves(graph, behind->second, motion, seen);
  });
}

}  // namespace

bool Impulse::takes_from(SymbolId stored) const {
  return std::any_of(shares.begin(), shares.end(),
                     [&](const Share& share) { return share.stored == stored; });
}

std::string Impulse::text(const Graph& graph) const {
  return graph.symbol(symbol).path + ", which " + reader + " reads, would be an impulse";
}

std::vector<Impulse> impulses_read(const Network& network,
                                   const std::vector<LinearRow>& kirchhoff) {
  const auto reader_of = readers(network);
  std::vector<Impulse> read;
  for (Impulse& impulse : impulses(network, kirchhoff)) {
    const auto reader = reader_of.find(impulse.symbol);
    if (reader == reader_of.end()) continue;
    impulse.reader = reader->second;
    read.push_back(std::move(impulse));
  }
  return read;
}

bool jumps_by_itself(const Graph& graph, Expr value, const Motion& motion) {
  std::vector<Expr> open{value};
  std::unordered_set<SymbolId> seen;
  while (!open.empty()) {
    const Expr root = open.back();
    open.pop_back();
    for (const Expr e : graph.reachable({root})) {
      const Op op = graph.node(e).op;
      const bool steps = op == Op::sign || op == Op::floor || op == Op::mod || op == Op::less ||
                         op == Op::less_equal || op == Op::equal;
      if (std::unordered_set<SymbolId> done; steps && moves(graph, e, motion, done)) return true;
    }
    for (const SymbolId symbol : graph.symbols_of(root))
      if (const auto behind = motion.value_of.find(symbol);
          behind != motion.value_of.end() && seen.insert(symbol).second)
        open.push_back(behind->second);
  }
  return false;
}

std::vector<std::vector<SymbolId>> joined_by(const std::vector<PivotedRow>& constraints) {
  std::vector<std::vector<SymbolId>> groups;
  for (const PivotedRow& constraint : constraints) {
    std::vector<SymbolId> joined;
    for (const auto& [symbol, coefficient] : constraint.row) joined.push_back(symbol);
    std::erase_if(groups, [&](const std::vector<SymbolId>& group) {
      const bool common = std::any_of(group.begin(), group.end(), [&](SymbolId symbol) {
        return constraint.row.contains(symbol);
      });
      if (common) joined.insert(joined.end(), group.begin(), group.end());
      return common;
    });
    std::sort(joined.begin(), joined.end());
    joined.erase(std::unique(joined.begin(), joined.end()), joined.end());
    groups.push_back(std::move(joined));
  }
  return groups;
}

}  // namespace takt::codegen
