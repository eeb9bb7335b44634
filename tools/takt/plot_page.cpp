#include "tools/takt/plot_page.hpp"

#include "runtime/io/record/html.hpp"

namespace takt::tools {

std::string plot_page(const std::string& title, const std::string& body) {
  return html::page(title, "<h1>" + html::escaped(title) + "</h1>\n" + body);
}

}  // namespace takt::tools
