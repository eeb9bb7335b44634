#include "tools/takt/moved_inputs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace takt::tools {
namespace {

using namespace takt::codegen;

constexpr double shortest_span_in_macro_steps = 10.0;
constexpr int most_spans = 24;

double moved(const PlantInput& input, const std::string& unit) {
  if (input.start == 0.0) return 1.0;
  return unit == "1" && input.start == 1.0 ? 0.0 : 1.1 * input.start;
}

/// Ends of spans that double, the last one at the duration.
std::vector<double> doubling(double duration_s, double shortest_s) {
  std::vector<double> ends{duration_s};
  while (ends.back() / 2.0 >= shortest_s && ends.size() < most_spans) ends.push_back(ends.back() / 2.0);
  std::reverse(ends.begin(), ends.end());
  return ends;
}

/// Where all plans begin a macro-step, as outermost times divide what is recorded: a later one would be another run.
double common_time_s(const Plan& plan, double time_s) {
  std::int64_t grid_ns = 0;
  for (const PlanRecord& record : plan.records) grid_ns = std::gcd(grid_ns, record.period_ns);
  if (grid_ns == 0) grid_ns = plan.macro_step_ns;
  const double grid_s = static_cast<double>(grid_ns) * 1e-9;
  return std::ceil(time_s / grid_s * (1.0 - 1e-12)) * grid_s;
}

}  // namespace

std::vector<std::string> moved_inputs(const Checked& checked, double duration_s) {
  const Network& network = checked.network;
  const double shortest_s = shortest_span_in_macro_steps * static_cast<double>(checked.plan.macro_step_ns) * 1e-9;
  const std::vector<double> ends = doubling(duration_s, shortest_s);
  std::vector<std::string> options;
  for (std::size_t span = 0; span + 1 < ends.size(); ++span)
    for (std::size_t k = 0; k < network.inputs.size(); ++k) {
      const PlantInput& input = network.inputs[k];
      const Symbol& symbol = network.graph().symbol(input.symbol);
      const double back = span % 4 == 1 ? input.start : input.safe;
      const double value = span % 2 == 0 ? moved(input, symbol.unit) : back;
      const double part = 0.5 * static_cast<double>(k) / static_cast<double>(network.inputs.size());
      options.emplace_back("--input");
      options.push_back(fmt::format("{}={:.17g}@{:.9f}", symbol.path, value,
                                    common_time_s(checked.plan, ends[span] + part * (ends[span + 1] - ends[span]))));
    }
  return options;
}

}  // namespace takt::tools
