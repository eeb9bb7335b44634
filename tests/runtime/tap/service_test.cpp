// The processes beside a plant, and what they do where one of them dies, hangs or is given garbage.

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "runtime/tap/server.hpp"
#include "runtime/tap/tap.hpp"
#include "tests/runtime/support/two_bodies.hpp"
#include "tests/runtime/tap/test_sink.hpp"

using namespace takt;
using Json = nlohmann::json;
namespace fs = std::filesystem;

namespace {

bool eventually(auto&& condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

std::vector<pid_t> children_of(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(process) + "/children");
  std::vector<pid_t> found;
  for (pid_t child = 0; file >> child;) found.push_back(child);
  return found;
}

/// A folder with a path longer than a socket's address, a tap in it, and a plant that goes on.
struct Bench {
  fs::path folder = fs::temp_directory_path() / ("takt_tap_" + std::to_string(::getpid())) / std::string(100, 'd');
  test::TwoBodies<> bodies;
  PlantDescription plant = bodies.description();
  SystemClock clock;
  test::TestSink sink;
  std::optional<Tap> tap;
  std::atomic<bool> ends{false};
  std::atomic<std::int64_t> time_ns{0};
  std::thread runs;

  Bench() {
    fs::create_directories(folder);
    tap.emplace(plant, Tap::Place{.directory = folder, .paced = true});
    TapPort& port = tap->open(plant, clock, {.paced = true});
    tap->wait_until_open();
    runs = std::thread([this, &port] {
      while (!ends) {
        port.direct(sink.now, sink);
        sink.now += SimDuration{1'000'000};
        time_ns = sink.now.ns();
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    });
  }
  void finish() {
    if (!runs.joinable()) return;
    ends = true;
    runs.join();
    tap->port().end(sink.now);
    tap->end();
  }
  ~Bench() {
    finish();
    fs::remove_all(folder.parent_path());
  }
  [[nodiscard]] pid_t keeper() const {
    const auto all = children_of(::getpid());
    return all.empty() ? 0 : all.front();
  }
  [[nodiscard]] pid_t service() const {
    const auto all = children_of(keeper());
    return all.empty() ? 0 : all.front();
  }
};

struct Client {
  int socket = -1;
  std::string input;
  explicit Client(const fs::path& folder) {
    const int directory = ::open(folder.c_str(), O_PATH | O_DIRECTORY);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    const std::string path = "/proc/self/fd/" + std::to_string(directory) + "/tap";
    std::copy(path.begin(), path.end(), address.sun_path);
    socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    if (::connect(socket, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0) ::close(socket), socket = -1;
    ::close(directory);
  }
  ~Client() {
    if (socket >= 0) ::close(socket);
  }
  Client(const Client&) = delete;
  Client& operator=(const Client&) = delete;
  bool write(std::string_view text) {
    while (!text.empty()) {
      const ssize_t size = ::send(socket, text.data(), text.size(), MSG_NOSIGNAL);
      if (size <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(size));
    }
    return true;
  }
  /// @return null where the connection has been closed
  Json line() {
    std::size_t end = 0;
    while ((end = input.find('\n')) == std::string::npos) {
      char piece[4096];
      const ssize_t size = ::recv(socket, piece, sizeof piece, 0);
      if (size <= 0) return nullptr;
      input.append(piece, static_cast<std::size_t>(size));
    }
    Json json = Json::parse(input.substr(0, end));
    input.erase(0, end + 1);
    return json;
  }
  Json ask(const std::string& request) {
    write(request + "\n");
    return line();
  }
};

bool is_answered(const fs::path& folder) {
  Client client(folder);
  return client.socket >= 0 && client.ask(R"({"verb":"status"})").value("ok", false);
}

}  // namespace

TEST_CASE("the socket lies in the run directory, for its user only, and is gone after the run") {
  Bench bench;
  struct stat found {};
  REQUIRE(::stat((bench.folder / "tap").c_str(), &found) == 0);
  CHECK(S_ISSOCK(found.st_mode));
  CHECK((found.st_mode & 0777) == 0600);
  Client client(bench.folder);
  const Json answer = client.ask(R"({"id":1,"verb":"set","path":"heater","value":3})");
  CHECK(answer["ok"] == true);
  bench.finish();
  CHECK(client.line()["ended"] == true);
  CHECK(client.line() == nullptr);
  CHECK_FALSE(fs::exists(bench.folder / "tap"));
  CHECK(bench.tap->events().empty());
  CHECK(bench.sink.taken.size() == 1);
}

TEST_CASE("a service that is killed is started again, and the plant does not wait for it") {
  Bench bench;
  for (int life = 0; life < 2; ++life) {
    const pid_t service = bench.service();
    REQUIRE(service > 0);
    ::kill(service, SIGKILL);
    const std::int64_t time = bench.time_ns;
    CHECK(eventually([&] { return bench.service() > 0 && bench.service() != service && is_answered(bench.folder); }));
    CHECK(eventually([&] { return bench.time_ns > time; }));
  }
  bench.finish();
  REQUIRE(bench.tap->events().size() == 2);
  CHECK_THAT(bench.tap->events()[0].text, Catch::Contains("signal 9") && Catch::Contains("started again"));
}

TEST_CASE("a service that hangs is killed and started again") {
  Bench bench;
  const pid_t service = bench.service();
  ::kill(service, SIGSTOP);
  CHECK(eventually([&] { return bench.service() > 0 && bench.service() != service && is_answered(bench.folder); }));
  bench.finish();
  REQUIRE(bench.tap->events().size() == 1);
  CHECK_THAT(bench.tap->events()[0].text, Catch::Contains("silent for 3 s"));
}

TEST_CASE("where the keeper dies, so does its service; the plant goes on and tells it in the end") {
  Bench bench;
  const pid_t keeper = bench.keeper(), service = bench.service();
  ::kill(keeper, SIGKILL);
  CHECK(eventually([&] { return ::kill(service, 0) != 0; }));
  bench.finish();
  REQUIRE(bench.tap->events().size() == 1);
  CHECK_THAT(bench.tap->events()[0].text, Catch::Contains("keeper died") && Catch::Contains("signal 9"));
  CHECK_FALSE(fs::exists(bench.folder / "tap"));
}

TEST_CASE("where the plant dies, keeper and service do, and the socket goes") {
  const fs::path folder = fs::temp_directory_path() / ("takt_tap_dead_" + std::to_string(::getpid()));
  fs::create_directories(folder);
  const pid_t plant = ::fork();
  if (plant == 0) {
    test::TwoBodies<> bodies;
    Tap tap(bodies.description(), {.directory = folder});
    tap.wait_until_open();
    ::pause();
    ::_exit(0);
  }
  pid_t keeper = 0, service = 0;
  CHECK(eventually([&] {
    const auto keepers = children_of(plant);
    if (keepers.empty() || children_of(keepers[0]).empty()) return false;
    keeper = keepers[0], service = children_of(keepers[0])[0];
    return is_answered(folder);
  }));
  ::kill(plant, SIGKILL);
  (void)::waitpid(plant, nullptr, 0);
  CHECK(eventually([&] { return ::kill(keeper, 0) != 0 && ::kill(service, 0) != 0; }));
  CHECK_FALSE(fs::exists(folder / "tap"));
  fs::remove_all(folder);
}

TEST_CASE("half lines, garbage and lines without end are answered or end the connection, nothing else") {
  Bench bench;
  const pid_t service = bench.service();
  Client half(bench.folder);
  REQUIRE(half.write(R"({"id":1,"verb":)"));
  Client garbage(bench.folder);
  CHECK(garbage.ask(std::string("\x00\xff\xfe{{{{", 7))["ok"] == false);
  Client endless(bench.folder);
  const std::string flood(10'000'000, '[');
  std::thread writes([&] { (void)endless.write(flood); });
  const Json answer = endless.line();
  CHECK((answer == nullptr || answer["ok"] == false));
  while (endless.line() != nullptr) {
  }
  ::shutdown(endless.socket, SHUT_RDWR);
  writes.join();
  CHECK(half.ask(R"("status"})")["ok"] == true);
  CHECK(bench.service() == service);
}

TEST_CASE("a client that does not read holds up nobody") {
  Bench bench;
  Client lazy(bench.folder), other(bench.folder);
  REQUIRE(lazy.write("{\"verb\":\"watch\",\"path\":\"first.t\"}\n"));
  std::string requests;
  for (int k = 0; k < 20'000; ++k) requests += "{\"verb\":\"list\"}\n";
  std::thread writes([&] { (void)lazy.write(requests); });
  for (int k = 0; k < 20; ++k) CHECK(other.ask(R"({"verb":"read","path":"first.t"})")["ok"] == true);
  ::shutdown(lazy.socket, SHUT_RDWR);
  writes.join();
}

TEST_CASE("clients that ask nothing hold no seats, and their places go to those who come") {
  Bench bench;
  std::vector<std::unique_ptr<Client>> idle;
  for (std::size_t k = 0; k < TapServer::most_clients + TapServer::most_waiting; ++k)
    idle.push_back(std::make_unique<Client>(bench.folder));
  Client asks(bench.folder);
  CHECK(asks.ask(R"({"verb":"status"})")["ok"] == true);
  CHECK(asks.ask(R"({"verb":"status"})")["clients_gave_way"].get<int>() > 0);
  CHECK(eventually([&] { return idle.front()->line()["ok"] == false; }));
  bench.finish();
  const auto events = bench.tap->events();
  CHECK(std::any_of(events.begin(), events.end(),
                    [](const auto& event) { return event.text.find("asked nothing") != std::string::npos; }));
}

TEST_CASE("there are so many clients at once, and no more") {
  Bench bench;
  std::vector<std::unique_ptr<Client>> clients;
  for (std::size_t k = 0; k < TapServer::most_of_a_process; ++k) {
    clients.push_back(std::make_unique<Client>(bench.folder));
    CHECK(clients.back()->ask(R"({"verb":"status"})")["ok"] == true);
  }
  Client late(bench.folder);
  CHECK(late.ask(R"({"verb":"set","path":"heater","value":1})")["ok"] == false);
  CHECK(bench.sink.taken.empty());
  clients.pop_back();
  CHECK(eventually([&] { return is_answered(bench.folder); }));
}
