#pragma once
// What is done to a plant on the host that leads is done on all others, too, at the same boundary.

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <deque>

#include "runtime/plant/time.hpp"
#include "runtime/steering/action.hpp"
#include "runtime/steering/director.hpp"

namespace takt {

struct Followed {
  SimTime time;  ///< boundary at which it was asked for
  Action action;
};

/// From the leading thread to who tells the others.
class Followers {
 public:
  /// For Steering::Options.  Real-time: wait-free.
  static void tell(void* self, SimTime now, const Action& action) noexcept {
    auto* followers = static_cast<Followers*>(self);
    if (!followers->queue_.push({now, action})) followers->lost_.store(true, std::memory_order_relaxed);
  }
  [[nodiscard]] bool take(Followed& followed) noexcept { return queue_.pop(followed); }
  /// More was done at once than there is room for: the hosts do not compute the same any more.
  [[nodiscard]] bool has_lost() const noexcept { return lost_.load(std::memory_order_relaxed); }
  /// On another host: it could not be done there.
  void lose() noexcept { lost_.store(true, std::memory_order_relaxed); }

 private:
  boost::lockfree::spsc_queue<Followed, boost::lockfree::capacity<1024>> queue_;
  std::atomic<bool> lost_{false};
};

/// Where another host leads: does what that one has done.
class FollowedActions final : public Director {
 public:
  explicit FollowedActions(Followers& followers) : followers_(followers) {}
  void add(const Followed& followed) { waiting_.push_back(followed); }
  [[nodiscard]] bool may_act_at(SimTime now) const noexcept override {
    return !waiting_.empty() && waiting_.front().time <= now;
  }
  [[nodiscard]] bool looks_at(SimTime) const noexcept override { return false; }
  void direct(SimTime now, ActionSink& sink) noexcept override {
    for (; may_act_at(now); waiting_.pop_front())
      if (waiting_.front().time < now || sink.act(waiting_.front().action, 0) < SimTime{}) followers_.lose();
  }
  [[nodiscard]] std::string name_of(std::uint16_t) const override { return "the leading host"; }

 private:
  Followers& followers_;
  std::deque<Followed> waiting_;
};

}  // namespace takt
