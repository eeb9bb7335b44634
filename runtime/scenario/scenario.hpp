#pragma once
// A scenario on a running plant: begins its steps, acts, and judges what is expected.

#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/scenario/program.hpp"
#include "runtime/stats/scenario_result.hpp"
#include "runtime/steering/director.hpp"

namespace takt {

/// Phases: construct (allocates), then as a Director, then result(). At a boundary what is expected is judged first, by
/// the values that the plant has then; then steps begin, one after the other as long as they may; then waveforms go on.
/// The same values at the same boundaries give the same verdict, whatever the pace.
class Scenario final : public Director {
 public:
  struct Options {
    bool judge_only = false;  ///< takes no actions: a replay, whose log has them
    SimTime end{};            ///< of the run, where it is known; 0: the scenario ends the run when all is decided
  };

  /// @param program  lives as long as this
  Scenario(const ScenarioProgram& program, const PlantDescription& plant, const Options& options);

  /// Plant memory has moved. Before start().
  void look_at(const std::byte* memory) noexcept { memory_ = memory; }

  void start(ActionSink& sink) override;
  void direct(SimTime now, ActionSink& sink) noexcept override;
  [[nodiscard]] bool looks_at(SimTime now) const noexcept override;
  [[nodiscard]] bool may_act_at(SimTime now) const noexcept override;
  void settled(const Action& action, SimTime now, const char* refused) noexcept override;
  [[nodiscard]] std::string name_of(std::uint16_t author) const override;
  void end(SimTime now) noexcept override;

  /// After end().
  [[nodiscard]] ScenarioResult result() const;

 private:
  enum class Why : std::uint8_t { nothing, compared, not_finite, too_late, left, until_did_not_hold };
  struct Judged {
    ExpectationResult::Verdict verdict = ExpectationResult::Verdict::undecided;
    Why why = Why::nothing;
    bool begun = false, reached = false;
    SimTime from, reached_at, time;
    double reference = 0.0;
    Expression::Sides sides{};  // of a comparison, when it was decided
    std::size_t values = 0;     // index of its first one in values_
  };
  struct Running {
    bool on = false;
    SimTime from;
    double from_value = 0.0, last = 0.0;
    bool sent = false;
  };

  // Expectations.
  void judge_all(SimTime now) noexcept;
  void judge(std::uint32_t index, SimTime now) noexcept;
  [[nodiscard]] Evaluation compare(const Expectation& expectation, Judged& judged, SimTime now) const noexcept;
  void judge_within(const Expectation& expectation, std::uint32_t index, bool holds, SimTime now) noexcept;
  void judge_always(const Expectation& expectation, std::uint32_t index, bool holds, SimTime now) noexcept;
  void decide(std::uint32_t index, bool passed, Why why, SimTime now) noexcept;
  // Steps.
  [[nodiscard]] bool may_begin(SimTime now) noexcept;
  [[nodiscard]] bool could_begin(SimTime now) const noexcept;
  void begin(SimTime now, ActionSink& sink) noexcept;
  void begin_waveforms(const ScenarioStep& step, SimTime now) noexcept;
  void go_on(SimTime now, ActionSink& sink) noexcept;
  void act(const Action& action, ActionSink& sink, SimTime& taken) noexcept;
  [[nodiscard]] bool is_complete() const noexcept;
  void finish(SimTime now) noexcept;
  [[nodiscard]] const double& value_at(std::size_t offset) const noexcept {
    return *reinterpret_cast<const double*>(memory_ + offset);
  }
  [[nodiscard]] bool holds(std::uint32_t expression, SimTime now) const noexcept {
    return program_.expressions[expression].evaluate(memory_, now).holds();
  }
  // Results.
  [[nodiscard]] ExpectationResult result_of(std::size_t index) const;
  [[nodiscard]] std::string because_of(std::size_t index) const;
  [[nodiscard]] std::string why_failed() const;
  [[nodiscard]] std::string values_of(std::size_t index) const;
  [[nodiscard]] std::string unit_compared(const Expression& expression) const;

  const ScenarioProgram& program_;
  const PlantDescription plant_;
  const Options options_;
  const std::byte* memory_;
  std::vector<Judged> judged_;
  std::vector<double> values_;               // of the rows that expectations read, when they are decided
  std::vector<Running> running_;             // by waveform
  std::vector<std::vector<SimTime>> taken_;  // by step and action
  std::vector<SimTime> begun_;               // by step
  std::vector<bool> looks_;                  // by step: it or one that may begin together with it reads signals
  std::size_t next_ = 0;                     // step
  std::uint32_t waited_ = 0;                 // expectations to be decided before it begins
  std::uint32_t open_ = 0;                   // expectations that have begun and end by themselves
  SimTime base_;                             // when the step before was done
  SimTime late_at_;                          // when the time of a step had passed
  bool over_ = false, timed_out_ = false, late_ = false, has_ended_ = false, cut_ = false;
  std::uint32_t lost_ = 0;     // actions that found no room
  std::uint32_t refused_ = 0;  // tunings that could not be computed
  SimTime ended_;
};

}  // namespace takt
