#pragma once
// Ports of FMUs: where one joins a circuit.

#include <cstdint>
#include <string>

#include "codegen/expr/expr.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

enum class BranchId : std::uint32_t;

/// A source of a circuit follows an output of the FMU; the FMU is fed with the other variable of
/// that branch. Power counts into the FMU.
struct ForeignPort {
  std::string name;         ///< "shaft" of fmu.engine.shaft
  BranchId branch{};        ///< of the source; its through variable flows into the FMU
  SymbolId fed{}, given{};  ///< the FMU's input and output, SI, with the FMU's own sign
  bool gives_through = false;
  double sign = 1.0;    ///< +1: the FMU's through variable counts into it
  SymbolId power{};     ///< W: flux from the circuit
  SymbolId sent{};      ///< J: what the circuit has given, as it arrives
  SymbolId taken{};     ///< J: by what the FMU was fed with and gave, over its steps
  SymbolId unclosed{};  ///< J: sent - taken
  Location where;
};

}  // namespace takt::codegen
