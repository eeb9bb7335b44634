#include "codegen/dae/circuit/circuit_equations.hpp"

#include "codegen/dae/circuit/dissipator_part.hpp"
#include "codegen/dae/circuit/equation_writer.hpp"
#include "codegen/dae/circuit/start_values.hpp"

namespace takt::codegen {

namespace {

class Assembler : private EquationWriter {
 public:
  Assembler(const CircuitScope& scope, Diagnostics& diagnostics)
      : EquationWriter(scope, result_.system.unknowns, result_.system.equations),
        diagnostics_(diagnostics) {
    for (const FluxSource& flux : scope.fluxes)
      if (flux.consumer == scope.index && flux.branch) received_.insert(*flux.branch);
    dependent_across_.insert(circuit_.dependent_across_storages.begin(),
                             circuit_.dependent_across_storages.end());
    dependent_through_.insert(circuit_.dependent_through_storages.begin(),
                              circuit_.dependent_through_storages.end());
  }

  CircuitEquations run() {
    result_.system.known.parameters = &scope_.ownership.parameters;
    part_ = find_dissipator_part(network_, circuit_);
    for (const CotreeRow& row : circuit_.cotree)
      for (const LinearTerm& term : row.terms)
        if (!part_.contains(term.branch))
          columns_[static_cast<std::uint32_t>(term.branch)].push_back(
              {row.branch, term.coefficient});
    add_kirchhoff();
    add_dissipator_part();
    for (const BranchId id : circuit_.tree) add_tree_branch(id);
    for (const CotreeRow& row : circuit_.cotree) add_cotree_branch(row);
    add_potentials();
    add_port_throughs();
    add_element_equations();
    prefer_tears();
    keep_direction(network_, graph_, scope_.ownership.balances[scope_.index],
                   result_.system.equations);
    StartValues start(scope_);
    for (SurrogateState& state : result_.states) state.start = start.at_start(state.start);
    start.check_given(diagnostics_);
    for (const SymbolId unknown : result_.system.unknowns)
      if (const auto guess = start.guess(unknown)) result_.system.guesses[unknown] = *guess;
    guess_pressures(start);
    start.check_laws(diagnostics_);
    result_.start_laws = start.laws();
    return std::move(result_);
  }

 private:
  Domain domain_of(NodeId id) const { return network_.nodes[static_cast<std::size_t>(id)].domain; }

  /// Laws between absolute pressures are flat far from them: junctions begin at the mean of what is
  /// known.
  void guess_pressures(StartValues& start) {
    Expr total = graph_.zero();
    double count = 0.0;
    for (const BranchId id : circuit_.branches) {
      const BranchKind kind = branch(id).kind;
      if (!is_convective(branch(id).domain)) continue;
      if (kind != BranchKind::across_source && kind != BranchKind::across_storage) continue;
      const auto value = start.guess(branch(id).across);
      if (!value) continue;
      total = graph_.add(total, *value);
      count += 1.0;
    }
    if (count == 0.0) return;
    const Expr mean = graph_.mul(graph_.constant(1.0 / count), total);
    for (std::size_t k = 0; k < dissipator_potentials_.size(); ++k)
      if (is_convective(domain_of(part_.potentials[k])))
        result_.system.guesses.try_emplace(dissipator_potentials_[k], mean);
    for (const NodeId node : circuit_.nodes)
      if (is_convective(domain_of(node)))
        result_.system.guesses.try_emplace(network_.nodes[static_cast<std::size_t>(node)].across,
                                           mean);
  }

  /// x_c = K x_t and f_t = -K^T f_c.
  void add_kirchhoff() {
    for (const CotreeRow& row : circuit_.cotree)
      if (!part_.contains(row.branch))
        define(branch(row.branch).across, sum(row.terms, &Branch::across),
               branch(row.branch).where);
    for (const BranchId id : circuit_.tree) {
      if (part_.contains(id)) continue;
      Expr total = graph_.zero();
      for (const LinearTerm& term : columns_[static_cast<std::uint32_t>(id)])
        total = graph_.add(total, scaled(branch(term.branch).through, -term.coefficient));
      define(branch(id).through, total, branch(id).where);
    }
  }

  /// Dissipators by node balances instead of loops and cutsets: sums of conductances, no
  /// cancellation.
  void add_dissipator_part() {
    std::vector<SymbolId> symbols;
    for (const NodeId node : part_.potentials)
      symbols.push_back(graph_.find_or_make_symbol(
          network_.nodes[static_cast<std::size_t>(node)].path + ".dissipator_potential",
          graph_.symbol(network_.nodes[static_cast<std::size_t>(node)].across).unit));
    const auto symbol_at = [&](std::optional<std::size_t> potential) {
      return potential ? std::optional(symbols[*potential]) : std::nullopt;
    };
    for (const DissipatorEdge& edge : part_.edges) {
      const Branch& element = branch(edge.branch);
      const auto from = symbol_at(edge.from), to = symbol_at(edge.to);
      const Expr difference = graph_.sub(from ? graph_.use(*from) : graph_.zero(),
                                         to ? graph_.use(*to) : graph_.zero());
      unknown(element.through);
      define(element.across, graph_.add(difference, sum(edge.offset, &Branch::across)),
             element.where);
      result_.system.edges.push_back(
          {from, to, element.across, element.through, element.form, element.law});
    }
    std::vector<Expr> balances;
    for (const std::vector<LinearTerm>& terms : part_.balances)
      balances.push_back(sum(terms, &Branch::through));
    if (!part_.constraints.empty()) add_ports(symbols, balances);
    for (std::size_t k = 0; k < symbols.size(); ++k) {
      if (is_known(symbols[k])) continue;  // at a two-port
      unknown(symbols[k]);
      result_.system.equations.push_back(
          {std::nullopt, balances[k],
           network_.nodes[static_cast<std::size_t>(part_.potentials[k])].where, symbols[k]});
    }
    result_.system.preferred_tears = symbols;
    dissipator_potentials_ = symbols;
  }

  /// One end of every two-port follows from the others, which take its balance by the same
  /// coefficients: it is lossless.
  void add_ports(const std::vector<SymbolId>& symbols, std::vector<Expr>& balances) {
    const std::vector<Expr> own = balances;
    for (std::size_t k = 0; k < symbols.size(); ++k)
      result_.system.own_balances[symbols[k]] = own[k];
    for (const DissipatorConstraint& constraint : part_.constraints) {
      PortConstraint port{symbols[constraint.potential], {}, constraint.ground};
      Expr across = graph_.zero();
      for (const auto& [potential, coefficient] : constraint.terms) {
        port.terms.emplace_back(symbols[potential], coefficient);
        across = graph_.add(across, scaled(symbols[potential], coefficient));
        balances[potential] =
            graph_.add(balances[potential],
                       graph_.mul(graph_.constant(coefficient), own[constraint.potential]));
      }
      define(
          port.potential, across,
          network_.nodes[static_cast<std::size_t>(part_.potentials[constraint.potential])].where);
      result_.system.ports.push_back(std::move(port));
    }
  }

  void add_tree_branch(BranchId id) {
    const Branch& element = branch(id);
    unknown(element.across);
    switch (element.kind) {
      case BranchKind::across_source:
        define(element.across, element.law, element.where);
        break;
      case BranchKind::across_storage:
        add_tree_across_storage(id);
        break;
      case BranchKind::through_storage:
        add_dependent_through_storage(id);
        break;
      default:
        add_law(element);
        break;
    }
  }

  void add_cotree_branch(const CotreeRow& row) {
    const Branch& element = branch(row.branch);
    if (is_received(row.branch)) return;  // its through variable is an input
    unknown(element.through);
    switch (element.kind) {
      case BranchKind::through_source:
        define(element.through, element.law, element.where);
        break;
      case BranchKind::across_storage:
        add_dependent_across_storage(row.branch);
        break;
      case BranchKind::through_storage:
        add_cotree_through_storage(row);
        break;
      default:
        add_law(element);
        break;
    }
  }

  bool is_received(BranchId id) const { return received_.contains(id); }

  void add_law(const Branch& element) {
    if (element.form == LawForm::across_of)
      define(element.across, element.law, element.where);
    else if (element.form == LawForm::through_of)
      define(element.through, element.law, element.where);
    else
      require(element.law, element.where);
  }

  /// Law of a storage; its conserved quantity is a state or an unknown of its own.
  void add_storage_law(const Branch& element, SymbolId natural, bool stored_is_state) {
    if (element.form == LawForm::from_stored)
      define(natural, element.law, element.where);
    else if (stored_is_state)
      require(graph_.sub(graph_.use(*element.stored), element.law), element.where);
    else
      define(*element.stored, element.law, element.where);
    if (!stored_is_state) unknown(*element.stored);
  }

  SymbolId sum_state(const Branch& storage) {
    return graph_.make_symbol(path_of_sum(storage), graph_.symbol(*storage.stored).unit);
  }

  void add_tree_across_storage(BranchId id) {
    const Branch& element = branch(id);
    std::vector<LinearTerm> dependents, others;
    for (const LinearTerm& term : columns_[static_cast<std::uint32_t>(id)])
      (dependent_across_.contains(term.branch) ? dependents : others).push_back(term);
    if (dependents.empty()) {
      add_storage_law(element, element.across, true);
      add_state(*element.stored, graph_.use(element.through), graph_.use(*element.stored));
      return;
    }
    const SymbolId state = sum_state(element);
    Expr total = graph_.use(*element.stored), rate = graph_.zero();
    for (const LinearTerm& term : dependents)
      total = graph_.add(total, scaled(*branch(term.branch).stored, term.coefficient));
    for (const LinearTerm& term : others)
      rate = graph_.add(rate, scaled(branch(term.branch).through, -term.coefficient));
    add_storage_law(element, element.across, false);
    require(graph_.sub(graph_.use(state), total), element.where);
    result_.system.preferred_tears.push_back(element.across);
    add_state(state, rate, total);
  }

  /// A left-over C: its charge follows from its across variable, its through variable is the
  /// charge's rate.
  void add_dependent_across_storage(BranchId id) {
    const Branch& element = branch(id);
    add_storage_law(element, element.across, false);
    differentiate(element.through, *element.stored);
  }

  void add_cotree_through_storage(const CotreeRow& row) {
    const Branch& element = branch(row.branch);
    std::vector<LinearTerm> dependents, others;
    for (const LinearTerm& term : row.terms)
      (dependent_through_.contains(term.branch) ? dependents : others).push_back(term);
    if (dependents.empty()) {
      add_storage_law(element, element.through, true);
      add_state(*element.stored, graph_.use(element.across), graph_.use(*element.stored));
      return;
    }
    const SymbolId state = sum_state(element);
    Expr total = graph_.use(*element.stored);
    for (const LinearTerm& term : dependents)
      total = graph_.add(total, scaled(*branch(term.branch).stored, -term.coefficient));
    add_storage_law(element, element.through, false);
    require(graph_.sub(graph_.use(state), total), element.where);
    result_.system.preferred_tears.push_back(element.through);
    add_state(state, sum(others, &Branch::across), total);
  }

  /// An L in the tree: its linkage follows from its through variable, its across variable is the
  /// linkage's rate.
  void add_dependent_through_storage(BranchId id) {
    const Branch& element = branch(id);
    add_storage_law(element, element.through, false);
    differentiate(element.across, *element.stored);
  }

  void differentiate(SymbolId rate, SymbolId stored) {
    unknown(rate);
    result_.system.differentiated.push_back(rate);
    result_.system.rate_of[rate] = stored;
    result_.system.equations.push_back(
        {rate,
         graph_.zero(),
         {},
         std::nullopt});  // placeholder: replaced by the time derivative after sorting
  }

  void add_state(SymbolId symbol, Expr derivative, Expr start) {
    result_.states.push_back({symbol, derivative, start});
  }

  void add_element_equations() {
    for (const std::uint32_t k : scope_.ownership.states[scope_.index]) {
      const ElementState& state = network_.states[k];
      add_state(state.symbol, state.derivative, state.start);
    }
    for (const std::uint32_t k : scope_.ownership.balances[scope_.index])
      result_.system.preferred_tears.push_back(network_.balances[k].unknown);
    add_values();
  }

  /// Where laws read absolute pressures, the flows follow from these, not the other way round.
  void prefer_pressures() {
    std::vector<Expr> laws;
    for (const BranchId id : circuit_.branches)
      if (branch(id).kind == BranchKind::dissipator && is_convective(branch(id).domain))
        laws.push_back(branch(id).law);
    if (laws.empty()) return;
    const std::vector<SymbolId> read = graph_.symbols_of(laws);
    const std::unordered_set<SymbolId> symbols(read.begin(), read.end());
    for (const NodeId node : circuit_.nodes) {
      const SymbolId pressure = network_.nodes[static_cast<std::size_t>(node)].across;
      if (is_convective(domain_of(node)) && symbols.contains(pressure))
        result_.system.preferred_tears.push_back(pressure);
    }
  }

  /// With two-ports there is no Laplacian: cutset equations where few dissipators are in the tree,
  /// loop equations where few are in the cotree.
  void prefer_tears() {
    prefer_pressures();
    if (!part_.edges.empty()) return;
    std::vector<SymbolId> across, through;
    for (const BranchId id : circuit_.tree)
      if (branch(id).kind == BranchKind::dissipator) across.push_back(branch(id).across);
    for (const CotreeRow& row : circuit_.cotree)
      if (branch(row.branch).kind == BranchKind::dissipator)
        through.push_back(branch(row.branch).through);
    const std::vector<SymbolId>& fewer = across.size() <= through.size() ? across : through;
    result_.system.preferred_tears.insert(result_.system.preferred_tears.end(), fewer.begin(),
                                          fewer.end());
  }

  Diagnostics& diagnostics_;
  std::unordered_map<std::uint32_t, std::vector<LinearTerm>>
      columns_;  // tree branch -> cotree branches with coefficient
  std::unordered_set<BranchId> dependent_across_, dependent_through_, received_;
  DissipatorPart part_;
  std::vector<SymbolId> dissipator_potentials_;
  CircuitEquations result_;
};

}  // namespace

CircuitEquations assemble_circuit(const CircuitScope& scope, Diagnostics& diagnostics) {
  return Assembler(scope, diagnostics).run();
}

}  // namespace takt::codegen
