#include "codegen/dae/structural/loop_cutset_form.hpp"

#include <algorithm>

#include "codegen/dae/circuit/equation_writer.hpp"

namespace takt::codegen {

namespace {

class FormBuilder : private EquationWriter {
 public:
  FormBuilder(const CircuitScope& scope) : EquationWriter(scope, form_.unknowns, form_.equations) {}

  LoopCutsetForm run() {
    add_kirchhoff();
    for (const BranchId id : circuit_.tree) add_law(id);
    for (const CotreeRow& row : circuit_.cotree)
      if (!is_received(row.branch)) add_law(row.branch);
    add_elements();
    add_potentials();
    for (const std::uint32_t port : circuit_.two_ports)
      unknown(branch(network_.two_ports[port].a).through);  // also where two-ports lock each other
    add_port_throughs();
    keep_direction(network_, graph_, scope_.ownership.balances[scope_.index], form_.equations);
    return std::move(form_);
  }

 private:
  void integrate(SymbolId state, Expr rate, const Location& where) {
    unknown(state);
    const Symbol symbol = graph_.symbol(state);
    const SymbolId derivative =
        graph_.find_or_make_symbol(symbol.path + ".der", symbol.unit + "/s");
    form_.rates[state] = derivative;
    form_.equations.push_back({derivative, rate, where, std::nullopt});
  }

  bool is_received(BranchId id) const {
    return std::any_of(scope_.fluxes.begin(), scope_.fluxes.end(),
                       [&](const FluxSource& flux) { return flux.branch == id; });
  }

  /// x_c = K x_t and f_t = -K^T f_c.
  void add_kirchhoff() {
    std::unordered_map<BranchId, Expr> through;
    for (const CotreeRow& row : circuit_.cotree) {
      define(branch(row.branch).across, sum(row.terms, &Branch::across), branch(row.branch).where);
      for (const LinearTerm& term : row.terms) {
        const auto place = through.try_emplace(term.branch, graph_.zero()).first;
        place->second =
            graph_.sub(place->second, scaled(branch(row.branch).through, term.coefficient));
      }
    }
    for (const BranchId id : circuit_.tree) {
      const auto total = through.find(id);
      define(branch(id).through, total == through.end() ? graph_.zero() : total->second,
             branch(id).where);
    }
  }

  void add_law(BranchId id) {
    const Branch& element = branch(id);
    unknown(element.across);
    unknown(element.through);
    if (element.stored) return add_storage(element);
    switch (element.form) {
      case LawForm::across_of:
        return define(element.across, element.law, element.where);
      case LawForm::through_of:
        return define(element.through, element.law, element.where);
      case LawForm::implicit:
        return require(element.law, element.where);
      default:
        return;  // its element's free equations take the place of a law
    }
  }

  void add_storage(const Branch& element) {
    const bool is_across = element.kind == BranchKind::across_storage;
    unknown(*element.stored);
    if (element.form == LawForm::from_stored)
      define(is_across ? element.across : element.through, element.law, element.where);
    else
      define(*element.stored, element.law, element.where);
    integrate(*element.stored, graph_.use(is_across ? element.through : element.across),
              element.where);
  }

  void add_elements() {
    for (const std::uint32_t k : scope_.ownership.states[scope_.index]) {
      const ElementState& state = network_.states[k];
      integrate(state.symbol, state.derivative, state.where);
    }
    for (const FreeUnknown& free : network_.free_unknowns)
      if (scope_.ownership.owner.at(free.symbol) == scope_.index) unknown(free.symbol);
    for (const FreeEquation& free : network_.free_equations)
      if (owns(free.element)) require(free.zero, free.where);
    add_values();
  }

  bool owns(ElementId element) const {
    return std::find(circuit_.elements.begin(), circuit_.elements.end(), element) !=
           circuit_.elements.end();
  }

  LoopCutsetForm form_;
};

}  // namespace

LoopCutsetForm loop_cutset_form(const CircuitScope& scope) { return FormBuilder(scope).run(); }

FormStructure structure_of(const Graph& graph, const LoopCutsetForm& form) {
  FormStructure result;
  std::unordered_map<SymbolId, std::size_t> variable_of;
  const auto add = [&](SymbolId symbol) {
    variable_of[symbol] = result.system.add_variable();
    result.symbols.push_back(symbol);
  };
  for (const SymbolId unknown : form.unknowns) add(unknown);
  for (const SymbolId unknown : form.unknowns) {
    const auto rate = form.rates.find(unknown);
    if (rate == form.rates.end()) continue;
    result.system.derivative[variable_of.at(unknown)] = result.symbols.size();
    add(rate->second);
  }
  for (const Equation& equation : form.equations) {
    std::vector<std::size_t> row;
    if (equation.defines) row.push_back(variable_of.at(*equation.defines));
    for (const SymbolId symbol : graph.symbols_of(equation.value)) {
      const auto known = variable_of.find(symbol);
      if (known != variable_of.end() &&
          std::find(row.begin(), row.end(), known->second) == row.end())
        row.push_back(known->second);
    }
    result.system.equations.push_back(std::move(row));
  }
  return result;
}

}  // namespace takt::codegen
