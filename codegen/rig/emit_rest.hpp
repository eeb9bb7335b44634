#pragma once
// The rest bus and the nodes of a bus as tables.

#include <string>

#include "codegen/rig/rig.hpp"

namespace takt::codegen {

/// The nodes that send messages of the rig, in the order of the database.
class BusNodes {
 public:
  explicit BusNodes(const BusMap& bus);
  /// ", .node = 2"; nothing for a message that no node sends.
  [[nodiscard]] std::string field_of(std::size_t message) const;
  /// `nodes_NAME`
  [[nodiscard]] std::string table() const;

 private:
  [[nodiscard]] std::string sender(std::size_t message) const;
  const BusMap& bus_;
  std::vector<std::string> names_;
};

/// `rest_NAME`: whole frames.
[[nodiscard]] std::string rest_table(const BusMap& bus, const BusNodes& nodes);

/// ", .rest_start = {...}"; nothing where it begins with the bus.
[[nodiscard]] std::string rest_start_field(const BusMap& bus);

}  // namespace takt::codegen
