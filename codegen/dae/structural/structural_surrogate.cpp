#include "codegen/dae/structural/structural_surrogate.hpp"

#include <algorithm>
#include <random>

#include "codegen/dae/algebra/sorting.hpp"
#include "codegen/dae/circuit/start_values.hpp"
#include "codegen/dae/structural/check_starts.hpp"
#include "codegen/dae/structural/dummy_derivatives.hpp"
#include "codegen/dae/structural/loop_cutset_form.hpp"
#include "codegen/expr/follow_values.hpp"

namespace takt::codegen {

namespace {

class StructuralPath {
 public:
  StructuralPath(const CircuitScope& scope, Diagnostics& diagnostics)
      : scope_(scope),
        network_(scope.network),
        graph_(scope.network.graph()),
        circuit_(scope.circuit),
        diagnostics_(diagnostics),
        form_(loop_cutset_form(scope)),
        start_(scope) {}

  std::optional<Surrogate> run() {
    FormStructure structure = structure_of(graph_, form_);
    symbols_ = std::move(structure.symbols);
    result_ = pantelides(std::move(structure.system));
    if (result_.singular()) return report_singular(), std::nullopt;
    name_derivatives();
    equations_ = form_.equations;
    if (!differentiate_equations()) return std::nullopt;
    collect_starts();
    const auto choice = choose_dummies(
        result_, form_.equations.size(),
        [&](std::size_t equation, std::size_t variable) { return entry(equation, variable); },
        preferences());
    if (!choice) return report_no_choice(), std::nullopt;
    return assemble(*choice);
  }

 private:
  [[nodiscard]] std::vector<std::optional<std::size_t>>& derivative() {
    return result_.system.derivative;
  }

  /// Where findings about the whole circuit point to: its first free equation, else its first
  /// element.
  [[nodiscard]] Location place() const {
    if (has_free_equations(network_, circuit_)) return first_free_equation(network_, circuit_);
    return circuit_.branches.empty()
               ? Location{}
               : network_.branches[static_cast<std::size_t>(circuit_.branches.front())].where;
  }

  void report_singular() {
    const auto names = [&](const std::vector<std::size_t>& variables) {
      std::string text;
      for (std::size_t k = 0; k < std::min<std::size_t>(variables.size(), 6); ++k)
        text += (k > 0 ? ", " : "") + graph_.symbol(symbols_[variables[k]]).path;
      return text.empty() ? std::string("nothing") : text;
    };
    diagnostics_.error(
        "T020", place(),
        "circuit " + circuit_.name + ": whatever is differentiated, no equation is left for " +
            names(result_.surplus_variables) + ", and " +
            std::to_string(result_.surplus_equations.size()) + " too many for the rest",
        "look at the free equations of its elements: each names something that no other equation "
        "fixes");
  }

  void report_no_choice() {
    diagnostics_.error(
        "T022", place(),
        "circuit " + circuit_.name +
            ": the constraints do not determine the dependent states at the start values",
        "start away from a dead centre, or write another state of the element first: the first "
        "ones are kept");
  }

  /// Symbols of derivatives that Pantelides added: "x.der.der".
  void name_derivatives() {
    symbols_.resize(derivative().size());
    for (std::size_t variable = 0; variable < derivative().size(); ++variable) {
      if (!derivative()[variable]) continue;
      const std::size_t made = *derivative()[variable];
      if (made < form_.unknowns.size() + form_.rates.size()) continue;
      const Symbol of =
          graph_.symbol(symbols_[variable]);  // a derivative has a larger number than its variable
      symbols_[made] = graph_.find_or_make_symbol(of.path + ".der", of.unit + "/s");
    }
    for (std::size_t variable = 0; variable < symbols_.size(); ++variable)
      variable_of_[symbols_[variable]] = variable;
  }

  /// The time derivative of an expression over the unknowns; nothing after T021.
  std::optional<Expr> rate_of(Expr expression, const Location& where) {
    Expr sum = graph_.zero();
    for (const SymbolId symbol : graph_.symbols_of(expression)) {
      if (scope_.ownership.parameters.contains(symbol)) continue;
      const Expr partial = graph_.differentiate(expression, symbol);
      if (graph_.is_constant(partial, 0.0)) continue;
      if (symbol == network_.time) {
        sum = graph_.add(sum, partial);
        continue;
      }
      const auto variable = variable_of_.find(symbol);
      if (variable == variable_of_.end()) {
        diagnostics_.error("T021", where,
                           "circuit " + circuit_.name + ": " + graph_.symbol(symbol).path +
                               " must be differentiated, but is known only as it is received",
                           "a constraint fixes a position, a speed or a voltage by it; drive it by "
                           "a force, a torque or a current, or put a spring or a resistance "
                           "between");
        return std::nullopt;
      }
      sum = graph_.add(sum,
                       graph_.mul(partial, graph_.use(symbols_[*derivative()[variable->second]])));
    }
    return sum;
  }

  bool differentiate_equations() {
    for (std::size_t equation = 0; equation < result_.derived.size(); ++equation) {
      if (!result_.derived[equation]) continue;
      const Equation of = equations_[equation];  // derivatives follow in order of number
      const auto rate = rate_of(of.value, of.where);
      if (!rate) return false;
      Equation made{std::nullopt, *rate, of.where, std::nullopt};
      if (of.defines) made.defines = symbols_[*derivative()[variable_of_.at(*of.defines)]];
      if (equations_.size() <= *result_.derived[equation])
        equations_.resize(*result_.derived[equation] + 1);
      equations_[*result_.derived[equation]] = made;
    }
    return true;
  }

  // --- values at the start
  void collect_starts() {
    for (const std::uint32_t k : scope_.ownership.states[scope_.index]) {
      const ElementState& state = network_.states[k];
      given_[state.symbol] = start_.at_start(state.start);
      const Expr rate = start_.at_start(state.derivative);
      if (is_known(rate)) given_[form_.rates.at(state.symbol)] = rate;
    }
    for (const FreeUnknown& free : network_.free_unknowns)
      if (variable_of_.contains(free.symbol)) given_[free.symbol] = free.start;
    for (const SymbolId unknown : form_.unknowns)
      if (const auto guess = start_.guess(unknown)) given_.try_emplace(unknown, *guess);
  }

  /// Whether an expression reads none of the circuit's variables.
  bool is_known(Expr expression) const {
    const auto symbols = graph_.symbols_of(expression);
    return std::none_of(symbols.begin(), symbols.end(),
                        [&](SymbolId symbol) { return variable_of_.contains(symbol); });
  }

  /// Value at the start, where it is known; else something generic, the same for the same symbol.
  double numeric(SymbolId symbol) {
    if (const auto parameter = scope_.ownership.parameters.find(symbol);
        parameter != scope_.ownership.parameters.end())
      return parameter->second;
    if (const auto known = values_.find(symbol); known != values_.end()) return known->second;
    values_[symbol] = generic(symbol);
    if (symbol == network_.time) return values_[symbol] = 0.0;
    if (const auto given = given_.find(symbol); given != given_.end()) {
      const double value =
          graph_.evaluate(given->second, [&](SymbolId inner) { return numeric(inner); });
      return values_[symbol] = value;
    }
    return values_[symbol];
  }

  static double generic(SymbolId symbol) {
    std::minstd_rand random(static_cast<std::uint32_t>(symbol) + 1);
    random.discard(3);
    return 0.5 + static_cast<double>(random()) / static_cast<double>(std::minstd_rand::max());
  }

  double entry(std::size_t equation, std::size_t variable) {
    const Equation& of = equations_[equation];
    const SymbolId symbol = symbols_[variable];
    const double value = graph_.evaluate(graph_.differentiate(of.value, symbol),
                                         [&](SymbolId inner) { return numeric(inner); });
    return of.defines == symbol ? 1.0 - value : of.defines ? -value : value;
  }

  /// What events change first, then stored quantities, then states of elements, then what else has
  /// a derivative.
  std::vector<int> preferences() {
    std::vector<int> keep(symbols_.size(), 0);
    for (const std::uint32_t k : scope_.ownership.states[scope_.index]) {
      const ElementState& state = network_.states[k];
      keep[variable_of_.at(state.symbol)] = state.held ? 5 : state.always ? keep_always : 1;
    }
    for (const BranchId id : circuit_.branches) {
      const Branch& branch = network_.branches[static_cast<std::size_t>(id)];
      if (branch.stored) keep[variable_of_.at(*branch.stored)] = branch.started() ? 3 : 2;
    }
    for (const StateEvent& event : network_.events)
      for (const StateEvent::Set& set : event.sets)
        if (const auto variable = variable_of_.find(set.symbol); variable != variable_of_.end())
          keep[variable->second] = std::max(keep[variable->second], 4);
    return keep;
  }

  /// Of free equations, where somebody has said: what they are divided by may be any number there,
  /// as 0 is the sine of an angle.
  SymbolMap<double> known_starts() {
    SymbolMap<double> made;
    if (!has_free_equations(network_, circuit_)) return made;
    std::unordered_set<SymbolId> open;
    for (const FreeUnknown& free : network_.free_unknowns)
      if (!free.started) open.insert(free.symbol);
    for (const auto& [symbol, start] : given_)
      if (!open.contains(symbol)) made[symbol] = numeric(symbol);
    return made;
  }

  // --- the system of index 1
  std::optional<Surrogate> assemble(const DummyChoice& choice) {
    EquationSystem system;
    std::unordered_set<SymbolId> states;
    Surrogate surrogate;
    follow_given(choice);
    for (const std::size_t variable : choice.states) {
      const SymbolId symbol = symbols_[variable];
      states.insert(symbol);
      surrogate.states.push_back(
          {symbol, graph_.use(symbols_[*derivative()[variable]]), start_of(symbol)});
    }
    for (const SymbolId symbol : symbols_)
      if (!states.contains(symbol)) system.unknowns.push_back(symbol);
    for (const Equation& equation : equations_)
      system.equations.push_back(without_state(equation, states));
    for (const auto& [symbol, start] : given_)
      if (!states.contains(symbol)) system.guesses[symbol] = start;
    system.divisors = system.known.parameters = &scope_.ownership.parameters;
    const SymbolMap<double> starts = known_starts();
    system.known.starts = &starts;
    auto sorted = sort_equations(graph_, system, circuit_.name, diagnostics_);
    if (!sorted) return std::nullopt;
    surrogate.algebra = std::move(sorted->early);
    surrogate.index = result_.index;
    surrogate.structural = true;
    start_.check_laws(diagnostics_);
    surrogate.start_laws = start_.laws();
    check_starts(scope_, surrogate, start_, diagnostics_);
    return surrogate;
  }

  /// Rates that are integrated begin as the start values of others say: first of those that are
  /// integrated too, then in the order in which they are kept.
  void follow_given(const DummyChoice& choice) {
    const bool all_given =
        std::all_of(choice.states.begin(), choice.states.end(),
                    [&](std::size_t variable) { return given_.contains(symbols_[variable]); });
    if (all_given) return;
    ValueQuestion question{{}, {symbols_.begin(), symbols_.end()}, [&](Expr slope) {
                             return graph_.evaluate(
                                 slope, [&](SymbolId symbol) { return numeric(symbol); });
                           }};
    for (const Equation& each : equations_)
      question.residuals.push_back(graph_.substitute(
          each.defines ? graph_.sub(graph_.use(*each.defines), each.value) : each.value,
          {{network_.time, graph_.zero()}}));
    FollowedValues values(graph_, std::move(question));
    const auto add = [&](std::size_t variable) {
      if (const auto given = given_.find(symbols_[variable]); given != given_.end())
        values.add(given->first, given->second);
    };
    for (const std::size_t variable : choice.states) add(variable);
    const std::vector<int> keep = preferences();
    for (int wish = *std::max_element(keep.begin(), keep.end()); wish > 0; --wish)
      for (std::size_t variable = 0; variable < keep.size(); ++variable)
        if (keep[variable] == wish) add(variable);
    for (const FreeUnknown& free : network_.free_unknowns)
      if (const auto found = variable_of_.find(free.symbol);
          found != variable_of_.end() && free.started)
        add(found->second);
    for (const std::size_t variable : choice.states)
      if (const auto follows = values.known().find(symbols_[variable]);
          follows != values.known().end())
        given_.insert(*follows);
    for (const std::size_t variable : choice.states)
      if (!given_.contains(symbols_[variable]))
        diagnostics_.warning(
            "T024", place(),
            graph_.symbol(symbols_[variable]).path +
                " is integrated, and begins at 0: no equation gives it from start values alone",
            "give a start value to an unknown that is this rate, or to what determines it alone");
  }

  Expr start_of(SymbolId symbol) {
    const auto given = given_.find(symbol);
    return given == given_.end() ? graph_.zero() : given->second;
  }

  /// What defines a state is a constraint on what it is made of.
  Equation without_state(Equation equation, const std::unordered_set<SymbolId>& states) {
    if (!equation.defines || !states.contains(*equation.defines)) return equation;
    equation.value = graph_.sub(graph_.use(*equation.defines), equation.value);
    equation.defines.reset();
    return equation;
  }

  const CircuitScope& scope_;
  const Network& network_;
  Graph& graph_;
  const CircuitTopology& circuit_;
  Diagnostics& diagnostics_;
  LoopCutsetForm form_;
  StartValues start_;
  StructuralResult result_;
  std::vector<SymbolId> symbols_;    // per variable
  std::vector<Equation> equations_;  // originals, then derivatives
  std::unordered_map<SymbolId, std::size_t> variable_of_;
  std::unordered_map<SymbolId, Expr> given_;  // start values and guesses, over parameters
  std::unordered_map<SymbolId, double> values_;
};

}  // namespace

namespace {

const FreeEquation* find_free_equation(const Network& network, const CircuitTopology& circuit) {
  const auto found = std::find_if(
      network.free_equations.begin(), network.free_equations.end(), [&](const FreeEquation& free) {
        return std::find(circuit.elements.begin(), circuit.elements.end(), free.element) !=
               circuit.elements.end();
      });
  return found == network.free_equations.end() ? nullptr : &*found;
}

}  // namespace

std::size_t count_free_unknowns(const Network& network, const CircuitTopology& circuit) {
  return static_cast<std::size_t>(std::count_if(
      network.free_unknowns.begin(), network.free_unknowns.end(), [&](const FreeUnknown& free) {
        return std::find(circuit.elements.begin(), circuit.elements.end(), free.element) !=
               circuit.elements.end();
      }));
}

void note_structural_index(const Network& network, const std::vector<Surrogate>& subsystems,
                           TopologyResult& topology) {
  std::unordered_map<std::string_view, const Surrogate*> structural;
  for (const Surrogate& subsystem : subsystems)
    if (subsystem.structural) structural[subsystem.name] = &subsystem;
  for (CircuitTopology& circuit : topology.circuits) {
    const auto surrogate = structural.find(circuit.name);
    if (surrogate == structural.end()) continue;
    circuit.index = surrogate->second->index;
    std::vector<BranchId> lawless;
    for (const BranchId id : circuit.branches) {
      const Branch& branch = network.branches[static_cast<std::size_t>(id)];
      if (branch.kind == BranchKind::dissipator && branch.form == LawForm::none)
        lawless.push_back(id);
    }
    if (!lawless.empty() && circuit.index > 1) circuit.index_causes = std::move(lawless);
  }
}

bool has_free_equations(const Network& network, const CircuitTopology& circuit) {
  return find_free_equation(network, circuit) != nullptr;
}

Location first_free_equation(const Network& network, const CircuitTopology& circuit) {
  return find_free_equation(network, circuit)->where;
}

std::optional<Surrogate> structural_surrogate(const CircuitScope& scope, Diagnostics& diagnostics) {
  return StructuralPath(scope, diagnostics).run();
}

}  // namespace takt::codegen
