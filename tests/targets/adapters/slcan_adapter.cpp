// slcan_adapter   two serial CAN adapters (LAWICEL's ASCII protocol) joined by a wire, for the Linux driver slcan: two
// pseudo-terminals with its line discipline. Commands on standard input, answers on standard output, log on standard
// error (README.md). Protocol: the comments of the driver, drivers/net/can/slcan/slcan-core.c.
#include <fcntl.h>
#include <linux/tty.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tests/targets/adapters/wire.hpp"

namespace takt::adapters {
namespace {

constexpr std::array<unsigned, 9> bit_rates = {10'000,  20'000,  50'000,  100'000,  125'000,
                                               250'000, 500'000, 800'000, 1'000'000};  // S0 to S8

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

/// The computer's end has the line discipline, which makes the interface; it stays open. Returns the adapter's end.
int make_terminal(int channel) {
  const int adapter = posix_openpt(O_RDWR | O_NOCTTY);
  if (adapter < 0 || grantpt(adapter) < 0 || unlockpt(adapter) < 0) fail("pseudo-terminal");
  const int computer = open(ptsname(adapter), O_RDWR | O_NOCTTY);
  if (computer < 0) fail("its other end");
  termios settings{};
  tcgetattr(computer, &settings);
  cfmakeraw(&settings);
  tcsetattr(computer, TCSANOW, &settings);
  const int discipline = N_SLCAN;
  if (ioctl(computer, TIOCSETD, &discipline) < 0) fail("line discipline slcan");
  char interface[IFNAMSIZ];
  if (ioctl(computer, SIOCGIFNAME, interface) < 0) fail("name of the interface");
  log("channel " + std::to_string(channel) + " interface " + interface);
  return adapter;
}

/// The frames of the wire are lines of the protocol, with their carriage return.
class SlcanHost final : public Host {
 public:
  explicit SlcanHost(const std::array<int, 2>& terminals) : terminals_(terminals) {}

  void sent(int, std::string_view, Instant) override {}  // the protocol has no such message

  void received(int channel, std::string_view frame, Instant) override { write_line(channel, frame); }

  void state_changed(int channel, State state, Counters counters) override {
    char line[16];
    std::snprintf(line, sizeof line, "s%c%03u%03u\r", "awpb"[static_cast<std::size_t>(state)], counters.receive % 1000,
                  counters.transmit % 1000);
    write_line(channel, line);
  }

  void not_acknowledged(int channel, Counters) override { write_line(channel, "e1a\r"); }

 private:
  void write_line(int channel, std::string_view line) {
    if (write(terminals_.at(static_cast<std::size_t>(channel)), line.data(), line.size()) < 0) std::perror("terminal");
  }

  std::array<int, 2> terminals_;
};

void obey_driver(Wire& wire, int channel, const std::string& line) {
  const std::string name = "channel " + std::to_string(channel);
  switch (line[0]) {
    case 't':
    case 'T':
    case 'r':
    case 'R':
      wire.send(channel, line + "\r");
      break;
    case 'S': {
      const auto index = static_cast<std::size_t>(line.size() > 1 ? line[1] - '0' : -1);
      log(name + " bit_rate " + (index < bit_rates.size() ? std::to_string(bit_rates[index]) : "unknown") + " by " +
          line);
      break;
    }
    case 'O':
    case 'L':
      wire.start(channel);
      break;
    case 'C':
      wire.stop(channel);
      break;
    default:
      log(name + " ignored " + line);
  }
}

void read_lines(Wire& wire, int channel, int terminal) {
  std::string line;
  for (char letter; read(terminal, &letter, 1) == 1;) {
    if (letter != '\r') {
      line += letter;
      continue;
    }
    if (!line.empty()) obey_driver(wire, channel, line);
    line.clear();
  }
}

}  // namespace
}  // namespace takt::adapters

int main() {
  using namespace takt::adapters;
  const std::array<int, 2> terminals = {make_terminal(0), make_terminal(1)};
  Wire wire;
  SlcanHost host(terminals);
  for (int channel = 0; channel < 2; ++channel) {
    std::thread([&, channel] { read_lines(wire, channel, terminals.at(static_cast<std::size_t>(channel))); }).detach();
  }
  std::thread([&] { obey_input(wire); }).detach();
  log("ready");
  wire.carry(host);
}
