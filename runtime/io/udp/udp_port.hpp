#pragma once
// The plant on its UDP buses: an IoPort made from emitted tables.
//
// Per bus one I/O thread and a ring of values for each frame. The I/O thread wakes on its own grid, does all system
// calls, and is never woken by the real-time thread:
//   socket -> Receiver (which frame, counter, stamp, values) -> ring -> PlantSide::latch()     (once per release)
//   PlantSide::publish() -> ring -> FrameWriter (counter, stamp, bytes) -> socket              (once per release)
//
// Phases: constructor (resolves names, throws std::runtime_error), start(), latch()/publish(), stop(), events().

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "runtime/io/io_port.hpp"
#include "runtime/io/udp/plan.hpp"
#include "runtime/io/udp/time_out_log.hpp"
#include "runtime/plant/description.hpp"

namespace takt::udp {

class FaultPoint;

class UdpPort final : public IoPort {
 public:
  /// @param buses  emitted tables; must outlive the port
  /// @param options  overrides: "BUS.port", "BUS.peer", "BUS.interface" -> value;
  ///                 "BUS.send.FRAME", "BUS.receive.FRAME", "BUS.bus" -> fault
  UdpPort(const PlantDescription& plant, std::span<const BusPlan> buses, const IoOptions& options);
  ~UdpPort() override;
  UdpPort(const UdpPort&) = delete;
  UdpPort& operator=(const UdpPort&) = delete;

  void start() override;
  void latch(SimTime now, WallTime release, std::span<double> plant_inputs) noexcept override;
  void publish(SimTime now, WallTime due, const std::byte* plant_memory) noexcept override;
  [[nodiscard]] bool sends_from(std::size_t subsystem) const noexcept override;
  [[nodiscard]] std::vector<std::size_t> sent() const override;
  [[nodiscard]] std::vector<OutsideFault> outside_faults() const override;
  void disturb(std::uint32_t fault, std::uint64_t word) noexcept override;
  void publish_safe(SimTime now) noexcept override;
  void stop() override;
  /// Before the first latch() or after the last, while steps of other kinds are taken: what has come is not left in the
  /// rings, which have room for two releases.
  void hear_meanwhile() noexcept;
  [[nodiscard]] std::string problem() const override;
  [[nodiscard]] std::vector<IoFinding> findings() const override;
  [[nodiscard]] std::vector<Silence> silences() const override;
  [[nodiscard]] std::vector<IoEvent> events() const override;
  [[nodiscard]] std::string statistics_json() const override;
  [[nodiscard]] std::unique_ptr<SafeSender> safe_sender() override;
  void pass_connections_to(int socket) override { supervisors_.push_back(socket); }
  [[nodiscard]] std::size_t count_in(std::span<BusCounts> counts) override;

 private:
  struct Line;  // one bus: the side of the plant, the side of the wire
  struct Disturbed {
    OutsideFault fault;
    FaultPoint* point = nullptr;
  };
  void add_disturbed(Line& line);
  void override_setting(const std::string& key, const std::string& value);
  void disturb_from_the_beginning(Line& line, const std::string& key, const std::string& value);
  [[nodiscard]] std::string time_out_text(const TimeOut& entry) const;
  void say_time_outs(const Line& line, std::size_t& told) const;

  TimeOutLog time_outs_;
  std::vector<std::unique_ptr<Line>> lines_;
  std::vector<Disturbed> disturbed_;  // in the order of outside_faults()
  std::vector<int> supervisors_;      // sockets on which ours are passed on
  SimTime end_;
  bool is_rehearsal_ = false, running_ = false;
};

/// Used by the emitted make_io(). Free runs admit no outside world: nullptr.
[[nodiscard]] std::unique_ptr<UdpPort> make_udp_port(const PlantDescription& plant, std::span<const BusPlan> buses,
                                                     const IoOptions& options);

}  // namespace takt::udp
