#include "codegen/dae/algebra/network_block.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/dae/algebra/elimination.hpp"
#include "codegen/dae/algebra/laplacian.hpp"
#include "codegen/dae/algebra/pivot_points.hpp"

namespace takt::codegen {

namespace {

/// Conductances that an elimination computes, from which on a network is solved over tables: as
/// statements they fill source files.
constexpr std::size_t most_operations = 3000, smallest_network = 100;
/// Unknowns from which on a network of other laws is: their slopes are eliminated in every
/// iteration.
constexpr std::size_t smallest_flows = 100;

class NetworkBlock {
 public:
  NetworkBlock(Graph& graph, const NetworkPlaces& places, const EquationBlock& block,
               const std::function<bool(SymbolId)>& is_open)
      : graph_(graph),
        system_(places.system),
        places_(places),
        equations_(block.equations),
        inside_(block.unknowns.begin(), block.unknowns.end()),
        is_open_(is_open) {}

  std::optional<NetworkSolution> run() {
    if (!find_potentials() || !find_edges() || !is_complete()) return std::nullopt;
    if (!read_laws()) return find_flows();
    std::optional<NetworkSolution> over_tables;
    return find_conductances(over_tables) ? std::move(over_tables) : solve();
  }

 private:
  struct Edge {
    const ConductanceEdge* edge = nullptr;
    Laplacian::Ends ends;
    Expr difference{};              ///< across variable over potentials and known offsets
    Expr conductance{}, current{};  ///< through variable = conductance * across + current
    std::vector<std::pair<std::size_t, Expr>>
        others;  ///< + conductance * across variable of another edge
  };

  /// Rows: potentials with a balance in this block, then those that two-ports tie to them.
  bool find_potentials() {
    for (const Equation& equation : equations_)
      if (equation.balance_of && place_.emplace(*equation.balance_of, place_.size()).second)
        balance_[*equation.balance_of] = equation.value;
    for (const std::size_t index : places_inside(places_.port_of)) {
      const PortConstraint& port = system_.ports[index];
      for (const auto& [potential, coefficient] : port.terms)
        if (!inside_.contains(potential)) return false;
      place_.emplace(port.potential, place_.size());
      ports_.push_back(&port);
    }
    return !place_.empty();
  }

  /// In the order of the system.
  std::set<std::size_t> places_inside(
      const std::unordered_map<SymbolId, std::size_t>& places) const {
    std::set<std::size_t> found;
    for (const SymbolId symbol : inside_)
      if (const auto place = places.find(symbol); place != places.end())
        found.insert(place->second);
    return found;
  }

  Laplacian::Node row_of(const std::optional<SymbolId>& potential) const {
    const auto found = potential ? place_.find(*potential) : place_.end();
    return found == place_.end() ? std::nullopt : std::optional(found->second);
  }

  bool find_edges() {
    std::unordered_map<SymbolId, std::vector<const Equation*>> defining;
    for (const Equation& equation : equations_)
      if (equation.defines) defining[*equation.defines].push_back(&equation);
    for (const std::size_t index : places_inside(places_.edge_of)) {
      const ConductanceEdge& edge = system_.edges[index];
      if (!inside_.contains(edge.across) || !inside_.contains(edge.through)) return false;
      const auto& candidates = defining[edge.across];
      const auto difference =
          std::find_if(candidates.begin(), candidates.end(),
                       [&](const Equation* equation) { return equation->value != edge.law; });
      if (difference == candidates.end()) return false;
      edges_.push_back(
          {&edge, {row_of(edge.from), row_of(edge.to)}, (*difference)->value, {}, {}, {}});
    }
    return true;
  }

  /// Whether potentials and edges are all there is.
  bool is_complete() const {
    std::unordered_set<SymbolId> explained;
    for (const auto& [potential, row] : place_) explained.insert(potential);
    for (const Edge& edge : edges_) explained.insert({edge.edge->across, edge.edge->through});
    return explained == inside_;
  }

  bool is_known(Expr e) const {
    const auto symbols = graph_.symbols_of(e);
    return std::none_of(symbols.begin(), symbols.end(), is_open_);
  }

  bool read_laws() {
    std::vector<std::size_t> coupled;
    for (std::size_t k = 0; k < edges_.size(); ++k)
      if (!read_own_law(edges_[k])) coupled.push_back(k);
    return coupled.empty() || read_coupled_laws(coupled);
  }

  /// A law that is linear in the edge's own variables and free of the block's others.
  bool read_own_law(Edge& edge) {
    const ConductanceEdge& element = *edge.edge;
    if (element.form == LawForm::implicit) return false;
    Expr coefficient{}, rest{};
    const SymbolId argument =
        element.form == LawForm::through_of ? element.across : element.through;
    if (!graph_.split_linear(element.law, argument, coefficient, rest) || !is_known(coefficient) ||
        !is_known(rest))
      return false;
    if (element.form == LawForm::through_of) {
      edge.conductance = coefficient;
      edge.current = rest;
    } else {
      edge.conductance = graph_.div(graph_.one(), coefficient);
      edge.current = graph_.neg(graph_.mul(edge.conductance, rest));
    }
    return true;
  }

  /// Laws that share variables (coupled inductors) as f_k = sum of g_km * x_m + rest, with a
  /// symmetric g.
  bool read_coupled_laws(const std::vector<std::size_t>& coupled) {
    const auto throughs = through_variables(coupled);
    if (throughs.empty()) return false;
    for (std::size_t row = 0; row < coupled.size(); ++row)
      if (!read_coupled_law(coupled, row, throughs[row])) return false;
    return is_symmetric();
  }

  /// Through variables of these edges over their across variables; nothing where a law is not
  /// linear.
  std::vector<Expr> through_variables(const std::vector<std::size_t>& coupled) {
    std::vector<Expr> residuals, throughs;
    std::vector<SymbolId> unknowns;
    for (const std::size_t k : coupled) {
      const ConductanceEdge& element = *edges_[k].edge;
      if (element.form == LawForm::implicit) return {};
      unknowns.push_back(element.through);
      throughs.push_back(element.law);
      residuals.push_back(graph_.sub(
          element.law,
          graph_.use(element.form == LawForm::across_of ? element.across : element.through)));
    }
    const auto is_solved = [&](std::size_t k) {
      return edges_[k].edge->form == LawForm::through_of;
    };
    if (std::all_of(coupled.begin(), coupled.end(), is_solved)) return throughs;
    const auto system = as_linear(graph_, residuals, unknowns);
    auto eliminated = system ? eliminate(graph_, *system, system_.known) : std::nullopt;
    return eliminated && eliminated->growth <= largest_growth ? std::move(eliminated->solution)
                                                              : std::vector<Expr>();
  }

  bool read_coupled_law(const std::vector<std::size_t>& coupled, std::size_t row, Expr through) {
    Edge& edge = edges_[coupled[row]];
    for (const std::size_t other : coupled) {
      Expr coefficient{}, rest{};
      if (!graph_.split_linear(through, edges_[other].edge->across, coefficient, rest) ||
          !is_known(coefficient))
        return false;
      if (other == coupled[row])
        edge.conductance = coefficient;
      else if (!graph_.is_constant(coefficient, 0.0))
        edge.others.emplace_back(other, coefficient);
      through = rest;
    }
    edge.current = through;
    return is_known(through);
  }

  /// Whether couplings are the same both ways, tried with numbers: the expressions may differ in
  /// form.
  bool is_symmetric() const {
    const auto number = [&](Expr e) {
      return graph_.evaluate(
          e, [](SymbolId symbol) { return 1.0 + 0.37 * std::sin(static_cast<double>(symbol)); });
    };
    const auto coupling = [&](std::size_t from, std::size_t to) {
      for (const auto& [other, conductance] : edges_[from].others)
        if (other == to) return number(conductance);
      return 0.0;
    };
    for (std::size_t k = 0; k < edges_.size(); ++k)
      for (const auto& [other, conductance] : edges_[k].others) {
        const double there = number(conductance), back = coupling(other, k);
        if (std::fabs(there - back) > 1e-9 * std::fabs(there)) return false;
      }
    return true;
  }

  NetworkSolution solve() {
    Laplacian network(graph_, place_.size());
    std::unordered_map<SymbolId, Expr> through_at_zero;  // through variables in the balances
    for (std::size_t k = 0; k < edges_.size(); ++k) {
      const Edge& edge = edges_[k];
      Expr current = graph_.add(graph_.mul(edge.conductance, offset_of(edge)), edge.current);
      for (const auto& [other, conductance] : edge.others) {
        current = graph_.add(current, graph_.mul(conductance, offset_of(edges_[other])));
        if (k < other) network.couple(edge.ends, edges_[other].ends, conductance);
      }
      network.join(edge.ends, edge.conductance, graph_.neg(current));
      through_at_zero[edge.edge->through] =
          edge.ends.from == edge.ends.to ? current : graph_.zero();
    }
    for (const auto& [potential, row] : place_)
      network.inject(row, graph_.neg(graph_.substitute(balance(potential), through_at_zero)));
    for (const PortConstraint* port : ports_) {
      Laplacian::Constraint constraint{place_.at(port->potential), {}, port->ground};
      for (const auto& [potential, coefficient] : port->terms)
        constraint.terms.emplace_back(place_.at(potential), coefficient);
      network.constrain(std::move(constraint));
    }
    const std::vector<Expr> solution = std::move(network).solve();
    std::vector<Assignment> result;
    for (const auto& [potential, row] : place_) result.push_back({potential, solution[row]});
    return NetworkSolution{std::nullopt, with_edges(std::move(result))};
  }

  [[nodiscard]] bool may_be_tables() const {
    return system_.may_use_tables && system_.ports.empty();
  }

  /// Conductances of a large network. Sums of what is positive need no pivots; where a conductance
  /// can be negative the equations stand as they are.
  /// @return whether it is solved over tables, or by nothing at all
  bool find_conductances(std::optional<NetworkSolution>& solution) {
    if (!may_be_tables() || place_.size() < smallest_network) return false;
    FlowTables flows;
    flows.linear = true;
    std::vector<Expr> conductances;
    for (const Edge& edge : edges_) {
      if (!edge.others.empty()) return false;
      flows.edges.push_back({edge.ends,
                             edge.edge->across,
                             edge.edge->through,
                             false,
                             offset_of(edge),
                             0,
                             {edge.conductance, edge.current}});
      conductances.push_back(edge.conductance);
    }
    if (!add_nodes(flows)) return false;
    finish(graph_, flows);
    if (flows.network.operations() < most_operations) return false;
    for (const PointValues& values : at_pivot_points(graph_, conductances, system_.known))
      if (std::any_of(values.begin() + 1, values.end(), [](double value) { return value < 0.0; }))
        return true;
    solution = NetworkSolution{std::move(flows), {}};
    return true;
  }

  /// Laws of one variable each, in which no exponential makes Newton's steps too long.
  std::optional<NetworkSolution> find_flows() {
    if (!may_be_tables() || inside_.size() < smallest_flows) return std::nullopt;
    FlowTables flows;
    FlowLaws laws(graph_);
    for (const Edge& edge : edges_) {
      const ConductanceEdge& element = *edge.edge;
      if (element.form == LawForm::implicit) return std::nullopt;
      FlowEdge flow{edge.ends,
                    element.across,
                    element.through,
                    element.form == LawForm::across_of,
                    offset_of(edge),
                    0,
                    {}};
      flow.law =
          laws.add(element.law, flow.by_flow ? element.through : element.across, flow.coefficients);
      if (!std::all_of(flow.coefficients.begin(), flow.coefficients.end(),
                       [&](Expr coefficient) { return is_known(coefficient); }))
        return std::nullopt;
      flows.edges.push_back(std::move(flow));
    }
    flows.laws = laws.laws();
    for (const FlowLaw& law : flows.laws)
      for (const Expr e : graph_.reachable({law.value}))
        if (graph_.node(e).op == Op::exp) return std::nullopt;
    if (!add_nodes(flows)) return std::nullopt;
    finish(graph_, flows);
    return NetworkSolution{std::move(flows), {}};
  }

  /// Known part of the across variable.
  Expr offset_of(const Edge& edge) {
    if (at_zero_.empty())
      for (const auto& [potential, row] : place_) at_zero_[potential] = graph_.zero();
    return graph_.substitute(edge.difference, at_zero_);
  }

  /// @return whether everything is known that drives the network
  bool add_nodes(FlowTables& flows) {
    std::unordered_map<SymbolId, Expr> at_rest;
    for (const FlowEdge& edge : flows.edges) {
      at_rest[edge.through] = graph_.zero();
      if (!is_known(edge.offset)) return false;
    }
    flows.potentials.resize(place_.size());
    flows.injected.resize(place_.size());
    flows.guesses.resize(place_.size());
    for (const auto& [potential, row] : place_) {
      const auto guess = system_.guesses.find(potential);
      flows.potentials[row] = potential;
      flows.guesses[row] = guess == system_.guesses.end() ? graph_.zero() : guess->second;
      flows.injected[row] = graph_.neg(graph_.substitute(balance(potential), at_rest));
      if (!is_known(flows.injected[row])) return false;
    }
    return true;
  }

  /// Of a potential: without the currents of two-ports of this block.
  Expr balance(SymbolId potential) {
    if (system_.ports.empty()) return balance_.at(potential);
    Expr sum = system_.own_balances.at(potential);
    const auto ports = places_.ports_with.find(potential);
    if (ports == places_.ports_with.end()) return sum;
    for (const std::size_t index : ports->second) {
      const PortConstraint& port = system_.ports[index];
      for (const auto& [term, coefficient] : port.terms)
        if (term == potential && !place_.contains(port.potential))
          sum = graph_.add(sum, graph_.mul(graph_.constant(coefficient),
                                           system_.own_balances.at(port.potential)));
    }
    return sum;
  }

  std::vector<Assignment> with_edges(std::vector<Assignment> result) {
    for (const Edge& edge : edges_) result.push_back({edge.edge->across, edge.difference});
    for (const Edge& edge : edges_) {
      Expr through = graph_.mul(edge.conductance, graph_.use(edge.edge->across));
      for (const auto& [other, conductance] : edge.others)
        through =
            graph_.add(through, graph_.mul(conductance, graph_.use(edges_[other].edge->across)));
      result.push_back({edge.edge->through, graph_.add(through, edge.current)});
    }
    return result;
  }

  Graph& graph_;
  const EquationSystem& system_;
  const NetworkPlaces& places_;
  const std::vector<Equation>& equations_;
  std::unordered_set<SymbolId> inside_;
  const std::function<bool(SymbolId)>& is_open_;
  std::unordered_map<SymbolId, std::size_t> place_;  // potential -> row
  std::unordered_map<SymbolId, Expr> balance_;
  std::vector<const PortConstraint*> ports_;
  std::vector<Edge> edges_;
  std::unordered_map<SymbolId, Expr> at_zero_;  // potentials
};

}  // namespace

NetworkPlaces::NetworkPlaces(const EquationSystem& of) : system(of) {
  for (std::size_t index = 0; index < system.edges.size(); ++index)
    for (const SymbolId symbol : {system.edges[index].across, system.edges[index].through})
      edge_of.emplace(symbol, index);
  for (std::size_t index = 0; index < system.ports.size(); ++index) {
    port_of.emplace(system.ports[index].potential, index);
    for (const auto& [potential, coefficient] : system.ports[index].terms)
      ports_with[potential].push_back(index);
  }
}

std::optional<NetworkSolution> solve_network_block(Graph& graph, const NetworkPlaces& places,
                                                   const EquationBlock& block,
                                                   const std::function<bool(SymbolId)>& is_open) {
  return NetworkBlock(graph, places, block, is_open).run();
}

}  // namespace takt::codegen
