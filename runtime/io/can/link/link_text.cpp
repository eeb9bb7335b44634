// Texts about interfaces, and what they have otherwise than they should.

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "runtime/io/can/link/link.hpp"

namespace takt::can {
namespace {

std::string rate_text(std::uint32_t bitrate) {
  std::array<char, 32> text{};
  if (bitrate % 1'000'000 == 0)
    std::snprintf(text.data(), text.size(), "%u Mbit/s", bitrate / 1'000'000);
  else
    std::snprintf(text.data(), text.size(), "%.9g kbit/s", bitrate / 1e3);
  return text.data();
}

std::string point_text(std::uint16_t sample_point) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.3g %%", sample_point / 10.0);
  return text.data();
}

void add(std::string& texts, const std::string& text) { texts += (texts.empty() ? "" : ", ") + text; }

void compare(std::string& found, const std::optional<BitTimingInEffect>& link, const BitTiming& said,
             const std::string& phase) {
  if (said.bitrate == 0) return;
  if (!link) return add(found, "no " + phase + "bit rate, not " + rate_text(said.bitrate));
  const double off = std::abs(static_cast<double>(link->bitrate) - static_cast<double>(said.bitrate));
  if (off > 0.005 * said.bitrate)
    add(found, phase + "bit rate " + rate_text(link->bitrate) + ", not " + rate_text(said.bitrate));
  if (said.sample_point == 0 || link->sample_point == 0 || link->quanta == 0) return;
  const double half_a_quantum = 500.0 / link->quanta + 1.0;
  if (std::abs(int{link->sample_point} - int{said.sample_point}) > half_a_quantum)
    add(found, phase + "sample point " + point_text(link->sample_point) + ", not " + point_text(said.sample_point));
}

}  // namespace

const char* text(LinkState state) noexcept {
  static constexpr std::array<const char*, 8> texts{"error active", "error warning", "error passive", "bus-off",
                                                    "stopped",      "sleeping",      "unknown",       "down"};
  return texts[static_cast<std::size_t>(state)];
}

std::string text(const BitTiming& timing) {
  return rate_text(timing.bitrate) +
         (timing.sample_point != 0 ? ", sample point " + point_text(timing.sample_point) : "");
}

std::string differences(const Link& link, const LinkSettings& settings) {
  std::string found;
  if (!link.is_settable()) return found;
  compare(found, link.nominal, settings.nominal, "");
  compare(found, link.data, settings.data, "data ");
  if (settings.data.bitrate != 0 && !link.fd) add(found, "classic CAN, not CAN FD");
  const auto flag = [&](std::int8_t said, bool has, const char* name) {
    if (said >= 0 && (said == 1) != has) add(found, std::string(has ? "" : "not ") + name);
  };
  flag(settings.listen_only, link.listen_only, "listen-only");
  flag(settings.one_shot, link.one_shot, "one-shot");
  if (settings.restart_ms == 0 && link.restart_ms.value_or(0) > 0)
    add(found, "a restart by the driver " + std::to_string(*link.restart_ms) + " ms after bus-off, not none");
  if (settings.termination >= 0 && link.termination && *link.termination != settings.termination)
    add(found, "termination " + std::to_string(*link.termination) + " ohm, not " +
                   std::to_string(settings.termination) + " ohm");
  if (settings.termination > 0 && !link.termination) add(found, "no termination that the driver could switch");
  return found;
}

std::string options_text(const LinkSettings& settings) {
  std::string text;
  const auto add = [&text](const std::string& name, std::int64_t value) {
    text += " --" + name + " " + std::to_string(value);
  };
  const auto point = [&text](const std::string& name, std::uint16_t value) {
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "%.3g", value / 1e3);
    text += " --" + name + " " + number.data();
  };
  if (settings.nominal.bitrate != 0) add("bitrate", settings.nominal.bitrate);
  if (settings.nominal.sample_point != 0) point("sample-point", settings.nominal.sample_point);
  if (settings.data.bitrate != 0) add("data-bitrate", settings.data.bitrate);
  if (settings.data.sample_point != 0) point("data-sample-point", settings.data.sample_point);
  if (settings.restart_ms >= 0) text += " --restart " + std::to_string(settings.restart_ms) + "ms";
  if (settings.termination >= 0) add("termination", settings.termination);
  if (settings.listen_only == 1) text += " --listen-only";
  if (settings.one_shot == 1) text += " --one-shot";
  return text.empty() ? text : text.substr(1);
}

}  // namespace takt::can
