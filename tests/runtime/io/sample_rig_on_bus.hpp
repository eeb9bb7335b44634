#pragma once
// The emitted sample rig on the virtual bus, with a socketcand client at the other end. No test asserts a duration:
// they wait, for as long as a slow machine may need, until something has happened.
#include <catch2/catch.hpp>
#include <ctime>
#include <functional>

#include "bus_can0.hpp"
#include "rig.hpp"
#include "runtime/io/can/bus.hpp"
#include "runtime/io/can/socketcand_client.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "tests/runtime/io/sample_plant.hpp"

namespace sample_rig {

using takt::can::Frame;

inline void pause_ms(long ms) {
  const timespec time{0, ms * 1'000'000};
  nanosleep(&time, nullptr);
}

inline bool eventually(const std::function<bool()>& done) {
  for (int k = 0; k < 2000; ++k) {
    if (done()) return true;
    pause_ms(5);
  }
  return false;
}

struct Rig {
  takt::PlantDescription plant = sample::describe();
  std::unique_ptr<takt::IoPort> io = takt::rig::make_io(plant, {.paced = true, .overrides = {{"can0.port", "0"}}});
  std::array<double, sample::inputs> inputs = sample::start_values();
  sample::Memory memory;
  takt::SimTime now;

  Rig() { io->start(); }
  ~Rig() { io->stop(); }
  void latch() { io->latch(now, takt::wall_now(), inputs); }
  void publish() {
    now += takt::SimDuration{1'000'000};
    io->publish(now, takt::wall_now(), reinterpret_cast<const std::byte*>(&memory));
  }
  takt::can::SocketcandClient client() const { return {"127.0.0.1", sample::port_of(*io), "can0"}; }
};

template <typename Message>
Frame frame_of(const Message& message) {
  Frame frame;
  encode(message, frame);
  return frame;
}

/// Makes the server take the client as ready: it has sent something.
inline void wake(takt::can::SocketcandClient& client) {
  Frame other;
  other.id = 0x7FF;
  other.len = 1;
  REQUIRE(client.send(other));
}

/// Every frame of one kind the client has received until now.
template <typename Message>
std::vector<Message> heard(takt::can::SocketcandClient& client) {
  std::vector<Message> all;
  client.wait(takt::wall_now() + takt::WallDuration{20'000'000});
  Frame frame;
  while (client.receive(frame)) {
    Message message;
    if (decode(frame, message)) all.push_back(message);
  }
  return all;
}

}  // namespace sample_rig
