#pragma once
// Kinds of buses: what a rig file says of one, and what is emitted for it, are in a folder below
// codegen/rig/kinds, which has its row here by the list of kinds/CMakeLists.txt.

#include <string>
#include <vector>

#include "codegen/rig/rig.hpp"
#include "codegen/rig/rig_reader.hpp"
#include "codegen/source/writer.hpp"

namespace takt::codegen {

/// [bus.NAME] as it stands in the file. `kind` has been asked for; the reader says done() when it
/// has asked for the rest.
struct BusEntry {
  const TomlEntry& entry;
  RigTable& table;
  const RigTarget& target;
};

/// A plant input that a bus sets, and where the file says so.
struct FedInput {
  std::string path;
  Location where;
};

/// Every member is asked of a rig that may have no bus of this kind.
struct BusKind {
  const char* word;  ///< kind = "udp"
  /// Puts the bus into the rig, or reports what is wrong.
  void (*read)(Rig& rig, const BusEntry& bus, Diagnostics& diagnostics);
  /// Its buses against each other. All have been read.
  void (*check)(const Rig& rig, Diagnostics& diagnostics);
  std::vector<std::string> (*names)(const Rig& rig);
  void (*add_inputs)(const Rig& rig, std::vector<FedInput>& inputs);
  /// Files beside rig.cpp.
  Sources (*sources)(const Rig& rig);
  void (*includes)(Writer& text, const Rig& rig);
  /// Within the namespaces of rig.cpp, one of them without a name.
  void (*tables)(Writer& text, const Rig& rig);
  /// C++ that makes its port, of a final class, from `plant` and these options.
  std::string (*port)(const Rig& rig, const std::string& options);
  /// Whether this machine has what its buses need, now; nullptr: nothing is asked.
  void (*ask_machine)(const Rig& rig, Diagnostics& diagnostics) = nullptr;
};

/// In the order of the list; CAN is the first.
[[nodiscard]] std::vector<const BusKind*> bus_kinds();
/// Those of which the rig has buses; the first one where it has none.
[[nodiscard]] std::vector<const BusKind*> kinds_of(const Rig& rig);

}  // namespace takt::codegen
