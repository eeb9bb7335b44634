#pragma once
// What the tap says to people.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runtime/plant/description.hpp"
#include "runtime/tap/segment.hpp"
#include "runtime/tap/session.hpp"

namespace takt {

/// "set torque_request 80, by ana (takt tap)".
[[nodiscard]] std::string event_text(const PlantDescription& plant, const TapSegment& segment, const TapEvent& event);
/// As clients get it.
[[nodiscard]] nlohmann::ordered_json event_line(const TapDesk::Event& event);
/// Why it was not done; empty where it was.
[[nodiscard]] std::string refusal_text(const TapAnswer& answer);
/// "" where nobody can know.
[[nodiscard]] const char* state_name(BusCounts::State state) noexcept;
[[nodiscard]] const char* phase_name(TapStatus::Phase phase) noexcept;
[[nodiscard]] const char* role_text(Role role) noexcept;
/// Of the table.  @throw std::runtime_error  there is none, with the nearest name
[[nodiscard]] std::uint32_t row_of(const PlantDescription& plant, std::string_view path);
/// The search for the nearest name takes long for long ones.  @throw std::runtime_error
void check_length(std::string_view path);
/// '*' and '?' as in file names; without them, any path that holds it.
[[nodiscard]] bool matches(const std::string& pattern, const char* path);

}  // namespace takt
