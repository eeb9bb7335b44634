#include <iterator>

#include "built_in_kinds.hpp"  // made by CMake from its list
#include "codegen/rig/bus_kind.hpp"

namespace takt::codegen {

std::vector<const BusKind*> bus_kinds() {
  return {std::begin(built_in_kinds), std::end(built_in_kinds)};
}

std::vector<const BusKind*> kinds_of(const Rig& rig) {
  std::vector<const BusKind*> kinds;
  for (const BusKind* kind : bus_kinds())
    if (!kind->names(rig).empty()) kinds.push_back(kind);
  return kinds.empty() ? std::vector<const BusKind*>{bus_kinds().front()} : kinds;
}

void ask_machine(const Rig& rig, Diagnostics& diagnostics) {
  for (const BusKind* kind : bus_kinds())
    if (kind->ask_machine != nullptr) kind->ask_machine(rig, diagnostics);
}

}  // namespace takt::codegen
