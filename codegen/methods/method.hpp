#pragma once
// What a method of integration is, one row each: what plant files call it, what the runtime calls
// for it, what it does to a mode, what it costs and needs. Lists, messages and the table in the
// manual follow from the rows. A new method is a step in runtime/solver, a row in a file here, its
// name in rows.cpp, and a test.

#include <complex>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/methods/trial_system.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/step_stability.hpp"

namespace takt::codegen {

/// Operations that a step takes depend on these.
struct StepSize {
  double evaluation = 0.0;  ///< of the equations, once
  double states = 0.0;
  double solution = 0.0;       ///< of the linear systems of one step, factorised
  double entries = 0.0;        ///< of the matrices of method exact
  bool linear_powers = false;  ///< no power is more than linear
};

struct Method {
  /// stepped: a smooth circuit, fixed steps. switched: circuits with gates or modes. sampled:
  /// control blocks. offline: chooses its steps, takes from the heap, free runs of a whole plant
  /// only. foreign: an FMU.
  enum class Kind : std::uint8_t { stepped, switched, sampled, offline, foreign };

  std::string_view name;
  std::string_view words;   ///< for people: what it is, and for what
  std::string_view source;  ///< where it is described
  Kind kind = Kind::stepped;
  int order = 1;

  std::string_view header = "";  ///< of the step, below runtime/solver
  std::string_view call =
      "";  ///< function that computes a window, of stepped ones; # stands for the stages
  std::string_view demands =
      "";  ///< concept of runtime/solver/concepts.hpp that an emitted subsystem fulfils
  StepStability stability = {};
  std::string_view stability_name =
      "";  ///< as C++ names it, of explicit ones: tuning a built plant asks for it

  bool chooses_stages = false;  ///< 2 to most_stages
  bool solves = false;          ///< linear systems: needs Jacobians
  bool needs_linear = false;    ///< z' = A z + b(t)
  bool proposed = false;        ///< by `auto`, and where the user is silent
  bool reported = false;        ///< its longest stable step is shown
  bool for_whole = false;       ///< [solve] whole may name it
  bool in_lanes =
      false;  ///< its function computes lanes of copies, too (runtime/solver/side_by_side.hpp)

  int (*evaluations)(int stages) = nullptr;  ///< of the equations in one step; nullptr: one
  double (*cost)(const StepSize& size, int stages) = nullptr;  ///< operations of one step, about
  void (*run)(TrialSystem& system, const Window& window,
              int stages) = nullptr;  ///< one window in the generator, of stepped ones

  [[nodiscard]] int evaluations_of(int stages) const {
    return evaluations == nullptr ? 1 : evaluations(stages);
  }
  [[nodiscard]] bool is_offline() const { return kind == Kind::offline; }
  [[nodiscard]] bool is_sampled() const { return kind == Kind::sampled; }
  [[nodiscard]] bool is_switched() const { return kind == Kind::switched; }
  /// Explicit, with a fixed number of stages.
  [[nodiscard]] bool is_runge_kutta() const {
    return stability.reach != nullptr && !chooses_stages;
  }
};

/// R(z) written with std::complex.
template <auto function>
constexpr StabilityFunction stability_of = [](int, ComplexValue z) -> ComplexValue {
  const std::complex<double> factor = function(std::complex<double>(z.re, z.im));
  return {factor.real(), factor.imag()};
};

/// Of methods that choose them.
inline constexpr int most_stages = 50;

namespace methods {

extern const Method euler, heun, rk3, rk4, rkc, ros1, ros2, exact, trapezoidal, discrete, foreign,
    adaptive,
    bdf;  // those that others name

/// In the order in which people read them.
[[nodiscard]] std::span<const Method* const> all();
/// @return nullptr where none is called so
[[nodiscard]] const Method* find(std::string_view name);
/// Names of those that [solve] may name for a part of a plant, or for the whole of it; without
/// "auto".
[[nodiscard]] std::vector<std::string> names_for_parts();
[[nodiscard]] std::vector<std::string> names_for_whole();
/// One method for people: `takt explain rk4`.
[[nodiscard]] std::string text_of(const Method& method);
/// The table in config/manual/plant_files/solve_sync_record.md: `takt explain methods`.
[[nodiscard]] std::string markdown_table();

}  // namespace methods
}  // namespace takt::codegen
