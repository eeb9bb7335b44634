#pragma once
// The functions of one emitted subsystem.

#include <array>
#include <memory>
#include <optional>
#include <unordered_set>

#include "codegen/code/block.hpp"
#include "codegen/code/naming.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/emit/subsystem_view.hpp"
#include "codegen/source/writer.hpp"

namespace takt::codegen {

/// The body of a function.
struct FunctionCode {
  code::Values values;
  code::Block body, last;
};

/// Definitions of initialize, evaluate/finish/run or tick/run, and prepare, in this order (prepare
/// last: the others decide what is worth a coefficient).
struct SubsystemFunctions {
  struct Member {
    std::string name, formula;
  };
  /// @param key_names  of the keys of its texts; nullptr: none are kept
  explicit SubsystemFunctions(const std::shared_ptr<code::Naming>& key_names)
      : text(key_names), prepare(key_names), names(key_names) {}

  Writer text, prepare;  ///< without prepare(); prepare() where it stands in one piece
  std::shared_ptr<code::Naming> names;
  std::optional<FunctionCode> prepare_code;  ///< where it does
  /// Of what several copies may be computed side by side.
  std::optional<FunctionCode> evaluate, finish;
  std::vector<Member>
      coefficients;  ///< what prepare() computes; without names where they are numbered
  std::vector<std::size_t>
      parameters;  ///< what prepare() gets, in this order: indices into Network::parameters
  std::unordered_set<std::size_t>
      running_parameters;       ///< those of them that more than the start depends on
  std::vector<Member> factors;  ///< of a switched circuit: what factor() computes
  std::vector<std::array<code::Place, 2>>
      pairs;  ///< beside those, computed by factor(): f.a and g.b as one
  std::vector<Member> held_coefficients;  ///< of a switched circuit: what hold_inputs() computes
  std::vector<std::string> declarations;  ///< of the pieces of functions too large for one
  bool calls_each = false;   ///< functions of the runtime that compute several values at once
  bool has_vectors = false;  ///< std::vector
};

/// A view of a subsystem and the coefficients of what is fixed in it.
struct ViewCode {
  const SubsystemView& view;
  Coefficients& coefficients;
};

[[nodiscard]] SubsystemFunctions emit_functions(const SubsystemView& view,
                                                const std::shared_ptr<code::Naming>& key_names);

}  // namespace takt::codegen
