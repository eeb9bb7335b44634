#pragma once
// All subsystems of a plant as one function of their states at simulated time 0: rates, with the couplings consistent.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"

namespace takt::start {

/// One state of the plant.
struct PlantState {
  std::uint16_t subsystem = 0;
  double* value = nullptr;  ///< in plant memory
  bool discrete = false;    ///< of a control block: its rate is the change of one execution over the block's period
  bool fixed = false;       ///< keeps its start value by the plant file or the element library
  std::string path, unit;
  std::size_t kind = 0;  ///< the first state of the same subsystem in the same unit
};

/// Subsystems that offer no rates (switched circuits) keep their start: what they give others is what initialize()
/// gives with the inputs as they are. May allocate; works on plant memory.
class PlantRates {
 public:
  /// @pre prepared and initialised, inputs constant: Exchanges::settle()
  explicit PlantRates(const PlantDescription& plant);

  [[nodiscard]] const std::vector<PlantState>& states() const { return states_; }
  [[nodiscard]] std::vector<double> values() const;
  /// Names of the subsystems that offer no rates.
  [[nodiscard]] std::vector<std::string> without_rates() const;

  /// Rates at these states, z'. Only what has changed since the last call is computed again.
  const std::vector<double>& at(const std::vector<double>& z);
  /// As at(), everything computed again: what stays in plant memory does not depend on the way there.
  const std::vector<double>& afresh(const std::vector<double>& z);
  /// Coupled values stopped changing in the last call.
  [[nodiscard]] bool settled() const { return settled_; }

  /// F(z + step) - F(z - step), the step in one state; a shorter one, scaled up, where that leaves the domain of a
  /// function.
  /// @pre at(z) was the last call
  [[nodiscard]] std::vector<double> answer(const std::vector<double>& z, std::size_t state, double step);

  /// F(z + steps) - F(z - steps), all states at once.
  /// @pre at(z) was the last call
  [[nodiscard]] std::vector<double> difference(const std::vector<double>& z, const std::vector<double>& steps);

  /// Everything as it is now, to return to.
  void keep();
  void go_back();

  /// By how much the state must change for what can be observed in its subsystem to change by one unit (SI) at most:
  /// a magnitude for states that are zero.
  [[nodiscard]] double natural_step(std::size_t state);

 private:
  struct Link {
    const double* output;
    InputPolynomial* input;
    std::uint16_t consumer;
  };
  struct Line {  // its state: what arrives
    const double* leaves;
    double travel_s;
  };
  struct Kept {
    std::vector<std::byte> memory;
    std::vector<double> rates;
    bool is_now = false;  ///< nothing has changed since
  };

  [[nodiscard]] std::vector<double> between(const std::vector<double>& above, const std::vector<double>& below);
  void set(const std::vector<double>& z);
  void propagate();
  void follow_lines();
  void compute(std::uint16_t subsystem);
  void observe(std::uint16_t subsystem);
  bool hand_on(std::uint16_t producer, double tolerance);

  const PlantDescription& plant_;
  std::vector<PlantState> states_;
  std::vector<std::size_t> first_;        ///< of each subsystem's states
  std::vector<std::vector<Link>> links_;  ///< by producer
  std::vector<Line> lines_;               ///< their states stand behind those of the subsystems
  struct Observed {
    const double* value;
    double typical;  ///< size of a change that is neither small nor large
  };
  std::vector<std::vector<Observed>> observed_;  ///< by subsystem
  std::vector<char> stale_;
  std::vector<char> touched_;  ///< since keep(): all of memory that has changed is that of these subsystems
  std::vector<char> fluxes_;   ///< by subsystem: others read the rates of what it gives them, which observe() names
  std::vector<double> rates_;
  Kept kept_;
  bool settled_ = true;
};

}  // namespace takt::start
