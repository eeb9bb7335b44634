// The structural index of the loop and cutset equations against the exact pencil index of the same form, for 1000
// random circuits.
//
// The oracle knows no tree: its unknowns are all potentials, across and through variables and stored quantities,
//   rows: x = difference of potentials, sum of through variables = 0 at each node, z = c x or z = l f, z' = f or z' =
//   x, laws, two-ports.
// Potentials and port variables follow algebraically from the rest, so its index is that of loops and cutsets. In this
// form a dependent storage always costs an index, also in a loop of capacitors, where the papers' node form stays at 1.

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "codegen/dae/structural/loop_cutset_form.hpp"
#include "tests/codegen/topology/pencil_index.hpp"
#include "tests/codegen/topology/random_circuits.hpp"

using namespace takt::codegen;
using namespace takt::codegen::testing;

namespace {

constexpr Residue minus_one = prime - 1;

class FormPencil {
 public:
  FormPencil(const Network& network, std::mt19937_64& random) : network_(network), random_(random) {
    branches_ = network.branches.size();
    for (const NetworkNode& node : network.nodes) potential_.push_back(node.reference ? none : size_++);
    across_ = size_;
    through_ = across_ + branches_;
    size_ = through_ + branches_;
    for (const Branch& branch : network.branches) stored_.push_back(branch.stored ? size_++ : none);
  }

  Pencil write() {
    Pencil pencil{ModularMatrix(size_), ModularMatrix(size_)};
    for (std::size_t branch = 0; branch < branches_; ++branch) write_branch(pencil, branch);
    std::map<std::size_t, std::size_t> balance;
    for (const std::size_t potential : potential_)
      if (potential != none) balance[potential] = row_++;
    for (std::size_t branch = 0; branch < branches_; ++branch) {
      const Branch& b = network_.branches[branch];
      const std::size_t from = potential_[static_cast<std::size_t>(b.from)],
                        to = potential_[static_cast<std::size_t>(b.to)];
      if (from != none) pencil.a.accumulate(balance[from], through_ + branch, 1);
      if (to != none) pencil.a.accumulate(balance[to], through_ + branch, minus_one);
    }
    for (const TwoPort& port : network_.two_ports) {
      const Residue ratio = residue_of(port.ratio);
      const auto a = static_cast<std::size_t>(port.a), b = static_cast<std::size_t>(port.b);
      pencil.a.accumulate(row_, across_ + a, 1);
      pencil.a.accumulate(row_++, across_ + b, multiply_mod(minus_one, ratio));
      pencil.a.accumulate(row_, through_ + b, 1);
      pencil.a.accumulate(row_++, through_ + a, ratio);
    }
    REQUIRE(row_ == size_);
    return pencil;
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  void write_branch(Pencil& pencil, std::size_t branch) {
    const Branch& b = network_.branches[branch];
    pencil.a.accumulate(row_, across_ + branch, 1);
    const std::size_t from = potential_[static_cast<std::size_t>(b.from)],
                      to = potential_[static_cast<std::size_t>(b.to)];
    if (from != none) pencil.a.accumulate(row_, from, minus_one);
    if (to != none) pencil.a.accumulate(row_, to, 1);
    ++row_;
    const bool capacitor = b.kind == BranchKind::across_storage;
    switch (b.kind) {
      case BranchKind::across_source:
        pencil.a.accumulate(row_++, across_ + branch, 1);
        break;
      case BranchKind::through_source:
        pencil.a.accumulate(row_++, through_ + branch, 1);
        break;
      case BranchKind::dissipator:
        pencil.a.accumulate(row_, across_ + branch, 1);
        pencil.a.accumulate(row_++, through_ + branch, random_nonzero(random_));
        break;
      case BranchKind::across_storage:
      case BranchKind::through_storage:
        pencil.a.accumulate(row_, stored_[branch], 1);
        pencil.a.accumulate(row_++, (capacitor ? across_ : through_) + branch, random_nonzero(random_));
        pencil.e.accumulate(row_, stored_[branch], 1);
        pencil.a.accumulate(row_++, (capacitor ? through_ : across_) + branch, 1);
        break;
      case BranchKind::port:
        break;
    }
  }

  const Network& network_;
  std::mt19937_64& random_;
  std::size_t branches_ = 0, size_ = 0, across_ = 0, through_ = 0, row_ = 0;
  std::vector<std::size_t> potential_, stored_;
};

PencilVerdict verdict_of_form(const Network& network, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const PencilVerdict first = pencil_verdict(FormPencil(network, random).write(), random);
  const PencilVerdict second = pencil_verdict(FormPencil(network, random).write(), random);
  if (!(first == second)) throw std::runtime_error("two draws of the coefficients give different pencils");
  return first;
}

struct Structural {
  bool regular = true;
  int index = 0;
};

/// Pantelides on the loops and cutsets of each circuit.
Structural structural_verdict(Network& network, const TopologyResult& topology) {
  const Ownership ownership = assign_owners(network, topology);
  Structural verdict;
  for (std::size_t k = 0; k < topology.circuits.size(); ++k) {
    const LoopCutsetForm form = loop_cutset_form({network, topology.circuits[k], ownership, k, {}});
    const StructuralResult result = pantelides(structure_of(network.graph(), form).system);
    if (result.singular()) verdict.regular = false;
    verdict.index = std::max(verdict.index, result.index);
  }
  return verdict;
}

}  // namespace

TEST_CASE("structural_index_equals_exact_pencil_index_of_loops_and_cutsets_on_1000_random_circuits") {
  std::map<int, int> per_index;
  std::map<Domain, int> per_domain;
  int singular = 0, circuits = 0;
  for (const std::uint64_t seed : {20240229U, 7U}) {
    for (RandomCircuit& circuit : random_circuits(seed)) {
      INFO("seed " << seed << ", stratum " << circuit.stratum << ", circuit " << circuits << "\n"
                   << describe(circuit.sketch));
      const PencilVerdict exact = verdict_of_form(circuit.network, static_cast<std::uint64_t>(++circuits));
      Diagnostics diagnostics;
      const TopologyResult topology = analyse_topology(circuit.network, diagnostics);
      const Structural structural = structural_verdict(circuit.network, topology);
      // Loops and cutsets know no potentials: whether something ties them to a reference is the tree's finding alone.
      const auto says_floats = [](const Diagnostic& finding) {
        return finding.code == "T003" || finding.code == "R010" || finding.code == "R011";
      };
      const bool floats = std::any_of(diagnostics.all().begin(), diagnostics.all().end(), says_floats);
      CHECK((structural.regular && !floats) == exact.regular);
      if (!exact.regular) {
        singular += floats ? 0 : 1;
        continue;
      }
      CHECK(structural.index == exact.index);
      ++per_index[exact.index];
      for (const NetworkNode& node : circuit.network.nodes) ++per_domain[node.domain];
    }
  }
  CHECK(circuits == 1000);
  CHECK(per_index[1] > 100);
  CHECK(per_index[2] > 100);
  CHECK(singular > 50);
  for (const Domain domain : {Domain::electric, Domain::solid, Domain::rotational, Domain::translational})
    CHECK(per_domain[domain] > 100);
}

TEST_CASE("pantelides_finds_the_index_of_textbook_systems") {
  // Pendulum in Cartesian coordinates: x' = u, y' = v, u' = -t x, v' = -t y - g, x^2 + y^2 = l^2: index 3.
  StructuralSystem pendulum;
  const std::size_t x = pendulum.add_variable(), y = pendulum.add_variable(), u = pendulum.add_variable(),
                    v = pendulum.add_variable(), t = pendulum.add_variable();
  const std::size_t dx = pendulum.derivative_of(x), dy = pendulum.derivative_of(y), du = pendulum.derivative_of(u),
                    dv = pendulum.derivative_of(v);
  pendulum.equations = {{dx, u}, {dy, v}, {du, t, x}, {dv, t, y}, {x, y}};
  const StructuralResult result = pantelides(pendulum);
  REQUIRE_FALSE(result.singular());
  CHECK(result.index == 3);

  StructuralSystem ode;  // x' = x: index 0
  const std::size_t z = ode.add_variable();
  ode.equations = {{ode.derivative_of(z), z}};
  CHECK(pantelides(ode).index == 0);

  StructuralSystem twice;  // two equations for one variable
  const std::size_t one = twice.add_variable(), other = twice.add_variable();
  twice.equations = {{one}, {one}};
  const StructuralResult bad = pantelides(twice);
  CHECK(bad.surplus_equations == std::vector<std::size_t>{1});
  CHECK(bad.surplus_variables == std::vector<std::size_t>{other});
}
