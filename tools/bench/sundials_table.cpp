#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "codegen/text/quantity.hpp"
#include "tools/bench/median.hpp"
#include "tools/bench/sundials_peers.hpp"

namespace takt::tools {

std::string sundials_text(const SundialsComparison& c) {
  std::string out = fmt::format(
      "{}: takt beside SUNDIALS on the same emitted equations, {} runs each in turn on CPU {}, nothing written; {} "
      "simulated\n",
      c.model, c.rows.front().busy.size(), c.cpu, codegen::duration_text(std::llround(c.simulated_s * 1e9)));
  out += fmt::format("{:<32}{:>10}{:>24}{:>12}{:>12}{:>9}{:>12}  {}\n", "", "tolerance", "CPU s per simulated s", "min",
                     "max", "ratio", "error", "of");
  const double own = median(c.rows.front().busy);
  for (const SundialsRow& row : c.rows) {
    const auto [low, high] = std::minmax_element(row.busy.begin(), row.busy.end());
    out += fmt::format("  {:<30}{:>10}{:>24.4g}{:>12.4g}{:>12.4g}{:>9.4g}{:>12.2e}  {}\n", row.name,
                       row.tolerance > 0.0 ? fmt::format("{:.0e}", row.tolerance) : "fixed", median(row.busy), *low,
                       *high, median(row.busy) / own, row.error, row.signal);
  }
  return out + "  (error: RMS of the difference to " + c.reference + " over the signal's range, of the worst signal)\n";
}

std::string sundials_json(const SundialsComparison& c) {
  auto rows = nlohmann::ordered_json::array();
  for (const SundialsRow& row : c.rows) {
    const auto [low, high] = std::minmax_element(row.busy.begin(), row.busy.end());
    rows.push_back(
        {{"name", row.name},
         {"tolerance", row.tolerance},
         {"cpu_s_per_simulated_s", {{"median", median(row.busy)}, {"min", *low}, {"max", *high}, {"each", row.busy}}},
         {"ratio", median(row.busy) / median(c.rows.front().busy)},
         {"error", row.error},
         {"signal", row.signal}});
  }
  const nlohmann::ordered_json result{
      {"model", c.model}, {"reference", c.reference},     {"runs", c.rows.front().busy.size()},
      {"cpu", c.cpu},     {"simulated_s", c.simulated_s}, {"rows", std::move(rows)}};
  return result.dump(2) + "\n";
}

}  // namespace takt::tools
