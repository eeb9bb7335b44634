#pragma once
// What was measured of a board, told.

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

#include "tools/fit/measured.hpp"

namespace takt::tools {

/// Verdict, margin, finest plan, copies, what takes the time, what to change: for machines. Of it, the text is made.
[[nodiscard]] nlohmann::ordered_json fit_report(const Measured& measured);
[[nodiscard]] std::string fit_text(const nlohmann::ordered_json& report);

/// Several boards, a row each.
[[nodiscard]] std::string comparison_text(std::span<const nlohmann::ordered_json> reports);
/// The same drawn: computing and margin of each, a page for browsers.
[[nodiscard]] std::string comparison_page(std::span<const nlohmann::ordered_json> reports);

}  // namespace takt::tools
