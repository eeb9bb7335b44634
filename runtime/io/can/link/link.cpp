#include "runtime/io/can/link/link.hpp"

#include <linux/can.h>
#include <linux/can/netlink.h>
#include <linux/if.h>
#include <linux/if_arp.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <cerrno>

namespace takt::can {
namespace {

std::optional<BitTimingInEffect> timing(const NetlinkAttributes& of, std::uint16_t type) {
  const auto found = of.value<can_bittiming>(type);
  if (!found || found->bitrate == 0) return std::nullopt;
  BitTimingInEffect result;
  result.bitrate = found->bitrate;
  if (found->tq == 0) return result;  // the driver knows rates only: the sample point is what somebody has asked for
  result.sample_point = static_cast<std::uint16_t>(found->sample_point);
  result.quanta = 1 + found->prop_seg + found->phase_seg1 + found->phase_seg2;
  return result;
}

void read_controller(Link& link, const NetlinkAttributes& data) {
  link.nominal = timing(data, IFLA_CAN_BITTIMING);
  link.data = timing(data, IFLA_CAN_DATA_BITTIMING);
  if (const auto state = data.value<std::uint32_t>(IFLA_CAN_STATE); state && *state < CAN_STATE_MAX)
    link.state = static_cast<LinkState>(*state);
  if (const auto counters = data.value<can_berr_counter>(IFLA_CAN_BERR_COUNTER))
    link.errors = ErrorCounters{counters->txerr, counters->rxerr};
  link.restart_ms = data.value<std::uint32_t>(IFLA_CAN_RESTART_MS);
  const auto mode = data.value<can_ctrlmode>(IFLA_CAN_CTRLMODE).value_or(can_ctrlmode{});
  link.listen_only = (mode.flags & CAN_CTRLMODE_LISTENONLY) != 0;
  link.one_shot = (mode.flags & CAN_CTRLMODE_ONE_SHOT) != 0;
  link.loopback = (mode.flags & CAN_CTRLMODE_LOOPBACK) != 0;
  link.reports_bus_errors = (mode.flags & CAN_CTRLMODE_BERR_REPORTING) != 0;
  link.termination = data.value<std::uint16_t>(IFLA_CAN_TERMINATION);
  const auto choices = data.find(IFLA_CAN_TERMINATION_CONST);
  link.terminations.resize(choices.size() / sizeof(std::uint16_t));
  if (!link.terminations.empty())
    std::memcpy(link.terminations.data(), choices.data(), link.terminations.size() * sizeof(std::uint16_t));
}

/// Only what is to change.
void add_modes(NetlinkRequest& request, const LinkSettings& settings) {
  can_ctrlmode mode{};
  const auto say = [&mode](std::uint32_t flag, bool on) {
    mode.mask |= flag;
    if (on) mode.flags |= flag;
  };
  if (settings.data.bitrate != 0) say(CAN_CTRLMODE_FD, true);
  if (settings.nominal.bitrate != 0 && settings.data.bitrate == 0) say(CAN_CTRLMODE_FD, false);
  if (settings.listen_only >= 0) say(CAN_CTRLMODE_LISTENONLY, settings.listen_only == 1);
  if (settings.one_shot >= 0) say(CAN_CTRLMODE_ONE_SHOT, settings.one_shot == 1);
  if (mode.mask != 0) request.add(IFLA_CAN_CTRLMODE, mode);
}

void add_timing(NetlinkRequest& request, std::uint16_t type, const BitTiming& timing) {
  if (timing.bitrate == 0) return;
  can_bittiming all{};  // the driver chooses quanta and segments for these two
  all.bitrate = timing.bitrate;
  all.sample_point = timing.sample_point;
  request.add(type, all);
}

void bring(const Link& link, bool up) {
  NetlinkRequest request(RTM_NEWLINK, link.index);
  constexpr unsigned flag = IFF_UP;
  request.change_flags(up ? flag : 0U, flag);
  (void)ask_kernel(request);
}

/// Rates as they are.
LinkSettings settings_of(const Link& link) {
  LinkSettings settings;
  settings.nominal = *link.nominal;
  if (link.data && link.fd) settings.data = *link.data;
  return settings;
}

/// Of a controller that is down.
void configure(const Link& link, const LinkSettings& settings) {
  NetlinkRequest request(RTM_NEWLINK, link.index);
  const auto info = request.begin(IFLA_LINKINFO);
  request.add_text(IFLA_INFO_KIND, "can");
  const auto data = request.begin(IFLA_INFO_DATA);
  add_modes(request, settings);
  add_timing(request, IFLA_CAN_BITTIMING, settings.nominal);
  add_timing(request, IFLA_CAN_DATA_BITTIMING, settings.data);
  if (settings.restart_ms >= 0) request.add(IFLA_CAN_RESTART_MS, static_cast<std::uint32_t>(settings.restart_ms));
  if (settings.termination >= 0) request.add(IFLA_CAN_TERMINATION, static_cast<std::uint16_t>(settings.termination));
  request.end(data);
  request.end(info);
  (void)ask_kernel(request);
}

}  // namespace

Link read_link(const std::string& interface) {
  if (interface.empty() || interface.size() >= IFNAMSIZ)
    throw LinkError(interface + ": a network interface has a name of 1 to 15 letters", 0);
  NetlinkRequest request(RTM_GETLINK, 0);
  request.add_text(IFLA_IFNAME, interface);
  std::vector<std::byte> answer;
  try {
    answer = ask_kernel(request);
  } catch (const LinkError& error) {
    if (error.error() != ENODEV) throw LinkError(interface + ": " + error.what(), error.error());
    throw LinkError(interface + ": no such network interface", ENODEV);
  }
  ifinfomsg about{};
  if (answer.size() < sizeof about) throw LinkError(interface + ": the kernel's answer is cut short", 0);
  std::memcpy(&about, answer.data(), sizeof about);
  if (about.ifi_type != ARPHRD_CAN) throw LinkError(interface + ": this network interface is no CAN interface", 0);
  Link link;
  link.name = interface;
  link.index = about.ifi_index;
  link.up = (about.ifi_flags & IFF_UP) != 0;
  const NetlinkAttributes all(std::span<const std::byte>(answer).subspan(sizeof about));
  link.fd = all.value<std::uint32_t>(IFLA_MTU).value_or(0) >= CANFD_MTU;
  const auto traffic = all.value<rtnl_link_stats64>(IFLA_STATS64).value_or(rtnl_link_stats64{});
  link.traffic = {.frames = traffic.rx_packets + traffic.tx_packets,
                  .bytes = traffic.rx_bytes + traffic.tx_bytes,
                  .lost_received = traffic.rx_over_errors + traffic.rx_fifo_errors};
  const NetlinkAttributes info = all.inside(IFLA_LINKINFO);
  link.kind = info.text(IFLA_INFO_KIND);
  if (!link.is_settable()) return link;
  read_controller(link, info.inside(IFLA_INFO_DATA));
  if (const auto counts = info.value<can_device_stats>(IFLA_INFO_XSTATS))
    link.counts = LinkCounts{counts->bus_error, counts->error_warning,    counts->error_passive,
                             counts->bus_off,   counts->arbitration_lost, counts->restarts};
  return link;
}

void set_link(const std::string& interface, const LinkSettings& settings) {
  const Link link = read_link(interface);
  if (!link.is_settable())
    throw LinkError(interface + ": a " + (link.kind.empty() ? "virtual" : link.kind) +
                        " interface has no controller: there is nothing to set",
                    0);
  try {
    if (link.up) bring(link, false);
    configure(link, settings);
  } catch (const LinkError& error) {
    std::string problem = interface + ": " + error.what();
    try {
      // The kernel may have taken the first of the settings before it refused another.
      if (link.nominal) configure(link, settings_of(link));
      if (link.up) bring(link, true);
    } catch (const LinkError& down) {
      problem += std::string("; and it stays down: ") + down.what();
    }
    throw LinkError(problem, error.error());
  }
  try {
    bring(link, true);
  } catch (const LinkError& error) {
    throw LinkError(interface + ": it is set, but does not come up: " + error.what(), error.error());
  }
}

void restart_link(const std::string& interface) {
  const Link link = read_link(interface);
  try {
    bring(link, false);
    bring(link, true);
  } catch (const LinkError& error) {
    throw LinkError(interface + ": " + error.what(), error.error());
  }
}

}  // namespace takt::can
