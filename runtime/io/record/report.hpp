#pragma once
// report.html: one file that needs nothing else.

#include <string>

#include "runtime/stats/run_results.hpp"

namespace takt {

[[nodiscard]] std::string report_html(const RunResults& results);

}  // namespace takt
