// What the plant sends; see sample_rig_on_bus.hpp.
#include "tests/runtime/io/sample_rig_on_bus.hpp"

using namespace sample_rig;
namespace bus = takt::rig::bus_can0;

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
