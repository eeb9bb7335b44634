#pragma once
// Network: the flattened plant, all names resolved, everything SI. Output of the model stage, input of topology.
// Plain data. Every scalar quantity is a symbol of `graph`; laws are expressions over symbols.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "codegen/expr/expr.hpp"
#include "codegen/model/domain.hpp"
#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

enum class NodeId : std::uint32_t {};
enum class BranchId : std::uint32_t {};
enum class ElementId : std::uint32_t {};

/// Branch kinds in normal-tree order (A, C, R, L, T); `port` is one side of a scaling two-port.
enum class BranchKind : std::uint8_t { across_source, across_storage, dissipator, through_storage, through_source, port };

/// How a law is written. x is the across variable, f the through variable, z the conserved quantity of a storage.
enum class LawForm : std::uint8_t {
  across_of,    ///< x = expression           (A; or R given as v(i), which prefers the tree)
  through_of,   ///< f = expression           (T; or R given as i(v), which prefers the cotree)
  stored_of,    ///< z = expression           (C: q(v); L: lambda(i))
  from_stored,  ///< C: x = expression of z; L: f = expression of z
  implicit,     ///< 0 = expression           (R)
  none,         ///< port
};

struct NetworkNode {
  std::string path;             ///< e.g. "electric.out", "solid.chip"
  Domain domain{};
  bool reference = false;       ///< ground, frame, absolute zero
  SymbolId across{};            ///< potential against the reference vertex
  Location where;
};

struct Branch {
  ElementId element{};
  std::string path;             ///< element path, plus ".branch" where an element has several
  Domain domain{};
  BranchKind kind{};
  LawForm form = LawForm::none;
  Expr law{};                   ///< over symbols of this element, of other elements, parameters, time
  NodeId from{}, to{};          ///< across = potential(from) - potential(to); through flows from -> to inside the branch
  SymbolId across{}, through{};
  std::optional<SymbolId> stored;  ///< storages: the conserved quantity z
  std::optional<Expr> start;    ///< storages: start value of the across (C) or through (L) variable given by the user
  Expr default_start{};         ///< storages: used where the user gave none (zero, or the element's default)
  std::optional<Expr> energy;   ///< storages: stored energy, J, where the element defines it
  Location where;               ///< of the element in the plant file
};

/// x_a = ratio * x_b and f_b = -ratio * f_a (lossless): gear, wheel, transformer.
struct TwoPort {
  BranchId a{}, b{};
  double ratio = 1.0;           ///< a structural constant: changing it needs a rebuild
  Location where;
};

/// Internal state of an element: d(symbol)/dt = derivative.
struct ElementState {
  ElementId element{};
  SymbolId symbol{};
  Expr derivative{};
  Expr start{};                 ///< over parameters
  Location where;
};

/// Named intermediate quantity of an element: symbol = value. Also probes and derived outputs.
struct ElementVariable {
  ElementId element{};
  SymbolId symbol{};
  Expr value{};
  Location where;
};

struct Element {
  std::string path;             ///< "electric.smooth", with parts "electric.pack.cell[3].r0"
  std::string type;             ///< library name, e.g. "electric.capacitor"
  Domain home{};                ///< section it stands in: its states and variables belong to that circuit
  std::vector<BranchId> branches;  ///< also those in other domains (heat port, shaft)
  bool joins_circuit = true;    ///< branches of the home domain belong to one circuit even where no node joins them
  Location where;
};

/// Sampled control block: outputs from inputs and states, then the new states; executed every `period_ns`.
struct ControlBlock {
  std::string path;             ///< "control.regulator"
  std::string type;
  std::int64_t period_ns = 0;
  struct Output { SymbolId symbol; Expr value; };
  struct State { SymbolId symbol; Expr next; Expr start; };   ///< start over parameters
  std::vector<Output> outputs;
  std::vector<State> states;
  Location where;
};

struct Parameter {
  SymbolId symbol{};
  double value = 0.0;           ///< SI, after --set
  std::string unit_text;        ///< as the user wrote it
  bool structural = false;      ///< used where a change needs a rebuild (ratio, period, array length)
  Location where;
};

/// What the world may set.
struct PlantInput {
  SymbolId symbol{};
  double start = 0.0;           ///< SI
  double safe = 0.0;            ///< SI
  Location where;
};

/// Settings of a circuit or control block, or of several by wildcard ("solid.*").
struct SolveSetting {
  std::string pattern;          ///< on circuit names and element paths
  std::optional<std::int64_t> step_ns;
  std::optional<std::string> method;   ///< euler heun rk3 rk4
  std::optional<int> newton_iterations;
  Location where;
};

struct SyncSetting {
  std::string name;
  std::vector<std::string> members;    ///< circuits, domains, patterns, or other groups
  std::int64_t period_ns = 0;
  std::string scheme = "fast-first";
  std::optional<int> order;            ///< of inter/extrapolation: 0 or 1
  Location where;
};

struct RecordSetting {
  std::int64_t period_ns = 0;
  std::vector<std::string> patterns;
  Location where;
};

struct Network {
  Graph graph;
  std::string name;             ///< folder or file name of the plant: [a-z0-9_]+
  std::string title;
  std::vector<std::string> files;  ///< everything read: plant file, library files, tables; for the input hash
  SymbolId time{};              ///< simulated time, s
  std::vector<NetworkNode> nodes;
  std::vector<Branch> branches;
  std::vector<TwoPort> two_ports;
  std::vector<Element> elements;
  std::vector<ElementState> states;
  std::vector<ElementVariable> variables;
  std::vector<ControlBlock> blocks;
  std::vector<Parameter> parameters;
  std::vector<PlantInput> inputs;
  std::vector<SolveSetting> solve;
  std::vector<SyncSetting> sync;
  std::vector<RecordSetting> record;
  std::optional<std::int64_t> default_duration_ns;  ///< [plant] duration
};

}  // namespace takt::codegen
