#include "codegen/dae/structural/pantelides.hpp"

#include <algorithm>
#include <limits>

#include "codegen/dae/algebra/matching.hpp"

namespace takt::codegen {

std::size_t StructuralSystem::derivative_of(std::size_t variable) {
  if (!derivative[variable]) derivative[variable] = add_variable();
  return *derivative[variable];
}

namespace {

constexpr std::size_t none = std::numeric_limits<std::size_t>::max();

/// The variable a derivative descends from, per variable.
std::vector<std::size_t> bases(const StructuralSystem& system) {
  std::vector<std::size_t> base(system.derivative.size());
  for (std::size_t variable = 0; variable < base.size(); ++variable) base[variable] = variable;
  std::vector<bool> is_derivative(base.size(), false);
  for (const auto& derivative : system.derivative)
    if (derivative) is_derivative[*derivative] = true;
  for (std::size_t variable = 0; variable < base.size(); ++variable) {
    if (is_derivative[variable]) continue;
    for (auto next = system.derivative[variable]; next; next = system.derivative[*next])
      base[*next] = variable;
  }
  return base;
}

class Pantelides {
 public:
  explicit Pantelides(StructuralSystem system) { result_.system = std::move(system); }

  StructuralResult run() {
    if (!solvable()) return std::move(result_);
    const std::size_t originals = equations().size();
    result_.derived.resize(originals);
    assigned_.assign(variables(), none);
    variable_of_.assign(originals, none);
    for (std::size_t original = 0; original < originals; ++original) {
      std::size_t equation = original;
      while (!augment(equation)) equation = differentiate(equation);
    }
    result_.index = index(originals);
    return std::move(result_);
  }

 private:
  [[nodiscard]] std::vector<std::vector<std::size_t>>& equations() {
    return result_.system.equations;
  }
  [[nodiscard]] std::size_t variables() const { return result_.system.derivative.size(); }
  [[nodiscard]] bool highest(std::size_t variable) const {
    return !result_.system.derivative[variable];
  }

  /// The algorithm ends where every equation finds a variable of its own, whatever the order of its
  /// derivative.
  bool solvable() {
    const std::vector<std::size_t> base = bases(result_.system);
    Incidence incidence;
    for (const auto& equation : equations()) {
      std::vector<std::size_t> row;
      for (const std::size_t variable : equation) row.push_back(base[variable]);
      incidence.push_back(std::move(row));
    }
    const Matching matching = match(incidence, variables());
    for (std::size_t equation = 0; equation < equations().size(); ++equation)
      if (!matching.unknown_of[equation]) result_.surplus_equations.push_back(equation);
    for (std::size_t variable = 0; variable < variables(); ++variable)
      if (base[variable] == variable && !matching.equation_of[variable])
        result_.surplus_variables.push_back(variable);
    return !result_.singular();
  }

  /// Breadth-first search for an augmenting path over the highest derivatives. What it reached
  /// stays in reached_*, to be differentiated: a library's matching does not tell what its failed
  /// searches reached, nor go on where a graph grows.
  bool augment(std::size_t start) {
    reached_equations_ = {start};
    reached_variables_.clear();
    via_.resize(variables(), none);
    seen_in_.resize(variables(), 0);
    ++round_;
    for (std::size_t head = 0; head < reached_equations_.size(); ++head) {
      const std::size_t equation = reached_equations_[head];
      for (const std::size_t variable : equations()[equation]) {
        if (!highest(variable) || seen_in_[variable] == round_) continue;
        seen_in_[variable] = round_;
        via_[variable] = equation;
        reached_variables_.push_back(variable);
        if (assigned_[variable] != none) {
          reached_equations_.push_back(assigned_[variable]);
          continue;
        }
        flip(start, variable);
        return true;
      }
    }
    return false;
  }

  void flip(std::size_t start, std::size_t variable) {
    while (true) {
      const std::size_t equation = via_[variable], previous = variable_of_[equation];
      assigned_[variable] = equation;
      variable_of_[equation] = variable;
      if (equation == start) return;
      variable = previous;
    }
  }

  /// Differentiates everything the failed search reached. @return the derivative of the equation it
  /// started from
  std::size_t differentiate(std::size_t start) {
    for (const std::size_t variable : reached_variables_)
      (void)result_.system.derivative_of(variable);
    assigned_.resize(variables(), none);
    for (const std::size_t equation : reached_equations_) {
      std::vector<std::size_t> row;
      for (const std::size_t variable : equations()[equation])
        row.push_back(result_.system.derivative_of(variable));
      result_.derived[equation] = equations().size();
      equations().push_back(std::move(row));
      result_.derived.emplace_back();
      variable_of_.push_back(none);
    }
    for (const std::size_t variable : reached_variables_) {
      const std::size_t equation = assigned_[variable],
                        derivative = *result_.system.derivative[variable],
                        derived = *result_.derived[equation];
      assigned_[variable] = none;
      variable_of_[equation] = none;
      assigned_[derivative] = derived;
      variable_of_[derived] = derivative;
    }
    return *result_.derived[start];
  }

  [[nodiscard]] int index(std::size_t originals) const {
    int most = 0;
    for (std::size_t equation = 0; equation < originals; ++equation) {
      int times = 0;
      for (auto next = result_.derived[equation]; next; next = result_.derived[*next]) ++times;
      most = std::max(most, times);
    }
    const std::vector<std::size_t> base = bases(result_.system);
    for (std::size_t variable = 0; variable < variables(); ++variable)
      if (base[variable] == variable && highest(variable))
        return most + 1;  // an algebraic variable
    return most;
  }

  StructuralResult result_;
  std::vector<std::size_t> assigned_;     // per variable: its equation
  std::vector<std::size_t> variable_of_;  // per equation: its variable
  std::vector<std::size_t> via_,
      seen_in_;  // per variable: the equation it was reached by, and the round of the search
  std::size_t round_ = 0;
  std::vector<std::size_t> reached_equations_, reached_variables_;
};

}  // namespace

StructuralResult pantelides(StructuralSystem system) { return Pantelides(std::move(system)).run(); }

}  // namespace takt::codegen
