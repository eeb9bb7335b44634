#pragma once
// The rest bus and the nodes of a bus as tables.

#include <string>

#include "codegen/rig/rig.hpp"
#include "codegen/source/aggregate.hpp"

namespace takt::codegen {

/// The nodes that send messages of the rig, in the order of the database.
class BusNodes {
 public:
  explicit BusNodes(const BusMap& bus);
  /// Its number into the plan of a message; nothing for a message that no node
  /// sends.
  void add_node(Aggregate& plan, std::size_t message) const;
  /// `nodes_NAME`
  void write(Writer& text) const;

 private:
  [[nodiscard]] std::string sender(std::size_t message) const;
  const BusMap& bus_;
  std::vector<std::string> names_;
};

/// `rest_NAME`: whole frames.
void write_rest(Writer& text, const BusMap& bus, const BusNodes& nodes);

/// When the rest bus begins into BusPlan; nothing where it begins with the bus.
void add_rest_start(Aggregate& plan, const BusMap& bus);

}  // namespace takt::codegen
