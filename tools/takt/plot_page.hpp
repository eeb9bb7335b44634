#pragma once
// A page for browsers that stands alone: its style, a heading, what is handed in.

#include <string>

namespace takt::tools {

/// @param body  HTML: plots of runtime/io/record/svg_plot.hpp, tables, text that is escaped
[[nodiscard]] std::string plot_page(const std::string& title, const std::string& body);

}  // namespace takt::tools
