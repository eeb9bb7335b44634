#pragma once
// The function around its statements.

#include <string>
#include <vector>

#include "codegen/emit/functions.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

struct FunctionHead {
  std::string name;        ///< "evaluate"
  std::string parameters;  ///< "double t, double s"
  std::string arguments;   ///< "t, s"
  std::string result = "void";
};

/// Statements of a function and what stands before them.
struct FunctionLines {
  Statements& statements;
  std::vector<std::string> before = {};
  std::string alias = "";  ///< declares a short name that statements use, in whatever piece they come to stand
  bool apart = false;      ///< in SubsystemFunctions::prepare, unless it is cut into pieces
};

/// The statements of what has been written.
[[nodiscard]] FunctionCode taken(Statements& statements);

/// Spread statements are cut into pieces with their locals in a struct.
void write_function(SubsystemFunctions& functions, const SubsystemView& view, const FunctionHead& head,
                    const FunctionLines& lines);

}  // namespace takt::codegen
