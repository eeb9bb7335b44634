#include "tools/takt/plot_page.hpp"

#include "runtime/io/record/svg_plot.hpp"

namespace takt::tools {

std::string plot_page(const std::string& title, const std::string& body) {
  const std::string heading = escaped(title);
  return "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>" + heading +
         "</title><style>body{font:14px/1.5 system-ui,sans-serif;max-width:900px;margin:2em auto;padding:0 "
         "1em;color:#222}figure{margin:1em 0}svg{width:100%;background:#fff}.grid{stroke:#e4e4e4}"
         ".tick{font-size:11px;fill:#555}.title{font-size:12px;font-weight:600}.legend{font-size:12px;margin:0 0 0 "
         "70px}.legend i{display:inline-block;width:12px;height:3px;margin:0 4px 3px 8px}"
         "table{border-collapse:collapse}td,th{padding:2px 12px;text-align:right;border-bottom:1px solid "
         "#e4e4e4}td:first-child,th:first-child{text-align:left}</style></head><body><h1>" +
         heading + "</h1>\n" + body + "</body></html>\n";
}

}  // namespace takt::tools
