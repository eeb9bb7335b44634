#pragma once
// The front end rumoca, a program of its own: of a class in Modelica it makes the flat model that codegen/modelica
// reads.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::tools {

struct ModelicaSource {
  std::string file;               ///< a .mo file; empty: the class is looked for in `path`
  std::string name;               ///< of the class; empty: the one of the file
  std::vector<std::string> path;  ///< libraries: their folders, or what holds them; those of MODELICAPATH come last
  double at_most_s = 600.0;       ///< for the front end
};

struct ModelicaFlat {
  std::string name;  ///< of the class
  std::string json;
};

/// "Modelica.Blocks.Examples.PID_Controller": letters, digits, '_' and dots.
[[nodiscard]] bool is_class_name(const std::string& text);

/// @return nothing where an error was found (D041 to D044)
[[nodiscard]] std::optional<ModelicaFlat> flatten(const ModelicaSource& source, codegen::Diagnostics& diagnostics);

}  // namespace takt::tools
