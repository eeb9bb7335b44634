#pragma once
// One SocketCAN interface: what it is set to, what state its controller is in (linux/can/netlink.h). Reading needs no
// rights; setting and restarting need CAP_NET_ADMIN. Not real-time: a driver may wait for its hardware.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "runtime/io/can/link/netlink.hpp"
#include "runtime/io/can/link/settings.hpp"

namespace takt::can {

/// States of ISO 11898-1 and of Linux, in the order of enum can_state.
enum class LinkState : std::uint8_t {
  error_active,
  error_warning,
  error_passive,
  bus_off,
  stopped,
  sleeping,
  unknown,  ///< the driver does not say: a virtual interface
  down      ///< the interface is
};

struct ErrorCounters {
  std::uint16_t sent = 0, received = 0;  ///< TEC and REC of ISO 11898-1
};

/// Changes since the driver was loaded; 32 bits that wrap round (struct can_device_stats).
struct LinkCounts {
  std::uint32_t bus_errors = 0, warnings = 0, passives = 0, bus_offs = 0, lost_arbitration = 0, restarts = 0;
};

/// Frames and data bytes over the interface, whoever sends and receives.
struct LinkTraffic {
  std::uint64_t frames = 0, bytes = 0;
  std::uint64_t lost_received = 0;  ///< by the controller or the driver
};

/// A rate in effect.
struct BitTimingInEffect : BitTiming {
  std::uint32_t quanta = 0;  ///< time quanta of a bit; 0: the driver does not say
};

struct Link {
  std::string name, kind;  ///< kind: "can", "vcan", "vxcan"
  int index = 0;
  bool up = false;
  bool fd = false;  ///< takes CAN FD frames
  LinkState state = LinkState::unknown;
  std::optional<BitTimingInEffect> nominal, data;  ///< none: not set, or no controller
  std::optional<ErrorCounters> errors;
  std::optional<std::uint32_t> restart_ms;  ///< 0: the driver does not restart by itself
  bool listen_only = false, one_shot = false, loopback = false, reports_bus_errors = false;
  std::optional<std::uint16_t> termination;  ///< ohm, 0: none; where the driver can switch it
  std::vector<std::uint16_t> terminations;   ///< to which
  std::optional<LinkCounts> counts;
  LinkTraffic traffic;

  /// It has a controller that Linux knows to set.
  [[nodiscard]] bool is_settable() const noexcept { return kind == "can"; }
};

/// Throws LinkError: no such interface, no CAN interface.
[[nodiscard]] Link read_link(const std::string& interface);

/// Sets what is said, and takes the interface down for it; afterwards it is up. On an error its rates are as before,
/// and it is up again if it was. Throws LinkError.
void set_link(const std::string& interface, const LinkSettings& settings);

/// Down and up again, which ends bus-off with every driver. (IFLA_CAN_RESTART does not: drivers such as
/// gs_usb and slcan refuse it.)  Throws LinkError.
void restart_link(const std::string& interface);

/// "error active", "bus-off"
[[nodiscard]] const char* text(LinkState state) noexcept;
/// "500 kbit/s, sample point 87.5 %"
[[nodiscard]] std::string text(const BitTiming& timing);
/// What the interface has otherwise than it should, "bit rate 250 kbit/s, not 500 kbit/s"; empty: nothing.
/// A bit rate may be off by 0.5 %, a sample point by half a time quantum. What the driver does not say is not judged.
[[nodiscard]] std::string differences(const Link& link, const LinkSettings& settings);
/// As options of `takt can setup`.
[[nodiscard]] std::string options_text(const LinkSettings& settings);

}  // namespace takt::can
