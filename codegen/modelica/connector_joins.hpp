#pragma once
// Connectors of a model that are terminals of a plant's circuits.

#include <map>
#include <string>
#include <vector>

#include "codegen/modelica/flat_model.hpp"

namespace takt::codegen::modelica {

/// The words of a domain, as sections of plant files have them.
struct JoinedDomain {
  std::string section, across, across_unit, through, through_unit;
  std::string moved_unit;  ///< of what `across` is the rate, where connectors have that: angles,
                           ///< positions
  bool at_home = true;     ///< branches of the element are of the circuit of this domain; else the
                           ///< model gives the flow
  bool is_power = false;   ///< what flows
};

struct ConnectorJoin {
  std::string connector;  ///< "flange_b"
  std::string node;       ///< as `at` names it; empty: the reference
  JoinedDomain domain;
  Location where;
};

/// An expression of the plant.
struct GivenText {
  std::string text;
  Location where;
};

/// A line of [model]: NAME = { file, at, inputs, parameters }.
struct ModelInstance {
  std::string name, section;  ///< of the element
  std::vector<ConnectorJoin> joins;
  std::map<std::string, GivenText> inputs, parameters;  ///< by name of Modelica
  Location where;
};

/// Takes out what sets the flows of these connectors to zero. An angle or a position of a connector
/// gets a rate, which is what is across there in a plant.
/// @return false where an error was found (D031)
[[nodiscard]] bool open_connectors(FlatModel& model, const ModelInstance& instance,
                                   Diagnostics& diagnostics);

}  // namespace takt::codegen::modelica
