#include "runtime/tap/tap.hpp"

#include <ctime>
#include <system_error>

#include "runtime/tap/server.hpp"

namespace takt {

Tap::Tap(const PlantDescription& plant, const Place& place)
    : socket_(place.directory / tap_socket_name),
      memory_(
          plant,
          {.paced = place.paced, .macro_steps = place.macro_steps, .cpus = place.cpus, .elsewhere = place.elsewhere}),
      keeper_(plant, *memory_, place.directory, place.cpus) {}

TapPort& Tap::open(const PlantDescription& plant, Clock& clock, const TapPort::Settings& settings) {
  return port_.emplace(plant, *memory_, clock, settings);
}

void Tap::wait_until_open() const {
  const timespec pause{0, 200'000};
  for (int turn = 0; turn < 2500; ++turn) {
    if (memory_->services.state.load(std::memory_order_acquire) != TapServices::State::starting) return;
    ::nanosleep(&pause, nullptr);
  }
}

void Tap::end() noexcept {
  keeper_.end();
  std::error_code ignored;
  std::filesystem::remove(socket_, ignored);  // where the keeper could not
}

std::vector<Tap::Event> Tap::events() const {
  std::vector<Event> events;
  const TapServices& services = memory_->services;
  const std::uint32_t count = services.event_count.load(std::memory_order_acquire);
  for (std::uint32_t k = 0; k < count && k < TapServices::most_events; ++k)
    events.push_back({SimTime{services.events[k].time_ns}, services.events[k].text.data()});
  const SimTime end{memory_->status.time_ns.load(std::memory_order_relaxed)};
  if (const auto refused = services.clients_refused.load(std::memory_order_relaxed); refused > 0)
    events.push_back({end, "tap: " + std::to_string(refused) + " times a client was refused: all seats were taken"});
  if (const auto gave_way = services.clients_gave_way.load(std::memory_order_relaxed); gave_way > 0)
    events.push_back(
        {end, "tap: " + std::to_string(gave_way) + " connections that asked nothing were closed to make place"});
  if (!keeper_.early_end().empty())
    events.push_back(
        {end, "tap: its keeper died during the run (" + keeper_.early_end() + "): nobody could use the tap since"});
  return events;
}

}  // namespace takt
