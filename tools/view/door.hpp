#pragma once
// Who may come in: the name under which the page was asked for, the page that asks, tokens.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace takt::view {

/// steer: looking is part of it.
enum class Right : std::uint8_t { none, look, steer };

struct Door {
  std::vector<std::string> hosts;    ///< names of this machine beside localhost and addresses
  std::vector<std::string> origins;  ///< pages of others that may come in: "https://app.foxglove.dev"
  std::string steer_token, look_token;
  Right own_user = Right::steer;  ///< what processes of the same user on this machine may do without a token
};

/// What a request says of itself. Nothing of it is trusted but `is_own_user`.
struct Caller {
  std::string_view host{}, origin{}, cookies{}, query{};
  bool is_own_user = false;  ///< the other end is a process of this user, or of root, on this machine
};

struct Entry {
  Right right = Right::none;
  std::string why;  ///< nobody comes in
};

inline constexpr std::string_view token_cookie = "takt_view";

/// A name that somebody's name server says is this machine (DNS rebinding) is no name of it; a page of another site
/// (cross-site WebSocket) is refused whoever its user is.
[[nodiscard]] Entry entry_of(const Door& door, const Caller& caller);

/// "a" of "x=1&a=two%20words", decoded; empty: there is none.
[[nodiscard]] std::string query_value(std::string_view query, std::string_view name);

}  // namespace takt::view
