#pragma once
// One direction of a gateway: frames on their way from the I/O thread of one bus to that of another. What the bus they
// go to has no room for waits here; what finds no room here is dropped and counted.

#include <boost/lockfree/spsc_queue.hpp>
#include <cstdint>

#include "runtime/io/can/latency.hpp"
#include "runtime/io/can/plan.hpp"

namespace takt::can {

class GatewayRoute {
 public:
  /// @param route  must outlive this
  /// @param grid  of the bus that frames go to
  GatewayRoute(const RoutePlan& route, WallDuration grid);

  [[nodiscard]] const RoutePlan& plan() const { return plan_; }

  // I/O thread of the bus that frames come from:
  /// Whether it has one of the ids.
  [[nodiscard]] bool has(const Frame& frame) const { return ids_of(frame) != nullptr; }
  /// A frame that is on that bus, stamped when. Those of other ids are passed over.
  void offer(const Frame& frame);

  // I/O thread of the bus that they go to:
  /// The next frame whose time has come, with the id that it has there. It stays until it is taken away.
  /// @return false: there is none
  [[nodiscard]] bool next(WallTime now, Frame& frame) const;
  /// What becomes of the frame of next().
  void forwarded(WallTime now);
  void cut();
  void refused();

  /// When both threads are over: taken = forwarded + dropped + cut + refused + waiting.
  struct Counts {
    std::uint64_t taken = 0;      ///< frames with one of its ids
    std::uint64_t dropped = 0;    ///< the queue was full
    std::uint64_t forwarded = 0;  ///< the bus has taken it
    std::uint64_t cut = 0;        ///< the bus was cut
    std::uint64_t refused = 0;    ///< CAN FD, and the bus has classic frames only
    std::uint64_t waiting = 0;    ///< still in the queue
  };
  [[nodiscard]] Counts counts() const;
  /// From one bus to the other, of forwarded frames.
  [[nodiscard]] const Latencies& latencies() const { return latencies_; }

 private:
  [[nodiscard]] const ForwardedIds* ids_of(const Frame& frame) const;
  void take_away(WallTime now);

  const RoutePlan& plan_;
  WallDuration spacing_, early_;  ///< early: a step of the grid that is nearer than the next one
  boost::lockfree::spsc_queue<Frame> queue_;
  std::uint64_t taken_ = 0, dropped_ = 0;  // thread of the bus they come from
  WallTime free_;                          // the rest: thread of the bus they go to
  std::uint64_t forwarded_ = 0, cut_ = 0, refused_ = 0;
  Latencies latencies_;
};

}  // namespace takt::can
