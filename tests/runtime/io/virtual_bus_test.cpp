#include "runtime/io/can/virtual_bus.hpp"

#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <memory>
#include <string>
#include <vector>

using namespace takt::can;
using takt::WallDuration;
using takt::WallTime;

namespace {

Frame frame(std::uint32_t id, std::initializer_list<std::uint8_t> data) {
  Frame f;
  f.id = id;
  for (const auto byte : data) f.data[f.len++] = byte;
  return f;
}

/// The other end of a connection.
class Peer {
 public:
  explicit Peer(VirtualBus& bus) : bus_(bus) {
    std::array<int, 2> pair{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) == 0);
    bus_.adopt(pair[0]);
    socket_ = pair[1];
  }
  ~Peer() { leave(); }
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;
  void leave() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
  }
  void write(std::string_view text) const {
    REQUIRE(::send(socket_, text.data(), text.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(text.size()));
  }
  /// After some steps of the bus.
  void say(std::string_view text) const {
    write(text);
    for (int k = 0; k < 4; ++k) bus_.wait({});
  }
  [[nodiscard]] std::string read() const {
    bus_.wait({});
    std::array<char, 4096> bytes{};
    const auto size = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
    return std::string(bytes.data(), size > 0 ? static_cast<std::size_t>(size) : 0U);
  }
  /// All that comes until the end of the stream; "broken": it had none.
  [[nodiscard]] std::string rest() const {
    std::string all;
    for (std::array<char, 4096> bytes{};;) {
      const auto size = ::recv(socket_, bytes.data(), bytes.size(), 0);
      if (size <= 0) return size == 0 ? all : "broken";
      all.append(bytes.data(), static_cast<std::size_t>(size));
    }
  }
  [[nodiscard]] bool is_ended() const {
    std::array<char, 4096> bytes{};
    for (;;) {
      const auto size = ::recv(socket_, bytes.data(), bytes.size(), MSG_DONTWAIT);
      if (size <= 0) return size == 0 || errno == ECONNRESET;
    }
  }

 private:
  VirtualBus& bus_;
  int socket_ = -1;
};

std::vector<Frame> received(VirtualBus& bus) {
  std::vector<Frame> all;
  for (Frame f; bus.receive(f);) all.push_back(f);
  return all;
}

std::uint64_t counter(const VirtualBus& bus, std::string_view name) {
  for (const auto& [key, value] : bus.counters())
    if (key == name) return value;
  FAIL("no counter " << name);
  return 0;
}

constexpr const char* socketcand_start = "< open vbus >< rawmode >< send 7FF 0 >";

}  // namespace

TEST_CASE("clients of the virtual bus see the bus and each other, but not themselves") {
  VirtualBus bus({.channel = "vbus"});
  const Peer first(bus), second(bus);
  for (const auto* peer : {&first, &second}) peer->say(socketcand_start);
  (void)first.read(), (void)second.read(), (void)received(bus);
  first.say("< send 111 1 A >");
  const auto heard = received(bus);
  REQUIRE(heard.size() == 1);
  CHECK((heard[0].id == 0x111 && heard[0].data[0] == 0xA && heard[0].stamp > WallTime{}));
  CHECK(first.read().empty());
  CHECK(second.read().starts_with("< frame 111 "));
  CHECK(bus.send(frame(0x222, {1})));
  CHECK(first.read().starts_with("< frame 222 "));
  CHECK(second.read().starts_with("< frame 222 "));
}

TEST_CASE("a client that goes away harms nobody, and what it has sent counts") {
  VirtualBus bus({.channel = "vbus"});
  Peer first(bus);
  const Peer second(bus);
  second.say(socketcand_start);
  (void)second.read(), (void)received(bus);
  first.write(std::string(socketcand_start).append("< send 111 0 >< send 1"));  // killed in the middle of a line
  first.leave();
  for (int k = 0; k < 8; ++k) bus.wait({});
  CHECK(received(bus).size() == 2);
  CHECK(bus.send(frame(0x223, {1})));
  CHECK(second.read().find("< frame 223 ") != std::string::npos);
  CHECK(bus.clients().at(0).end == std::string("left"));
}

TEST_CASE("what a client has sent before it left counts, though it takes nothing any more") {
  VirtualBus bus({.channel = "vbus"});
  Peer first(bus);
  first.say("O\r");
  std::string many;
  for (int k = 0; k < 100; ++k) many += "t0010\r";
  first.write(many);
  first.leave();
  for (int k = 0; k < 20; ++k) {
    (void)bus.send(frame(0x223, {1}));  // the first one finds the connection closed
    bus.wait({});
  }
  CHECK(received(bus).size() == 100);
  CHECK(bus.clients().at(0).frames_from == 100);
}

TEST_CASE("both protocols share one bus and one port; frames that a protocol lacks are counted by client") {
  VirtualBus bus({.channel = "vbus"});
  const Peer text(bus), serial(bus);
  text.say(socketcand_start);
  serial.say("C\rS6\rO\r");
  CHECK(serial.read() == "< hi >\r\r\r\r");
  (void)text.read(), (void)received(bus);
  text.say("< send 111 1 A >");
  CHECK(serial.read() == "t11110A\r");
  serial.say("t22210B\r");
  CHECK(text.read().starts_with("< frame 222 "));
  Frame fd = frame(0x333, {1, 2});
  fd.fd = true, fd.brs = true;
  CHECK(bus.send(fd));
  CHECK(serial.read() == "b33320102\r");
  CHECK(text.read().empty());
  serial.say("d44410C\r");  // from a client to the plant, and not to the other one
  CHECK(received(bus).back().fd);
  CHECK(text.read().empty());
  const auto clients = bus.clients();
  REQUIRE(clients.size() == 2);
  CHECK((clients[0].protocol == std::string("socketcand") && clients[0].not_carried == 2));
  CHECK((clients[1].protocol == std::string("slcan") && clients[1].not_carried == 0 && clients[1].frames_to == 2));
  CHECK(counter(bus, "frames_not_carried_to_clients") == 2);
  REQUIRE(bus.remarks().size() == 1);
  CHECK(bus.remarks()[0].starts_with("client 1 has not got 2 CAN FD frames"));
}

TEST_CASE("whoever does not speak a protocol of the bus is out at once") {
  VirtualBus bus({.channel = "vbus"});
  for (const char* first :
       {"POST / HTTP/1.1\r\n\r\n< open vbus >< rawmode >< send 110 1 1 >", "OPTIONS / HTTP/1.1\r\nO\rt1000\r",
        "GET / HTTP/1.1\r\n", " < open vbus >", "\x16\x03\x01", "<<< open vbus >< rawmode >< send 110 0 >"}) {
    INFO(first);
    const Peer peer(bus);
    peer.say(first);
    CHECK(peer.is_ended());
  }
  CHECK(received(bus).empty());
  CHECK(counter(bus, "clients_ended_not_the_protocol") == 6);
  CHECK(bus.clients().at(0).protocol == std::string("none"));
}

TEST_CASE("an ended connection ends for the client though another process has it, too") {
  VirtualBus bus({.channel = "vbus"});
  int kept = -1;
  bus.pass_on([&](int socket, bool speaks_slcan) {
    CHECK(speaks_slcan);
    kept = ::dup(socket);
    return true;
  });
  const Peer peer(bus);
  peer.say("O\r");
  REQUIRE(kept >= 0);
  peer.say("t" + std::string(1000, '0'));
  CHECK(peer.is_ended());
  ::close(kept);
}

TEST_CASE("who does not open the bus in time makes room for others") {
  const auto patience = VirtualClient::patience;
  for (const char* said : {"", "< echo >"}) {
    std::array<int, 2> pair{};
    REQUIRE(::socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) == 0);
    VirtualClient client(pair[0], 1, {.channel = "vbus", .token = ""}, WallTime{0});
    (void)::send(pair[1], said, std::string_view(said).size(), MSG_NOSIGNAL);
    std::optional<Frame> frame;
    if (client.read() > 0) CHECK(client.serve(WallTime{0}, frame));
    client.flush(WallTime{0} + patience);
    CHECK_FALSE(client.is_over());
    client.flush(WallTime{0} + patience + WallDuration{1});
    CHECK((client.is_over() && client.why() == VirtualClient::End::not_opened));
    ::close(pair[1]);
  }
}

TEST_CASE("connections that do not open the bus take no seats, and give way to those who come") {
  VirtualBus bus({.channel = "vbus", .token = "secret-1"});
  std::vector<std::unique_ptr<Peer>> idle;
  for (std::size_t k = 0; k < VirtualBus::max_waiting; ++k) idle.push_back(std::make_unique<Peer>(bus));
  const Peer good(bus);
  good.say("< open vbus/secret-1 >< rawmode >< send 1 0 >");
  CHECK(received(bus).size() == 1);
  for (const auto& peer : idle) peer->say("< echo >");
  CHECK(bus.kept_out() == 0);
  CHECK(counter(bus, "most_messages_per_grid") <= messages_per_grid(WallDuration{1'000'000}));
}

TEST_CASE("who finds no seat is refused before any of its frames is taken") {
  VirtualBus bus({.channel = "vbus"});
  std::vector<std::unique_ptr<Peer>> seated;
  for (std::size_t k = 0; k < VirtualBus::max_clients; ++k) {
    seated.push_back(std::make_unique<Peer>(bus));
    seated.back()->say(k % 2 == 0 ? "O\r" : "< open vbus >");
  }
  const Peer late(bus), late_slcan(bus);
  late.say("< open vbus >< rawmode >< send 1 0 >");
  late_slcan.say("O\rt0010\r");
  CHECK((late.is_ended() && late_slcan.is_ended() && received(bus).empty()));
  CHECK(counter(bus, "clients_refused") == 2);
  CHECK(bus.kept_out() == 2);
  seated.pop_back();
  for (int k = 0; k < 4; ++k) bus.wait({});
  const Peer next(bus);
  next.say("O\rt0010\r");
  CHECK(received(bus).size() == 1);
}

TEST_CASE("who does not open within some messages is out") {
  VirtualBus bus({.channel = "vbus"});
  const Peer peer(bus);
  for (std::size_t k = 0; k <= VirtualClient::waiting_messages; ++k) peer.say("< echo >");
  CHECK(peer.is_ended());
  CHECK(counter(bus, "clients_ended_not_opened") == 1);
}

TEST_CASE("a bus that ends closes in order: clients get what waits for them, and the end of the stream") {
  auto bus = std::make_unique<VirtualBus>(VirtualBusSettings{.channel = "vbus"});
  const Peer peer(*bus);
  peer.say("O\r");
  (void)peer.read();
  std::string many;
  for (int k = 0; k < 2000; ++k) many += "t0010\r";
  peer.write(many);  // more than the bus takes in a step
  bus->wait({});
  CHECK(bus->send(frame(0x222, {1})));
  bus->finish();
  bus.reset();
  CHECK(peer.rest() == "t222101\r");
}

TEST_CASE("a bus with a token takes nobody without it") {
  VirtualBus bus({.channel = "vbus", .token = "secret-1"});
  const Peer text(bus), serial(bus), wrong_text(bus), wrong_serial(bus);
  wrong_text.say("< open vbus >< rawmode >< send 110 0 >");
  wrong_serial.say("C\rO\rt1100\r");
  CHECK((wrong_text.is_ended() && wrong_serial.is_ended() && received(bus).empty()));
  text.say("< open vbus/secret-1 >< rawmode >< send 1 0 >");
  serial.say("C\rssecret-1\rO\rt0020\r");
  CHECK(received(bus).size() == 2);
  CHECK(counter(bus, "clients_ended_without_token") == 2);
}

TEST_CASE("what clients send is taken in turns, and no more per step than a bus carries") {
  VirtualBus bus({.channel = "vbus", .grid = WallDuration{500'000}});
  const std::size_t most = messages_per_grid(WallDuration{500'000});
  CHECK(most == 16);
  const Peer flood(bus), other_flood(bus), good(bus);
  for (const auto* peer : {&flood, &other_flood, &good}) peer->say("O\r");
  std::string many;
  for (int k = 0; k < 500; ++k) many += "t0010\r";
  flood.write(many), other_flood.write(many);
  good.write("t0020\r");
  bus.wait({});
  auto step = received(bus);
  CHECK(step.size() == most);
  CHECK(std::any_of(step.begin(), step.end(), [](const Frame& f) { return f.id == 2; }));
  std::size_t all = step.size();
  for (int k = 0; k < 200; ++k) {
    bus.wait({});
    step = received(bus);
    CHECK(step.size() <= most);
    all += step.size();
  }
  CHECK(all == 1001);  // who sends more waits, nothing is lost
  CHECK(counter(bus, "most_messages_per_grid") == most);
  CHECK(counter(bus, "most_bytes_per_grid") <= counter(bus, "limit_bytes_per_grid"));
}

TEST_CASE("the limit of messages follows the grid") {
  CHECK(messages_per_grid(WallDuration{50'000}) == 4);
  CHECK(messages_per_grid(WallDuration{1'000'000}) == 32);
  CHECK(messages_per_grid(WallDuration{100'000'000}) == 3200);
}
