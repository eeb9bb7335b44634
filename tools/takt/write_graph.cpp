#include <string>

#include "runtime/io/record/text_file.hpp"
#include "tools/picture/picture.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/circuit_graph.hpp"

namespace takt::tools {

void write_graph(const codegen::Checked& checked, const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".dot" || ending == ".gv") return write_whole(file, circuit_graph(checked));
  if (ending == ".svg") return write_whole(file, picture::picture_svg(picture::picture_of(checked)));
  if (ending == ".html") return write_whole(file, picture::picture_page(picture::picture_of(checked)));
  throw UsageError("--graph writes .html, .svg, .dot or .gv, not '" + file.string() + "'");
}

}  // namespace takt::tools
