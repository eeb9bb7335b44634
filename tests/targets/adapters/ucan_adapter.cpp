// ucan_adapter FUNCTION_FS FUNCTION_FS   two USB adapters of protocol UCAN, joined by a wire, for the Linux driver
// ucan. Its driver can restart a controller that is bus-off. Commands on standard input, answers on standard output,
// log on standard error (README.md). Protocol: the comments of the driver, drivers/net/can/usb/ucan.c; little-endian.
#include <linux/can.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

#include "tests/targets/adapters/error_frame.hpp"
#include "tests/targets/adapters/function_fs.hpp"
#include "tests/targets/adapters/wire.hpp"

namespace takt::adapters {
namespace {

enum class Command : std::uint8_t { start = 0, stop = 1, reset = 4, get = 5, set_bit_timing = 7, restart = 8 };
constexpr std::uint16_t get_info = 0;  // value of Command::get; any other asks for the version of the protocol
constexpr std::uint32_t protocol_version = 3;
constexpr std::uint16_t mode_listen_only = 1U << 1, mode_bus_errors = 1U << 4;

#pragma pack(push, 1)
struct Info {
  std::uint32_t clock_hz;
  std::uint8_t fifo, jump_width_max, segment1_min, segment1_max, segment2_min, segment2_max;
  std::uint16_t prescaler_step;
  std::uint32_t prescaler_min, prescaler_max;
  std::uint16_t modes, filters, mailboxes;
};

struct BitTiming {
  std::uint32_t quantum_ns;
  std::uint16_t prescaler, sample_point;
  std::uint8_t propagation, phase1, phase2, jump_width;
};

/// Of a frame: followed by its identifier and its data, which end with the message; a remote frame has its length as
/// only byte.
struct MessageHeader {
  std::uint16_t length;
  std::uint8_t type;     // to the host 1: sent, 2: received
  std::uint8_t subtype;  // of a frame to send: the driver's number, returned once sent
};
#pragma pack(pop)
static_assert(sizeof(Info) == 26 && sizeof(BitTiming) == 12 && sizeof(MessageHeader) == 4);

constexpr Info info{.clock_hz = 48'000'000,
                    .fifo = 10,
                    .jump_width_max = 4,
                    .segment1_min = 1,
                    .segment1_max = 16,
                    .segment2_min = 1,
                    .segment2_max = 8,
                    .prescaler_step = 1,
                    .prescaler_min = 1,
                    .prescaler_max = 1024,
                    .modes = mode_listen_only | mode_bus_errors,
                    .filters = 0,
                    .mailboxes = 0};

template <typename T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

/// The frames of the wire are messages to the adapter: header, identifier, data.
class UcanHost final : public Host {
 public:
  UcanHost(int to_host_0, int to_host_1) : outboxes_{Outbox(to_host_0), Outbox(to_host_1)} {}

  void forget(int channel) { outboxes_[channel].clear(); }

  void sent(int channel, std::string_view frame, Instant) override { put_done(channel, frame, 1); }
  void discarded(int channel, std::string_view frame) override { put_done(channel, frame, 0); }

  void received(int channel, std::string_view frame, Instant) override {
    put(channel, 2, std::string(frame.substr(sizeof(MessageHeader))));
  }

  void state_changed(int channel, State state, Counters counters) override {
    const bool off = state == State::bus_off;
    put_error(channel, off ? CAN_ERR_BUSOFF : CAN_ERR_CRTL, state_detail(state, counters), off ? Counters{} : counters);
  }

  void not_acknowledged(int channel, Counters counters) override {
    put_error(channel, CAN_ERR_PROT | CAN_ERR_BUSERROR | CAN_ERR_ACK, 0, counters);
  }

 private:
  void put(int channel, std::uint8_t type, std::string content) {
    const auto length = static_cast<std::uint16_t>(sizeof(MessageHeader) + content.size());
    outboxes_[channel].put(bytes_of(MessageHeader{.length = length, .type = type, .subtype = 0}) + content);
  }

  void put_done(int channel, std::string_view frame, std::uint8_t success) {
    put(channel, 1, bytes_of(frame[offsetof(MessageHeader, subtype)]) + bytes_of(success));
  }

  void put_error(int channel, canid_t error, std::uint8_t detail, Counters counters) {
    const std::uint8_t data[CAN_ERR_DLC] = {0,
                                            detail,
                                            0,
                                            0,
                                            0,
                                            0,
                                            static_cast<std::uint8_t>(counters.transmit),
                                            static_cast<std::uint8_t>(counters.receive)};
    put(channel, 2, bytes_of(CAN_ERR_FLAG | error) + bytes_of(data));
  }

  Outbox outboxes_[2];
};

class Adapters {
 public:
  Adapters(const EndPoints& first, const EndPoints& second)
      : points_{first, second}, host_(first.to_host, second.to_host) {}

  [[noreturn]] void run() {
    for (const int channel : {0, 1}) {
      std::thread([this, channel] { send_frames(channel); }).detach();
      std::thread([this, channel] { obey_driver(channel); }).detach();
    }
    std::thread([this] { obey_input(wire_); }).detach();
    log("ready");
    wire_.carry(host_);
  }

 private:
  void send_frames(int channel) {
    char buffer[512];
    for (;;) {
      const ssize_t size = read(points_[channel].from_host, buffer, sizeof buffer);
      if (size < static_cast<ssize_t>(sizeof(MessageHeader) + sizeof(canid_t))) {
        usleep(1000);  // the device is not configured yet
        continue;
      }
      wire_.send(channel, std::string(buffer, static_cast<std::size_t>(size)));
    }
  }

  [[noreturn]] void obey_driver(int channel) {
    const int control = points_[channel].control;
    for (;;) {
      const usb_ctrlrequest request = next_request(control);
      if ((request.bRequestType & USB_DIR_IN) != 0) {
        const std::string answer = request.wValue == get_info ? bytes_of(info) : bytes_of(protocol_version);
        if (write(control, answer.data(), std::min<std::size_t>(answer.size(), request.wLength)) < 0)
          std::perror("answer");
        continue;
      }
      char buffer[128]{};
      if (request.wLength > sizeof buffer || read(control, buffer, request.wLength) < 0) std::perror("request");
      obey(channel, static_cast<Command>(request.bRequest), buffer);
    }
  }

  void obey(int channel, Command command, const char* content) {
    switch (command) {
      case Command::start:
        wire_.start(channel);
        break;
      case Command::stop:
        wire_.stop(channel);
        host_.forget(channel);
        break;
      case Command::restart:
        wire_.restart(channel);
        break;
      case Command::set_bit_timing: {
        BitTiming timing;
        std::memcpy(&timing, content, sizeof timing);
        char line[160];
        std::snprintf(line, sizeof line, "channel %d bit_timing prop %u phase1 %u phase2 %u sjw %u brp %u clock %u",
                      channel, timing.propagation, timing.phase1, timing.phase2, timing.jump_width, timing.prescaler,
                      info.clock_hz);
        log(line);
        break;
      }
      default:  // reset follows a stop
        break;
    }
  }

  EndPoints points_[2];
  UcanHost host_;
  Wire wire_;
};

}  // namespace
}  // namespace takt::adapters

int main(int count, char** words) {
  if (count != 3) {
    std::fputs("usage: ucan_adapter FUNCTION_FS FUNCTION_FS\n", stderr);
    return 2;
  }
  using takt::adapters::open_function;
  takt::adapters::Adapters(open_function(words[1]), open_function(words[2])).run();
}
