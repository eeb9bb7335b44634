#pragma once
// A storage as a join sees it: x' = f(t, x, u), y = g(t, x), where u are through values (forces, currents, torques)
// that the join sets and y across values (velocities, voltages, speeds) that it makes equal. All in SI units.
//
//   start() -> [place() -> rates(), across(), by_through(), by_state(), across_along(), indicators()] ... -> complete()
//           -> serve() at an event -> ...
//
// Real-time: all but the constructors of what implements it; bounded, no heap of its own.

#include <cstddef>
#include <span>

#include "runtime/fmu/calls.hpp"
#include "runtime/fmu/result.hpp"

namespace takt::fmu::join {

struct Sizes {
  std::size_t states = 0, throughs = 0, acrosses = 0, indicators = 0;
};

class Body {
 public:
  virtual ~Body() = default;
  [[nodiscard]] virtual Sizes sizes() const noexcept = 0;
  /// Whether by_through(), by_state() and across_along() are there.
  [[nodiscard]] virtual bool has_partials() const noexcept { return false; }

  /// At time t, s, with states x [states] and through values u [throughs].
  virtual Result place(double t, std::span<const double> x, std::span<const double> u) noexcept = 0;
  virtual Result rates(std::span<double> dx) noexcept = 0;  ///< [states], where it is placed
  virtual Result across(std::span<double> y) noexcept = 0;  ///< [acrosses], where it is placed
  virtual Result indicators(std::span<double>) noexcept { return {}; }

  /// Column of df/du, [states].
  virtual Result by_through(std::size_t, std::span<double>) noexcept { return none(); }
  /// Column of df/dx, [states].
  virtual Result by_state(std::size_t, std::span<double>) noexcept { return none(); }
  /// dg/dx times a direction [states], into [acrosses].
  virtual Result across_along(std::span<const double>, std::span<double>) noexcept { return none(); }

  /// From initialisation to continuous time at t.
  virtual Result start(double, EventInfo&) noexcept { return {}; }
  virtual Result states(std::span<double> x) noexcept = 0;  ///< after start() and serve()
  virtual Result complete(StepCompletion&) noexcept { return {}; }
  /// An event at t; input: all inputs are set anew in it.
  virtual Result serve(double, bool, EventInfo&) noexcept { return {}; }

 private:
  [[nodiscard]] static Result none() noexcept { return {Status::refused, "GetDirectionalDerivative", "not offered"}; }
};

}  // namespace takt::fmu::join
