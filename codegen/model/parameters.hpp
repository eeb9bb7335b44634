#pragma once
// What may be set from outside: parameters with their limits, the faults that change them, and
// inputs. Parts of a Network (network.hpp).

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

struct Parameter {
  SymbolId symbol{};
  double value = 0.0;       ///< SI, after --set
  std::string unit_text;    ///< as the user wrote it
  bool structural = false;  ///< used where a change needs a rebuild (ratio, period, array length)
  Location where;
};

/// What parameters must keep, such as r > 0: checked on loading, and by the built plant after
/// --set.
struct ParameterLimit {
  Expr holds{};      ///< over parameters; 1 where it is kept
  std::string text;  ///< where it is not: "electric.s.r_on is out of range: it must be > 0 Ohm"
};

/// What the library declares that may happen to an element: these parameters take other values
/// while it lasts.
struct ElementFault {
  struct Change {
    std::size_t parameter = 0;  ///< index into Network::parameters
    double value = 0.0;         ///< SI, where `of` is empty
    std::optional<std::size_t> of;
    double factor = 1.0;
  };
  std::string element, name, text;
  std::vector<Change> changes;
};

/// A fault that data alone cannot bring about, and why.
struct AbsentFault {
  std::string element, name;
  std::string why;  ///< "r follows r_load, which others follow, too: tune r_load"
};

/// What the world may set.
struct PlantInput {
  SymbolId symbol{};
  double start = 0.0;  ///< SI
  double safe = 0.0;   ///< SI
  Location where;
};

}  // namespace takt::codegen
