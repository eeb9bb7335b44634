#pragma once
// The service's end of the segment: commands to the plant, and who is told of its answers and samples.

#include <array>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/tap/samples.hpp"
#include "runtime/tap/segment.hpp"

namespace takt {

/// One thread. There is at most one per segment at a time.
class ServiceEnd {
 public:
  using OnAnswer = std::function<void(const TapAnswer&)>;
  using OnSample = std::function<void(const Sample&)>;
  using OnEvent = std::function<void(const TapEvent&)>;

  /// Ends what an earlier service has subscribed.
  explicit ServiceEnd(TapSegment& segment);
  ServiceEnd(const ServiceEnd&) = delete;
  ServiceEnd& operator=(const ServiceEnd&) = delete;

  /// A row of commands that are taken at one boundary; their ids and counts are set here.
  /// @throw std::runtime_error  there is no room; `then` is not called
  void send(std::span<TapCommand> commands, OnAnswer then);
  /// @param period_ns  0: once; then the slot is free again after the sample
  /// @return slot  @throw std::runtime_error  what there is too much of
  std::size_t subscribe(std::span<const std::uint32_t> rows, std::int64_t period_ns, OnAnswer then, OnSample each);
  /// The windows of a subsystem, at every boundary.
  std::size_t subscribe_copies(std::uint16_t subsystem, OnAnswer then, OnSample each);
  void unsubscribe(std::size_t slot);
  /// What to wait for; its conditions and texts are staged here.
  struct Wanted {
    std::span<const ExpressionNode> nodes;
    bool observes = false;
    std::string_view text;
    std::int64_t within_ns = 0;
    std::span<const TapCommand> then = {};
  };
  using OnAwait = std::function<void(const TapAnswer&, const StagedAwait&)>;
  /// @param on  told that the plant waits (TapAnswer::Result::begun), then what came of it
  /// @return its id  @throw std::runtime_error  what there is too much of
  std::uint64_t await(const Wanted& wanted, std::uint16_t author, OnAwait on);
  /// Of this id, where it is under way; nobody is told what comes of it.
  void unawait(std::uint64_t id);
  /// Of a connection that has left something with the plant.
  void lost(std::uint32_t owner) { send_when_there_is_room({.kind = TapCommand::Kind::lost, .owner = owner}, {}); }
  /// The number that commands carry for this text.
  [[nodiscard]] std::uint16_t author(const std::string& text);
  /// Hands over what has come from the plant.  @return something has
  bool poll(const OnEvent& on_event);
  /// How long nothing need be looked for, ms; at most `otherwise`.
  [[nodiscard]] int patience_ms(int otherwise) const noexcept;

 private:
  enum class Slot : std::uint8_t { free, used, ending };
  struct Subscription {
    Slot state = Slot::free;
    std::uint32_t ticket = 0;
    std::size_t rows = 0;
    std::int64_t period_ns = 0;
    OnSample each;
  };
  void set_free(std::size_t slot);
  [[nodiscard]] std::size_t free_slot() const;
  void begin(TapCommand command, Subscription&& subscription, OnAnswer then);
  void hand_over(const Sample& sample);
  void send_when_there_is_room(const TapCommand& command, OnAnswer then);
  void send_overdue();

  TapSegment& segment_;
  RingWriter<decltype(TapSegment::commands)> commands_;
  RingReader<decltype(TapSegment::answers)> answers_;
  RingReader<decltype(TapSegment::events)> events_;
  SampleReader samples_;
  std::uint64_t next_id_;
  std::unordered_map<std::uint64_t, OnAnswer> waiting_;
  std::array<Subscription, TapSegment::most_subscriptions> subscriptions_;
  std::array<std::uint64_t, TapSegment::most_awaits> awaits_{};  // their ids; 0: none
  std::deque<std::pair<TapCommand, OnAnswer>> overdue_;          // for which there was no room yet
  std::size_t rows_ = 0, used_ = 0;
};

}  // namespace takt
