#pragma once
// Who defines and who reads a symbol.

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "codegen/dae/circuit/surrogate_symbols.hpp"
#include "codegen/expr/symbol_map.hpp"
#include "codegen/model/network.hpp"

namespace takt::codegen {

/// Where a symbol comes from.
class SymbolOrigins {
 public:
  SymbolOrigins(const Network& network, const DaeResult& dae);
  /// Subsystem whose state or algebra output it is.
  [[nodiscard]] std::optional<std::size_t> owner(SymbolId symbol) const;
  /// Index into Network::inputs.
  [[nodiscard]] std::optional<std::size_t> plant_input(SymbolId symbol) const;
  /// Index into DaeResult::fluxes by the received symbol.
  [[nodiscard]] std::optional<std::size_t> flux(SymbolId received) const;
  /// Index into Network::delays by what arrives.
  [[nodiscard]] std::optional<std::size_t> delay(SymbolId arriving) const;
  /// Parameters and time are read directly and never cross.
  [[nodiscard]] bool is_parameter_or_time(SymbolId symbol) const;

 private:
  SymbolMap<std::size_t> owner_, plant_input_, flux_, delay_;
  SymbolMap<bool> free_;
};

/// Which inputs an own symbol depends on without a state in between (direct feedthrough), through
/// the algebra.
class Feedthrough {
 public:
  Feedthrough(const Graph& graph, const Surrogate& surrogate, const std::vector<SymbolId>& inputs);
  /// Of an own symbol, ascending.
  [[nodiscard]] const std::vector<SymbolId>& of(SymbolId symbol) const;

 private:
  using Set = std::uint32_t;  ///< index into sets_; 0 is empty
  [[nodiscard]] Set find(SymbolId symbol) const;
  [[nodiscard]] Set join(Set a, Set b);

  std::unordered_map<SymbolId, Set> reach_;
  std::vector<std::vector<SymbolId>> sets_{{}};
  std::map<std::pair<Set, Set>, Set> joined_;
};

}  // namespace takt::codegen
