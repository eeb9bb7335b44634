#pragma once
// FMUs in a network.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/model/foreign_join.hpp"
#include "codegen/model/foreign_port.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

struct FmuDescription;

/// A Functional Mock-up Unit as a part of the plant: its own code computes it, once per
/// communication step.
struct ForeignModel {
  /// An element of a variable of the FMU. SI = factor * value + offset.
  struct Port {
    SymbolId symbol{};
    std::size_t variable = 0;  ///< index into FmuDescription::variables
    std::size_t element = 0;   ///< of an array, row by row
    double factor = 1.0, offset = 0.0;
    bool jumps = false;  ///< whole numbers, what is discrete or does not change: no value lies
                         ///< between two others
    std::optional<double> safe =
        {};  ///< of an output: its value (SI) where the FMU has failed; else the last one
    static constexpr std::size_t of_join = ~std::size_t{0};
    std::size_t member = 0;  ///< of joined FMUs: index into members; of_join: a signal of a join
  };
  struct Fed {
    Port port;     ///< of a parameter: without a symbol
    Expr value{};  ///< SI; of an input over symbols of the plant, of a parameter over parameters
  };
  std::string path;  ///< "fmu.engine"
  std::shared_ptr<const FmuDescription> fmu;
  std::string folder;  ///< of what is unpacked beside the executable: a hash of the file
  bool model_exchange = false;
  std::string method;  ///< of model exchange
  bool directional_derivatives =
      true;  ///< of model exchange: asked for where the FMU offers them, else differences
  std::int64_t step_ns = 0;  ///< communication step
  bool waited_for =
      false;  ///< lag = 0: others are computed before and after it within their H; else beside it
  bool stops = true;  ///< the run ends where the FMU fails; else its outputs are held
  std::vector<Fed> inputs, parameters;
  std::vector<Port> outputs;
  std::vector<ForeignPort> ports;
  /// FMUs that are joined, computed as one by one process; empty: this is a single FMU. What they
  /// exchange stands above.
  std::vector<ForeignModel> members;
  std::vector<ForeignJoin> joins;
  ForeignJoinSettings join_settings;
  Location where;

  /// The FMU that a port is of. @pre no signal of a join
  [[nodiscard]] const FmuDescription& fmu_of(const Port& of) const {
    return members.empty() ? *fmu : *members[of.member].fmu;
  }
};

}  // namespace takt::codegen
