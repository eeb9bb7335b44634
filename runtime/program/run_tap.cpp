#include "runtime/program/run_tap.hpp"

#include <exception>

#include "runtime/program/stop_signals.hpp"

namespace takt {
namespace {

constexpr std::uint32_t tell_every = 64;  // macro-steps of a free run on several cores

}  // namespace

std::unique_ptr<Tap> make_tap(const PlantDescription& plant, const Tap::Place& place, const TapStart& start,
                              std::vector<std::string>& warnings) {
  try {
    auto tap = std::make_unique<Tap>(plant, place);
    tap->open(plant, start.clock,
              {.paced = place.paced,
               .tell_every = place.cpus.size() > 1 ? tell_every : 1,
               .holds_at_start = start.holds,
               .is_asked_to_stop = +[]() noexcept { return stop_signal() != 0; }});
    return tap;
  } catch (const std::exception& error) {
    warnings.push_back(std::string(error.what()) + ": nobody can look at this run by `takt tap` while it goes on");
    return nullptr;
  }
}

void report_tap(const Tap& tap, RunResults& results) {
  for (const Tap::Event& event : tap.events()) results.io_events.push_back({event.time.seconds(), event.text});
}

}  // namespace takt
