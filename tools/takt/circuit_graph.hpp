#pragma once
// A plant as a picture: `takt check --graph FILE`. Text for Graphviz, and our own (tools/picture).

#include <filesystem>
#include <string>

#include "codegen/pipeline.hpp"

namespace takt::tools {

/// Circuits as clusters of nodes and branches: colour tells the kind of a branch, thick ones are the normal tree;
/// couplings as dashed arrows between circuits. Above `most_elements` each circuit is one box. The same plant gives the
/// same bytes.
[[nodiscard]] std::string circuit_graph(const codegen::Checked& checked, std::size_t most_elements = 2000);

/// Writes .html, .svg, .dot or .gv.
/// @throws UsageError          for another ending
/// @throws std::runtime_error  where the file cannot be written
void write_graph(const codegen::Checked& checked, const std::filesystem::path& file);

}  // namespace takt::tools
