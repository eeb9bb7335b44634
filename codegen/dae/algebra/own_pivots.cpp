#include "codegen/dae/algebra/own_pivots.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/dae/algebra/elimination.hpp"
#include "codegen/dae/algebra/network_order.hpp"
#include "codegen/dae/algebra/sparse_probe.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t nobody = SIZE_MAX;

/// Of each unknown the equation that serves it; empty where that is not one each.
std::vector<std::size_t> equations_of(const std::vector<std::optional<std::size_t>>& only) {
  std::vector<std::size_t> equation(only.size(), nobody);
  for (std::size_t row = 0; row < only.size(); ++row) {
    if (!only[row] || equation[*only[row]] != nobody) return {};
    equation[*only[row]] = row;
  }
  return equation;
}

SparseTables tables_of(const NetworkTables& network, const std::vector<std::size_t>& equation) {
  SparseTables tables;
  const auto append = [&](const std::vector<std::uint32_t>& from, std::uint32_t begin,
                          std::uint32_t end) {
    tables.column.insert(tables.column.end(), from.begin() + begin, from.begin() + end);
  };
  for (std::uint32_t step = 0; step < network.size(); ++step) {
    tables.row_start.push_back(static_cast<std::uint32_t>(tables.column.size()));
    tables.unknown.push_back(network.node[step]);
    tables.equation.push_back(static_cast<std::uint32_t>(equation[network.node[step]]));
    append(network.lower_node, network.lower_start[step], network.lower_start[step + 1]);
    tables.diagonal.push_back(static_cast<std::uint32_t>(tables.column.size()));
    tables.column.push_back(step);
    append(network.other, network.link_start[step], network.link_start[step + 1]);
  }
  tables.row_start.push_back(static_cast<std::uint32_t>(tables.column.size()));
  return tables;
}

/// Of the entries of U, each relative to the largest coefficient of its equation, at the worst
/// point.
double growth_of(const SparseTables& tables, const std::vector<SparseEntry>& entries,
                 const std::vector<PointValues>& values) {
  double growth = 1.0;
  for (std::size_t point = 1; point < pivot_points; ++point) {
    const auto [factors, largest] = factorised(tables, entries, values, point);
    const auto grow = [&](double entry, std::size_t row) {
      const double size = std::fabs(entry) / largest[tables.equation[row]];
      growth = std::isnan(size) ? HUGE_VAL : std::max(growth, size);
    };
    for (std::size_t row = 0; row < tables.size(); ++row) {
      grow(1.0 / factors[tables.diagonal[row]], row);
      for (std::uint32_t entry = tables.diagonal[row] + 1; entry < tables.row_start[row + 1];
           ++entry)
        grow(factors[entry], row);
    }
  }
  return growth;
}

}  // namespace

std::optional<SparseTables> order_own_pivots(const std::vector<SparseEntry>& entries,
                                             const std::vector<PointValues>& values,
                                             const std::vector<std::optional<std::size_t>>& only) {
  const std::vector<std::size_t> equation = equations_of(only);
  if (equation.empty()) return std::nullopt;
  std::vector<NetworkLink> links;
  for (const SparseEntry& entry : entries)
    if (*only[entry.row] != entry.column) links.push_back({*only[entry.row], entry.column, false});
  const NetworkTables network = order_network(equation.size(), links);
  SparseTables tables = tables_of(network, equation);
  for (const SparseEntry& entry : entries) {
    const std::uint32_t row = network.position[*only[entry.row]];
    const auto begin = tables.column.begin() + tables.row_start[row],
               end = tables.column.begin() + tables.row_start[row + 1];
    tables.place.push_back(static_cast<std::uint32_t>(
        std::lower_bound(begin, end, network.position[entry.column]) - tables.column.begin()));
  }
  if (!(probe(tables, entries, values) <= harmless_once)) return std::nullopt;
  tables.growth = growth_of(tables, entries, values);
  if (tables.growth > harmless_growth) return std::nullopt;
  return tables;
}

}  // namespace takt::codegen
