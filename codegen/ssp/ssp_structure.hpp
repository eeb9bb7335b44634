#pragma once
// SspStructure: what a system structure package (SSP 1.0, 2.0) says: components, systems in
// systems, connectors, connections, values of parameters. As it stands; what is connected with what
// in the end is for ssp_plant.hpp.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/text/diagnostics.hpp"
#include "codegen/text/units.hpp"

namespace takt::codegen {

/// SI = factor * value + offset
struct SspUnit {
  Dimension dimension;
  double factor = 1.0, offset = 0.0;
  friend bool operator==(const SspUnit&, const SspUnit&) = default;
};

/// value there = factor * value here + offset, after units were converted
struct SspTransformation {
  double factor = 1.0, offset = 0.0;
};

struct SspConnector {
  std::string name, kind;  ///< input, output, parameter, calculatedParameter, inout; SSP 2:
                           ///< structuralParameter, local
  std::string type, unit;  ///< "Real", "Float64" ...; empty: not said
  bool is_array = false;   ///< SSP 2
  Location where;
};

/// One value, with prefix and mapping of its binding applied.
struct SspParameter {
  std::string name, type, value;
  std::string enumeration;  ///< whose item `value` names
  std::string unit_name;
  std::optional<SspUnit> unit;
  std::optional<SspTransformation> transformation;
  Location where;
};

struct SspConnection {
  std::string start_element, start_connector, end_element,
      end_connector;  ///< element empty: the system itself
  std::optional<SspTransformation> transformation;
  bool keeps_units = false;  ///< suppressUnitConversion
  Location where;
};

/// How Takt calls the FMU of a component: an annotation of its own, where it is there.
struct SspCall {
  std::string step, method, on_error;
};

/// A component or a system.
struct SspElement {
  std::string name;
  bool is_system = false;
  std::string source, implementation;  ///< of a component
  bool lists_connectors = false;
  std::vector<SspConnector> connectors;
  std::vector<SspParameter> parameters;  ///< later ones count more
  std::vector<SspElement> elements;      ///< of a system
  std::vector<SspConnection> connections;
  SspCall call;
  std::optional<double> step_hint;  ///< s: of Open Simulation Platform
  Location where;

  [[nodiscard]] const SspConnector* connector(const std::string& wanted) const;
};

struct SspStructure {
  std::string name, version;
  SspElement system;
  std::map<std::string, SspUnit> units;
  std::map<std::string, std::map<std::string, std::int64_t>> enumerations;
  std::optional<double> start, stop;  ///< s
  std::optional<double>
      base_step;  ///< s: of Open Simulation Platform: the step of all components without another
};

}  // namespace takt::codegen
