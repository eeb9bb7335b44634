#pragma once
// A run of the flattened plant: sampled control blocks at their instants, rows of recorded signals
// between.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "codegen/reference/block_outputs.hpp"
#include "codegen/reference/integrator.hpp"
#include "codegen/reference/switching.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

/// How the whole plant is integrated: integrator.hpp.
enum class ReferenceMethod : std::uint8_t { ida, cvode, ark, fixed };

/// A plant input takes a value, just after what is recorded then.
struct InputChange {
  std::int64_t time_ns = 0;
  SymbolId symbol{};
  double value = 0.0;
};

struct ReferenceOptions {
  std::int64_t duration_ns = 0;
  IntegrationOptions integration;
  ReferenceMethod method = ReferenceMethod::ida;
  std::vector<InputChange> inputs{};  ///< by time; those of time 0 are start values
  double look_s =
      1e-6;  ///< pulses of gates that follow time directly are not missed where they are longer
  std::function<bool()> enough{};  ///< asked after each row: true ends the run there
};

struct ReferenceRecord {
  std::int64_t period_ns = 0;
  std::vector<SymbolId> symbols;
};

/// Takes what is recorded at one instant: places in the list of all recorded symbols, with their
/// values.
using RowSink = std::function<void(std::int64_t time_ns,
                                   const std::vector<std::pair<std::size_t, double>>& row)>;

struct ReferenceResult {
  std::size_t equations = 0, differential = 0, dependent = 0;
  IntegrationCounts counts;
  std::size_t gate_edges = 0, mode_changes = 0;
  std::int64_t reached_ns = 0;  ///< the duration, unless it was enough before
};

/// Blocks run at multiples of their period, those that others read first, and hold their outputs
/// until the next; rows are taken just before. Restarts wherever an output has changed or a switch
/// has moved.
class ReferenceRun {
 public:
  /// @param topology  begins as plants with these trees do, see flatten()
  /// @param states    begins with these values of the states of the reduced plant, by path: where
  /// another run of it
  ///                  began. @pre topology
  /// @throw std::runtime_error  where they are not the states of this plant
  ReferenceRun(const Network& network, Diagnostics& diagnostics,
               const TopologyResult* topology = nullptr,
               const std::map<std::string, double>* states = nullptr);

  [[nodiscard]] bool has_symbol(SymbolId symbol) const;
  /// @throw std::runtime_error  time and cause
  ReferenceResult run(const ReferenceOptions& options, const std::vector<ReferenceRecord>& records,
                      const RowSink& sink, const EventSink& events);

 private:
  void begin(const std::vector<InputChange>& inputs);
  bool take_inputs(std::int64_t time_ns, const std::vector<InputChange>& inputs);
  bool take_outputs(std::int64_t time_ns, double within = 0.0);
  void update_states(std::int64_t time_ns);
  [[nodiscard]] double value(SymbolId symbol) const;
  [[nodiscard]] std::vector<SymbolId> held_symbols() const;

  const Network& network_;
  FlatSystem flat_;
  std::unordered_map<SymbolId, double> parameters_;
  std::unordered_map<SymbolId, double> block_starts_;  // given from outside
  std::vector<BlockOutput> outputs_;                   // in the order of evaluation
  std::optional<NumericSystem> system_;
  std::optional<Switching> switching_;
  Values y_;
  std::size_t next_input_ = 0;
};

}  // namespace takt::codegen
