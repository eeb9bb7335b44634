#pragma once
// The functions and members of an FMU's subsystem: the plant's side of it.

#include "codegen/emit/functions.hpp"
#include "codegen/source/writer.hpp"

namespace takt::codegen {

/// feed(), give(), take(), run().
void emit_foreign(const SubsystemView& view, const ForeignTask& task, Coefficients& coefficients,
                  SubsystemFunctions& functions);
/// An output whose variable declares a range: what leaves it is counted in beyond[].
struct ForeignRange {
  std::size_t output;
  double least, most;  ///< in the FMU's own unit
  std::string text;    ///< of the event
};
[[nodiscard]] std::vector<ForeignRange> ranges_of(const SubsystemView& view,
                                                  const ForeignTask& task);
/// What lies between the plant and the FMU.
void write_foreign_members(Writer& text, const SubsystemView& view, const ForeignTask& task);

/// FMUs of the plant for the runtime: what takt-fmu-host must know of each.
void write_foreign(Writer& text, const Network& network);

}  // namespace takt::codegen
