#pragma once
// Laws, states and intermediate quantities of elements and control blocks, lowered with the names
// of their instance. Internal to codegen/model.

#include "codegen/model/workspace.hpp"

namespace takt::codegen {

/// Everything of a physical element that is an expression.
void lower_element(Workspace& work, Instance& instance);

/// A control block with its period.
void lower_block(Workspace& work, Instance& instance);

/// Its `every`, or that of the section. C001 where there is none.
[[nodiscard]] std::int64_t block_period(Workspace& work, const Instance& instance);

/// Symbols of a state machine: its outputs, `out` (number of its state), time_in_state and
/// in_STATE.
void make_machine(Workspace& work, Instance& instance);

/// A state machine. C020 unknown state, C021 unreachable, C022 without start, C023 outputs.
void lower_machine(Workspace& work, Instance& instance);

/// A control block that makes gate signals: PWM leg or timed gate.
void lower_gate_block(Workspace& work, Instance& instance);

class InstanceNames;

/// Gates, modes, linearisation points and energies at edges of an element.
void lower_switching(Workspace& work, Instance& instance, InstanceNames& names);

/// Events of an element, and its modes where events change them.
void lower_events(Workspace& work, Instance& instance, InstanceNames& names);

/// Sorts events by priority. Call when everything else is lowered.
void order_events(Network& network);

/// What leaves, for how long it travels, what is under way at the start.
void lower_delays(Workspace& work, Instance& instance, InstanceNames& names);

/// What the element's quantities must keep while the plant runs, and those of its parameters that
/// are not constant.
void lower_ranges(Workspace& work, Instance& instance, InstanceNames& names);

/// The same of what no element declares: temperatures and pressures of nodes, media and tables
/// outside of where they are known, and judge_ties(). Call when everything else is lowered.
void add_common_ranges(Workspace& work);

/// Walls that nothing which conducts ties to a temperature, massless parts that nothing which damps
/// ties to a speed, alone or in groups: a range where that may come to be, M047 where it is so from
/// the start.
void judge_ties(Workspace& work);

/// What gates and legs follow is known before the circuit is computed (M036); what nobody follows
/// is reported (M035).
void check_gate_signals(Workspace& work);

/// Fills Network::block_units. Call when everything else is lowered and in order.
void find_block_units(Workspace& work);

/// What names inside a definition mean for one instance.
class InstanceNames {
 public:
  InstanceNames(Workspace& work, Instance& instance) : work_(work), instance_(instance) {}

  /// @param own_branch  index of the branch whose law this is; its bare words are its own variables
  [[nodiscard]] std::optional<Named> lower(const SourceExpression& expression,
                                           std::optional<std::size_t> own_branch = std::nullopt);
  /// The same with lets as symbols instead of their values.
  [[nodiscard]] std::optional<Named> lower_with_symbols(
      const SourceExpression& expression, std::optional<std::size_t> own_branch = std::nullopt);
  /// As lower, but of the instance's start values: names parameters only. M030 where it depends on
  /// more.
  [[nodiscard]] std::optional<Expr> lower_start(const SourceExpression& expression);
  /// As lower, for the energy at an edge: before.X stands for the value just before it, which is a
  /// symbol of its own named below `path` and noted in `before`.
  [[nodiscard]] std::optional<Named> lower_edge(const SourceExpression& expression,
                                                const std::string& path,
                                                std::vector<EdgeEnergy::Before>& before);
  /// Value of a let or output.
  [[nodiscard]] std::optional<Named> let_value(std::string_view name);
  /// Wrong dimension of an expression of the library (L012).
  void expect(const Named& value, std::string_view unit_text, const SourceExpression& expression,
              std::string_view what);

 private:
  [[nodiscard]] std::optional<Named> find(std::string_view name);
  [[nodiscard]] std::optional<Named> value_before(std::string_view name);
  [[nodiscard]] SymbolId symbol_before(SymbolId symbol);
  [[nodiscard]] std::optional<Named> parameter(std::string_view name);
  [[nodiscard]] std::optional<Named> property(std::string_view name, const Named& temperature);
  [[nodiscard]] std::optional<TableUse> table(std::string_view name);
  [[nodiscard]] std::optional<Named> own_word(std::string_view name) const;
  [[nodiscard]] Named named(SymbolId symbol) const;
  [[nodiscard]] Diagnostics at_the_line(const Diagnostics& findings) const;
  [[nodiscard]] const SourceExpression* let_source(std::string_view name) const;

  Workspace& work_;
  Instance& instance_;
  std::optional<std::size_t> own_branch_;
  bool symbols_ = false;
  std::vector<EdgeEnergy::Before>* before_ = nullptr;
  std::string before_path_;
};

}  // namespace takt::codegen
