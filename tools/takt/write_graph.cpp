#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "codegen/emit/build/process.hpp"
#include "runtime/io/record/text_file.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/circuit_graph.hpp"
#include "tools/takt/temporary_file.hpp"

namespace takt::tools {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_for_dot = 300;  // circuits; its layout in ranks grows faster than their number

std::string text_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Ways to lay out, the best first: dot of Graphviz 2.43 dies of some edges between clusters ("lost edge") unless ranks
/// are found for all clusters together, and of others anyway; fdp knows no ranks.
std::vector<std::vector<std::string>> layouts(bool large) {
  if (large) return {{"sfdp"}};
  return {{"dot"}, {"dot", "-Gnewrank=true"}, {"fdp"}};
}

/// What could not be drawn stays as text beside it.
void draw(bool large, const std::string& text, const fs::path& file) {
  if (codegen::find_program("dot").empty())
    throw std::runtime_error(
        "drawing " + file.string() +
        " needs Graphviz, and there is no 'dot' in PATH; install the package graphviz, or write a .dot file instead");
  const TemporaryFile source(text), drawn("");  // Graphviz would follow a link in the place of the file
  std::string said;
  for (std::vector<std::string> command : layouts(large)) {
    command.insert(command.end(), {"-Tsvg", "-o", drawn.path().string(), source.path().string()});
    const codegen::ProcessResult result = codegen::run_process(command);
    if (result.exit_code == 0) return write_whole(file, text_of(drawn.path()));
    said += "\n  " + command.front() + " ended with " + std::to_string(result.exit_code) + ": " +
            result.output.substr(0, result.output.find('\n'));
  }
  fs::path kept = file;
  write_whole(kept.replace_extension(".dot"), text);
  throw std::runtime_error("Graphviz could not draw " + file.string() + "; the graph is in " + kept.string() + said);
}

}  // namespace

void write_graph(const codegen::Checked& checked, const fs::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".dot" || ending == ".gv") return write_whole(file, circuit_graph(checked));
  if (ending != ".svg") throw UsageError("--graph writes .svg, .dot or .gv, not '" + file.string() + "'");
  draw(checked.topology.circuits.size() > most_for_dot, circuit_graph(checked), file);
}

}  // namespace takt::tools
