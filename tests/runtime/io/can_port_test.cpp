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

using takt::can::Frame;
namespace bus = takt::rig::bus_can0;

namespace {

void pause_ms(long ms) {
  const timespec time{0, ms * 1'000'000};
  nanosleep(&time, nullptr);
}

bool eventually(const std::function<bool()>& done) {
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
void wake(takt::can::SocketcandClient& client) {
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

}  // namespace

TEST_CASE("the emitted settings are those of the rig file") {
  const auto settings = takt::rig::rig_settings();
  CHECK(std::string(settings.name) == "sample");
  CHECK((settings.paced && settings.cpu == 1 && settings.priority == 70 && settings.spin_ns == 20'000));
  CHECK((settings.policy == takt::OverrunPolicy::stop && settings.max_catch_up == 5 &&
         settings.stop_after_consecutive == 7));
  CHECK((settings.stop_above_ns == 30'000'000 && settings.grace_ns == 1'000'000'000 && settings.regain));
}

TEST_CASE("free runs have no buses") {
  const auto plant = sample::describe();
  CHECK(takt::rig::make_io(plant, {.paced = false, .overrides = {}}) == nullptr);
}

TEST_CASE("received signals reach the plant inputs in SI units") {
  Rig rig;
  auto client = rig.client();
  bus::Command command;
  command.torque = -123.5;
  command.enable = 1;
  command.cooling = 20.0;
  bus::Multi multi;
  multi.page = 0;
  multi.first = 60;
  REQUIRE(client.send(frame_of(command)));
  REQUIRE(client.send(frame_of(multi)));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::speed_limit] != 5.0;
  }));
  CHECK(rig.inputs[sample::torque] == -123.5);
  CHECK(rig.inputs[sample::trim] == -246.0);  // the same signal
  CHECK(rig.inputs[sample::enable] == 1.0);
  CHECK(rig.inputs[sample::cooling] == Approx(293.15));
  CHECK(rig.inputs[sample::speed_limit] == Approx(6.283185307));
  CHECK(rig.inputs[sample::gain] == 1.0);  // the other page was not sent
  multi.page = 1;
  multi.second = 3.0;
  REQUIRE(client.send(frame_of(multi)));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::gain] != 1.0;
  }));
  CHECK(rig.inputs[sample::gain] == 7.0);
  CHECK(rig.inputs[sample::boost] == 30.0);
  multi.second = std::numeric_limits<double>::quiet_NaN();  // must not get into a plant
  REQUIRE(client.send(frame_of(multi)));
  command.torque = 1.0;
  REQUIRE(client.send(frame_of(command)));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == 1.0;
  }));
  CHECK((rig.inputs[sample::gain] == 7.0 && rig.inputs[sample::boost] == 30.0));
  rig.io->stop();
  CHECK(sample::number_in(rig.io->statistics_json(), "not_numbers", "\"Multi\"") == 1.0);  // once, not by input
}

TEST_CASE("a message of J1939 is taken from any source but one that has a message of its own") {
  Rig rig;
  auto client = rig.client();
  Frame frame = frame_of(bus::EEC1{.speed = 600});
  const auto heard_from = [&](std::uint32_t id, double speed) {
    frame = frame_of(bus::EEC1{.speed = speed});
    frame.id = id;
    REQUIRE(client.send(frame));
    return eventually([&] {
      rig.latch();
      return rig.inputs[sample::engine] == Approx(speed * 3.14159265358979 / 30);
    });
  };
  CHECK(heard_from(0x0CF004FE, 600));
  CHECK(heard_from(0x0CF00400, 700));  // source 0
  CHECK(heard_from(0x18F00427, 800));  // source 39, priority 6
  frame.id = 0x0CF00403;               // the database has another message for source 3
  REQUIRE(client.send(frame));
  frame.id = 0x0CF00500;  // another group
  REQUIRE(client.send(frame));
  CHECK(heard_from(0x0CF00401, 900));
  rig.io->stop();
  const std::string json = rig.io->statistics_json();
  CHECK((sample::number_in(json, "frames_not_mapped") == 2.0 && sample::number_in(json, "frames", "\"EEC1\"") == 4.0));
}

TEST_CASE("a release that is computed late sees what had arrived by then, and no more") {
  Rig rig;
  auto client = rig.client();
  const takt::WallTime release = takt::wall_now();
  bus::Command command;
  command.torque = 50;
  REQUIRE(client.send(frame_of(command)));
  for (int k = 0; k < 20; ++k) {  // long enough for it to arrive
    pause_ms(5);
    rig.io->latch(rig.now, release, rig.inputs);
    REQUIRE(rig.inputs[sample::torque] != 50.0);
  }
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == 50.0;
  }));
}

TEST_CASE("a message that stays away sets its inputs to safe values until it is back") {
  const takt::WallTime begin = takt::wall_now();
  Rig rig;
  auto client = rig.client();
  bus::Command command;
  command.torque = 50;
  command.enable = 1;
  REQUIRE(client.send(frame_of(command)));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == 50.0;
  }));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == -1.0;
  }));
  CHECK(rig.inputs[sample::enable] == 0.0);
  CHECK(rig.inputs[sample::cooling] == 333.0);
  CHECK(rig.inputs[sample::trim] == 7.0);         // of two inputs of one signal each has its own
  CHECK(rig.inputs[sample::speed_limit] == 5.0);  // its message has no time-out
  REQUIRE(client.send(frame_of(command)));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == 50.0;
  }));
  rig.io->stop();
  std::string all;
  for (const auto& event : rig.io->events()) all += event.text + "\n";
  CHECK(all.find("can0: Command timed out at") != std::string::npos);
  CHECK(all.find("can0: Command is back at") != std::string::npos);
  CHECK(all.find("Multi") == std::string::npos);
  const std::string json = rig.io->statistics_json();
  CHECK(sample::number_in(json, "timeouts", "\"Command\"") >= 1);
  // Of two frames: the time between them, within that of the test.
  REQUIRE(sample::number_in(json, "frames", "\"Command\"") == 2.0);
  const double cycle_us = sample::number_in(json, "mean_cycle_us", "\"Command\"");
  CHECK((cycle_us > 0.0 && cycle_us <= static_cast<double>((takt::wall_now() - begin).ns()) / 1e3));
}

TEST_CASE("a message never seen times out as well") {
  Rig rig;
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::torque] == -1.0;
  }));
  CHECK(rig.io->events().at(1).text.find("Command not seen within") != std::string::npos);
}

TEST_CASE("cyclic frames carry the plant's signals, constants, start values and pages in turns") {
  Rig rig;
  auto client = rig.client();
  wake(client);
  rig.memory = {.alarm = 0, .level = 3, .share = 0.25, .t = 293.15, .w = -10};
  std::vector<bus::Status> status;
  REQUIRE(eventually([&] {
    rig.publish();
    for (const auto& message : heard<bus::Status>(client)) status.push_back(message);
    return status.size() >= 3;
  }));
  CHECK(status.back().temperature == Approx(20.0).margin(0.05));
  CHECK(status.back().share == 25.0);
  CHECK(status.back().constant == 17.0);
  CHECK(status.back().start == 24.0);
  bool speed = false, level = false;
  REQUIRE(eventually([&] {
    for (int k = 0; k < 20; ++k) rig.publish();
    for (const auto& page : heard<bus::Pages>(client)) {
      speed = speed || (page.select == 2 && page.speed == Approx(-10.0));
      level = level || (page.select == 5 && page.level == 300.0);
    }
    return speed && level;
  }));
}

TEST_CASE("a message of the second database of a bus is sent with its start value") {
  Rig rig;
  auto client = rig.client();
  wake(client);
  Frame frame;
  REQUIRE(eventually([&] {
    client.wait(takt::wall_now() + takt::WallDuration{20'000'000});
    while (client.receive(frame))
      if (frame.id == 204) return true;
    return false;
  }));
  CHECK((frame.len == 2 && frame.data[0] == 0xA5 && frame.data[1] == 0x09));  // 2469
}

TEST_CASE("on-change frames leave once for every change") {
  Rig rig;
  auto client = rig.client();
  wake(client);
  pause_ms(50);
  std::vector<double> alarms;
  const auto collect = [&] {
    for (const auto& event : heard<bus::Event>(client)) alarms.push_back(event.alarm);
  };
  for (const double alarm : {0.0, 0.0, 1.0, 1.0, 0.0, 1.0}) {
    rig.memory.alarm = alarm;
    rig.publish();
  }
  REQUIRE(eventually([&] {
    collect();
    return alarms.size() >= 4;
  }));
  for (int k = 0; k < 20; ++k) rig.publish();
  pause_ms(20);
  collect();
  CHECK(alarms == std::vector<double>{0.0, 1.0, 0.0, 1.0});
}

TEST_CASE("between two frames sent on change lies their spacing, and the last value leaves after it") {
  Rig rig;
  auto client = rig.client();
  wake(client);
  pause_ms(50);
  for (int k = 1; k <= 101; ++k) {  // ms of simulated time, another value at each
    rig.memory.level = k <= 99 ? k : 1000;
    rig.publish();
  }
  for (int k = 0; k < 100; ++k) rig.publish();
  std::vector<double> levels;
  REQUIRE(eventually([&] {
    for (const auto& gated : heard<bus::Gated>(client)) levels.push_back(gated.level);
    return !levels.empty() && levels.back() == 1000.0;
  }));
  pause_ms(20);
  CHECK(heard<bus::Gated>(client).empty());
  CHECK(levels == std::vector<double>{1, 21, 41, 61, 81, 1000});
}

TEST_CASE("frames with too little data and values beyond their range are counted by message") {
  Rig rig;
  auto client = rig.client();
  bus::Command command;
  command.torque = 2000;  // of [-1000, 1000]
  command.cooling = 369.5;
  REQUIRE(client.send(frame_of(command)));
  Frame half = frame_of(command);
  half.len = 4;
  REQUIRE(client.send(half));
  bus::Multi multi;
  multi.page = 0;
  multi.first = 60;
  REQUIRE(client.send(frame_of(multi)));
  REQUIRE(eventually([&] {
    rig.latch();
    return rig.inputs[sample::speed_limit] != 5.0;
  }));
  CHECK(rig.inputs[sample::torque] == 2000.0);
  rig.io->stop();
  std::string events;
  for (const auto& event : rig.io->events()) events += event.text + "\n";
  CHECK(events.find("can0: frames with less data than their message has were not taken: Command (1)\n") != events.npos);
  CHECK(events.find("can0: values beyond the range that the database gives were taken: Command (1)\n") != events.npos);
  const std::string json = rig.io->statistics_json();
  CHECK(sample::number_in(json, "frames_too_short") == 1.0);
  CHECK(sample::number_in(json, "frames_not_mapped") == 0.0);
  CHECK(sample::number_in(json, "frames", "\"Command\"") == 1.0);
  CHECK(json.find("\"frames\":1,\"mean_cycle_us\":null", json.find("\"Command\"")) != std::string::npos);
  CHECK(sample::number_in(json, "too_short", "\"Command\"") == 1.0);
  CHECK(sample::number_in(json, "out_of_range", "\"Command\"") == 1.0);
  CHECK(sample::number_in(json, "out_of_range", "\"Multi\"") == 0.0);
  CHECK(sample::number_in(json, "not_numbers", "\"Multi\"") == 0.0);  // the other page is not there: no wrong value
}

TEST_CASE("values sent that their signals do not hold, or beyond their range, are counted by signal and judged") {
  Rig rig;
  auto client = rig.client();
  wake(client);
  Frame frame;
  REQUIRE(eventually([&] {  // the rest bus reaches it: so will what follows
    client.wait(takt::wall_now() + takt::WallDuration{20'000'000});
    while (client.receive(frame))
      if (frame.id == 204) return true;
    return false;
  }));
  const double nan = std::numeric_limits<double>::quiet_NaN();
  // share is 8 bits of 0.5 % in 0 to 100 %: 127.5 is the last, 127.74 is rounded to it, 127.75 is not.
  for (const double share : {1.0, 1.1, 1.2774, 1.28, 17.0, nan, -0.0024, -0.003})
    for (int k = 0; k < 10; ++k) {  // a frame every 10 ms
      rig.memory.share = share;
      rig.memory.t = share > 15 ? 1e4 : 300;
      rig.memory.level = share == share ? 655 : 656;  // of page 5 alone: times 100 in 16 bits
      rig.publish();
    }
  const auto counted = rig.now;
  std::vector<bus::Status> status;
  REQUIRE(eventually([&] {
    for (const auto& message : heard<bus::Status>(client)) status.push_back(message);
    return !status.empty() && status.back().share == 0.0;
  }));
  rig.io->publish_safe(counted);  // the share has no safe value: its last one is sent once more
  rig.io->stop();
  const std::string json = rig.io->statistics_json();
  const auto of_share = [&](const char* what) { return sample::number_in(json, what, "\"share\""); };
  CHECK((of_share("saturated") == 4.0 && of_share("not_numbers") == 1.0 && of_share("out_of_range") == 2.0));
  CHECK((of_share("least") == Approx(-0.3) && of_share("most") == 1700.0 && of_share("first_s") == 0.02));
  CHECK((sample::number_in(json, "saturated", "\"temperature\"") == 1.0 &&
         sample::number_in(json, "saturated", "\"Status\"") == 5.0));
  CHECK((sample::number_in(json, "saturated", "\"level\"") == 1.0 &&
         sample::number_in(json, "saturated", "\"Event\"") == 0.0));
  CHECK(json.find("\"speed\"") == json.npos);
  std::string events;
  for (const auto& event : rig.io->events()) events += event.text + "\n";
  CHECK(events.find("can0: values that their signals do not hold were sent as the nearest that they do: "
                    "Status.temperature (1, first at 0.050 s, 9726.85; it holds -3276.8 to 3276.7); Status.share (4, "
                    "first at 0.020 s") != events.npos);
  CHECK(events.find("can0: values beyond the range that the database gives were sent: Status.share (2, ") !=
        events.npos);
  const auto findings = rig.io->findings();  // of Status, for the rig says so; not of Pages
  REQUIRE(findings.size() == 1);
  CHECK((findings[0].code == std::string("X053") && findings[0].where == "bus can0"));
  CHECK(findings[0].text.find("others: Status.temperature (1), Status.share (5)") != std::string::npos);
}

TEST_CASE(
    "when the plant catches up only the newest frame of a cyclic message leaves, and nothing is lost from the books") {
  const takt::WallTime begin = takt::wall_now();
  Rig rig;
  auto client = rig.client();
  wake(client);
  pause_ms(50);
  for (int k = 1; k <= 300; ++k) {  // 300 ms of simulated time at once
    rig.memory.share = k == 300 ? 1.0 : 0.0;
    rig.publish();
  }
  double last = -1;
  REQUIRE(eventually([&] {
    for (const auto& message : heard<bus::Status>(client)) last = message.share;
    return last == 100.0;
  }));
  rig.io->stop();
  const std::string json = rig.io->statistics_json();
  const std::string sent = json.substr(json.find("\"sent\""));
  const double left = sample::number_in(sent, "frames", "\"Status\""),
               superseded = sample::number_in(sent, "superseded", "\"Status\"");
  CHECK(left + superseded == 31.0);  // at once, then every 10 ms
  // The cycle told is the time that was seen to pass between frames, and no more of it than has passed.
  if (left > 1.0)
    CHECK(sample::number_in(sent, "mean_cycle_us", "\"Status\"") * (left - 1.0) <=
          static_cast<double>((takt::wall_now() - begin).ns()) / 1e3);
  CHECK(left >= 1.0);
}

TEST_CASE("a full ring drops and counts") {
  Rig rig;
  const auto events = [&](const std::string& name) { return sample::number_in(rig.io->statistics_json(), name); };
  for (int k = 0; k < 40'000; ++k) {
    rig.memory.alarm = k % 2;
    rig.publish();
  }
  rig.io->stop();
  const std::string json = rig.io->statistics_json();
  const std::string sent = json.substr(json.find("\"sent\""));
  double taken = 0;
  for (std::size_t at = sent.find("\"message\""); at != std::string::npos; at = sent.find("\"message\"", at + 1)) {
    const std::string message = sent.substr(at, sent.find('}', at) - at);
    if (message.find("\"rest\"") != std::string::npos) continue;  // not by the ring
    taken += sample::number_in(message, "frames") + sample::number_in(message, "superseded");
  }
  // 40000 alarms, 4001 Status, 2 x 2001 Pages, 1 Gated
  CHECK(taken + events("dropped_send_ring") == 48'004.0);
}

TEST_CASE("safe outputs are sent before an orderly exit") {
  Rig rig;
  auto client = rig.client();
  wake(client);
  rig.memory.t = 400;
  double temperature = 0;
  REQUIRE(eventually([&] {
    rig.publish();
    for (const auto& message : heard<bus::Status>(client)) temperature = message.temperature;
    return temperature == Approx(126.85).margin(0.06);
  }));
  rig.io->publish_safe(rig.now);
  REQUIRE(eventually([&] {
    for (const auto& message : heard<bus::Status>(client)) temperature = message.temperature;
    return temperature == -40.0;
  }));
}
