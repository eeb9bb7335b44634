#pragma once
// Which values a function of the time takes over an interval of time, by interval arithmetic.
// Source of the method: R. E. Moore, Interval Analysis, Prentice-Hall 1966.

#include <array>
#include <functional>
#include <limits>
#include <optional>
#include <vector>

#include "codegen/model/network.hpp"

namespace takt::codegen {

struct ValueRange {
  double low = -std::numeric_limits<double>::infinity(),
         high = std::numeric_limits<double>::infinity();
};

class ValueRanges {
 public:
  /// A symbol that stands still as long as nobody says otherwise; nothing: a state, or what follows
  /// states.
  using ValueOf = std::function<std::optional<double>(SymbolId)>;

  ValueRanges(const Network& network, Expr function);
  /// What is not known is everything.
  [[nodiscard]] ValueRange over(const ValueRange& time, const ValueOf& value_of) const;

 private:
  struct Step {
    Node node{};
    std::array<std::size_t, 3> operands{};
  };
  const Network* network_;
  std::vector<Step> steps_;  ///< operands before users
  mutable std::vector<ValueRange> ranges_;
};

}  // namespace takt::codegen
