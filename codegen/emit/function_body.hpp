#pragma once
// Statements of one function of a subsystem, and the function around them.

#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/emit/functions.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

/// "x[3]"
[[nodiscard]] inline std::string at(std::string_view array, std::size_t index) {
  return std::string(array) + "[" + std::to_string(index) + "]";
}

/// Builds one function over the states in `state_array`.
/// Call order: begin(), algebra() and others as they shall stand in the function.
class FunctionBody {
 public:
  FunctionBody(const SubsystemView& view, Coefficients& coefficients, std::string state_array);

  /// Counts the algebra and the roots, then defines the inputs, and where asked the states, that they use.
  void begin(const std::vector<std::size_t>& steps, const std::vector<Expr>& roots, bool with_states);
  void use_state(SymbolId symbol);
  void use_input(SymbolId symbol);
  void algebra(const std::vector<std::size_t>& steps);
  /// What Newton blocks leave for the next time: their unknowns and residuals, under a condition where one is given.
  void leave_nothing_unless(std::string condition) { leaves_if_ = std::move(condition); }
  /// Turns a law round and binds its unknown to the result.
  void solve(const StartLaw& start);
  /// target = e;
  void assign(const std::string& target, Expr e, const std::string& comment);
  /// Text of an own symbol: state, defined local, or coefficient.
  [[nodiscard]] std::string own(SymbolId symbol);
  Statements& statements() { return statements_; }

 private:
  void local(SymbolId symbol, const std::string& source);
  void assignments(std::vector<Assignment> open);
  void newton(const NewtonBlock& block, std::size_t index);
  void flows(const NewtonBlock& block, std::size_t index);
  void look_at_equations(const NewtonBlock& block, const std::string& damping,
                         const std::vector<std::string>& residuals, const std::string& here);
  void limit_step(const NewtonBlock& block, const std::string& damping, const std::vector<std::string>& steps);
  void lower_arguments(const NewtonBlock& block, const std::string& damping, const std::vector<std::string>& tried);
  void count_unsolved(const NewtonBlock& block, const std::string& damping, std::size_t index);

  const SubsystemView& view_;
  Coefficients& coefficients_;
  Statements statements_;
  std::string states_;
  std::string leaves_if_;
};

/// Value of an input s seconds into the window.
[[nodiscard]] std::string input_at(const SubsystemView& view, std::size_t input);

/// dq[...] of every continuous subsystem, in this order: sent, received, supplied, dissipated, exchanged; then
/// junctions without flow.
void write_quadratures(const SubsystemView& view, FunctionBody& body);

struct FunctionHead {
  std::string name;        ///< "evaluate"
  std::string parameters;  ///< "double t, double s"
  std::string arguments;   ///< "t, s"
  std::string result = "void";
};

/// Statements of a function and plain lines around them.
struct FunctionLines {
  const Statements& statements;
  std::vector<std::string> before = {}, after = {};
  std::string alias = "";  ///< declares a short name that statements use, in whatever piece they come to stand
};

/// Expressions of one function beyond which it is cut into pieces: compilers take more than linear time over one.
inline constexpr std::size_t largest_function = 6000;

/// Equations beyond which the functions of a smooth circuit are loops over tables as far as they can
/// (rolled_loops.hpp).
inline constexpr std::size_t most_written_out = 1000;
[[nodiscard]] bool is_large(const SubsystemView& view);

/// Spread statements are cut into pieces with their locals in a struct.
void write_function(SubsystemFunctions& functions, const SubsystemView& view, const FunctionHead& head,
                    const FunctionLines& lines);

}  // namespace takt::codegen
