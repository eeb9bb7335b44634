#pragma once
// Instants at which a subsystem's functions of the time jump or bend, as expressions over
// parameters: known at any time of any run, also where parameters are tuned.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "codegen/dae/algebra/surrogate.hpp"
#include "codegen/model/network.hpp"
#include "runtime/solver/time_instants.hpp"

namespace takt::codegen {

struct TimeInstants {
  /// first, and first + k*period where there is one; s.
  struct Level {
    Expr first{};
    std::optional<Expr> period{};
  };
  /// A table that is read at slope*time + offset: at each of its places.
  struct Corners {
    Expr slope{}, offset{};
    TableId table{};
    bool second = false;  ///< of its second axis
  };
  std::vector<Level> levels;
  std::vector<Corners> corners;
  std::vector<std::string> unknown;  ///< functions whose instants have no such form
  bool jumps = false;                ///< one of them is a comparison, floor, mod or sign
  [[nodiscard]] bool empty() const { return levels.empty() && corners.empty(); }
  [[nodiscard]] bool none() const { return empty() && unknown.empty() && !jumps; }
};

/// The first instant after a time, of parameters as they are.
class InstantsOf {
 public:
  InstantsOf(const Graph& graph, const TimeInstants& instants,
             const std::function<double(SymbolId)>& value_of);
  [[nodiscard]] double after(double t) const noexcept;
  /// Of any stretch of time so long, s: a bound.
  [[nodiscard]] std::size_t most_within(double length) const;

 private:
  struct Level {
    double first, period;
  };
  struct Corners {
    LineInTime line;
    const std::vector<double>* places;
  };
  std::vector<Level> levels_;
  std::vector<Corners> corners_;
};

/// Of what its rates, integrands and algebra read. Levels may hold instants at which nothing
/// happens after all.
[[nodiscard]] TimeInstants time_instants(const Network& network, const Surrogate& surrogate);
/// Of these alone; its algebra says what names stand for.
[[nodiscard]] TimeInstants time_instants(const Network& network, const Surrogate& surrogate,
                                         const std::vector<Expr>& values);

}  // namespace takt::codegen
