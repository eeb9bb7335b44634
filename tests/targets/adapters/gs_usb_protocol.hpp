// The protocol between the Linux driver gs_usb and its adapters (candleLight and others): numbers and layouts of its
// messages, little-endian. Source: the driver, drivers/net/can/usb/gs_usb.c.
#pragma once

#include <cstdint>

namespace takt::adapters::gs_usb {

enum class Request : std::uint8_t {
  host_format = 0,
  bit_timing = 1,
  mode = 2,
  bit_timing_limits = 4,
  device_config = 5,
  timestamp = 6,
  data_bit_timing = 10,
  bit_timing_limits_fd = 11,
  state = 14,
};

constexpr std::uint32_t feature_listen_only = 1U << 0;
constexpr std::uint32_t feature_timestamps = 1U << 4;  // also a flag of Mode
constexpr std::uint32_t feature_fd = 1U << 8;
constexpr std::uint32_t feature_limits_fd = 1U << 10;
constexpr std::uint32_t feature_bus_errors = 1U << 12;  // this and the next: drivers since Linux 6.2
constexpr std::uint32_t feature_state = 1U << 13;

constexpr std::uint8_t flag_fd = 1U << 1;
constexpr std::uint32_t not_an_echo = 0xffffffff;

#pragma pack(push, 1)
struct DeviceConfig {
  std::uint8_t reserved[3];
  std::uint8_t last_channel;
  std::uint32_t software_version, hardware_version;
};

struct TimingLimits {
  std::uint32_t segment1_min, segment1_max, segment2_min, segment2_max, jump_width_max;
  std::uint32_t prescaler_min, prescaler_max, prescaler_step;
};

struct BitTimingLimits {
  std::uint32_t features, clock_hz;
  TimingLimits nominal, data;  // Request::bit_timing_limits ends before data
};

struct BitTiming {
  std::uint32_t propagation, phase1, phase2, jump_width, prescaler;
};

struct Mode {
  std::uint32_t start, flags;
};

struct DeviceState {
  std::uint32_t state, receive_errors, transmit_errors;
};

/// Followed by 8 data bytes, or 64 with flag_fd, and by the time stamp in microseconds where the mode asks for it.
struct FrameHeader {
  std::uint32_t echo_id;  // the driver's number of a frame to send, returned once sent
  std::uint32_t can_id;
  std::uint8_t length_code, channel, flags, reserved;
};
#pragma pack(pop)

static_assert(sizeof(BitTimingLimits) == 72 && sizeof(FrameHeader) == 12);

}  // namespace takt::adapters::gs_usb
