#pragma once
// A run of the flattened plant: sampled control blocks at their instants, rows of recorded signals between.

#include <cstdint>
#include <functional>
#include <optional>

#include "codegen/reference/integrator.hpp"

namespace takt::codegen {

struct ReferenceOptions {
  std::int64_t duration_ns = 0;
  IntegrationOptions integration;
};

struct ReferenceRecord {
  std::int64_t period_ns = 0;
  std::vector<SymbolId> symbols;
};

/// Takes what is recorded at one instant: places in the list of all recorded symbols, with their values.
using RowSink = std::function<void(std::int64_t time_ns, const std::vector<std::pair<std::size_t, double>>& row)>;

struct ReferenceResult {
  std::size_t equations = 0, differential = 0, dependent = 0;
  IntegrationCounts counts;
};

/// Blocks run at multiples of their period, those that others read first, and hold their outputs until the next; rows are taken just
/// before. Restarts wherever an output has changed. Inputs keep their start values.
class ReferenceRun {
 public:
  ReferenceRun(Network& network, Diagnostics& diagnostics);

  [[nodiscard]] bool has_symbol(SymbolId symbol) const;
  /// @throw std::runtime_error  time and cause
  ReferenceResult run(const ReferenceOptions& options, const std::vector<ReferenceRecord>& records, const RowSink& sink);

 private:
  struct Output { SymbolId symbol{}; Expr value{}; std::size_t block = 0; };

  void begin();
  bool take_outputs(std::int64_t time_ns);
  void update_states(std::int64_t time_ns);
  [[nodiscard]] double value(SymbolId symbol) const;
  [[nodiscard]] std::vector<SymbolId> held_symbols() const;

  Network& network_;
  FlatSystem flat_;
  std::vector<SymbolId> held_;
  std::unordered_map<SymbolId, std::size_t> held_index_;
  std::unordered_map<SymbolId, double> parameters_;
  std::vector<Output> outputs_;  // in the order of evaluation
  std::optional<NumericSystem> system_;
  Values y_;
};

}  // namespace takt::codegen
