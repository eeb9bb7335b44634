#pragma once
// What of a plant becomes an FMU: its library's sources, and what the files around the library say.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/emit/sources.hpp"

namespace takt::codegen {

enum class FmuKind : std::uint8_t { co_simulation, model_exchange };

struct FmuExport {
  int version = 2;  ///< of FMI: 2 or 3
  FmuKind kind = FmuKind::co_simulation;
  std::string generator;  ///< version of takt
};

/// One variable; its value reference is its place in the list, which is that of the row in the table of plant memory.
struct ExportedVariable {
  enum class Use : std::uint8_t {
    constant,  ///< a parameter that is compiled in
    fixed,     ///< a parameter that is read at the start only
    tunable,   ///< a parameter
    input,
    output,
    local,
    hidden  ///< not told: what a subsystem receives, as polynomials
  };
  std::string name, unit;
  Use use = Use::hidden;
  std::optional<double> start;  ///< SI; of parameters and inputs
  std::string description;
};

struct ExportedFmu {
  FmuExport how;
  std::string identifier;  ///< modelIdentifier: of the library's file, too
  std::string title, token;
  std::int64_t macro_step_ns = 0;
  std::optional<std::int64_t> duration_ns;
  std::vector<ExportedVariable> variables;
  Sources sources;
};

/// Why this plant cannot be such an FMU; empty: it can.
[[nodiscard]] std::string not_exportable(const Plan& plan, const FmuExport& how);

/// A pure function. @pre not_exportable() says nothing
[[nodiscard]] ExportedFmu export_fmu(const Network& network, const DaeResult& dae, const Plan& plan,
                                     const FmuExport& how);

/// modelDescription.xml, of FMI 2.0.4 or 3.0.2.
[[nodiscard]] std::string model_description(const ExportedFmu& fmu);

/// CMakeLists.txt of the library.
[[nodiscard]] std::string fmu_cmake(const ExportedFmu& fmu);

/// Folder of the library in the archive: "linux64" of FMI 2, "x86_64-linux" of FMI 3.
/// @param machine  as the system calls it: "x86_64", "aarch64"
[[nodiscard]] std::string platform_folder(int version, const std::string& machine);

}  // namespace takt::codegen
