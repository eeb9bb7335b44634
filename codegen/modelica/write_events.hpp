#pragma once
// Events, and what is held between them, as keys of an element.

#include <functional>

#include "codegen/modelica/reduced_model.hpp"

namespace takt::codegen::modelica {

/// What EventTexts asks for as text.
[[nodiscard]] std::vector<Expr> event_roots(ScalarModel& model);

class EventTexts {
 public:
  struct Words {
    std::function<std::string(SymbolId)> name, unit;
    std::function<std::string(const std::string&, const std::string&)> number;  ///< in a unit
    std::function<std::string(Expr)> text;
    std::function<std::string()> fresh;  ///< name of an event
  };
  EventTexts(ScalarModel& model, const ReducedModel& reduced, Words words)
      : model_(model), reduced_(reduced), words_(std::move(words)) {}

  [[nodiscard]] std::string held(SymbolId symbol, const std::string& start) const;
  [[nodiscard]] std::string relations() const;
  [[nodiscard]] std::string counts() const;
  [[nodiscard]] std::string events() const;

 private:
  [[nodiscard]] std::string truth(const HeldTruth& truth, const std::string& start) const;

  ScalarModel& model_;
  const ReducedModel& reduced_;
  Words words_;
};

}  // namespace takt::codegen::modelica
