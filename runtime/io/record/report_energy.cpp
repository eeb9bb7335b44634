// Where energy came from and went, by domain, as a picture. The numbers stand in the table beside it.

#include <algorithm>
#include <cmath>

#include "runtime/io/record/html.hpp"
#include "runtime/io/record/report_parts.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/io/record/svg_sankey.hpp"
#include "runtime/io/record/unit_text.hpp"
#include "runtime/stats/format.hpp"

namespace takt::report {
namespace {

std::string joules(double amount) {
  const ScaledUnit unit = scaled_unit("J", amount);
  return formatted("%.3g", amount / unit.factor) + " " + unit.text;
}

class EnergyFlows {
 public:
  explicit EnergyFlows(const std::vector<std::pair<std::string, EnergyAccount>>& domains) {
    for (const auto& [name, e] : domains)
      for (const double amount : {e.supplied, e.exchanged, e.dissipated, e.stored_end - e.stored_start})
        largest_ = std::max(largest_, std::abs(amount));
    std::size_t colour = 0;
    for (const auto& [name, e] : domains) add(name, e, colour++ % 7);
  }
  [[nodiscard]] std::string picture() const { return svg::sankey(nodes_, flows_, &joules); }
  [[nodiscard]] bool empty() const { return flows_.empty(); }

 private:
  static constexpr std::size_t sources = 0, givers = 1, between = 2, takers = 3, sinks = 4, grey = 7;

  /// What gives to other domains stands left of what receives from them.
  void add(const std::string& name, const EnergyAccount& e, std::size_t colour) {
    const std::size_t domain = nodes_.size();
    nodes_.push_back({name, e.exchanged > 0.0 ? takers : givers, colour});
    const double stored = e.stored_end - e.stored_start;
    flow_in(domain, "supplied", sources, e.supplied), flow_in(domain, "from storages", sources, -stored);
    flow_in(domain, "exchanged", between, e.exchanged);
    flow_out(domain, "exchanged", between, -e.exchanged);
    flow_out(domain, "stored", sinks, stored), flow_out(domain, "dissipated", sinks, e.dissipated);
    flow_out(domain, "taken by sources", sinks, -e.supplied),
        flow_in(domain, "from losses below 0", sources, -e.dissipated);
  }
  void flow_in(std::size_t domain, const char* name, std::size_t column, double amount) {
    if (counts(amount)) flows_.push_back({node(name, column), domain, amount});
  }
  void flow_out(std::size_t domain, const char* name, std::size_t column, double amount) {
    if (counts(amount)) flows_.push_back({domain, node(name, column), amount});
  }
  /// What would be no ribbon stays in the table.
  [[nodiscard]] bool counts(double amount) const { return amount > 1e-6 * largest_; }
  std::size_t node(const char* name, std::size_t column) {
    for (std::size_t n = 0; n < nodes_.size(); ++n)
      if (nodes_[n].name == name && nodes_[n].column == column) return n;
    nodes_.push_back({name, column, grey});
    return nodes_.size() - 1;
  }

  double largest_ = 0.0;
  std::vector<svg::FlowNode> nodes_;
  std::vector<svg::Flow> flows_;
};

}  // namespace

std::string energy_flows(const RunResults& r) {
  const EnergyFlows flows(energy_by_domain(r));
  if (flows.empty()) return "";
  return "<figure class=\"wide\"><figcaption>Energy by domain, from left to right</figcaption>" + flows.picture() +
         "</figure>\n";
}

}  // namespace takt::report
