#include "codegen/stability/flow_solver.hpp"

#include <algorithm>
#include <cmath>

namespace takt::codegen {
namespace {

constexpr int most_solves = 20, plain_iterations = 40;

}  // namespace

FlowSolver::FlowSolver(const Graph& graph, const FlowTables& tables)
    : network_(tables.network),
      position_(tables.network.position),
      links_(tables.network.links()),
      linear_(tables.linear) {
  for (const FlowLaw& form : tables.laws) {
    Law law{StraightLine(graph), 0, 0, 0, {}, {}, 0};
    law.argument = law.line.slot_of(form.argument);
    for (const SymbolId coefficient : form.coefficients)
      law.coefficients.push_back(law.line.slot_of(coefficient));
    law.value = law.line.slot_of(form.value);
    law.slope = law.line.slot_of(form.slope);
    law.end = law.line.operations().size();
    for (const Expr partial : form.partials) law.partials.push_back(law.line.slot_of(partial));
    laws_.push_back(std::move(law));
  }
  for (const FlowEdge& edge : tables.edges) edges_.push_back({edge.law, edge.by_flow, edge.ends});
  const FlowPlaces places = places_of(tables);
  from_ = places.from, to_ = places.to, link_ = places.link, by_flow_ = places.by_flow;
  for (std::uint32_t step = 0; step < network_.size(); ++step) network_.node[step] = step;
  numbers_.make_room(network_.size(), edges_.size(), links_);
}

FlowPattern FlowSolver::pattern() const {
  FlowPattern pattern;
  pattern.network = {static_cast<std::uint32_t>(network_.size()),
                     network_.link_start.data(),
                     network_.other.data(),
                     network_.lower_start.data(),
                     network_.lower_link.data(),
                     network_.lower_node.data(),
                     network_.node.data(),
                     network_.sourced.data()};
  pattern.edges = static_cast<std::uint32_t>(edges_.size());
  pattern.from = from_.data(), pattern.to = to_.data(), pattern.link = link_.data(),
  pattern.by_flow = by_flow_.data();
  pattern.typical_potential = pattern.typical_flow = 1.0;
  return pattern;
}

FlowSolver::Law& FlowSolver::set(std::size_t edge) const {
  Law& law = laws_[edges_[edge].law];
  law.line[law.argument] = edges_[edge].by_flow ? numbers_.through[edge] : numbers_.across[edge];
  for (std::size_t k = 0; k < law.coefficients.size(); ++k)
    law.line[law.coefficients[k]] = coefficients_[edge][k];
  return law;
}

void FlowSolver::evaluate_laws() {
  for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
    Law& law = set(edge);
    law.line.run(0, law.end);
    numbers_.value[edge] = law.line[law.value];
    numbers_.slope[edge] = law.line[law.slope];
  }
}

void FlowSolver::solve(const Given& given) {
  if (solved_ == given)
    return;  // a further step would move flows near zero within rounding, and never settle
  solved_.reset();
  coefficients_ = given.coefficients;
  numbers_.offset = given.offsets;
  const auto finite = [](double value) { return std::isfinite(value); };
  const bool begins = !started_ ||
                      !std::all_of(numbers_.potential.begin(), numbers_.potential.end(), finite) ||
                      !std::all_of(numbers_.flow.begin(), numbers_.flow.end(), finite);
  for (std::size_t place = 0; place < position_.size(); ++place) {
    numbers_.injected[position_[place]] = given.injected[place];
    if (begins) numbers_.potential[position_[place]] = given.guesses[place];
  }
  if (linear_) return solve_linear();
  if (begins) numbers_.begin(pattern());
  started_ = true;
  for (int again = 0; again < most_solves; ++again) {
    const NewtonDamping damping =
        numbers_.solve(pattern(), plain_iterations, [&] { evaluate_laws(); });
    numbers_.keep();
    if (!damping.solved) continue;
    solved_ = given;
    break;
  }
  evaluate_laws();
}

void FlowSolver::solve_linear() {
  for (std::size_t edge = 0; edge < edges_.size(); ++edge) {
    numbers_.conductance[edge] = coefficients_[edge][0];
    numbers_.current[edge] = coefficients_[edge][1];
  }
  numbers_.factor(pattern());
  numbers_.solve_linear(pattern());
}

double FlowSolver::conductance(std::size_t edge) const {
  if (linear_) return coefficients_[edge][0];
  const double slope = numbers_.slope[edge];
  return edges_[edge].by_flow ? 1.0 / std::max(slope, 1e-30) : slope;
}

std::vector<double> FlowSolver::partials(std::size_t edge) const {
  if (linear_) return {numbers_.across[edge], 1.0};
  Law& law = set(edge);
  law.line.run(0, law.line.operations().size());
  std::vector<double> values;
  for (const StraightLine::Slot slot : law.partials) values.push_back(law.line[slot]);
  return values;
}

std::vector<TableOperation> FlowSolver::operations() const {
  for (std::size_t edge = 0; edge < edges_.size(); ++edge)
    numbers_.conductance[edge] = conductance(edge);
  numbers_.factor(pattern());
  const ConductanceFactors factors = numbers_.factors();
  std::vector<std::uint32_t> place(network_.size());
  for (std::size_t node = 0; node < position_.size(); ++node)
    place[position_[node]] = static_cast<std::uint32_t>(node);
  std::vector<TableOperation> list;
  for (std::size_t step = 0; step < network_.size(); ++step)
    for (std::uint32_t k = network_.lower_start[step]; k < network_.lower_start[step + 1]; ++k) {
      const std::uint32_t from = network_.lower_node[k];
      const double share = factors.link[network_.lower_link[k]] * factors.inverse[from];
      list.push_back({place[step], place[from], false, false, share});
    }
  for (std::size_t step = network_.size(); step-- > 0;) {
    for (std::uint32_t link = network_.link_start[step]; link < network_.link_start[step + 1];
         ++link)
      list.push_back({place[step], place[network_.other[link]], false, true, factors.link[link]});
    list.push_back({place[step], place[step], true, false, factors.inverse[step]});
  }
  return list;
}

}  // namespace takt::codegen
