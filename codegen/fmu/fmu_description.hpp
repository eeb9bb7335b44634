#pragma once
// FmuDescription: what the modelDescription.xml of an FMU says, for FMI 2.0.x and 3.0.x alike.
// Plain data, checked by the reader (read_fmu.hpp): references are resolved, start values have the
// type and the number of their variable.

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

enum class FmiVersion : std::uint8_t { v2, v3 };

/// FMI 2 knows real (float64), integer (int32), boolean, string and enumeration (int32).
enum class FmuType : std::uint8_t {
  float64,
  float32,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  boolean,
  string,
  binary,
  enumeration,
  clock
};
enum class FmuCausality : std::uint8_t {
  structural_parameter,
  parameter,
  calculated_parameter,
  input,
  output,
  local,
  independent
};
enum class FmuVariability : std::uint8_t { constant, fixed, tunable, discrete, continuous };
enum class FmuInitial : std::uint8_t { none, exact, approx, calculated };

/// value in the display unit = factor * value + offset, where inverse: factor / value (FMI 3)
struct FmuDisplayUnit {
  std::string name;
  double factor = 1.0, offset = 0.0;
  bool inverse = false;
};

/// value in the base unit = factor * value + offset (FMI 2.0.4, 2.2.2; FMI 3.0.2, 2.4.3)
struct FmuUnit {
  std::string name;
  bool has_base = false;    ///< exponents are given
  std::array<int, 8> si{};  ///< kg, m, s, A, K, mol, cd, rad
  double factor = 1.0, offset = 0.0;
  std::vector<FmuDisplayUnit> display_units;
};

struct FmuEnumerationItem {
  std::string name;
  std::int64_t value = 0;
};

/// TypeDefinition, as far as a variable takes from it what it does not say itself.
struct FmuTypeDefinition {
  std::string name;
  FmuType type{};
  std::string quantity, unit, display_unit;
  std::optional<double> min, max, nominal;
  bool relative_quantity = false, unbounded = false;
  std::vector<FmuEnumerationItem> items;
};

/// A number of elements: fixed, or the start value of a structural parameter.
struct FmuDimension {
  std::optional<std::uint64_t> size;       ///< start
  std::optional<std::uint32_t> reference;  ///< valueReference of a structural parameter (uint64)
};

/// Floats: double. Signed types, booleans, enumerations: int64. Unsigned types: uint64. Binary:
/// bytes as strings. An array has all its elements, row by row; where the file gives one value for
/// all, it is repeated.
using FmuStart = std::variant<std::monostate, std::vector<double>, std::vector<std::int64_t>,
                              std::vector<std::uint64_t>, std::vector<std::string>>;

struct FmuVariable {
  std::string name, description;
  std::uint32_t reference =
      0;  ///< valueReference: in FMI 2 unique within a type, in FMI 3 among all
  FmuType type{};
  FmuCausality causality = FmuCausality::local;
  FmuVariability variability = FmuVariability::continuous;
  FmuInitial initial = FmuInitial::none;
  std::vector<FmuDimension> dimensions;  ///< empty: a scalar
  std::size_t size = 1;  ///< elements, with the start values of structural parameters
  FmuStart start;
  std::string declared_type, quantity, unit, display_unit;  ///< its own, else of its declared type
  std::optional<double> min, max, nominal;
  bool relative_quantity = false;  ///< a difference: units convert without their offset
  bool unbounded = false;
  std::vector<FmuEnumerationItem> items;     ///< of an enumeration
  std::optional<std::size_t> derivative_of;  ///< index into FmuDescription::variables
  std::optional<std::size_t> previous;       ///< FMI 3, of clocked variables
  bool reinit = false, intermediate_update = false;
  bool can_handle_multiple_set = false;
  std::string interval_variability;   ///< of a clock
  std::vector<std::uint32_t> clocks;  ///< valueReferences
  std::vector<std::string> aliases;   ///< FMI 3
  Location where;
};

/// Entry of ModelStructure. Silent `dependencies`: on all known quantities.
struct FmuUnknown {
  std::size_t variable = 0;  ///< index into variables
  bool says_dependencies = false;
  std::vector<std::size_t> dependencies;  ///< indices into variables
  std::vector<std::string>
      kinds;  ///< parallel, where given: dependent, constant, fixed, tunable, discrete
};

/// What CoSimulation or ModelExchange offers. Flags that a version lacks are false.
struct FmuInterface {
  std::string model_identifier;
  bool needs_execution_tool = false, only_once_per_process = false;
  bool get_and_set_state = false, serialize_state = false;
  bool directional_derivatives = false, adjoint_derivatives = false, element_dependencies = false;
  bool evaluates_discrete_states = false;  ///< FMI 3
  // Model exchange.
  bool completed_step_not_needed = false;
  // Co-simulation.
  bool variable_step = false, interpolates_inputs = false, runs_asynchronously = false,
       early_return = false;
  bool returns_early = false, has_event_mode = false, intermediate_update = false;
  std::uint32_t output_derivative_order = 0;
  std::optional<double> fixed_internal_step, recommended_order;
  bool no_memory_management = false;      ///< canNotUseMemoryManagementFunctions
  std::vector<std::string> source_files;  ///< FMI 2; of FMI 3 see sources/buildDescription.xml
};

struct FmuExperiment {
  std::optional<double> start, stop, tolerance, step;
};

/// A terminal of FMI 3 (terminalsAndIcons/terminalsAndIcons.xml), where read.
struct FmuTerminal {
  struct Member {
    std::string member_name, kind;
    std::size_t variable = 0;
  };
  std::string name, kind, matching_rule;
  std::vector<Member> members;
};

/// Sources that are compiled with the same settings (FMI 3: SourceFileSet; FMI 2: SourceFiles,
/// without settings).
struct FmuSourceSet {
  struct Definition {
    std::string name, value;
    bool optional = false;
  };
  std::string name, language, compiler, compiler_options;
  std::vector<std::string> files;  ///< below sources/
  std::vector<Definition> definitions;
  std::vector<std::string> include_folders;  ///< below sources/
};

/// How the library of an interface is built from sources (FMI 3: BuildConfiguration).
struct FmuBuild {
  std::string model_identifier, platform;  ///< platform empty: any
  std::vector<FmuSourceSet> sets;
  std::vector<std::string> libraries;
};

struct FmuDescription {
  std::filesystem::path file;  ///< the .fmu
  FmiVersion version{};
  std::string version_text;  ///< "2.0", "3.0"
  std::string model_name, model_version, description, author, generation_tool, generation_date,
      copyright, license;
  std::string token;  ///< guid of FMI 2, instantiationToken of FMI 3
  std::uint32_t event_indicators = 0;
  bool fixed_structure_naming = false;  ///< variableNamingConvention structured
  std::optional<FmuInterface> co_simulation, model_exchange;
  bool scheduled_execution = false;  ///< FMI 3; not served
  FmuExperiment experiment;
  std::vector<FmuUnit> units;
  std::vector<FmuTypeDefinition> types;
  std::vector<FmuVariable> variables;
  std::vector<FmuUnknown> outputs, state_derivatives, clocked_states, initial_unknowns, indicators;
  std::vector<FmuTerminal> terminals;
  std::vector<FmuBuild> builds;
  std::vector<std::string>
      platforms;  ///< folders under binaries that have a library of the right name
  bool has_sources = false;
};

}  // namespace takt::codegen
