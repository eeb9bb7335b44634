#pragma once
// The tap of one run: the segment, the processes that serve it, and the plant's end.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/tap/keeper.hpp"
#include "runtime/tap/segment.hpp"
#include "runtime/tap/tap_port.hpp"

namespace takt {

/// Phases: construct (forks), open() where plant memory has its place, wait_until_open(), the run, end(), then what
/// there is to tell.
class Tap {
 public:
  struct Place {
    std::filesystem::path directory;  ///< of the run, exists
    std::vector<int> cpus = {};       ///< of the plant
    bool paced = false;
    std::uint64_t macro_steps = 0;
    std::vector<bool> elsewhere = {};  ///< by subsystem: another host computes it; empty: none
  };
  /// @pre this process has one thread  @throw std::system_error
  Tap(const PlantDescription& plant, const Place& place);

  /// @throw std::runtime_error
  TapPort& open(const PlantDescription& plant, Clock& clock, const TapPort::Settings& settings);
  [[nodiscard]] TapPort& port() noexcept { return *port_; }
  [[nodiscard]] std::string author(std::uint16_t number) const { return std::string(author_of(*memory_, number)); }
  /// Where the buses of the run count; how many there are. Before the run.
  [[nodiscard]] std::span<BusCounts> buses() noexcept { return memory_->buses; }
  void has_buses(std::size_t count) noexcept { memory_->bus_count.store(static_cast<std::uint32_t>(count)); }
  /// Clients can come. Not longer than half a second.
  void wait_until_open() const;
  /// The run has ended: clients are told, the processes end meanwhile.
  void ask_to_end() noexcept { keeper_.ask_to_end(); }
  /// They have ended.
  void end() noexcept;

  struct Event {
    SimTime time;
    std::string text;
  };
  /// After end(): what became of the services, where it is not in order.
  [[nodiscard]] std::vector<Event> events() const;

 private:
  const std::filesystem::path socket_;
  TapMemory memory_;
  Keeper keeper_;
  std::optional<TapPort> port_;
};

}  // namespace takt
