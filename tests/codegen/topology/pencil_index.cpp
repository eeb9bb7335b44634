#include "tests/codegen/topology/pencil_index.hpp"

#include <optional>
#include <stdexcept>
#include <vector>

namespace takt::codegen::testing {
namespace {

constexpr Residue minus_one = prime - 1;

/// Numbers the unknowns and writes the rows of one network.
class PencilWriter {
 public:
  PencilWriter(const Network& network, std::mt19937_64& random)
      : network_(network), random_(random), unknown_of_node_(network.nodes.size()) {
    for (std::size_t node = 0; node < network.nodes.size(); ++node) {
      if (!network.nodes[node].reference) unknown_of_node_[node] = node_count_++;
    }
  }

  [[nodiscard]] Pencil write() {
    const std::size_t size = node_count_ + network_.branches.size();
    Pencil pencil{ModularMatrix(size), ModularMatrix(size)};
    for (std::size_t branch = 0; branch < network_.branches.size(); ++branch) {
      write_balance(pencil.a, branch);
      write_law(pencil, branch);
    }
    for (const TwoPort& two_port : network_.two_ports) write_two_port(pencil.a, two_port);
    return pencil;
  }

 private:
  [[nodiscard]] std::size_t row_of(std::size_t branch) const { return node_count_ + branch; }
  [[nodiscard]] std::optional<std::size_t> unknown_of(NodeId node) const {
    return unknown_of_node_[static_cast<std::size_t>(node)];
  }

  /// Adds factor * (across variable of `branch`) to `row`.
  void add_across(ModularMatrix& m, std::size_t row, std::size_t branch, Residue factor) const {
    const Branch& b = network_.branches[branch];
    if (const auto from = unknown_of(b.from)) m.accumulate(row, *from, factor);
    if (const auto to = unknown_of(b.to)) m.accumulate(row, *to, multiply_mod(minus_one, factor));
  }

  void add_through(ModularMatrix& m, std::size_t row, std::size_t branch, Residue factor) const {
    m.accumulate(row, row_of(branch), factor);  // the unknown of a branch has the number of its row
  }

  /// The branch's share of the balances at its two ends.
  void write_balance(ModularMatrix& a, std::size_t branch) const {
    const Branch& b = network_.branches[branch];
    if (const auto from = unknown_of(b.from)) add_through(a, *from, branch, 1);
    if (const auto to = unknown_of(b.to)) add_through(a, *to, branch, minus_one);
  }

  void write_law(Pencil& pencil, std::size_t branch) {
    const std::size_t row = row_of(branch);
    switch (network_.branches[branch].kind) {
      case BranchKind::across_source:
        add_across(pencil.a, row, branch, 1);
        break;
      case BranchKind::across_storage:
        add_across(pencil.e, row, branch, random_nonzero(random_));
        add_through(pencil.a, row, branch, 1);
        break;
      case BranchKind::dissipator:
        add_across(pencil.a, row, branch, 1);
        add_through(pencil.a, row, branch, random_nonzero(random_));
        break;
      case BranchKind::through_storage:
        add_through(pencil.e, row, branch, random_nonzero(random_));
        add_across(pencil.a, row, branch, 1);
        break;
      case BranchKind::through_source:
        add_through(pencil.a, row, branch, 1);
        break;
      case BranchKind::port:
        break;  // write_two_port
    }
  }

  void write_two_port(ModularMatrix& matrix, const TwoPort& two_port) const {
    const auto port_a = static_cast<std::size_t>(two_port.a);
    const auto port_b = static_cast<std::size_t>(two_port.b);
    const Residue ratio = residue_of(two_port.ratio);
    add_across(matrix, row_of(port_a), port_a, 1);
    add_across(matrix, row_of(port_a), port_b, multiply_mod(minus_one, ratio));
    add_through(matrix, row_of(port_b), port_b, 1);
    add_through(matrix, row_of(port_b), port_a, ratio);
  }

  const Network& network_;
  std::mt19937_64& random_;
  std::vector<std::optional<std::size_t>> unknown_of_node_;
  std::size_t node_count_ = 0;
};

/// s E - A
ModularMatrix shifted(const Pencil& pencil, Residue s) {
  ModularMatrix result(pencil.e.size());
  for (std::size_t row = 0; row < result.size(); ++row) {
    for (std::size_t column = 0; column < result.size(); ++column) {
      result.at(row, column) = subtract_mod(multiply_mod(s, pencil.e.at(row, column)), pencil.a.at(row, column));
    }
  }
  return result;
}

}  // namespace

Pencil make_pencil(const Network& network, std::mt19937_64& random) { return PencilWriter(network, random).write(); }

PencilVerdict pencil_verdict(const Pencil& pencil, std::mt19937_64& random) {
  const auto m = solve(shifted(pencil, random_nonzero(random)), pencil.e);
  if (!m) return {};
  int index = 0;
  std::size_t rank = m->size();  // of M^0
  ModularMatrix power = *m;
  for (std::size_t next = rank_of(power); next != rank; next = rank_of(power)) {
    rank = next;
    ++index;
    power = multiply(power, *m);
  }
  return {.regular = true, .index = index, .states = static_cast<int>(rank)};
}

PencilVerdict pencil_verdict(const Network& network, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const PencilVerdict first = pencil_verdict(make_pencil(network, random), random);
  const PencilVerdict second = pencil_verdict(make_pencil(network, random), random);
  if (!(first == second)) throw std::runtime_error("two draws of the coefficients give different pencils");
  return first;
}

}  // namespace takt::codegen::testing
