#pragma once
// A conversation of a client with a run: what is said to whom. Knows no socket; page_talk.hpp and foxglove_talk.hpp are
// the two languages.

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "tools/view/door.hpp"

namespace takt::view {

/// Where a conversation speaks to. The owner outlives the conversation.
class Outlet {
 public:
  using Json = nlohmann::ordered_json;
  virtual ~Outlet() = default;
  virtual void say(std::string text) = 0;          ///< to the client
  virtual void say_binary(std::string bytes) = 0;  ///< to the client
  virtual void ask(const Json& request) = 0;       ///< of the tap
  virtual void hang_up(const std::string& why) = 0;
};

class Talk {
 public:
  using Json = nlohmann::ordered_json;
  static constexpr std::size_t longest_message = 1U << 16U;

  virtual ~Talk() = default;
  /// The tap is there. Once, before all others.
  virtual void begin() = 0;
  /// From the client. What is wrong is answered.
  virtual void take(std::string_view text) = 0;
  virtual void take_binary(std::string_view bytes) = 0;
  /// From the tap.
  virtual void told(const Json& line, std::string_view bytes) = 0;
  /// The tap is no more.
  virtual void lost() = 0;
  /// Some 40 times a second: what has been collected is said.
  virtual void flush() = 0;
};

struct TalkSettings {
  Right right = Right::look;
  std::string name;  ///< in the log of actions
  std::string run;   ///< its directory
};

[[nodiscard]] std::unique_ptr<Talk> page_talk(Outlet& outlet, TalkSettings settings);
[[nodiscard]] std::unique_ptr<Talk> foxglove_talk(Outlet& outlet, TalkSettings settings);

}  // namespace takt::view
