#pragma once
// What several hosts in real time were like, for reports.

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "runtime/stats/run_results.hpp"

namespace takt {

/// A line each; empty: there is one host.
[[nodiscard]] std::string host_lines(const RunResults& r);
[[nodiscard]] std::string host_table(const RunResults& r);  ///< HTML
/// Times in us, but for worst_miss_ms.
[[nodiscard]] nlohmann::ordered_json hosts_json(const RunResults& r);

}  // namespace takt
