#include <algorithm>
#include <cmath>
#include <set>

#include "codegen/modelica/scalar_equations.hpp"
#include "codegen/modelica/scalar_events.hpp"
#include "codegen/modelica/scalar_model.hpp"

namespace takt::codegen::modelica {
namespace {

bool is_parameter(const FlatVariable& variable) {
  return variable.variability == Variability::parameter ||
         variable.variability == Variability::constant;
}

/// One pass over the model with the parameters that are known to be fixed.
class Pass {
 public:
  Pass(const FlatModel& model, FixedParameters& fixed, Diagnostics& diagnostics)
      : out_(std::make_unique<ScalarModel>(model)),
        model_(model),
        evaluator_(model, out_->graph, fixed),
        fixed_(fixed),
        diagnostics_(diagnostics) {}

  std::unique_ptr<ScalarModel> run() {
    for (const FlatWhen& each : model_.whens)
      out_->texts.insert(out_->texts.end(), each.schedule.begin(), each.schedule.end());
    for (const FlatVariable& each : model_.variables)
      if (!is_parameter(each))
        guarded("variable '" + each.name + "'", each.where,
                [&] { add_variable(each, evaluator_.name(each.name)); });
    ScalarEquations equations(evaluator_, {&out_->equations, &out_->texts});
    for (const FlatVariable& each : model_.variables) {
      if (is_parameter(each) || each.binding == nullptr) continue;
      guarded("variable '" + each.name + "'", each.where, [&] { equations.add_binding(each); });
    }
    for (const FlatEquation& each : model_.equations)
      guarded(each.origin, each.where, [&] { equations.add(each, nullptr); });
    for (std::size_t k = 0; k < model_.algorithms.size(); ++k)
      guarded(model_.algorithm_origins[k], model_.where, [&] { algorithm(k, equations); });
    ScalarEvents events(evaluator_, out_->events);
    for (std::size_t k = 0; k < model_.whens.size(); ++k)
      guarded("a when-equation", model_.whens[k].where, [&] { events.add(model_.whens[k], k); });
    hold_what_events_set();
    evaluator_.set_initial(true);
    ScalarEquations initial(evaluator_, {&out_->initial, &out_->texts});
    for (const FlatEquation& each : model_.initial_equations)
      guarded(each.origin, each.where, [&] { initial.add(each, nullptr); });
    for (std::size_t k = 0; k < model_.initial_algorithms.size(); ++k)
      guarded("initial " + model_.initial_algorithm_origins[k], model_.where,
              [&] { initial_algorithm(k, initial); });
    evaluator_.set_initial(false);
    for (const FlatVariable* each : evaluator_.held())
      guarded("parameter '" + each->name + "'", each->where, [&] { hold(*each); });
    for (const auto* list : {&out_->equations, &out_->initial})
      for (const ScalarEquation& each : *list)
        guarded(each.origin, each.where, [&] { fix_structure(each); });
    finish(equations.assertions() + events.assertions());
    return std::move(out_);
  }

 private:
  template <class Work>
  void guarded(const std::string& place, const Location& where, const Work& work) {
    try {
      work();
    } catch (const Refusal& refusal) {
      const bool known = refusal.where.line > 0;
      diagnostics_.error(refusal.code, known ? refusal.where : where,
                         place + ": " + refusal.message, refusal.hint);
    }
  }

  void add_variable(const FlatVariable& declared, const Value& symbols) {
    const auto scalars = flattened(symbols);
    const Value starts = attribute(declared.start, symbols),
                fixed = attribute(declared.fixed, symbols);
    const auto all_starts = declared.start != nullptr ? flattened(starts) : std::vector<Expr>();
    const auto all_fixed = declared.fixed != nullptr ? flattened(fixed) : std::vector<Expr>();
    for (std::size_t k = 0; k < scalars.size(); ++k) {
      ScalarVariable made;
      made.symbol = SymbolId{out_->graph.node(scalars[k]).payload};
      made.name = out_->graph.symbol(made.symbol).path;
      made.declared = &declared;
      made.is_input =
          declared.causality == Causality::input && declared.name.find('.') == std::string::npos;
      if (k < all_starts.size()) made.start = all_starts[k];
      if (k < all_fixed.size())
        made.fixed = evaluator_.number(all_fixed[k], "whether a start value is fixed") > 0.5;
      if (made.start && evaluator_.depends_on_variables(*made.start)) {
        if (made.fixed)
          out_->initial.push_back(
              {scalars[k], *made.start, "start of '" + made.name + "'", declared.where});
        made.fixed = false;
        made.start.reset();
      }
      out_->variable_of[made.symbol] = out_->variables.size();
      out_->variables.push_back(std::move(made));
    }
  }

  /// A parameter that variables at the start determine: a state that rests.
  void hold(const FlatVariable& declared) {
    add_variable(declared, evaluator_.symbols_of(declared));
    const auto truth = evaluator_.truths_at_start().find(declared.name);
    for (const Expr each : flattened(evaluator_.symbols_of(declared))) {
      if (truth != evaluator_.truths_at_start().end())
        out_->initial.push_back(
            {each, out_->graph.select(truth->second, out_->graph.one(), out_->graph.zero()),
             "parameter '" + declared.name + "'", declared.where});
      out_->equations.push_back({evaluator_.derivative(each), out_->graph.zero(),
                                 "parameter '" + declared.name + "'", declared.where});
    }
  }

  /// Start or fixed of an array: of the array, or the same of all.
  Value attribute(const FlatRef& given, const Value& symbols) {
    if (given == nullptr) return {};
    const Value value = evaluator_.value(*given);
    if (value.is_text()) return filled(Value::of(out_->graph.zero()), shape_of(symbols));
    return value.is_array() ? value : filled(value, shape_of(symbols));
  }

  void hold_what_events_set() {
    for (const ScalarEvent& event : out_->events)
      for (const ScalarEvent::Set& each : event.sets)
        if (!each.is_reinit)
          out_->variables[out_->variable_of.at(SymbolId{out_->graph.node(each.target).payload})]
              .is_held = true;
  }

  /// Of assignments that hold at the start: x is what it has been given last.
  void initial_algorithm(std::size_t index, ScalarEquations& initial) {
    const std::string origin = "initial " + model_.initial_algorithm_origins[index];
    FlatEquation of;
    of.origin = origin;
    for (const auto& [name, value] : evaluator_.assigned(model_.initial_algorithms[index], origin))
      initial.add_value(name, value, of);
  }

  /// Without memory: what it gives does not depend on what its variables were before.
  void algorithm(std::size_t index, ScalarEquations& equations) {
    const std::string& origin = model_.algorithm_origins[index];
    const auto given = evaluator_.assigned(model_.algorithms[index], origin);
    std::set<SymbolId> targets;
    for (const auto& [name, value] : given)
      for (const Expr each : flattened(evaluator_.name(name)))
        for (const SymbolId symbol : out_->graph.symbols_of(each)) targets.insert(symbol);
    FlatEquation of;
    of.origin = origin;
    for (const auto& [name, value] : given) {
      for (const Expr each : flattened(value))
        for (const SymbolId symbol : out_->graph.symbols_of(each))
          if (targets.contains(symbol))
            throw Refusal{"D024",
                          "'" + out_->graph.symbol(symbol).path +
                              "' is read before it is assigned: this is memory",
                          "assign it on every way through the algorithm",
                          {}};
      equations.add_value(name, value, of);
    }
  }

  /// A factor that is zero removes what it multiplies, and with it the structure of the equation:
  /// it becomes a number. So does an exponent that is a whole number.
  void fix_structure(const ScalarEquation& equation) {
    Graph& graph = out_->graph;
    for (const Expr e : graph.reachable({equation.left, equation.right})) {
      const Node node = graph.node(e);
      const auto is_given = [&](Expr operand) {
        return !graph.is_constant(operand) && !evaluator_.depends_on_variables(operand);
      };
      if (node.op == Op::pow && is_given(node.b) && evaluator_.depends_on_variables(node.a)) {
        const double power = *evaluator_.value_now(node.b);
        if (power == std::floor(power))
          (void)evaluator_.number(node.b, "it is the exponent of a variable");
      }
      if (node.op != Op::mul && node.op != Op::div) continue;
      for (const auto& [given, other] : {std::pair(node.a, node.b), std::pair(node.b, node.a)}) {
        if (!is_given(given) || !evaluator_.depends_on_variables(other)) continue;
        const double factor = *evaluator_.value_now(given);
        if (!std::isfinite(factor))
          throw Refusal{
              "D007", "a factor that is not finite", "look at the values of its parameters", {}};
        if (factor == 0.0)
          (void)evaluator_.number(given, "what it multiplies is 0, and is left out");
      }
    }
  }

  void finish(std::size_t assertions) {
    out_->derivatives = evaluator_.derivatives();
    out_->parameters = evaluator_.tunable();
    out_->time = evaluator_.time();
    out_->semi_linear = evaluator_.semi_linear();
    out_->literal_mark = evaluator_.literal_mark();
    out_->initial_mark = evaluator_.initial_mark();
    out_->befores = evaluator_.befores();
    out_->ticks = evaluator_.ticks();
    out_->clock_words = evaluator_.clock_words();
    out_->previous = evaluator_.previous();
    out_->counts = {
        .declared = model_.variables.size(),
        .equations = out_->equations.size(),
        .initial_equations = out_->initial.size(),
        .assertions = model_.assertions.size() + assertions + evaluator_.assertions_passed(),
        .functions = evaluator_.functions_used().size()};
    out_->fixed_parameters = fixed_;
  }

  std::unique_ptr<ScalarModel> out_;
  const FlatModel& model_;
  Evaluator evaluator_;
  FixedParameters& fixed_;
  Diagnostics& diagnostics_;
};

/// When-equations of what is more than equations.
void refuse_events(const FlatModel& model, Diagnostics& diagnostics) {
  for (const FlatWhen& each : model.whens)
    if (each.schedule.empty() && each.branches.empty())
      diagnostics.error("D020", each.where,
                        "a when within an algorithm, a choice, a loop or another when",
                        "write it as a when-equation of the model");
}

}  // namespace

SymbolId before_of(ScalarModel& model, SymbolId symbol) {
  const auto [found, fresh] = model.befores.try_emplace(symbol);
  if (fresh)
    found->second = model.graph.make_symbol("pre(" + model.graph.symbol(symbol).path + ")", "1");
  return found->second;
}

bool is_held(const ScalarModel& model, SymbolId symbol) {
  const auto found = model.variable_of.find(symbol);
  return found != model.variable_of.end() && model.variables[found->second].is_held;
}

bool is_of_parameters(const ScalarModel& model, Expr e) {
  const auto symbols = model.graph.symbols_of(e);
  return std::all_of(symbols.begin(), symbols.end(),
                     [&](SymbolId symbol) { return model.parameters.contains(symbol); });
}

double parameter_value(const ScalarModel& model, Expr e) {
  return model.graph.evaluate(e, [&](SymbolId symbol) {
    return parameter_value(model, model.parameters.at(symbol).value);
  });
}

SymbolId symbol_of(const ScalarModel& model, std::string_view name) {
  return std::find_if(model.variables.begin(), model.variables.end(),
                      [&](const ScalarVariable& each) { return each.name == name; })
      ->symbol;
}

std::unique_ptr<ScalarModel> scalarise(const FlatModel& model, Diagnostics& diagnostics) {
  refuse_events(model, diagnostics);
  FixedParameters fixed;
  constexpr int most_passes = 60;
  for (int pass = 0; pass < most_passes; ++pass) {
    const std::size_t before = fixed.size();
    Diagnostics findings;
    auto made = Pass(model, fixed, findings).run();
    if (fixed.size() != before && pass + 1 < most_passes) continue;
    diagnostics.append(findings);
    return diagnostics.has_errors() ? nullptr : std::move(made);
  }
  return nullptr;
}

}  // namespace takt::codegen::modelica
