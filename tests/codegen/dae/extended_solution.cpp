#include "tests/codegen/dae/extended_solution.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

namespace takt::codegen::testing {

namespace {

__extension__ using Quad = __float128;

class DenseNetwork {
 public:
  DenseNetwork(CompanionCircuit& circuit, const Interpreter::Values& known)
      : circuit_(circuit), network_(circuit.network()), known_(known), k_(circuit.given(circuit.part().scale)) {
    for (const NetworkNode& node : network_.nodes)
      if (!node.reference) add_unknown(node.across);
    for (const Branch& branch : network_.branches) add_unknown(branch.through);
    rows_.assign(unknowns_.size(), std::vector<Quad>(unknowns_.size() + 1, 0));
  }

  Interpreter::Values run() {
    for (const Branch& branch : network_.branches) {
      if (const auto row = row_of(branch.from)) rows_[*row][place_.at(branch.through)] += 1;
      if (const auto row = row_of(branch.to)) rows_[*row][place_.at(branch.through)] -= 1;
    }
    std::size_t next = network_.nodes.size();
    for (const NetworkNode& node : network_.nodes) next -= node.reference ? 1 : 0;
    for (const Branch& branch : network_.branches)
      if (branch.kind != BranchKind::port) add_law(rows_[next++], branch);
    for (const TwoPort& port : network_.two_ports) {
      const Branch& a = branch_of(port.a);
      const Branch& b = branch_of(port.b);
      add_across(rows_[next], a, 1);
      add_across(rows_[next++], b, -port.ratio);
      rows_[next][place_.at(b.through)] += 1;
      rows_[next++][place_.at(a.through)] += port.ratio;
    }
    solve();
    Interpreter::Values values;
    for (std::size_t k = 0; k < unknowns_.size(); ++k) values[unknowns_[k]] = static_cast<double>(rows_[k].back());
    return values;
  }

 private:
  const Branch& branch_of(BranchId id) const { return network_.branches[static_cast<std::size_t>(id)]; }
  void add_unknown(SymbolId symbol) {
    place_[symbol] = unknowns_.size();
    unknowns_.push_back(symbol);
  }
  /// Balance and potential of a node share their number.
  std::optional<std::size_t> row_of(NodeId id) const {
    const NetworkNode& node = network_.nodes[static_cast<std::size_t>(id)];
    return node.reference ? std::nullopt : std::optional(place_.at(node.across));
  }
  void add_across(std::vector<Quad>& row, const Branch& branch, Quad factor) {
    if (const auto from = row_of(branch.from)) row[*from] += factor;
    if (const auto to = row_of(branch.to)) row[*to] -= factor;
  }

  /// row += factor * law, which is linear in the variables of branches.
  void add_expression(std::vector<Quad>& row, Expr law, Quad factor) {
    std::unordered_map<SymbolId, Expr> zeros;
    for (const Branch& each : network_.branches) {
      for (const SymbolId symbol : {each.across, each.through}) {
        if (!network_.graph().depends_on(law, symbol)) continue;
        const Quad slope = circuit_.value(network_.graph().differentiate(law, symbol), known_);
        zeros[symbol] = network_.graph().zero();
        if (symbol == each.across)
          add_across(row, each, factor * slope);
        else
          row[place_.at(symbol)] += factor * slope;
      }
    }
    row.back() -= factor * circuit_.value(network_.graph().substitute(law, zeros), known_);
  }

  void add_law(std::vector<Quad>& row, const Branch& branch) {
    const auto add_own = [&](SymbolId symbol, Quad factor) {
      if (symbol == branch.across)
        add_across(row, branch, factor);
      else
        row[place_.at(symbol)] += factor;
    };
    if (branch.form == LawForm::across_of || branch.form == LawForm::through_of) {
      add_own(branch.form == LawForm::across_of ? branch.across : branch.through, 1);
      add_expression(row, branch.law, -1);
    } else if (branch.form == LawForm::stored_of) {  // rate = k*(z - w)
      add_own(branch.kind == BranchKind::across_storage ? branch.through : branch.across, 1);
      add_expression(row, branch.law, -k_);
      row.back() -= k_ * circuit_.given(network_.graph().find_symbol(branch.path + ".history").value());
    } else {
      throw std::logic_error("law of " + branch.path + " has a form that no test uses");
    }
  }

  /// Gauss-Jordan with row pivoting; the solution stands in the last column.
  void solve() {
    const std::size_t n = rows_.size();
    const auto size = [](Quad x) { return x < 0 ? -x : x; };
    for (std::size_t column = 0; column < n; ++column) {
      std::size_t best = column;
      for (std::size_t row = column; row < n; ++row)
        if (size(rows_[row][column]) > size(rows_[best][column])) best = row;
      std::swap(rows_[column], rows_[best]);
      if (rows_[column][column] == 0) throw std::logic_error("singular network");
      const Quad inverse = 1 / rows_[column][column];
      for (Quad& entry : rows_[column]) entry *= inverse;
      for (std::size_t row = 0; row < n; ++row) {
        if (row == column || rows_[row][column] == 0) continue;
        const Quad factor = rows_[row][column];
        for (std::size_t entry = column; entry <= n; ++entry) rows_[row][entry] -= factor * rows_[column][entry];
      }
    }
  }

  CompanionCircuit& circuit_;
  Network& network_;
  const Interpreter::Values& known_;
  Quad k_;
  std::vector<SymbolId> unknowns_;
  std::unordered_map<SymbolId, std::size_t> place_;
  std::vector<std::vector<Quad>> rows_;
};

}  // namespace

Interpreter::Values extended_solution(CompanionCircuit& circuit, const Interpreter::Values& known) {
  return DenseNetwork(circuit, known).run();
}

}  // namespace takt::codegen::testing
