// [supervisor] of the rig file.

#include <algorithm>

#include "codegen/rig/rig_reader.hpp"

namespace takt::codegen {

void read_supervisor(Rig& rig, const TomlValue& value, Diagnostics& diagnostics) {
  constexpr std::int64_t ms = 1'000'000, second = 1'000 * ms;
  if (!value.is_table()) {
    diagnostics.error("B003", value.where, "'supervisor' must be a table");
    return;
  }
  SupervisorSettings& settings = rig.supervisor;
  RigTable table(value, "[supervisor]", diagnostics);
  if (const auto enabled = table.flag("enabled")) settings.enabled = *enabled;
  if (const auto heartbeat = table.duration("heartbeat", 10 * ms, 3600 * second))
    settings.heartbeat_ns = *heartbeat;
  if (const auto hold = table.duration("hold", 0, 3600 * second)) settings.hold_ns = *hold;
  if (const auto give_up = table.duration("give_up", 0, 24 * 3600 * second))
    settings.give_up_ns = *give_up;
  rig.watchdog = table.text("watchdog").value_or("");
  if (const auto timeout = table.duration("watchdog_timeout", second, 3600 * second)) {
    settings.watchdog_timeout_s = static_cast<int>(*timeout / second);
    if (*timeout % second != 0)
      diagnostics.error("B004", value.get("watchdog_timeout")->text_where,
                        "'watchdog_timeout' of [supervisor] must be whole seconds",
                        "watchdog_timeout = \"15 s\"");
  }
  if (const auto when = table.text("when_lost")) {
    const auto* const place = std::find(guard_lost_words.begin(), guard_lost_words.end(), *when);
    if (place == guard_lost_words.end())
      diagnostics.error(
          "B004", value.get("when_lost")->text_where,
          "'when_lost' of [supervisor] is restart, stop or go-on, not '" + *when + "'",
          "when_lost = \"restart\": a spare takes the place of a supervisor that has died");
    else
      settings.when_lost = static_cast<GuardLost>(place - guard_lost_words.begin());
  }
  table.done();
  if (settings.give_up_ns > 0 && settings.give_up_ns < settings.heartbeat_ns)
    diagnostics.error(
        "B004", value.get("give_up") != nullptr ? value.get("give_up")->text_where : value.where,
        "'give_up' of [supervisor] must not be shorter than 'heartbeat'",
        "give_up = \"0 s\": a silent plant is never killed");
  if (!rig.watchdog.empty() && !settings.enabled)
    diagnostics.error("B004", value.get("watchdog")->text_where,
                      "the supervisor feeds the watchdog: it cannot be switched off with one",
                      "leave 'enabled' of [supervisor] out");
}

}  // namespace takt::codegen
