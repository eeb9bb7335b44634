// libFuzzer entry of the reader of modelDescription.xml: what it takes keeps what others rely on, what it refuses it
// says.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "codegen/fmu/read_fmu.hpp"

namespace {

using namespace takt::codegen;

/// What the rest of Takt relies on: indices are those of variables, start values have the size of their variable.
void check_unknowns(const std::vector<FmuUnknown>& unknowns, std::size_t variables) {
  for (const FmuUnknown& unknown : unknowns) {
    if (unknown.variable >= variables) std::abort();
    for (std::size_t each : unknown.dependencies)
      if (each >= variables) std::abort();
    if (!unknown.kinds.empty() && unknown.kinds.size() != unknown.dependencies.size()) std::abort();
  }
}

std::size_t start_size(const FmuStart& start) {
  return std::visit(
      [](const auto& values) -> std::size_t {
        if constexpr (requires { values.size(); })
          return values.size();
        else
          return 0;
      },
      start);
}

void check(const FmuDescription& fmu) {
  const std::size_t count = fmu.variables.size();
  for (const FmuVariable& variable : fmu.variables) {
    const std::size_t given = start_size(variable.start);
    if (given != 0 && given != variable.size) std::abort();
    if (variable.derivative_of.value_or(0) >= count || variable.previous.value_or(0) >= count) std::abort();
    if (variable.where.line == 0) std::abort();
  }
  for (const auto* each :
       {&fmu.outputs, &fmu.state_derivatives, &fmu.clocked_states, &fmu.initial_unknowns, &fmu.indicators})
    check_unknowns(*each, count);
  for (const FmuUnknown& unknown : fmu.state_derivatives)
    if (!fmu.variables[unknown.variable].derivative_of) std::abort();
  if (!fmu.co_simulation && !fmu.model_exchange && !fmu.scheduled_execution) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Diagnostics diagnostics;
  const auto fmu = read_model_description({reinterpret_cast<const char*>(data), size}, "fuzz.xml", diagnostics);
  if (!fmu && !diagnostics.has_errors()) std::abort();  // a refusal says why
  if (fmu && diagnostics.has_errors()) std::abort();
  for (const auto& finding : diagnostics.all())
    if (finding.code.empty() || finding.message.empty()) std::abort();
  if (fmu) check(*fmu);
  return 0;
}
