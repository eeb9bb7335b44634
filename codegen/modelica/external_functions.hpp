#pragma once
// External functions that are mathematics of the language or of C.

#include "codegen/modelica/flat_model.hpp"

namespace takt::codegen::modelica {

/// Of `external LANGUAGE OUTPUT = CALL`, where CALL is a function that Modelica has too (sin of
/// "builtin", pow of "C"), `function` becomes one with that call as its body; others stay external.
/// As in Modelica.Math up to release 4.0.0; Modelica Language Specification 12.9.
/// @param language  as written; empty: "C"
/// @param output    what the result is given to; empty: the only output
void take_mathematics(FlatFunction& function, std::string_view language, std::string output,
                      const FlatExpression& call);

}  // namespace takt::codegen::modelica
