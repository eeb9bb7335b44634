#include "codegen/emit/observed_values.hpp"

namespace takt::codegen {

std::vector<SymbolId> observed(const SubsystemView& view) {
  std::vector<SymbolId> symbols = view.plan.outputs;
  symbols.insert(symbols.end(), view.signals.begin(), view.signals.end());
  return symbols;
}

void store_observed(const SubsystemView& view, FunctionBody& body, Observed which) {
  const auto store = [&](const char* array, const std::vector<SymbolId>& symbols) {
    for (std::size_t index = 0; index < symbols.size(); ++index) {
      if (which != Observed::all &&
          view.read.contains(symbols[index]) != (which == Observed::read_by_others))
        continue;
      body.store(array, index, body.own(symbols[index]), view.label(symbols[index]));
    }
  };
  store("outputs", view.plan.outputs);
  if (which != Observed::read_by_others) store("signals", view.signals);
}

}  // namespace takt::codegen
