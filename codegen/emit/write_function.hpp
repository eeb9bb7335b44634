#pragma once
// The function around its statements.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/code/unused_locals.hpp"
#include "codegen/emit/functions.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

struct Argument {
  std::string_view type, name;
};
using Arguments = std::vector<Argument>;

/// "double t, double", where `s` is not used.
[[nodiscard]] std::string list_of(const Arguments& parameters, const code::UsedNames& used);
/// Of what is no typed code: all of them are used, or none is.
[[nodiscard]] std::string list_of(const Arguments& parameters, bool used);

/// The time, and that since the window began.
inline const Arguments time_parameters{{"double", "t"}, {"double", "s"}};
[[nodiscard]] Arguments time_and(const Arguments& more);
/// Of what the steps of a method call: t, s, z, dz, dq.
[[nodiscard]] Arguments stage_parameters();

struct FunctionHead {
  std::string name;  ///< "evaluate"
  Arguments parameters;
  std::string result = "void";
};

/// Statements of a function and what stands before them.
struct FunctionLines {
  Statements& statements;
  code::Block before = {};
  /// A short name that statements may use, in whatever piece they come to stand.
  std::optional<code::Definition> alias = {};
  bool apart = false;  ///< in SubsystemFunctions::prepare, unless it is cut into pieces
};

/// The statements of what has been written.
[[nodiscard]] FunctionCode taken(Statements& statements);

/// TYPE NAME = value;
[[nodiscard]] code::Definition alias_of(code::Values& values, const Argument& alias,
                                        code::Value value);
/// An alias as the statement that it is, where it is used.
[[nodiscard]] std::vector<code::Statement> where_used(const code::Values& values,
                                                      const code::Definition& alias,
                                                      const code::UsedNames& used);

/// Spread statements are cut into pieces with their locals in a struct.
void write_function(SubsystemFunctions& functions, const SubsystemView& view,
                    const FunctionHead& head, const FunctionLines& lines);

}  // namespace takt::codegen
