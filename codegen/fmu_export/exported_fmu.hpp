#pragma once
// What of a plant becomes an FMU: its library's sources, and what the files around the library say.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/emit/sources.hpp"
#include "codegen/flat_source/flat_layout.hpp"

namespace takt::codegen {

enum class FmuKind : std::uint8_t { co_simulation, model_exchange };

struct FmuExport {
  int version = 2;  ///< of FMI: 2 or 3
  FmuKind kind = FmuKind::co_simulation;
  std::string generator;  ///< version of takt
};

/// One variable; its value reference is its place in the list: for co-simulation that of the row in
/// the table of plant memory, for model exchange that of the point of the flat plant.
struct ExportedVariable {
  enum class Use : std::uint8_t {
    constant,  ///< a parameter that is compiled in
    fixed,     ///< a parameter that is read at the start only
    tunable,   ///< a parameter
    input,
    output,
    local,
    hidden  ///< not told: what a subsystem receives of a signal that another one has under its own
            ///< name
  };
  std::string name, unit;
  Use use = Use::hidden;
  std::optional<double> start;  ///< SI; of parameters and inputs
  std::string description;
  bool discrete = false;                       ///< changes at events only
  std::optional<std::size_t> derivative_of{};  ///< variable
  std::optional<double> nominal{};             ///< of states
};

/// What of an FMU depends on what.
struct ExportedStructure {
  struct Unknown {
    std::size_t variable = 0;
    std::vector<std::size_t> depends_on;  ///< variables: inputs and states
  };
  std::vector<Unknown> outputs, derivatives;
  std::vector<std::size_t> initial, indicators;  ///< variables
};

struct ExportedFmu {
  FmuExport how;
  std::string identifier;  ///< modelIdentifier: of the library's file, too
  std::string title, token;
  std::int64_t step_ns =
      0;  ///< co-simulation: the macro-step; model exchange: the shortest time between two records
  std::optional<std::int64_t> duration_ns;
  std::vector<ExportedVariable> variables;
  std::size_t time = 0;  ///< value reference of the time
  ExportedStructure structure;
  Sources sources;
  Sources packed{};  ///< of packed_sources(), for the archive; empty: it carries none
};

/// Why this plant cannot be an FMU of co-simulation; empty: it can.
[[nodiscard]] std::string not_exportable(const Plan& plan);

/// The plant with its own steps. A pure function. @pre not_exportable() says nothing
[[nodiscard]] ExportedFmu export_fmu(const Network& network, const DaeResult& dae, const Plan& plan,
                                     const FmuExport& how);

/// The plant as one system for an integrator of somebody else. A pure function. @pre
/// layout.undetermined is empty
/// @param step_ns  for the default experiment
[[nodiscard]] ExportedFmu export_flat(const FlatModel& model, const FlatLayout& layout,
                                      const FmuExport& how, std::int64_t step_ns);

/// modelDescription.xml, of FMI 2.0.4 or 3.0.2.
[[nodiscard]] std::string model_description(const ExportedFmu& fmu);

/// modelIdentifier of a plant of this name.
[[nodiscard]] std::string fmu_identifier(const std::string& name);

/// CMakeLists.txt of the library.
[[nodiscard]] std::string fmu_cmake(const ExportedFmu& fmu);

/// What leaves the library: the functions of FMI. Two of them, or another C++ library, in one
/// process do not meet.
[[nodiscard]] SourceFile version_script(const ExportedFmu& fmu);

/// Lines for CMake: what the library takt_plant is linked with, and what leaves it.
[[nodiscard]] std::string library_link_options();

/// Folder of the library in the archive: "linux64" of FMI 2, "x86_64-linux" of FMI 3.
/// @param machine  as the system calls it: "x86_64", "aarch64"
[[nodiscard]] std::string platform_folder(int version, const std::string& machine);

}  // namespace takt::codegen
