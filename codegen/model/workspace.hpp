#pragma once
// What the model stage works on while it turns a plant file into a Network. Internal to
// codegen/model.
//
// Order of work: sections are read and parts expanded into instances (expand.cpp), which brings all
// elements, branches, nodes and symbols into being; only then are expressions lowered (values.cpp,
// laws.cpp, blocks.cpp), so that they may name anything. Values are resolved on demand and once; a
// circle among them is found on the way.

#include <deque>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "codegen/expr/lower.hpp"
#include "codegen/expr/node_memo.hpp"
#include "codegen/expr/symbol_map.hpp"
#include "codegen/library/library.hpp"
#include "codegen/model/network.hpp"
#include "codegen/text/diagnostics.hpp"
#include "codegen/text/units.hpp"

namespace takt::codegen {

struct Scope;
struct Slot;

using Slots = std::map<std::string, Slot*, std::less<>>;

/// Where an expression of the plant file stands: names are looked up from there.
struct Reading {
  const Scope* scope = nullptr;
  std::string section;          ///< of the line; "" outside of element sections
  std::optional<double> index;  ///< `i` of an array
};

/// A limit of a value that is not constant: below <= above, where strict below < above.
struct MovingLimit {
  Expr below{}, above{};
  bool strict = false;
  std::string must;  ///< "is out of range: it must be > 0 Ohm"
};

/// A value to be resolved: parameter of an element, of a part, of the plant, or input of a control
/// block.
struct Slot {
  enum class State : std::uint8_t { untouched, busy, done, failed } state = State::untouched;
  const ParameterDefinition* definition = nullptr;  ///< nullptr: [parameters]
  const TomlValue* given = nullptr;                 ///< nullptr: the default
  std::optional<std::string> override_text;         ///< --set
  Reading reading;                                  ///< of the given value
  const Slots* siblings = nullptr;                  ///< what a default may name
  std::string name;
  std::string path;  ///< of its parameter symbol
  Location where;
  /// For faults, where the value is an expression: it is taken times `factor` plus `offset`,
  /// parameters of their own.
  Slot *factor = nullptr, *offset = nullptr;
  std::size_t reads = 0;  ///< how often expressions of the plant file name it
  // Result.
  Expr value{};
  std::optional<Dimension> dimension;  ///< unknown where empty
  QuantityKind kind;                   ///< what the dimension does not tell
  std::optional<TableId> table;
  std::string text;                 ///< text parameters
  std::vector<MovingLimit> moving;  ///< to be judged while the plant runs
};

struct PartDefinition {
  std::string name;
  std::vector<ParameterDefinition> parameters;
  std::vector<TerminalDefinition> terminals;
  const TomlValue* table = nullptr;
  Location where;
};

/// The plant itself or one instance of a part.
struct Scope {
  const Scope* parent = nullptr;
  const PartDefinition* part = nullptr;  ///< nullptr: the plant
  std::string prefix;                    ///< "pack[3]." ; "" for the plant
  Slots parameters;
  std::map<std::pair<Domain, std::string>, NodeId> terminals;
  const TomlValue* default_period = nullptr;  ///< [control] every
  std::map<std::string, const TomlValue*, std::less<>>
      default_media;  ///< by section: [fluid] medium
  struct Taken {
    bool is_part = false;
    Location where;
  };
  std::map<std::string, Taken, std::less<>> taken;  ///< names of elements, control blocks and parts
};

using Named = Lowered;

/// One element or control block of the plant.
struct Instance {
  const ElementDefinition* definition = nullptr;
  std::string path;
  Reading reading;
  const TomlEntry* entry = nullptr;
  Slots parameters;  ///< inputs of control blocks too
  // Physical elements.
  ElementId element{};
  std::map<std::string, NodeId, std::less<>> vertices;  ///< terminals, internal nodes, self
  std::vector<BranchId> branches;                       ///< as in the definition
  std::map<std::string, Named, std::less<>> variables;  ///< "v", "r0.v", states
  std::map<std::string, SymbolId, std::less<>> let_symbols;
  std::map<std::string, Named, std::less<>> let_values;  ///< as far as lowered
  std::optional<NodeId> heat_node;
  std::optional<BranchId> heat_branch;
  std::optional<SymbolId> loss;  ///< what the heat port gives off, W, where it is connected
  std::optional<SymbolId> temperature_symbol;  ///< t, where the heat port is connected
  std::size_t first_two_port = 0;  ///< index into network.two_ports; they stand in a row
  std::optional<Expr> start_temperature, start_fraction;  ///< of contents, from the plant file
  // Control blocks.
  std::int64_t period_ns = 0;
  Slot* frozen = nullptr;  ///< parameter: 1 while outputs and states are held
};

/// Elements that get parameters of their own for their faults: an entry of [plant] faults.
struct FaultWish {
  std::string pattern;
  Location where;
  bool met = false;
};

/// What a path means.
struct Target {
  std::optional<SymbolId> symbol;
  Slot* slot = nullptr;  ///< a parameter; neither: constantly 0 (reference potentials)
};

/// A heat port's wall, to be checked when all walls are known.
struct HeatUse {
  NodeId node{};
  Location where;
};

/// What a gate, a leg or a timed gate follows; judged when all symbols have their meaning.
struct SignalUse {
  Expr value{};
  Location where;
  std::string what;
  bool may_take_legs = false;  ///< gates take outputs of legs and timed gates
};

/// A medium's properties as expressions of its own symbol t.
struct Medium {
  const MediumDefinition* definition = nullptr;
  SymbolId t{};
  Expr cp_zero{}, cp_slope{};              ///< cp at 0 degC, J/kg/K, and its slope, J/kg/K^2
  std::optional<double> coldest, hottest;  ///< where the properties hold, K
  Expr r{};                                ///< gas constant, J/kg/K; 0 for liquids
  std::map<std::string, std::optional<Named>, std::less<>> properties;
};

/// Node that mass flows through: its temperature and specific enthalpy, what it exchanges.
struct FlowNode {
  SymbolId t{}, h{};
  std::optional<SymbolId> x;    ///< passive fraction, where the medium carries one
  std::vector<Expr> x_inflows;  ///< of what the fraction is about, kg/s
  std::vector<Expr>
      x_mixing;  ///< the same less what the mass would carry at the fraction of the node, kg/s
  Instance* content = nullptr;  ///< the element that is the node, where it has contents
  std::vector<Expr> carried;    ///< enthalpy flows into the node, W
  std::vector<Expr>
      mixing;  ///< the same less what the mass would carry at the node's own enthalpy, W
  std::vector<Expr> heats;     ///< heat flows into the node, W
  std::vector<Expr> arriving;  ///< mass flows into the node where they are positive, kg/s, else 0
  std::optional<ElementId> element;  ///< one whose circuit this is
};

/// A terminal of a solid element at a node that mass flows through.
struct HeatCrossing {
  Instance* instance = nullptr;
  std::string terminal;
  NodeId inner{};  ///< node of the solid circuit that has the medium's temperature
  NodeId outer{};  ///< fluid or gas
};

struct Workspace {
  Workspace(const Library& elements, Diagnostics& findings)
      : library(elements), diagnostics(findings) {}

  Library library;  ///< with the plant's own elements
  Diagnostics& diagnostics;
  std::filesystem::path folder;  ///< of the plant file
  std::string file;
  Network network;

  std::deque<Scope> scopes;  ///< front: the plant
  std::deque<Slot> slots;
  std::deque<Instance> instances;
  std::deque<TomlValue> texts;  ///< values that stand in no file (--set)
  std::map<std::string, PartDefinition, std::less<>> parts;
  std::map<std::string, std::string, std::less<>>
      overrides;  ///< name -> text; what is used is removed

  std::unordered_map<std::string_view, Target>
      names;  ///< views of paths of symbols, or of other_names
  std::deque<std::string> other_names;
  SymbolMap<Dimension> dimensions;      ///< of symbols, where known
  SymbolMap<QuantityKind> kinds;        ///< of symbols, where their dimension does not tell
  SymbolMap<std::size_t> parameter_of;  ///< index into network.parameters
  struct ParameterValue {
    double value = 0.0;
    bool known = true;  ///< of parameters and numbers alone
  };
  mutable NodeMemo<ParameterValue> parameter_values{
      network.graph()};                           ///< a parameter may follow thousands of others
  std::unordered_map<std::string, NodeId> nodes;  ///< by path
  std::vector<std::size_t> node_uses;             ///< branch ends at each node
  std::map<NodeId, SymbolId> potentials;          ///< what a node's potential is read from
  std::set<NodeId> walls;                         ///< nodes that are elements
  std::vector<HeatUse> heat_uses;
  std::vector<SignalUse> signal_uses;
  std::deque<Medium> media;  ///< as far as used
  std::map<NodeId, const Medium*> medium_of_node;
  std::map<NodeId, FlowNode> flow_nodes;
  std::vector<HeatCrossing> crossings;
  struct ForeignLine {
    std::size_t model, place;  ///< of Network::foreign, and of its inputs or parameters
    const TomlValue* given;    ///< of an input
    Slot* slot;                ///< of a parameter
    std::string unit;
    bool checked;  ///< its dimension is known
    QuantityKind kind = {};
  };
  std::vector<ForeignLine> foreign_lines;
  std::vector<FaultWish> fault_wishes;
  std::set<std::string> broken;        ///< paths of elements and "*." + parts that were refused
  std::vector<const Slot*> resolving;  ///< for cycles
  std::map<std::string, std::optional<TableId>> tables;  ///< CSV tables read before
  std::set<std::string> reported;

  /// Temperature of a wall or of a medium's node.
  [[nodiscard]] SymbolId temperature_at(NodeId node) const {
    const auto flow = flow_nodes.find(node);
    return flow != flow_nodes.end() ? flow->second.t : potentials.at(node);
  }

  /// Reports once per place and sentence (members of an array would repeat themselves).
  void error(std::string_view code, const Location& where, const std::string& message,
             const std::string& hint = {});
  void warning(std::string_view code, const Location& where, const std::string& message,
               const std::string& hint = {});
  /// Hands on findings of another pass, each once.
  void forward(const Diagnostics& findings);

  /// A symbol, named by its path unless that means something else; the path is made unique where
  /// another symbol has it.
  SymbolId make_symbol(const std::string& path, std::string_view unit_text);
  [[nodiscard]] Named named(SymbolId symbol) const;
  [[nodiscard]] Named named(const Slot& slot) const;
  /// Stands for a value that was refused: what depends on it is not judged again.
  [[nodiscard]] Named refused();
  [[nodiscard]] bool is_refused(Expr value) const;
  /// Makes a path mean something; false where it means something already.
  bool declare(const std::string& path, Target target);
  Slot& make_slot(Slot slot);
  NodeId node_at(Domain domain, const std::string& path, const Location& where);

 private:
  struct KnownUnit {
    std::string si;
    std::optional<Unit> unit;
    QuantityKind kind = {};
  };
  std::optional<SymbolId> refused_;
  std::unordered_map<std::string, KnownUnit> units_;  ///< parsed before
  [[nodiscard]] bool first_time(std::string_view code, const Location& where,
                                const std::string& message);
};

/// Scales a unit text to what a symbol carries: SI text ("km/h" becomes "m/s", "" and "any" become
/// "1").
[[nodiscard]] std::string si_text(std::string_view unit_text);

}  // namespace takt::codegen
