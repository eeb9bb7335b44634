#pragma once
// Looks at what a window has computed before anybody else does: values that are not finite, events that subsystems
// count, blocks that stay unsolved. A bad value ends the run before it is exchanged, sent or recorded.

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <vector>

#include "runtime/plant/bytes.hpp"
#include "runtime/plant/description.hpp"
#include "runtime/plant/time.hpp"
#include "runtime/stats/run_results.hpp"

namespace takt {

/// Phases: construct (allocates), after_window() and the others in real time, report afterwards.
class ResultWatch {
 public:
  /// @param looked_at  subsystems; and the plant inputs, if asked
  ResultWatch(const PlantDescription& plant, std::span<const std::uint16_t> looked_at);

  enum class Finding : std::uint8_t { none, not_finite, unsolved };
  /// What was counted; and whether states, outputs and fluxes of the subsystem are finite where others look at them
  /// before the macro-step ends: at its end states and what others read are asked as they pass into the digest, all the
  /// rest where somebody looks. Real-time: bounded by the size of the subsystem.
  /// @param end  of the window
  [[nodiscard]] Finding after_window(std::size_t subsystem, SimTime end, bool inner) noexcept {
    const Of& of = of_[subsystem];
    if (inner && !are_finite(of.first_always, of.first_observed)) return not_finite(subsystem);
    if (of.alert == nullptr || *of.alert == 0.0) return Finding::none;
    return note_events(subsystem, end);
  }
  [[nodiscard]] Finding not_finite(std::size_t subsystem) noexcept;
  /// Of the bits of a double: its sign is set where that is infinite or no number.
  [[nodiscard]] static constexpr std::uint64_t sign_if_not_finite(std::uint64_t bits) noexcept {
    return (bits & exponent) + one_more;
  }
  [[nodiscard]] Finding after_inputs() noexcept;
  /// What observe() has just computed of one subsystem, events apart.
  [[nodiscard]] Finding after_observing(std::size_t subsystem) noexcept;
  /// Events that were counted without a window, at that time.
  void note_events(SimTime now) noexcept;
  /// Events count from here on: what the search for a start met on its way is forgotten.
  void begin() noexcept;
  /// Counters of events as begin() found them, of one subsystem. @return behind the last
  template <class To>
  To save_begin(std::size_t subsystem, To to) const noexcept {
    for (std::uint32_t i = of_[subsystem].first_event; i < of_[subsystem].event_end; ++i) *to++ = events_[i].before;
    return to;
  }
  template <class From>
  From restore_begin(std::size_t subsystem, From from) noexcept {
    for (std::uint32_t i = of_[subsystem].first_event; i < of_[subsystem].event_end; ++i)
      events_[i].before = events_[i].seen = *from++;
    return from;
  }

  /// All that it has noted, for the same watch on another host.
  void save(ByteWriter& to) const;
  /// @throw std::runtime_error  it is not of this plant
  void restore(ByteReader& from);

  /// Verdicts noted so far; to be shown while the run goes on.
  [[nodiscard]] std::uint64_t verdicts() const noexcept { return verdicts_; }
  /// Why the run ended: "electric: electric.c.v is not finite" or what stays unsolved.
  [[nodiscard]] std::string cause() const;
  /// Events of one subsystem with the time of their first occurrence.
  [[nodiscard]] std::vector<EventResult> events(std::size_t subsystem) const;

 private:
  static constexpr std::uint64_t exponent = 0x7ff0000000000000u;
  static constexpr std::uint64_t one_more =
      0x0010000000000000u;  // added to an exponent of ones it reaches the sign's place

  struct Range {
    const std::uint64_t* begin = nullptr;  // bits of doubles
    std::size_t count = 0;
  };
  struct EventState {
    const EventDescription* event = nullptr;
    const double* counter = nullptr;
    double before = 0.0, seen = 0.0;  // the counter when the run began, and when last looked at
    SimTime first;
    std::uint64_t last_window = 0;
    int in_a_row = 0;
  };
  struct Of {  // of one subsystem: in ranges_ what is looked at always, then what when it was observed; its events
    std::uint32_t first_always = 0, first_observed = 0, range_end = 0, first_event = 0, event_end = 0;
    double* alert = nullptr;
    SimDuration period{1};
  };

  [[nodiscard]] std::string met_before(std::size_t subsystem) const;
  [[nodiscard]] bool are_finite(std::uint32_t first, std::uint32_t end) const noexcept;
  Finding note_events(std::size_t subsystem, SimTime end) noexcept;
  void add_ranges(std::uint16_t subsystem, bool signals);

  const PlantDescription plant_;
  std::span<const std::uint16_t> looked_at_;
  std::vector<Range> ranges_;  ///< the first: plant inputs
  std::vector<Of> of_;
  std::pmr::vector<EventState> events_;
  std::uint64_t verdicts_ = 0;
  std::size_t culprit_ = 0;
  const EventState* unsolved_ = nullptr;
};

}  // namespace takt
