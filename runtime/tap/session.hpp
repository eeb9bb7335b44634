#pragma once
// One client of the tap: requests in, answers, rows and events out, as lines of JSON. Knows no socket.

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/scenario/names.hpp"
#include "runtime/steering/action.hpp"
#include "runtime/tap/samples.hpp"
#include "runtime/tap/scope_requests.hpp"
#include "runtime/tap/segment.hpp"
#include "runtime/tap/service_end.hpp"

namespace takt {

/// What all clients share.
struct TapDesk {
  struct Event {
    std::uint64_t number = 0;
    std::int64_t time_ns = 0;
    std::string text;
    ActionWords action{};  ///< of what was done; no verb: nothing was
    std::string author{};
    bool of_element = false;  ///< a fault that an element has
  };
  static constexpr std::size_t most_events = 1000;

  const PlantDescription& plant;
  TapSegment& segment;
  ServiceEnd end;
  std::deque<Event> events{};  ///< the last ones
  std::uint64_t event_count = 0;
  std::uint32_t service_events = 0;  ///< of the segment, taken over
  std::uint64_t next_watch = 1;
  std::uint32_t next_owner = 1;

  TapDesk(const PlantDescription& p, TapSegment& s) : plant(p), segment(s), end(s) {}
  /// What has come from the plant.  @return something has
  bool poll();
  /// What conditions may name.
  [[nodiscard]] const ScenarioNames& names();
  [[nodiscard]] const Event* newest() const { return events.empty() ? nullptr : &events.back(); }

 private:
  void add(Event event);
  [[nodiscard]] Event described(const TapEvent& event) const;
  std::optional<ScenarioNames> names_{};  // where somebody has asked
};

/// Lives in a std::shared_ptr: answers come later. Everything ends with it.
class Session : public std::enable_shared_from_this<Session> {
 public:
  static constexpr std::size_t longest_line = 1U << 20U;
  /// Rows and events of a client that reads too slowly are dropped, and counted, where more waits to be sent.
  static constexpr std::size_t most_waiting = 1U << 20U;

  /// @param peer  its name for the log, until it says another one
  Session(TapDesk& desk, std::string peer);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  /// One request, without its end of line.  Never throws but where there is no memory.
  void take(std::string_view line);
  /// Events since the last call, where the client follows them.
  void tell_events();
  /// What a scope has found, as there is room.
  void tell_pieces();
  /// The run has ended: nothing more will come.
  void tell_end();
  /// A line that answers nothing that was asked.
  void tell_problem(const std::string& text);
  /// To be sent; the owner takes from its beginning.
  std::string output;

 private:
  friend class TapRequests;
  struct Watch {
    std::size_t slot = 0;
    bool as_doubles = false;
    std::uint64_t dropped = 0;
  };
  /// By which the plant knows this connection, from now on.
  std::uint32_t owner() { return owner_ != 0 ? owner_ : owner_ = desk_.next_owner++; }
  void put(const nlohmann::ordered_json& line);
  void put_row(std::uint64_t watch, const Sample& sample);
  void take_block(const Sample& sample);
  void put_doubles(std::span<const double> values);

  TapDesk& desk_;
  std::string name_;
  std::map<std::uint64_t, Watch> watches_;
  std::map<std::uint64_t, std::uint64_t> awaits_;  // number for the client -> id
  std::uint32_t owner_ = 0;                        // 0: the plant does not know it
  std::unique_ptr<Scope> scope_;                   // at most one
  std::deque<std::string> pieces_;                 // of what a scope has found, to be sent as there is room
  bool follows_ = false;
  std::uint64_t told_ = 0, events_dropped_ = 0;
};

}  // namespace takt
