#include "tools/takt/can_link.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "codegen/rig/rig.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/io/can/link/link.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"

namespace takt::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string right_text(const can::LinkError& error) {
  if (error.error() != EPERM && error.error() != EACCES) return "";
  return " (it needs CAP_NET_ADMIN: run it as root)";
}

Json json(const std::optional<can::BitTimingInEffect>& timing) {
  if (!timing) return nullptr;
  return {{"bitrate", timing->bitrate}, {"sample_point", timing->sample_point / 1e3}, {"quanta", timing->quanta}};
}

Json json(const can::Link& link) {
  Json result{{"interface", link.name},
              {"kind", link.kind},
              {"up", link.up},
              {"fd", link.fd},
              {"state", can::text(link.state)},
              {"nominal", json(link.nominal)},
              {"data", json(link.data)},
              {"error_counters", nullptr},
              {"restart_ms", link.restart_ms ? Json(*link.restart_ms) : Json(nullptr)},
              {"listen_only", link.listen_only},
              {"one_shot", link.one_shot},
              {"loopback", link.loopback},
              {"termination", link.termination ? Json(*link.termination) : Json(nullptr)},
              {"terminations", link.terminations},
              {"counts", nullptr},
              {"frames", link.traffic.frames},
              {"bytes", link.traffic.bytes},
              {"lost_received", link.traffic.lost_received}};
  if (link.errors) result["error_counters"] = {{"sent", link.errors->sent}, {"received", link.errors->received}};
  if (link.counts)
    result["counts"] = {{"bus_errors", link.counts->bus_errors},
                        {"error_warning", link.counts->warnings},
                        {"error_passive", link.counts->passives},
                        {"bus_off", link.counts->bus_offs},
                        {"arbitration_lost", link.counts->lost_arbitration},
                        {"restarts", link.counts->restarts}};
  return result;
}

void print(const can::Link& link) {
  std::printf("%s  %s, %s%s\n", link.name.c_str(), link.kind.c_str(), link.up ? "up" : "down",
              link.fd ? ", takes CAN FD" : "");
  if (!link.is_settable()) {
    std::puts("    no controller: nothing to set, no state");
    return;
  }
  std::printf("    state        %s\n", can::text(link.state));
  std::printf("    bit rate     %s\n", link.nominal ? can::text(*link.nominal).c_str() : "not set");
  if (link.data) std::printf("    data phase   %s\n", can::text(*link.data).c_str());
  if (link.errors) std::printf("    errors       sent %u, received %u\n", link.errors->sent, link.errors->received);
  if (link.restart_ms.value_or(0) > 0)
    std::printf("    restart      %u ms after bus-off, by the driver\n", *link.restart_ms);
  if (link.termination) std::printf("    termination  %u ohm\n", *link.termination);
  for (const auto& [has, name] : {std::pair{link.listen_only, "listen-only"},
                                  {link.one_shot, "one-shot"},
                                  {link.loopback, "loopback"},
                                  {link.reports_bus_errors, "reports bus errors"}})
    if (has) std::printf("    mode         %s\n", name);
  if (link.counts)
    std::printf("    since load   %u bus errors, %u error warning, %u error passive, %u bus-off, %u restarts\n",
                link.counts->bus_errors, link.counts->warnings, link.counts->passives, link.counts->bus_offs,
                link.counts->restarts);
}

/// Sets it, says what it is then, and what of it the hardware could not do.
/// @return exit code
int set(const std::string& interface, can::LinkSettings settings) {
  try {
    const can::Link before = can::read_link(interface);
    if (!before.is_settable()) {
      std::fprintf(stderr, "takt can setup: %s: a %s interface has no controller: there is nothing to set\n",
                   interface.c_str(), before.kind.c_str());
      return exit_failed;
    }
    try {
      can::set_link(interface, settings);
    } catch (const can::LinkError& error) {
      // Drivers that cannot restart refuse everything with it.
      if (error.error() != EOPNOTSUPP || settings.restart_ms < 0) throw;
      settings.restart_ms = -1;
      can::set_link(interface, settings);
      std::fprintf(stderr,
                   "takt can setup: %s: its driver does not restart after bus-off; a plant whose rig has `restart` "
                   "does it, with CAP_NET_ADMIN\n",
                   interface.c_str());
    }
    const can::Link link = can::read_link(interface);
    print(link);
    const std::string wrong = can::differences(link, settings);
    if (wrong.empty()) return exit_ok;
    std::fprintf(stderr, "takt can setup: %s has %s: its hardware does not do it\n", interface.c_str(), wrong.c_str());
  } catch (const can::LinkError& error) {
    std::fprintf(stderr, "takt can setup: %s%s\n", error.what(), right_text(error).c_str());
  }
  return exit_failed;
}

std::uint16_t permille(double point) { return static_cast<std::uint16_t>(std::lround(point * 1e3)); }

}  // namespace

CanLinkCommands::CanLinkCommands(command_line::App& app) {
  add_setup(app);
  state_ = app.add_subcommand("state", "how a CAN interface is set, and the state of its controller");
  state_->add_option("interface", interfaces_, "CAN interfaces")->required();
  state_->add_flag("--json", json_, "one JSON object per interface");
  restart_ = app.add_subcommand("restart", "end bus-off: the interface goes down and up again (needs CAP_NET_ADMIN)");
  restart_->add_option("interface", interfaces_, "CAN interfaces")->required();
}

void CanLinkCommands::add_setup(command_line::App& app) {
  setup_ = app.add_subcommand("setup", "set bit rates of a CAN interface, and bring it up (needs CAP_NET_ADMIN)");
  auto* interface = setup_->add_option("interface", interfaces_, "CAN interfaces");
  setup_->add_option("--rig", rig_, "rig file: sets each of its interfaces as it says")->excludes(interface);
  const std::vector<command_line::Unit> units{{"k", 1'000}, {"M", 1'000'000}};
  auto* bitrate =
      setup_->add_option("--bitrate", settings_.nominal.bitrate, "bit/s: 500000, 500k, 1M")->with_unit(units, "RATE");
  setup_->add_option("--sample-point", sample_point_, "of a bit: 0.875; without: the driver chooses")
      ->in_range(0.5, 0.99)
      ->needs(bitrate);
  auto* data =
      setup_
          ->add_option("--data-bitrate", settings_.data.bitrate, "of the data phase; switches the interface to CAN FD")
          ->with_unit(units, "RATE")
          ->needs(bitrate);
  setup_->add_option("--data-sample-point", data_sample_point_, "likewise")->in_range(0.5, 0.99)->needs(data);
  setup_->add_option("--restart", restart_after_, "the driver restarts so long after bus-off: 100ms; 0s: never");
  setup_->add_option("--termination", settings_.termination, "ohm, where the driver can switch it; 0: none")
      ->in_range(0, 65535);
  setup_->add_flag("--listen-only", listen_only_, "the controller neither sends nor acknowledges");
  setup_->add_flag("--one-shot", one_shot_, "frames that fail are not sent again");
}

bool CanLinkCommands::parsed() const { return setup_->parsed() || state_->parsed() || restart_->parsed(); }

int CanLinkCommands::run() const {
  if (setup_->parsed()) return rig_.empty() ? set_up() : set_up_for_rig();
  return state_->parsed() ? print_state() : restart();
}

int CanLinkCommands::set_up() const {
  if (interfaces_.empty()) throw UsageError("name an interface, or a rig file with --rig");
  can::LinkSettings settings = settings_;
  settings.nominal.sample_point = permille(sample_point_);
  settings.data.sample_point = permille(data_sample_point_);
  if (settings.data.bitrate != 0 && settings.data.bitrate < settings.nominal.bitrate)
    throw UsageError("--data-bitrate is below --bitrate: the data phase of CAN FD is at least as fast");
  if (!restart_after_.empty()) {
    const auto ns = codegen::parse_duration_ns(restart_after_);
    if (!ns || *ns < 0 || *ns > 60'000'000'000)
      throw UsageError("--restart " + restart_after_ + ": " + (ns ? "at most 60 s" : ns.error()));
    settings.restart_ms = static_cast<std::int32_t>((*ns + 999'999) / 1'000'000);
  }
  if (listen_only_ || settings.nominal.bitrate != 0) settings.listen_only = listen_only_ ? 1 : 0;
  settings.one_shot = one_shot_ ? 1 : -1;
  if (!settings.says_something()) throw UsageError("there is nothing to set: --bitrate 500k");
  int code = exit_ok;
  for (const std::string& interface : interfaces_) code = std::max(code, set(interface, settings));
  return code;
}

int CanLinkCommands::set_up_for_rig() const {
  codegen::Diagnostics diagnostics;
  const auto links = codegen::load_rig_links(existing_file(rig_, "rig file").string(), diagnostics);
  std::fputs(diagnostics.render().c_str(), stderr);
  if (diagnostics.has_errors()) return exit_failed;
  int code = exit_ok;
  std::size_t done = 0;
  for (const codegen::RigLink& link : links) {
    if (!link.settings.says_something()) continue;
    ++done;
    code = std::max(code, set(link.channel, link.settings));
  }
  if (done == 0)
    throw UsageError(rig_ + " says of none of its buses how its interface has to be: there is nothing to set");
  return code;
}

int CanLinkCommands::print_state() const {
  for (const std::string& interface : interfaces_) {
    const can::Link link = can::read_link(interface);
    if (json_)
      std::puts(json(link).dump().c_str());
    else
      print(link);
  }
  return exit_ok;
}

int CanLinkCommands::restart() const {
  for (const std::string& interface : interfaces_) try {
      can::restart_link(interface);
    } catch (const can::LinkError& error) {
      std::fprintf(stderr, "takt can restart: %s%s\n", error.what(), right_text(error).c_str());
      return exit_failed;
    }
  return exit_ok;
}

}  // namespace takt::tools
