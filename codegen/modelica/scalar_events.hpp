#pragma once
// When-equations of a flat model as events that set scalars.

#include "codegen/modelica/scalar_model.hpp"

namespace takt::codegen::modelica {

class ScalarEvents {
 public:
  ScalarEvents(Evaluator& evaluator, std::vector<ScalarEvent>& into)
      : evaluator_(evaluator), into_(into) {}

  /// @throw Refusal (D020: what cannot happen at an event)
  void add(const FlatWhen& when, std::size_t chain);
  [[nodiscard]] std::size_t assertions() const { return assertions_; }

 private:
  using Sets = std::vector<ScalarEvent::Set>;
  [[nodiscard]] Sets sets_of(const std::vector<FlatWhenAction>& actions);
  void add_target(const FlatWhenAction& action, Sets& sets);
  [[nodiscard]] Sets choice(const FlatWhenAction& action, std::size_t at);
  [[nodiscard]] Sets joined(Expr condition, const Sets& then, const Sets& otherwise);

  Evaluator& evaluator_;
  std::vector<ScalarEvent>& into_;
  std::size_t assertions_ = 0;
};

}  // namespace takt::codegen::modelica
