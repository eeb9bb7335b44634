#pragma once
// Messages of Foxglove's WebSocket protocol: https://github.com/foxglove/ws-protocol/blob/main/docs/spec.md

#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace takt::view::foxglove {

using Json = nlohmann::ordered_json;

/// Both are one language; the second is that of older clients.
inline constexpr std::array<std::string_view, 2> languages = {"foxglove.sdk.v1", "foxglove.websocket.v1"};

/// The first of ours that is among those that a client speaks; empty: none.
[[nodiscard]] std::string language_of(std::string_view spoken);

/// "/electric/link/v" of "electric.link.v": a dot in a topic would be one in a message.
[[nodiscard]] std::string topic_of(std::string_view path);
[[nodiscard]] Json channel(std::uint32_t id, std::string_view path, std::string_view unit);

struct Service {
  const char *verb, *text;
  bool has_path, has_value;
};
/// What `takt tap` can do, by name: "/takt/inject".
inline constexpr std::array services = {
    Service{"release_all", "end all that is set, overridden and injected", false, false},
    Service{"override", "what readers see of a path", true, true},
    Service{"release", "end of set and override", true, false},
    Service{"inject", "a fault", true, true},
    Service{"clear", "end of a fault", true, true},
    Service{"checkpoint", "the plant as it is now, into a file", false, false},
    Service{"pause", "hold a free run", false, false},
    Service{"resume", "let it go on", false, false},
    Service{"stop", "end the run in order", false, false},
};
[[nodiscard]] Json service_list();

[[nodiscard]] std::string message(std::uint32_t subscription, std::int64_t time_ns, double value);
[[nodiscard]] std::string time_message(std::int64_t time_ns);
[[nodiscard]] std::string service_response(std::uint32_t service, std::uint32_t call, const std::string& json);

/// 1: of a topic that the client advertised; 2: a service is called.
struct ClientBytes {
  std::uint8_t kind = 0;
  std::uint32_t id = 0, call = 0;  ///< of a channel, or of a service
  std::string_view encoding, payload;
};
/// @return nothing: it is shorter than it says
[[nodiscard]] std::optional<ClientBytes> client_bytes(std::string_view bytes);

}  // namespace takt::view::foxglove
