#pragma once
// Whether gates can be on together: by construction, by what their signals say, by looking at
// times.

#include <map>
#include <optional>
#include <vector>

#include "codegen/topology/switching_branch.hpp"

namespace takt::codegen {

enum class Together : std::uint8_t {
  never,     ///< excluded by construction: outputs of one leg, a signal and its opposite
  not_seen,  ///< they follow time and were not found on together
  possible,  ///< nothing that is known offline excludes it
  seen,      ///< they follow time and are on together at a time that was found
};

struct TogetherVerdict {
  Together kind = Together::possible;
  double time_s = 0.0;  ///< seen: when
  bool same_signal = false;
};

class GateRelations {
 public:
  GateRelations(const Network& network, const NominalValues& values);
  /// Of gates that must all be on; indices into Network::gates.
  [[nodiscard]] TogetherVerdict of(const std::vector<std::uint32_t>& gates);

 private:
  [[nodiscard]] const std::vector<bool>& levels_of(std::uint32_t gate);
  [[nodiscard]] bool excluded(const std::vector<Expr>& signals) const;

  const Network& network_;
  const NominalValues& values_;
  std::vector<double> times_;
  std::map<std::uint32_t, std::vector<bool>> levels_;  // of gates that follow time only, at times_
};

}  // namespace takt::codegen
