#pragma once
// Rig file: where and how a plant runs (pacing, core, overrun policy, buses with their DBC, the map
// from bus signals to plant signals). config/manual/rig_files documents the file.
//
//   load_rig   rig.toml + DBC files + names of the plant -> Rig, or located diagnostics (B0xx)
//   emit_rig   Rig -> C++ sources: codecs of the messages used, tables, rig_settings() and
//   make_io()

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/dbc/dbc.hpp"
#include "codegen/source/source_file.hpp"
#include "codegen/text/diagnostics.hpp"
#include "runtime/io/can/link/settings.hpp"
#include "runtime/io/can/protect/settings.hpp"
#include "runtime/plant/rig_settings.hpp"
#include "runtime/plant/trace_formats.hpp"

namespace takt::codegen {

/// A name of the plant and its SI unit text ("N*m", "K", "1").
struct PlantSignal {
  std::string path;
  std::string unit;
};

/// Of a coupling of the plant, what hosts have to know.
struct PlantCoupling {
  std::string text;  ///< "electric.r.heat.sent: electric -> solid"
  std::size_t producer = 0, consumer = 0;
  std::uint8_t lag = 0;
  std::int64_t left_ns =
      0;  ///< from when the producer begins its last window till the consumer reads: its period
};

/// What a rig needs to know of the plant it is bound to.
struct RigTarget {
  /// What the world may set, in the order of PlantDescription::plant_inputs.
  std::vector<PlantSignal> inputs;
  std::vector<PlantSignal> signals;  ///< every path of the table of plant memory
  std::vector<std::string> groups;   ///< of synchronisation; with release_ns
  /// Of each its name, then those of the groups around it.
  std::vector<std::vector<std::string>> subsystems{};
  std::vector<PlantCoupling> couplings{};  ///< between subsystems, by their places
  std::int64_t release_ns = 0;             ///< windows begin at multiples of it; 0: not known yet
};

/// One DBC signal joined to one name of the plant. Both directions:
///   receive: plant = dbc * scale + offset      send: dbc = plant * scale + offset
struct SignalMap {
  std::size_t signal = 0;  ///< index into DbcMessage::signals
  std::string path;        ///< plant input or path; empty: a constant
  double scale = 1.0, offset = 0.0;
  double constant = 0.0;       ///< path empty: the value sent, in DBC units
  std::optional<double> safe;  ///< send: value in the safe state, in DBC units
  /// send: not from the file, but the value of a multiplexer that makes this one page
  bool selects_page = false;
  Location where;
};

struct MessageMap {
  std::size_t message = 0;  ///< index into Dbc::messages
  std::vector<SignalMap> signals;
  std::int64_t timeout_ns = 0;  ///< receive
  std::int64_t period_ns = 0;   ///< send: 0: on change only
  bool on_change = false;       ///< send: also at once when a signal changes
  std::int64_t spacing_ns = 0;  ///< send on change: least time between two frames
  bool saturation_fails =
      false;  ///< send: a value that its signal does not hold fails the run; else it is counted
  /// send: which signals the message carries is chosen by one that the plant computes (a mapped
  /// multiplexer). For a dead plant the whole message is safe where each of its signals has a safe
  /// value or is a constant; else it keeps the choice that was sent last.
  enum class Choice : std::uint8_t { none, all_safe, stays } choice = Choice::none;
  Location where;
};

/// A message of a simulated node that carries nothing of the plant: sent with its start values,
/// cyclically.
struct RestMessage {
  std::size_t message = 0;  ///< index into Dbc::messages
  std::int64_t period_ns = 0;
  std::int64_t delay_ns = 0;  ///< of the first frame
};

/// [bus.NAME.protect]: end-to-end protection of a message.
struct ProtectionMap {
  std::size_t message = 0;  ///< index into Dbc::messages
  can::ProtectionSettings settings;
  Location where;
};

/// One step of [[start]] or [[stop]].
struct StepMap {
  enum class Kind : std::uint8_t { set, wait, when, pause } kind = Kind::pause;
  struct Set {
    std::size_t bus = 0, message = 0,
                signal = 0;  ///< indices of Rig::buses, BusMap::send, MessageMap::signals
    double value = 0.0;      ///< DBC units
  };
  std::string text;                              ///< for people: "wait for can0.Answer"
  std::vector<Set> sets;                         ///< set
  std::size_t bus = 0, message = 0, signal = 0;  ///< wait, when: of BusMap::receive
  std::string comparison;                        ///< when: "<", "<=", ">", ">=", "==", "!="
  double value = 0.0;
  std::int64_t within_ns = 0;  ///< pause: how long
};

struct BusMap {
  std::string name;            ///< [bus.NAME]
  std::string channel;         ///< SocketCAN interface, and the name clients open
  bool virtual_only = false;   ///< asked for; else the interface has to be there
  std::uint16_t port = 29536;  ///< of the virtual bus
  std::string token;           ///< of the clients of the virtual bus, or "env:NAME"; empty: none
  std::int64_t grid_ns = 500'000;     ///< of the I/O thread
  TraceFormats trace = 0;             ///< what a run keeps of its frames
  can::LinkSettings link;             ///< how a SocketCAN interface has to be
  std::shared_ptr<const Dbc> dbc;     ///< of all its files
  std::vector<std::string> simulate;  ///< DBC nodes whose messages the plant sends
  std::int64_t period_ns =
      0;  ///< of messages in `rest` that the database gives none; 0: they are not sent
  bool saturation_fails = false;  ///< of messages in `send` that say nothing themselves
  std::vector<MessageMap> receive, send;
  std::vector<RestMessage> rest;          ///< in the order of the database
  bool rest_waits_for_frame = false;      ///< start = "heard"
  std::optional<StepMap> rest_waits_for;  ///< start = { when = ... }
  std::vector<ProtectionMap> protection;
  Location where;
};

/// Ids of one format, from one to the other.
struct IdRange {
  std::uint32_t first = 0, last = 0;
  bool extended = false;
};

/// What a gateway forwards: one entry of its `messages`.
struct ForwardedMap {
  std::string text;  ///< as written: "BMS_State", "0x100..0x1FF"
  IdRange from, to;  ///< ids on the bus that it comes from, and on that it goes to: as many
  bool fd = false;   ///< a message that the database calls CAN FD
  std::vector<std::uint32_t> group;  ///< Dbc::group_of() it
  Location where;
};

/// One direction of a gateway.
struct RouteMap {
  std::string name;              ///< [gateway] NAME
  std::size_t gateway = 0;       ///< its number: both directions have one
  std::size_t from = 0, to = 0;  ///< indices of Rig::buses
  std::int64_t spacing_ns = 0;
  std::uint32_t queue = 256;  ///< frames
  std::vector<ForwardedMap> messages;
};

/// [host.NAME]
struct HostMap {
  std::string name, interface;
  std::string ssh;  ///< where `takt run` starts it: "user@machine"; empty: on this one
  std::vector<std::string> computes;  ///< subsystems, with *, or sync groups; none: what is left
  WhenLost when_lost = WhenLost::stop;
  Location where;
};

/// The buses of a kind other than CAN: what they are is known in the folder of the kind.
struct BusesOfKind {
  virtual ~BusesOfKind() = default;
};

struct Rig {
  std::string name;                ///< file name without extension
  std::vector<std::string> files;  ///< everything read: rig file, DBC files
  bool paced = true;
  int cpu = -1;
  CoreList cores, fmu_cpus;
  int priority = 80;
  std::int64_t spin_ns = 50'000;
  OverrunPolicy policy = OverrunPolicy::count;
  std::vector<std::pair<std::string, OverrunPolicy>> group_policies;
  Publish publish = Publish::on_time;
  int max_catch_up = 10;
  int stop_after_consecutive = 0;
  std::int64_t stop_above_ns = 0;
  LateTolerance late{};
  std::int64_t grace_ns = 0;
  bool regain = false;             ///< simulated time jumps over dropped periods
  std::int64_t trace_ns = 0;       ///< > 0: a paced run leaves a trace of so much of its end
  SupervisorSettings supervisor;   ///< but for its watchdog
  std::string watchdog;            ///< device; empty: none
  std::vector<HostMap> hosts;      ///< the first leads; empty: one host
  HostsSettings hosts_settings;    ///< but for its list
  std::int64_t round_trip_ns = 0;  ///< between hosts; 0: not told
  std::vector<BusMap> buses;       ///< CAN
  std::map<std::string, std::shared_ptr<BusesOfKind>> others;  ///< by kind
  std::vector<RouteMap> routes;                                ///< of gateways
  std::vector<StepMap> start, stop;
};

/// @return the rig unless errors were reported; warnings do not refuse it. All findings are B0xx.
[[nodiscard]] std::optional<Rig> load_rig(const std::string& file, const RigTarget& target,
                                          Diagnostics& diagnostics);

/// Warnings where this machine, as it is now, has not what the buses of the rig need.
void ask_machine(const Rig& rig, Diagnostics& diagnostics);

/// How the interface of a bus has to be set.
struct RigLink {
  std::string channel;
  can::LinkSettings settings;
};
/// [bus.NAME] of a rig file, for who sets interfaces: maps and databases are not looked at. Errors
/// are reported.
[[nodiscard]] std::vector<RigLink> load_rig_links(const std::string& file,
                                                  Diagnostics& diagnostics);

/// Sources that define, in namespace takt::rig (declared by the emitted "rig.hpp"):
///   RigSettings rig_settings();
///   std::unique_ptr<IoPort> make_io(const PlantDescription&, const IoOptions&);
/// Compile every emitted .cpp and link what the kinds of its buses need: takt::io_can,
/// takt::io_udp. Same rig, same bytes.
[[nodiscard]] Sources emit_rig(const Rig& rig);

}  // namespace takt::codegen
