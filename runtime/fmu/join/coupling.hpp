#pragma once
// Bodies and their constraints as one system of N states: rates, differences of across values, and their partials.
//
//   x' = f(t, x, L),  g = v_a - v_b,  g' = dg/dx f;  B = df/dL [N x constraints],  M = -dg/dx B [constraints^2]
//
// B and dg/dx by the bodies' own partials, else by differences: of f in L with one evaluation for each through value,
// of g along a direction by four (order 4), by none where an across value is a state to the bit (looked for once).
// An across value that depends on time itself is not foreseen: its part of g' is missing, and seen as drift.

#include <vector>

#include "runtime/fmu/join/body.hpp"
#include "runtime/fmu/join/constraint.hpp"

namespace takt::fmu::join {

/// A point of the whole: x of all bodies one after the other, L of all constraints.
struct Point {
  double t = 0.0;
  std::span<const double> x, l;
};

class Coupling {
 public:
  /// May allocate. The bodies outlive this. @throw std::invalid_argument  where a terminal names what is not there
  Coupling(std::vector<Body*> bodies, std::vector<Constraint> constraints, bool numeric);

  [[nodiscard]] std::size_t states() const noexcept { return states_; }
  [[nodiscard]] std::span<const Constraint> constraints() const noexcept { return constraints_; }
  [[nodiscard]] std::span<Body* const> bodies() const noexcept { return bodies_; }
  [[nodiscard]] std::span<double> part(std::size_t body, std::span<double> x) const noexcept;
  [[nodiscard]] std::span<const double> part(std::size_t body, std::span<const double> x) const noexcept;

  /// f into dx [N]; reads the across values too.
  Fault evaluate(const Point& at, std::span<double> dx) noexcept;
  /// Across values only.
  Fault look(const Point& at) noexcept;
  /// Of the last evaluate() or look().
  [[nodiscard]] double across_a(std::size_t constraint) const noexcept { return y_at(constraints_[constraint].a); }
  [[nodiscard]] double across_b(std::size_t constraint) const noexcept { return y_at(constraints_[constraint].b); }
  [[nodiscard]] double gap(std::size_t constraint) const noexcept {
    return across_a(constraint) - across_b(constraint);
  }

  /// dg/dx times a direction [N], into dg [constraints].
  Fault gap_along(const Point& at, std::span<const double> direction, std::span<double> dg) noexcept;
  /// dv_a/dt and dv_b/dt of the last gap_along().
  [[nodiscard]] double slope_a(std::size_t constraint) const noexcept { return slope(constraints_[constraint].a); }
  [[nodiscard]] double slope_b(std::size_t constraint) const noexcept { return slope(constraints_[constraint].b); }
  /// B and M at a point whose rates dx are known.
  Fault partials(const Point& at, std::span<const double> dx) noexcept;
  [[nodiscard]] std::span<const double> inverse_masses() const noexcept { return m_; }  ///< M
  /// x += B p, of the last partials().
  void push(std::span<const double> p, std::span<double> x) const noexcept;
  /// df/dx of one body, column by column [states x states], where its rates are known.
  Fault state_partials(std::size_t body, const Point& at, std::span<const double> dx,
                       std::span<double> columns) noexcept;

  /// Before the first step. Finds across values that are states; whether they depend on the through values directly;
  /// whether f is affine in L; M; refuses a side with a negative mass.
  Fault measure(const Point& at, Found& found);

  std::uint64_t evaluations = 0;  ///< of f, of one body each
  std::uint64_t derivatives = 0;  ///< calls for a directional derivative

 private:
  struct Of {  // of a body
    Sizes sizes;
    std::size_t first_state = 0, first_through = 0, first_across = 0;
    bool partials = false;
  };
  static constexpr std::size_t no_state = ~std::size_t{0};
  [[nodiscard]] double y_at(const Terminal& t) const noexcept { return y_[of_[t.body].first_across + t.across]; }
  [[nodiscard]] double slope(const Terminal& t) const noexcept { return dy_[of_[t.body].first_across + t.across]; }
  void add_through(std::span<const double> l) noexcept;
  Fault place(std::size_t body, const Point& at) noexcept;
  Fault across_along(std::size_t body, const Point& at, std::span<const double> direction) noexcept;
  Fault column(std::size_t body, std::size_t through, const Point& at, std::span<const double> dx) noexcept;
  Fault find_copies(const Point& at);
  Fault check_feedthrough(const Point& at);
  Fault check_affine(const Point& at, Found& found);
  [[nodiscard]] Fault check_signs() const noexcept;
  void fill_matrix() noexcept;
  [[nodiscard]] bool needs_along(std::size_t body) const noexcept;

  std::vector<Body*> bodies_;
  std::vector<Constraint> constraints_;
  std::vector<Of> of_;
  std::size_t states_ = 0, most_states_ = 0;
  bool affine_ = true;
  std::vector<double> u_, y_, dy_, y_low_, trial_, rates_, m_;
  std::vector<std::size_t> copy_of_;        // by across value: the state that it is, else no_state
  std::vector<std::vector<double>> b_;      // by through value: df/du of its body
  std::vector<std::vector<double>> along_;  // by through value: dy/du' of its body's across values
};

}  // namespace takt::fmu::join
