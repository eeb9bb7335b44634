#pragma once
// One instance of an FMU under test: initialised, stepped, everything it shows summed up in a digest.

#include <cstdint>
#include <optional>

#include "tools/fmu_host/simulation.hpp"

namespace takt::fmu_host {

/// All inputs of numbers at one value.
class ConstantInputs final : public fmu::Inputs {
 public:
  ConstantInputs(fmu::Version version, const HeldInputs& held);
  fmu::Result continuous(fmu::Instance& instance, double t) noexcept override;
  fmu::Result all(fmu::Instance& instance, double t) noexcept override;
  [[nodiscard]] bool empty() const noexcept { return values_.empty(); }

 private:
  fmu::RowSet rows_, discrete_;
  std::vector<double> values_;
  bool active_ = false;
};

class FmuSession {
 public:
  FmuSession(const TrialPlan& plan, TrialProgress& progress);

  ~FmuSession() { progress_.begin("freeing the instance"); }
  FmuSession(const FmuSession&) = delete;
  FmuSession& operator=(const FmuSession&) = delete;

  /// Instantiates where that has not been done, initialises, starts. After reset(): again.
  /// @throw std::runtime_error  what the FMU said
  void begin();
  void step(std::uint64_t k);
  /// begins and steps 0 ... count - 1; @return digest
  std::uint64_t run(std::uint64_t count);
  void reset();
  void look();  ///< reads outputs into the digest

  [[nodiscard]] fmu::Instance& instance() { return instance_; }
  [[nodiscard]] fmu::Driver& driver() { return *driver_; }
  [[nodiscard]] double time(std::uint64_t k) const {
    return plan_.settings.grid.start + static_cast<double>(k) * plan_.settings.grid.step;
  }
  [[nodiscard]] std::uint64_t digest() const { return digest_; }
  void clear_digest() { digest_ = 0xcbf29ce484222325U; }
  [[nodiscard]] bool has_inputs() const { return !inputs_.empty(); }
  std::uint64_t subnormal = 0, not_finite = 0;  ///< values seen
  bool ended = false;                           ///< by the FMU

 private:
  void require(const fmu::Result& result, const char* when);
  void add(std::span<const double> values);
  const TrialPlan& plan_;
  TrialProgress& progress_;
  fmu::Instance instance_;
  ConstantInputs inputs_;
  std::optional<fmu::Driver> driver_;
  fmu::RowSet rows_;
  std::vector<double> values_;
  std::uint64_t digest_ = 0xcbf29ce484222325U;
};

}  // namespace takt::fmu_host
