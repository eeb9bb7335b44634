#pragma once
// Instants at which a reference run ends its steps for functions of the time: an integrator at rest
// would step over a pulse and never know.

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "codegen/reference/flat_system.hpp"
#include "codegen/reference/quick_moves.hpp"
#include "codegen/reference/turning_points.hpp"

namespace takt::codegen {

/// Where one turns it stops in the last ns before, and in the first after it; where one moves
/// quickly, on the way.
class TimeStops {
 public:
  using Parameters = std::unordered_map<SymbolId, double>;

  /// @param parameters  live as long as this
  TimeStops(const Network& network, const FlatSystem& flat, const Parameters& parameters,
            const QuickMoves::Run& run);

  /// After `now`, up to `until`.
  [[nodiscard]] std::int64_t next(std::int64_t now, std::int64_t until);
  [[nodiscard]] bool has_turned(std::int64_t now) const { return is_turn_ && now == after_ns_; }

 private:
  TimeStops(const Network& network, const std::vector<Expr>& values,
            const ValueRanges::ValueOf& value_of, const QuickMoves::Run& run);
  [[nodiscard]] std::int64_t next_turn(std::int64_t now, std::int64_t until);

  TurningPoints turns_;
  QuickMoves moves_;
  std::int64_t after_ns_ = 0, moves_ns_ = 0;
  bool is_turn_ = false;
};

}  // namespace takt::codegen
