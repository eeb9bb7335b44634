#pragma once
// Statements of one function of a subsystem.

#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/emit/functions.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/emit/subsystem_view.hpp"
#include "codegen/emit/write_function.hpp"

namespace takt::codegen {

/// "x[3]", for what is written as text.
[[nodiscard]] inline std::string at(std::string_view array, std::size_t index) {
  return std::string(array) + "[" + std::to_string(index) + "]";
}

/// Builds one function over the states in `state_array`.
/// Call order: begin(), algebra() and others as they shall stand in the function.
class FunctionBody {
 public:
  FunctionBody(const SubsystemView& view, Coefficients& coefficients, std::string state_array);

  /// Counts the algebra and the roots, then defines the inputs, and where asked the states, that
  /// they use.
  void begin(const std::vector<std::size_t>& steps, const std::vector<Expr>& roots,
             bool with_states);
  void use_state(SymbolId symbol);
  void use_input(SymbolId symbol);
  void algebra(const std::vector<std::size_t>& steps);
  /// What Newton blocks leave for the next time: their unknowns and residuals, under a condition
  /// where one is given.
  void leave_nothing_unless(std::string condition) { leaves_if_ = std::move(condition); }
  /// Turns a law round and binds its unknown to the result.
  void solve(const StartLaw& start);
  /// target = e;
  void assign(code::Value target, Expr e, const std::string& comment);
  void assign(std::string_view array, std::size_t index, Expr e, const std::string& comment) {
    assign(statements_.values().element(array, index), e, comment);
  }
  /// array[index] = value;
  void store(std::string_view array, std::size_t index, code::Value value,
             const std::string& comment);
  /// What an own symbol is: state, defined local, or coefficient.
  [[nodiscard]] code::Value own(SymbolId symbol);
  Statements& statements() { return statements_; }
  code::Values& values() { return statements_.values(); }
  code::Block& block() { return statements_.block(); }

 private:
  void local(SymbolId symbol, code::Value source);
  void assignments(std::vector<Assignment> open);
  void newton(const NewtonBlock& block, std::size_t index);
  void flows(const NewtonBlock& block, std::size_t index);
  using Row = std::vector<code::Value>;
  /// What one iteration of a Newton block works on.
  struct Iteration {
    code::Value damping;
    const Row &names, &steps, &tried;
  };
  [[nodiscard]] Row guessed(const NewtonBlock& block, std::size_t index);
  [[nodiscard]] Row tried(const NewtonBlock& block, const Row& names);
  void look_at_equations(const NewtonBlock& block, code::Value damping, const Row& residuals,
                         code::Value here);
  void limit_step(const NewtonBlock& block, code::Value damping, const Row& steps);
  void lower_arguments(const NewtonBlock& block, code::Value damping, const Row& tried);
  void settle(const NewtonBlock& block, const Iteration& at);
  void count_unsolved(const NewtonBlock& block, code::Value damping, std::size_t index);
  void keep(code::Value place, code::Value value);
  void keep_residual(code::Value damping);
  void act(code::Value object, std::string_view member,
           std::initializer_list<code::Value> operands);
  [[nodiscard]] code::Value of(code::Value object, std::string_view member) {
    return values().member(object, member);
  }
  [[nodiscard]] code::Value is_move(std::string_view name);
  [[nodiscard]] code::Value most_iterations(const NewtonBlock& block);
  [[nodiscard]] code::Value sum_of_magnitudes(const Row& all);

  const SubsystemView& view_;
  Coefficients& coefficients_;
  Statements statements_;
  std::string states_;
  std::string leaves_if_;
};

/// Value of an input s seconds into the window.
[[nodiscard]] code::Value input_at(const SubsystemView& view, std::size_t input,
                                   code::Values& values);

/// dq[...] of every continuous subsystem, in this order: sent, received, supplied, dissipated,
/// exchanged; then junctions without flow.
void write_quadratures(const SubsystemView& view, FunctionBody& body);

/// Expressions of one function beyond which it is cut into pieces: compilers take more than linear
/// time over one.
inline constexpr std::size_t largest_function = 6000;

/// Equations beyond which the functions of a smooth circuit are loops over tables as far as they
/// can (rolled_loops.hpp).
inline constexpr std::size_t most_written_out = 1000;
[[nodiscard]] bool is_large(const SubsystemView& view);

}  // namespace takt::codegen
