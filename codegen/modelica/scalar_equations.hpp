#pragma once
// Equations of a flat model, of arrays, records and loops, as scalar ones.

#include "codegen/modelica/scalar_model.hpp"

namespace takt::codegen::modelica {

class ScalarEquations {
 public:
  struct Into {
    std::vector<ScalarEquation>* equations;
    std::vector<std::string>* texts;
  };
  ScalarEquations(Evaluator& evaluator, Into into) : evaluator_(evaluator), into_(into) {}

  /// @throw Refusal; D009 where it is not as many scalar equations as the front end has counted
  void add(const FlatEquation& equation, const Frame* frame);
  /// x = binding
  void add_binding(const FlatVariable& variable);
  /// x := value
  void add_value(const std::string& name, const Value& value, const FlatEquation& of);
  [[nodiscard]] std::size_t assertions() const { return assertions_; }

 private:
  void add_equality(const FlatEquation& equation, const Frame* frame);
  void add_choice(const FlatEquation& equation, const Frame* frame);
  void join(const FlatEquation& equation, std::pair<std::size_t, std::size_t> from, Expr condition);
  void add_loop(const FlatEquation& equation, const Frame* frame);
  void pair(const Value& left, const Value& right, const FlatEquation& of);
  void pair_records(const Value& left, const Value& right, const FlatEquation& of);

  Evaluator& evaluator_;
  Into into_;
  std::size_t assertions_ = 0;
};

}  // namespace takt::codegen::modelica
