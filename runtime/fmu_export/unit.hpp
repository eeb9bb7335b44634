#pragma once
// One instance of an exported plant, whatever its kind: the calls that co-simulation and model exchange have in common.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/fmu_export/identity.hpp"
#include "runtime/fmu_export/status.hpp"

namespace takt::fmu_export {

enum class Phase : std::uint8_t { instantiated, initializing, running, terminated, failed, events };

/// All that what a plant of co-simulation still computes depends on, between two macro-steps; of model exchange the
/// memory alone.
struct PlantState {
  std::uint64_t macro_steps = 0, digest = 0;
  std::vector<std::byte> memory, exchanges;
  std::vector<double> inputs;  ///< for the next macro-step
  std::vector<double> events;  ///< counters of events at the start
};

/// What getFMUState gives.
struct InstanceState {
  Phase phase = Phase::instantiated;
  bool started = false;       ///< there is a plant
  std::vector<double> given;  ///< parameters and plant inputs as they have been set
  PlantState plant;
};

/// Every call ends with a status; what is not OK has been logged. Throws nothing but std::bad_alloc, which guarded()
/// (guarded.hpp) turns into a status.
class Unit {
 public:
  /// Takes a message; category: "logStatusWarning" and so on, of FMI.
  using Log = std::function<void(Status, const char* category, const std::string& text)>;

  explicit Unit(Log log) : log_(std::move(log)) {}
  Unit(const Unit&) = delete;
  Unit& operator=(const Unit&) = delete;
  virtual ~Unit() = default;

  virtual Status enter_initialization(double start_time) = 0;
  virtual Status exit_initialization() = 0;
  virtual Status terminate() = 0;
  virtual Status reset() = 0;
  virtual Status get(std::span<const std::uint32_t> references, double* values) = 0;
  virtual Status set(std::span<const std::uint32_t> references, const double* values) = 0;
  virtual Status get_state(std::unique_ptr<InstanceState>& state) = 0;
  virtual Status set_state(const InstanceState& state) = 0;

  /// A call that is not served, or not allowed now.
  Status refuse(const std::string& why, Status status = Status::error) const;

 protected:
  /// A message that changes no status.
  void tell(const char* category, const std::string& text) const { log_(Status::ok, category, text); }

 private:
  const Log log_;
};

/// The instance of the one kind that the library is made for.
[[nodiscard]] std::unique_ptr<Unit> make_unit(Unit::Log log);

}  // namespace takt::fmu_export
