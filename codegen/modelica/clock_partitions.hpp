#pragma once
// Which variables change at the ticks of which clock: partitions that equations connect, and how
// their clocks are made of each other (Modelica Language Specification 3.6, sections 16.4 to 16.7).

#include <optional>
#include <set>
#include <string>

#include "codegen/modelica/scalar_model.hpp"

namespace takt::codegen::modelica {

struct Rational {
  long long over = 0, under = 1;  ///< without common factors; under > 0
  friend bool operator==(const Rational&, const Rational&) = default;
};

/// Ticks at period*(offset + k*step), k = 0, 1, ...
struct ModelClock {
  double period = 0.0;  ///< s, of the clock that it is made of
  Rational step{1, 1}, offset{};
  friend bool operator==(const ModelClock&, const ModelClock&) = default;
};

class ClockPartitions {
 public:
  /// @throw Refusal D021, where a clock is not known, or is two
  explicit ClockPartitions(const ScalarModel& model);
  [[nodiscard]] bool is_clocked(SymbolId symbol) const {
    return clocked_.contains(root_of(symbol));
  }
  /// Of an equation: whether its variables change at ticks.
  [[nodiscard]] bool is_clocked(Expr e) const;
  [[nodiscard]] SymbolId root_of(SymbolId symbol) const;
  [[nodiscard]] const ModelClock& clock_of(SymbolId symbol) const {
    return clocks_.at(root_of(symbol));
  }

 private:
  [[nodiscard]] std::vector<SymbolId> links(Expr e) const;
  void join(const std::vector<SymbolId>& all);
  void join_equations();
  void join_words();
  void spread();
  [[nodiscard]] bool learn(SymbolId symbol, const ModelClock& clock, const Location& where);

  const ScalarModel& model_;
  std::map<SymbolId, SymbolId> befores_;  ///< x by pre(x)
  mutable std::map<SymbolId, SymbolId> parents_;
  std::set<SymbolId> clocked_;  ///< roots
  std::map<SymbolId, ModelClock> clocks_;
};

}  // namespace takt::codegen::modelica
