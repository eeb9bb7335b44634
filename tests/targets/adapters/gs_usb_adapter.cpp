// gs_usb_adapter FUNCTION_FS   a USB adapter with two CAN FD channels joined by a wire, for the Linux driver gs_usb.
// Every frame has a time stamp of a clock of 1 MHz. Commands on standard input, answers on standard output, log on
// standard error (README.md).
#include <linux/can.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

#include "tests/targets/adapters/error_frame.hpp"
#include "tests/targets/adapters/function_fs.hpp"
#include "tests/targets/adapters/gs_usb_protocol.hpp"
#include "tests/targets/adapters/wire.hpp"

namespace takt::adapters {
namespace {

using gs_usb::Request;

// As the CAN FD controllers of candleLight boards (Bosch M_CAN) at 80 MHz.
constexpr gs_usb::BitTimingLimits limits{.features = gs_usb::feature_listen_only | gs_usb::feature_timestamps |
                                                     gs_usb::feature_fd | gs_usb::feature_limits_fd |
                                                     gs_usb::feature_bus_errors | gs_usb::feature_state,
                                         .clock_hz = 80'000'000,
                                         .nominal = {.segment1_min = 1,
                                                     .segment1_max = 256,
                                                     .segment2_min = 1,
                                                     .segment2_max = 128,
                                                     .jump_width_max = 128,
                                                     .prescaler_min = 1,
                                                     .prescaler_max = 512,
                                                     .prescaler_step = 1},
                                         .data = {.segment1_min = 1,
                                                  .segment1_max = 32,
                                                  .segment2_min = 1,
                                                  .segment2_max = 16,
                                                  .jump_width_max = 16,
                                                  .prescaler_min = 1,
                                                  .prescaler_max = 32,
                                                  .prescaler_step = 1}};

std::uint32_t microseconds(Instant when) {
  return static_cast<std::uint32_t>(
      std::chrono::duration_cast<std::chrono::microseconds>(when.time_since_epoch()).count());
}

template <typename T>
std::string bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

template <typename T>
T from_bytes(std::string_view bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), std::min(bytes.size(), sizeof value));
  return value;
}

/// The frames of the wire are header and data, 20 or 76 bytes.
class GsUsbHost final : public Host {
 public:
  explicit GsUsbHost(int to_host) : outbox_(to_host) {}

  void use_stamps(int channel, bool yes) { stamps_[channel] = yes; }

  void sent(int, std::string_view frame, Instant when) override {
    write_frame(from_bytes<gs_usb::FrameHeader>(frame), frame, when);
  }

  void received(int channel, std::string_view frame, Instant when) override {
    auto header = from_bytes<gs_usb::FrameHeader>(frame);
    header.echo_id = gs_usb::not_an_echo;
    header.channel = static_cast<std::uint8_t>(channel);
    write_frame(header, frame, when);
  }

  // The error frames below are those of the firmware candleLight (src/can_common.c there): a bus-off carries no
  // counters.
  void state_changed(int channel, State state, Counters counters) override {
    if (state == State::bus_off) {
      write_error(channel, CAN_ERR_BUSOFF, {});
      return;
    }
    ErrorData data{};
    data.byte[1] = state_detail(state, counters);
    put_counters(data, counters);
    write_error(channel, CAN_ERR_CRTL | CAN_ERR_CNT, data);
  }

  void not_acknowledged(int channel, Counters counters) override {
    ErrorData data{};
    put_counters(data, counters);
    write_error(channel, CAN_ERR_PROT | CAN_ERR_BUSERROR | CAN_ERR_CNT | CAN_ERR_ACK, data);
  }

 private:
  struct ErrorData {
    std::uint8_t byte[CAN_ERR_DLC];
  };

  static void put_counters(ErrorData& data, Counters counters) {
    data.byte[6] = static_cast<std::uint8_t>(counters.transmit);
    data.byte[7] = static_cast<std::uint8_t>(counters.receive);
  }

  void write_error(int channel, canid_t error, const ErrorData& data) {
    const gs_usb::FrameHeader header{.echo_id = gs_usb::not_an_echo,
                                     .can_id = CAN_ERR_FLAG | error,
                                     .length_code = CAN_ERR_DLC,
                                     .channel = static_cast<std::uint8_t>(channel),
                                     .flags = 0,
                                     .reserved = 0};
    write_frame(header, bytes_of(header) + bytes_of(data), std::chrono::steady_clock::now());
  }

  void write_frame(const gs_usb::FrameHeader& header, std::string_view frame, Instant when) {
    std::string message = bytes_of(header) + std::string(frame.substr(sizeof header));
    if (stamps_[header.channel]) message += bytes_of(microseconds(when));
    outbox_.put(std::move(message));
  }

  Outbox outbox_;
  std::atomic<bool> stamps_[2]{};
};

void log_timing(int channel, const char* which, const gs_usb::BitTiming& timing) {
  char line[160];
  std::snprintf(line, sizeof line, "channel %d %s prop %u phase1 %u phase2 %u sjw %u brp %u clock %u", channel, which,
                timing.propagation, timing.phase1, timing.phase2, timing.jump_width, timing.prescaler, limits.clock_hz);
  log(line);
}

class Adapter {
 public:
  explicit Adapter(const EndPoints& points) : points_(points), host_(points.to_host) {}

  [[noreturn]] void run() {
    std::thread([this] { wire_.carry(host_); }).detach();
    std::thread([this] { send_frames(); }).detach();
    std::thread([this] { obey_input(wire_); }).detach();
    log("ready");
    for (;;) {
      const usb_ctrlrequest request = next_request(points_.control);
      if ((request.bRequestType & USB_DIR_IN) != 0) {
        answer(request);
      } else {
        accept(request);
      }
    }
  }

 private:
  void send_frames() {
    char buffer[512];
    for (;;) {
      const ssize_t size = read(points_.from_host, buffer, sizeof buffer);
      if (size < static_cast<ssize_t>(sizeof(gs_usb::FrameHeader))) {
        usleep(1000);  // the device is not configured yet
        continue;
      }
      const auto header = from_bytes<gs_usb::FrameHeader>({buffer, static_cast<std::size_t>(size)});
      // A channel in FD mode pads its classic frames to 64 bytes.
      const std::size_t length =
          sizeof header + ((header.flags & gs_usb::flag_fd) != 0 ? CANFD_MAX_DLEN : CAN_MAX_DLEN);
      std::string frame(buffer, static_cast<std::size_t>(size));
      frame.resize(length);
      wire_.send(header.channel & 1, std::move(frame));
    }
  }

  void answer(const usb_ctrlrequest& request) {
    const int channel = request.wValue & 1;
    std::string message;
    switch (static_cast<Request>(request.bRequest)) {
      case Request::device_config:
        message = bytes_of(
            gs_usb::DeviceConfig{.reserved = {}, .last_channel = 1, .software_version = 2, .hardware_version = 1});
        break;
      case Request::bit_timing_limits:
        message = bytes_of(limits).substr(0, sizeof limits - sizeof limits.data);
        break;
      case Request::bit_timing_limits_fd:
        message = bytes_of(limits);
        break;
      case Request::timestamp:
        message = bytes_of(microseconds(std::chrono::steady_clock::now()));
        break;
      case Request::state: {
        const Counters counters = wire_.counters(channel);
        const auto state = static_cast<std::uint32_t>(wire_.state(channel));
        message = bytes_of(gs_usb::DeviceState{
            .state = state, .receive_errors = counters.receive, .transmit_errors = counters.transmit});
        break;
      }
      default:
        log("no answer to request " + std::to_string(request.bRequest));
        (void)!read(points_.control, nullptr, 0);  // the wrong direction refuses it
        return;
    }
    const std::size_t size = std::min<std::size_t>(message.size(), request.wLength);
    if (write(points_.control, message.data(), size) < 0) std::perror("answer");
  }

  void accept(const usb_ctrlrequest& request) {
    const int channel = request.wValue & 1;
    char buffer[64]{};
    if (request.wLength > sizeof buffer || read(points_.control, buffer, request.wLength) < 0) std::perror("request");
    const std::string_view message(buffer, request.wLength);
    switch (static_cast<Request>(request.bRequest)) {
      case Request::host_format:
        break;
      case Request::bit_timing:
        log_timing(channel, "bit_timing", from_bytes<gs_usb::BitTiming>(message));
        break;
      case Request::data_bit_timing:
        log_timing(channel, "data_bit_timing", from_bytes<gs_usb::BitTiming>(message));
        break;
      case Request::mode: {
        const auto mode = from_bytes<gs_usb::Mode>(message);
        host_.use_stamps(channel, (mode.flags & gs_usb::feature_timestamps) != 0);
        if (mode.start != 0) {
          wire_.start(channel);
        } else {
          wire_.stop(channel);
        }
        break;
      }
      default:
        log("ignored request " + std::to_string(request.bRequest));
    }
  }

  EndPoints points_;
  GsUsbHost host_;
  Wire wire_;
};

}  // namespace
}  // namespace takt::adapters

int main(int count, char** words) {
  if (count != 2) {
    std::fputs("usage: gs_usb_adapter FUNCTION_FS\n", stderr);
    return 2;
  }
  takt::adapters::Adapter(takt::adapters::open_function(words[1])).run();
}
