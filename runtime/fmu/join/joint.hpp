#pragma once
// Joined bodies or FMUs that are advanced together, whatever their kind.

#include <span>
#include <string>
#include <vector>

#include "runtime/fmu/join/constraint.hpp"

namespace takt::fmu::join {

class Joint {
 public:
  virtual ~Joint() = default;
  /// After initialisation; t in s. May allocate. Measures, proposes, and refuses what would diverge.
  virtual Fault start(double t) = 0;
  /// From t to end, s. Real-time, as far as the FMUs are. @param terminate  a body wants the simulation to end
  virtual Fault advance(double t, double end, bool& terminate) noexcept = 0;
  /// Inputs of bodies jump at t.
  virtual Fault input_event(double t, bool& terminate) noexcept = 0;
  /// What a state has beside those of the FMUs: written and read in the same order, the same number of values. May
  /// allocate.
  [[nodiscard]] virtual std::vector<double> kept() const = 0;
  /// After start() of the same joint, and after the FMUs have got their states of t, s. @pre values.size() as kept()
  virtual Fault resume(double t, std::span<const double> values) = 0;
  [[nodiscard]] virtual const Ledger& ledger(std::size_t constraint) const noexcept = 0;
  [[nodiscard]] virtual std::span<const Constraint> constraints() const noexcept = 0;
  [[nodiscard]] virtual const Found& found() const noexcept = 0;
  [[nodiscard]] virtual const Settings& settings() const noexcept = 0;
  /// After Fault::What::singular: constraints that cannot be told apart. Not real-time.
  [[nodiscard]] virtual std::vector<std::size_t> undetermined() const = 0;
};

/// "join.shaft: the two sides have drifted apart ..." with what to do about it. Not real-time.
/// @param bodies  names for messages, as many as there are
[[nodiscard]] std::string describe(const Fault& fault, const Joint& joint, std::span<const std::string> bodies);

}  // namespace takt::fmu::join
