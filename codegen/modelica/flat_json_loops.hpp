#pragma once
// Loops over equations of rumoca's flat JSON.

#include <vector>

#include "codegen/modelica/flat_json_expressions.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen::modelica {

class LoopReader {
 public:
  LoopReader(const JsonExpressions& expressions, FileName file, Diagnostics& diagnostics)
      : expressions_(expressions), file_(file), diagnostics_(diagnostics) {}
  /// Loops repeat what stands in the list of equations already, all of it or the first and the last
  /// of each: what lies between is added. Reports D002 where this cannot be told.
  void read(const Json& loops, std::vector<FlatEquation>& equations) const;

 private:
  [[nodiscard]] bool add_between(const Json& loop, std::vector<FlatEquation>& equations) const;

  const JsonExpressions& expressions_;
  FileName file_;
  Diagnostics& diagnostics_;
};

}  // namespace takt::codegen::modelica
