#include "codegen/partition/step_pieces.hpp"

#include <unordered_map>

#include "runtime/solver/time_instants.hpp"

namespace takt::codegen {
namespace {

InstantsOf instants_of(const Network& network, const Surrogate& surrogate) {
  const TimeInstants instants = time_instants(network, surrogate);
  std::unordered_map<SymbolId, double> values;
  if (!instants.empty())
    for (const Parameter& parameter : network.parameters)
      values.emplace(parameter.symbol, parameter.value);
  return {network.graph(), instants, [&](SymbolId symbol) { return values.at(symbol); }};
}

}  // namespace

StepPieces::StepPieces(const Network& network, const Surrogate& surrogate)
    : instants_(instants_of(network, surrogate)) {}

std::size_t StepPieces::of(std::int64_t step_ns) const {
  return instants_.most_within(1e-9 * static_cast<double>(step_ns)) + 1;
}

bool StepPieces::fit(std::int64_t step_ns) const { return of(step_ns) <= most_pieces; }

std::int64_t StepPieces::longest_that_fits(std::int64_t most_ns) const {
  while (most_ns > 1 && !fit(most_ns)) most_ns /= 2;
  return most_ns;
}

}  // namespace takt::codegen
