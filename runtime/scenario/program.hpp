#pragma once
// A scenario as data, made before the run: steps in their order, loops unrolled, what they do and expect.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "runtime/plant/late_tolerance.hpp"
#include "runtime/plant/time.hpp"
#include "runtime/scenario/expression.hpp"
#include "runtime/scenario/mistake.hpp"
#include "runtime/steering/action.hpp"

namespace takt {

/// Index of no expression.
inline constexpr std::uint32_t no_expression = static_cast<std::uint32_t>(-1);

/// Points over time since a step has begun: linear between them, or held; the last one holds on.
struct TimeCurve {
  std::vector<double> seconds, values;  ///< seconds ascend
  bool held = false;
  /// Real-time: a binary search.
  [[nodiscard]] double at(double s) const noexcept;
};

/// What a plant input follows in the background.
struct Waveform {
  enum class Kind : std::uint8_t { ramp, sine, curve } kind = Kind::ramp;
  std::uint32_t input = 0;       ///< index of the plant input
  std::size_t offset = 0;        ///< of its value in plant memory
  std::optional<double> from{};  ///< ramp; else what the input is when the step begins
  double to = 0.0;
  double mean = 0.0, amplitude = 0.0, frequency = 0.0, phase = 0.0;
  TimeCurve curve{};
  SimDuration over{};                   ///< 0: without end
  std::uint32_t until = no_expression;  ///< ends it early
  std::string text{};                   ///< "ramp torque_request to 80 N*m over 2 s"

  /// @param from_value  of a ramp
  [[nodiscard]] double at(SimDuration since_begin, double from_value) const noexcept;
};

/// Around a reference that may change over time.
struct ToleranceBand {
  TimeCurve reference{};
  double tolerance = 0.0;  ///< in the signal's unit, or a part of the reference
  bool relative = false;
  [[nodiscard]] double width(double reference_value) const noexcept;
};

struct Expectation {
  enum class Kind : std::uint8_t {
    once,    ///< holds when the step begins
    within,  ///< holds at some boundary in time, and from there on for `lasts`, where that is above 0
    always   ///< holds at each boundary: for `lasts`, until `until` holds, or to the end
  };
  Kind kind = Kind::once;
  std::string name{}, text{};
  ScenarioPlace place{};
  std::uint32_t expression = 0;  ///< of a band: its signal
  std::optional<ToleranceBand> band{};
  bool never = false;             ///< the expression must not hold
  bool waited = false;            ///< the next step begins when this is decided
  SimDuration within{}, lasts{};  ///< lasts 0: none
  std::uint32_t until = no_expression;
  SimDuration timeout{};  ///< of `until`
  /// It ends by itself, else with the scenario.
  [[nodiscard]] bool ends() const noexcept {
    return kind != Kind::always || lasts > SimDuration{} || until != no_expression;
  }
};

struct ScenarioStep {
  enum class Trigger : std::uint8_t { at_once, at, after, when };
  std::string name{};
  ScenarioPlace place{};
  Trigger trigger = Trigger::at_once;
  SimDuration time{};  ///< `at`: since the start of the run; `after`: since the step before
  std::uint32_t when = no_expression;
  SimDuration timeout{};  ///< of `when`
  std::vector<Action> actions{};
  std::vector<std::uint32_t> waveforms{}, expectations{};
  std::vector<std::uint32_t> frees{};  ///< plant inputs whose waveforms of earlier steps end
};

struct ScenarioProgram {
  std::string title, file;
  SimDuration duration{};                                       ///< 0: until all is decided
  std::optional<LateTolerance> late{};                          ///< in real time; else that of the rig
  std::optional<std::vector<std::string>> needs{};              ///< messages that must come; else all that are mapped
  std::vector<std::pair<std::string, std::string>> parameters;  ///< to be set before the run, values in SI
  std::vector<Expression> expressions{};
  std::vector<Waveform> waveforms{};
  std::vector<Expectation> expectations{};
  std::vector<ScenarioStep> steps{};
  /// Rows of the table that expressions read and plant inputs that waveforms set: what somebody who looks into a
  /// failure wants to see. Sorted.
  [[nodiscard]] std::vector<std::uint32_t> rows(const PlantDescription& plant) const;
};

}  // namespace takt
