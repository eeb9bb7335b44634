#include "codegen/reference/time_stops.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace takt::codegen {
namespace {

double seconds(std::int64_t ns) { return static_cast<double>(ns) / 1e9; }

/// Variables that follow the time stand for themselves no longer.
std::vector<Expr> in_time(const Network& network, const FlatSystem& flat,
                          const TimeStops::Parameters& parameters) {
  Graph& graph = network.graph();
  std::unordered_map<SymbolId, Expr> of_time;
  for (const FlatVariable& variable : flat.variables) {
    const Expr value = graph.substitute(variable.value, of_time);
    const std::vector<SymbolId> read = graph.symbols_of(value);
    if (std::all_of(read.begin(), read.end(), [&](SymbolId symbol) {
          return symbol == network.time || parameters.contains(symbol);
        }))
      of_time.emplace(variable.symbol, value);
  }
  std::vector<Expr> values;
  for (const FlatRow& row : flat.rows) values.push_back(graph.substitute(row.value, of_time));
  for (const FlatVariable& variable : flat.variables)
    values.push_back(graph.substitute(variable.value, of_time));
  return values;
}

}  // namespace

TimeStops::TimeStops(const Network& network, const FlatSystem& flat, const Parameters& parameters,
                     const QuickMoves::Run& run)
    : TimeStops(
          network, in_time(network, flat, parameters),
          [&parameters](SymbolId symbol) -> std::optional<double> {
            const auto found = parameters.find(symbol);
            return found == parameters.end() ? std::nullopt : std::optional(found->second);
          },
          run) {}

TimeStops::TimeStops(const Network& network, const std::vector<Expr>& values,
                     const ValueRanges::ValueOf& value_of, const QuickMoves::Run& run)
    : turns_(network, values, value_of), moves_(network, values, value_of, run) {}

std::int64_t TimeStops::next(std::int64_t now, std::int64_t until) {
  until = next_turn(now, until);
  if (now >= moves_ns_) {
    const double at = moves_.next(seconds(now) + 0.5e-9, seconds(until));
    moves_ns_ = at < seconds(until)
                    ? std::max(now + 1, static_cast<std::int64_t>(std::floor(at * 1e9)))
                    : until;
  }
  return std::min(until, moves_ns_);
}

std::int64_t TimeStops::next_turn(std::int64_t now, std::int64_t until) {
  if (now >= after_ns_) {
    const double turn = turns_.first(seconds(now) + 0.5e-9, seconds(until));
    after_ns_ =
        turn < seconds(until) ? static_cast<std::int64_t>(std::floor(turn * 1e9)) + 1 : until;
    is_turn_ = turn < seconds(until);
  }
  if (!is_turn_) return until;
  return std::min(until, after_ns_ - 1 > now ? after_ns_ - 1 : after_ns_);
}

}  // namespace takt::codegen
