#pragma once
// Buses of a plant with all that keeps them from harm: an IoPort around that of the rig.

#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/io/io_port.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/rig_settings.hpp"
#include "runtime/program/supervisor.hpp"

namespace takt {

/// A step before time 0 has failed: buses are open, safe values were sent.
struct StartStepFailed : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Each publish() is a beat of the heart. The rig's steps are taken in start() and stop().
class SupervisedIo final : public IoPort {
 public:
  /// Forks the supervisor where the rig has one.  @pre as that of Supervisor
  SupervisedIo(std::unique_ptr<IoPort> io, const Supervisor::Settings& settings, const std::byte* plant_memory);

  /// Where an error has come between start() and stop(), safe values leave and the steps of the end are taken.
  ~SupervisedIo() override;
  SupervisedIo(const SupervisedIo&) = delete;
  SupervisedIo& operator=(const SupervisedIo&) = delete;

  /// Throws std::runtime_error also where a step before time 0 fails.
  void start() override;
  void latch(SimTime now, WallTime release, std::span<double> plant_inputs) noexcept override {
    io_->latch(now, release, plant_inputs);
  }
  void publish(SimTime now, WallTime due, const std::byte* plant_memory) noexcept override {
    if (supervisor_ && supervisor_->has_sent()) io_->forget_sent();
    io_->publish(now, due, plant_memory);
    if (supervisor_) supervisor_->beat(now);
  }
  [[nodiscard]] bool sends_from(std::size_t subsystem) const noexcept override { return io_->sends_from(subsystem); }
  [[nodiscard]] std::vector<std::size_t> sent() const override { return io_->sent(); }
  [[nodiscard]] std::vector<OutsideFault> outside_faults() const override { return io_->outside_faults(); }
  void disturb(std::uint32_t fault, std::uint64_t word) noexcept override { io_->disturb(fault, word); }
  void publish_safe(SimTime now) noexcept override;
  void stop() override;
  [[nodiscard]] std::string problem() const override { return problem_.empty() ? io_->problem() : problem_; }
  [[nodiscard]] std::size_t count_in(std::span<BusCounts> counts) override { return io_->count_in(counts); }
  [[nodiscard]] std::vector<IoEvent> events() const override;
  [[nodiscard]] std::vector<IoFinding> findings() const override;
  [[nodiscard]] std::vector<Silence> silences() const override { return io_->silences(); }
  [[nodiscard]] std::string statistics_json() const override { return io_->statistics_json(); }

 private:
  void end();
  // In this order: while buses are being closed, the supervisor still watches.
  std::optional<Supervisor> supervisor_;
  std::unique_ptr<IoPort> io_;
  StepSurroundings around_;
  bool has_started_ = false;
  std::string problem_;
};

/// @return nullptr where there is no port
[[nodiscard]] std::unique_ptr<IoPort> supervised(std::unique_ptr<IoPort> io, const PlantDescription& plant,
                                                 const RigSettings& rig, const std::vector<int>& cpus);

}  // namespace takt
