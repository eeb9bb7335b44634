#pragma once
// report.html: one file that needs nothing else.

#include <string>

#include "runtime/stats/run_results.hpp"

namespace takt {

/// @param network  HTML of `takt`: the plant's network as a picture, with its own style and script; empty: none
[[nodiscard]] std::string report_html(const RunResults& results, const std::string& network = {});

}  // namespace takt
