// The port with a real socket at its other end. No test asserts a duration: they wait until something has happened.
#include "runtime/io/udp/udp_port.hpp"

#include <catch2/catch.hpp>
#include <ctime>
#include <functional>
#include <regex>

#include "runtime/io/udp/field.hpp"
#include "runtime/io/udp/udp_socket.hpp"
#include "runtime/io/udp/wire_side.hpp"
#include "runtime/plant/wall_clock.hpp"
#include "tests/runtime/io/udp/sample_udp.hpp"

using namespace takt::udp;

namespace {

bool eventually(const std::function<bool()>& done) {
  for (int k = 0; k < 4000; ++k) {
    if (done()) return true;
    const timespec pause{0, 2'500'000};
    nanosleep(&pause, nullptr);
  }
  return false;
}

/// A port that the system has free.
UdpSocket socket_to(std::uint16_t port) { return UdpSocket({"test", "lo", 0, {0x7F000001, port}}); }

struct Rig {
  Rig() : peer_text(text(socket_to(9).own())) {
    bus[0] = sample_udp::bus(peer_text.c_str());
    port = std::make_unique<UdpPort>(plant, bus, takt::IoOptions{.paced = true, .overrides = {}});
    port->start();
    const std::string told = port->events().at(0).text;  // "lab: UDP 127.0.0.1:PORT, peer ..."
    own_port = static_cast<std::uint16_t>(std::stoi(told.substr(told.find(':', 5) + 1)));
    peer = std::make_unique<UdpSocket>(Endpoint{"test", "lo", read_address(peer_text)->port, {0x7F000001, own_port}});
  }
  ~Rig() { port->stop(); }
  void step() {
    now += takt::SimDuration{1'000'000};
    port->latch(now, takt::wall_now(), inputs);
    port->publish(now, takt::wall_now(), reinterpret_cast<const std::byte*>(&memory));
  }
  static std::vector<std::uint8_t> mode(std::uint8_t counter, std::int16_t value) {
    std::vector<std::uint8_t> bytes{0x43, 0x54, counter, 0, 0};
    store_bits(static_cast<std::uint16_t>(value), bytes.data() + 3, 2, false);
    return bytes;
  }

  std::string peer_text;
  takt::PlantDescription plant = sample_udp::describe();
  std::array<BusPlan, 1> bus;
  std::unique_ptr<UdpPort> port;
  std::uint16_t own_port = 0;
  std::unique_ptr<UdpSocket> peer;
  std::array<double, sample_udp::inputs> inputs = sample_udp::start_values();
  sample_udp::Memory memory{.level = 9, .w = 3};
  takt::SimTime now;
};

bool has(const std::vector<takt::IoEvent>& events, const std::string& text) {
  return std::any_of(events.begin(), events.end(),
                     [&](const auto& event) { return event.text.find(text) != std::string::npos; });
}

}  // namespace

TEST_CASE("numbers go both ways over the loopback") {
  Rig rig;
  std::uint8_t counter = 0;
  CHECK(eventually([&] {
    (void)rig.peer->send(Rig::mode(counter++, -321));
    rig.step();
    return rig.inputs[sample_udp::mode] == -321.0;
  }));
  std::vector<std::uint8_t> frame;
  CHECK(eventually([&] {
    rig.step();
    for (const Datagram& datagram : rig.peer->receive()) frame.assign(datagram.data().begin(), datagram.data().end());
    return !frame.empty();
  }));
  REQUIRE(frame.size() == 18);
  CHECK(value_of(load_bits(frame.data() + 10, 4, false), FieldType::f32) == 2.5);
  CHECK(frame[14] == 9);
}

TEST_CASE("another sender, another length and a silent frame are told by name") {
  Rig rig;
  UdpSocket stranger = socket_to(rig.own_port);
  for (std::uint8_t k = 0; k < 20; ++k) {
    (void)stranger.send(Rig::mode(k, 1));
    (void)rig.peer->send(std::vector<std::uint8_t>(k == 0 ? 22 : 3));
  }
  std::array<takt::BusCounts, 1> unused;
  (void)unused;
  CHECK(eventually([&] {
    rig.step();
    return has(rig.port->events(), "Command not seen within");
  }));
  rig.port->stop();
  const auto events = rig.port->events();
  CHECK(has(events, "20 datagrams of another sender (127.0.0.1:" + std::to_string(stranger.own().port) + ")"));
  CHECK(
      has(events, "20 datagrams of a wrong length (the first of 22 bytes) were not taken: Command has 21, Mode has 5"));
  CHECK(rig.inputs[sample_udp::torque] == -1.0);
  const auto findings = rig.port->findings();
  REQUIRE(!findings.empty());
  CHECK((std::string(findings[0].code) == "X045" && findings[0].text.find("Command, Mode") != std::string::npos));
}

TEST_CASE("a frame that its sender never sends only times out; one that came once, and a long one, are told") {
  for (const std::size_t bytes : {std::size_t{0}, sample_udp::receive[0].length + std::size_t{0}, most_bytes + 100}) {
    Rig rig;
    if (bytes > 0) (void)rig.peer->send(std::vector<std::uint8_t>(bytes));
    std::uint8_t counter = 0;
    CHECK(eventually([&] {  // what was sent before has come by then, too
      (void)rig.peer->send(Rig::mode(counter++, -321));
      rig.step();
      return rig.inputs[sample_udp::mode] == -321.0;
    }));
    rig.port->stop();
    const auto findings = rig.port->findings();
    INFO(bytes << " bytes");
    CHECK(std::any_of(findings.begin(), findings.end(),
                      [](const auto& finding) { return finding.code == std::string("X045"); }) == (bytes > 0));
    CHECK(has(rig.port->events(), "Command came once") == (bytes == sample_udp::receive[0].length));
    CHECK(has(rig.port->events(), "the first of more than 1472 bytes") == (bytes > most_bytes));
    CHECK(rig.port->problem().empty());
  }
}

TEST_CASE("what the system does not take is told with its reason, and fails the run where nothing has left") {
  const sample_udp::Memory memory{};
  const std::array<BusPlan, 1> bus{sample_udp::bus("127.255.255.255:9")};  // a broadcast, which nobody has permitted
  UdpPort port(sample_udp::describe(), bus, takt::IoOptions{.paced = true, .overrides = {}});
  port.start();
  port.publish(takt::SimTime{}, takt::wall_now(), reinterpret_cast<const std::byte*>(&memory));
  port.stop();
  CHECK(has(port.events(), "State: 1 frames that the system did not take (Permission denied)"));
  CHECK(port.problem() == "bus lab: no frame of State has left: Permission denied");
}

TEST_CASE("a coarse grid has room for all that is sent between two of its steps") {
  BusPlan bus = sample_udp::bus("127.0.0.1:1");
  bus.grid_ns = 100'000'000;
  WireSide wire(bus, {});
  std::size_t rows = 0;
  for (; wire.to_send(0).begin() != nullptr; wire.to_send(0).push()) ++rows;
  CHECK(rows >= 100);  // two steps of 100 ms, a frame every 2 ms
}

TEST_CASE("a port in use, an interface that is not there and wrong settings are refused with the reason") {
  Rig rig;
  const auto second = [&](std::vector<std::pair<std::string, std::string>> overrides) {
    return std::make_unique<UdpPort>(rig.plant, rig.bus, takt::IoOptions{.paced = true, .overrides = overrides});
  };
  const std::string taken = std::to_string(rig.own_port);
  CHECK_THROWS_WITH(second({{"lab.port", taken}})->start(), Catch::Contains("another program has the port"));
  CHECK_THROWS_WITH(second({{"lab.interface", "none0"}})->start(),
                    Catch::Contains("no interface 'none0'") && Catch::Contains("it has lo"));
  CHECK_THROWS_WITH(second({{"lab.peer", "192.0.2.1:7"}})->start(), Catch::Contains("not on the interface lo"));
  CHECK_THROWS_WITH(second({{"lab.port", "70000"}}), Catch::Contains("0 to 65535"));
  CHECK_THROWS_WITH(second({{"lab.peer", "224.0.0.1:7"}}), Catch::Contains("one address with its port"));
  CHECK_THROWS_WITH(second({{"lap.port", "1"}}), Catch::Contains("no bus of this name"));
  CHECK_THROWS_WITH(second({{"lab.send.Stat", "drop"}}), Catch::Contains("lab.send.State"));
  CHECK_THROWS_WITH(second({{"lab.send.State", "drup"}}), Catch::Contains("drop, delay 20 ms, freeze"));
  CHECK_THROWS_WITH(second({{"lab.bus", "babble"}}), Catch::Contains("cut"));
  CHECK(make_udp_port(rig.plant, rig.bus, {.paced = false, .overrides = {}}) == nullptr);
}

TEST_CASE("a bus that is cut carries nothing, and what comes before the start is thrown away") {
  Rig rig;
  const auto faults = rig.port->outside_faults();
  REQUIRE(faults.size() == 4);
  CHECK(faults.back().path == "lab.bus");
  CHECK(faults[0].text(nullptr, faults[0].pack(nullptr, "drop x5")) == "drop x5");
  rig.port->disturb(3, faults[3].pack(nullptr, "cut"));
  for (std::uint8_t k = 0; k < 50; ++k) (void)rig.peer->send(Rig::mode(k, 77));
  CHECK(eventually([&] {
    rig.step();
    return has(rig.port->events(), "not seen within");
  }));
  CHECK(rig.inputs[sample_udp::mode] == 4.0);
  CHECK(rig.peer->receive().empty());
  rig.port->stop();
  CHECK(std::regex_search(rig.port->statistics_json(), std::regex("\"frames_lost_by_cut\":[1-9]")));
}
