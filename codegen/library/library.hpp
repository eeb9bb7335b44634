#pragma once
// The element library: definitions as data, read from config/library/*.toml (schema:
// config/manual/plant_files). Definitions are checked when they are read (grammar, names, kinds and
// forms); the model stage instantiates them.

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/library/branch_kind.hpp"
#include "codegen/library/domain.hpp"
#include "codegen/library/toml_tree.hpp"
#include "codegen/text/diagnostics.hpp"
#include "codegen/text/expression.hpp"
#include "codegen/text/units.hpp"

namespace takt::codegen {

/// An expression of a definition with its place. ast is null where the text did not parse
/// (reported).
struct SourceExpression {
  std::string text;
  Location where;  ///< of the first character
  std::shared_ptr<const Ast> ast;
};

struct Constraint {
  enum class Relation : std::uint8_t { above, at_least, below, at_most } relation = Relation::above;
  double limit = 0.0;           ///< SI, where the limit is a number
  SourceExpression expression;  ///< over other parameters, where it is none; else ast is null
  std::string text;             ///< as written, e.g. "> 0"
};

/// "UNIT [structural] [CONSTRAINT] [= DEFAULT]" and its special forms.
struct ParameterDefinition {
  /// gate: any expression of signals; in laws it is 1 where that is > 0.5, else 0.
  enum class Kind : std::uint8_t {
    quantity,
    any,
    boolean,
    text,
    table,
    gate
  } kind = Kind::quantity;
  std::string name;
  std::string unit_text;         ///< "Ohm"; "1" without dimension
  std::optional<Unit> unit;      ///< quantity; of the values where a table
  std::string x_unit_text;       ///< table
  std::optional<Unit> x_unit;    ///< table
  bool two_dimensional = false;  ///< table over x and y
  std::string y_unit_text;       ///< of its second argument
  std::optional<Unit> y_unit;
  std::vector<Constraint> constraints;
  std::vector<std::string> words;  ///< text: what may be given; empty: anything
  bool structural = false;
  bool optional = false;                   ///< has a default
  std::string default_text;                ///< as written, for people; text parameters: the value
  SourceExpression default_value;          ///< quantity, any, boolean
  std::optional<TomlValue> default_table;  ///< table: points
  std::string doc;
  Location where;
};

/// A node an element brings or connects to.
struct TerminalDefinition {
  std::string name;
  Domain domain{};
};

struct BranchDefinition {
  std::string name;      ///< empty for the only branch of an element that names none
  std::string from, to;  ///< terminal or internal node; empty: the reference node of the domain
  Domain domain{};
  BranchKind kind{};
  LawForm form = LawForm::none;
  SourceExpression law;                   ///< right side
  std::string law_text;                   ///< whole, for people
  std::optional<SourceExpression> start;  ///< default start value
  std::optional<SourceExpression> energy;
  std::optional<SourceExpression>
      passes;  ///< of kind R: power into it that is no loss but goes to another circuit
  Location where;
};

struct TwoPortDefinition {
  std::string a, b;  ///< branch names
  SourceExpression ratio;
};

struct StateDefinition {
  std::string name;
  std::string unit_text;
  SourceExpression change;  ///< d/dt of a physical element's state; next value of a control block's
  SourceExpression start;
  SourceExpression like;  ///< of a control block, where given: what it has unit and kind of, as a
                          ///< filter of its input
  bool fixed = false;     ///< a steady start leaves it at its start value
  bool always = false;    ///< integrated before any other where constraints leave a choice
};

/// left = right
struct EquationDefinition {
  SourceExpression left, right;
};

/// A variable that only free equations determine.
struct UnknownDefinition {
  std::string name;
  std::string unit_text;
  SourceExpression start;
  bool started = false;  ///< `start` is given, else 0
  Location where;
};

struct LetDefinition {
  std::string name;
  std::string unit_text;
  SourceExpression value;
};

/// 1 or 0: while 0 it turns on where `on` > 0, while 1 it turns off where `off` > 0. In an element
/// with free equations or events both may be missing (their ast is null): any number, which events
/// set.
struct ModeDefinition {
  std::string name;
  std::string unit_text;
  SourceExpression on, off, start;
  Location where;

  [[nodiscard]] bool is_set_by_events() const { return !on.ast && !off.ast; }
};

/// What happens at the instant at which a condition comes true: variables take other values.
struct EventDefinition {
  struct Set {
    std::string name;  ///< of a state, a mode, or what a branch stores
    SourceExpression value;
    Location where;
  };
  std::string name;
  SourceExpression when;
  std::vector<Set> sets;
  double priority = 0.0;  ///< smaller ones first
  Location where;
};

/// Point about which a law is linearised.
struct PointDefinition {
  std::string name;
  std::string unit_text;
  SourceExpression next, tolerance, start;
};

/// What another end of the element sent `by` seconds ago.
struct DelayDefinition {
  std::string name;
  std::string unit_text;
  SourceExpression of, by, start;
  SourceExpression power;  ///< W per square of the value: what energy under way is counted by
  Location where;
};

/// Energy lost, J, where a gate or mode turns on (rise) or off (fall); null where there is none.
struct EdgeDefinition {
  std::string name;
  std::string of;  ///< gate parameter or mode
  SourceExpression rise, fall;
};

/// What a quantity of an element must keep while the plant runs; what leaving it means.
struct RangeDefinition {
  enum class Meaning : std::uint8_t { left, empty, full, overflows } at_min = Meaning::left, at_max = Meaning::left;
  std::string name;
  std::string unit_text;
  SourceExpression of;
  std::optional<SourceExpression> min, max;
};

struct HeatDefinition {
  SourceExpression temperature;  ///< where the port is not connected
  std::optional<SourceExpression> loss;
};

/// Mass that flows from one terminal to another and carries the specific enthalpy of the end it
/// comes from.
struct StreamDefinition {
  std::string name;       ///< empty for the only stream of an element that names none
  std::string from, to;   ///< terminals or self; `to` empty: the world outside
  SourceExpression flow;  ///< kg/s from `from` to `to`
  std::optional<SourceExpression> temperature;  ///< of what comes in from outside, K
  std::optional<SourceExpression>
      fraction;  ///< of what comes in from outside: its passive fraction; none: 0
  Location where;
};

/// Thermal side of a node that is an element: a given temperature, or contents that store energy.
struct ContentDefinition {
  std::optional<SourceExpression> temperature;  ///< given, K
  std::optional<SourceExpression> fraction;     ///< given with the temperature; none: 0
  std::optional<SourceExpression> mass;         ///< kg; the energy is a state
  std::optional<SourceExpression> start;        ///< default start temperature, K; over parameters
  Location where;
};

/// Properties over the temperature t, K. A liquid has a density, an ideal gas a gas constant.
struct MediumDefinition {
  std::string name;
  std::string doc, source;
  SourceExpression cp;                           ///< J/kg/K, affine in t
  std::optional<SourceExpression> rho;           ///< kg/m^3
  std::optional<SourceExpression> r;             ///< J/kg/K, constant
  std::optional<SourceExpression> mu;            ///< dynamic viscosity, Pa*s
  std::optional<SourceExpression> lambda;        ///< thermal conductivity, W/m/K
  std::optional<SourceExpression> p_vap;         ///< of a liquid: vapour pressure, Pa
  std::optional<SourceExpression> t_min, t_max;  ///< where the properties hold, K; constant
  std::string fraction;  ///< what it carries along, in words; empty: nothing
  Location where;
};

/// What may happen to an element: while it lasts, some of its parameters have other values.
struct FaultDefinition {
  /// `value`, or factor*`of`.
  struct Change {
    std::string parameter;
    std::string text;                    ///< as written: "10 MOhm", "1e3*r"
    double value = 0.0;                  ///< SI, where `of` is empty
    std::optional<Dimension> dimension;  ///< of the value; none: a number without unit
    std::string of;                      ///< parameter of the element
    double factor = 1.0;
    Location where;  ///< of the value
  };
  std::string name, doc;
  std::vector<Change> changes;
  Location where;
};

/// Control blocks that are no sampled blocks: their outputs change at instants the solver knows.
enum class GateBlock : std::uint8_t { none, pwm_leg, gate_edge };

struct ElementDefinition {
  std::string section;  ///< electric, solid, rotational, translational, fluid, gas, control
  std::string name;
  std::string doc, source;
  std::vector<ParameterDefinition> parameters;
  std::vector<TerminalDefinition> terminals;
  std::vector<TerminalDefinition> internal_nodes;
  bool self_node = false;
  bool joins_circuit = true;
  bool pump = false;  ///< drives the flow between its terminals
  std::vector<BranchDefinition> branches;
  std::vector<TwoPortDefinition> two_ports;
  std::vector<StateDefinition> states;
  std::vector<LetDefinition> lets;
  std::vector<DelayDefinition> delays;
  std::vector<EquationDefinition> equations;  ///< free ones
  std::vector<UnknownDefinition> unknowns;
  std::vector<ParameterDefinition> inputs;  ///< control blocks
  std::vector<LetDefinition> outputs;       ///< control blocks
  std::optional<HeatDefinition> heat;
  std::vector<ModeDefinition> modes;
  std::vector<EventDefinition> events;
  std::vector<PointDefinition> points;
  std::vector<EdgeDefinition> edges;
  std::vector<StreamDefinition> streams;
  std::optional<ContentDefinition> content;
  std::vector<RangeDefinition> ranges;
  std::vector<FaultDefinition> faults;     ///< sorted by name
  GateBlock gate_block = GateBlock::none;  ///< control blocks
  bool state_machine = false;  ///< control blocks: states and outputs stand in the plant file
  Location where;

  [[nodiscard]] std::string full_name() const { return section + "." + name; }
  [[nodiscard]] bool is_control() const { return section == "control"; }
  /// Its modes are followed by cuts of the steps that integrate it, not by the path of switched
  /// circuits.
  [[nodiscard]] bool has_event_modes() const { return !equations.empty() || !events.empty(); }
  [[nodiscard]] const ParameterDefinition* parameter(std::string_view wanted) const;
  [[nodiscard]] const BranchDefinition* branch(std::string_view wanted) const;
  /// Whether the name is a mode or a parameter of kind gate.
  [[nodiscard]] bool switches(std::string_view wanted) const;
};

class Library {
 public:
  /// @return nullptr where there is none
  [[nodiscard]] const ElementDefinition* find(std::string_view section,
                                              std::string_view name) const;
  /// By "resistor" or "electric.resistor": every definition of that name.
  [[nodiscard]] std::vector<const ElementDefinition*> find_all(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> names(std::string_view section) const;
  /// Sorted by section and name.
  [[nodiscard]] std::vector<const ElementDefinition*> all() const;

  /// @return nullptr where there is none
  [[nodiscard]] const MediumDefinition* find_medium(std::string_view name) const;
  [[nodiscard]] std::vector<std::string> medium_names() const;
  /// Reads one medium; an existing one of that name is refused (L002).
  void add_medium(const TomlEntry& entry, Diagnostics& diagnostics);

  /// Files the definitions came from.
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
  void add_file(std::string file) { files_.push_back(std::move(file)); }

  /// Reads one definition; an existing one of that name is refused (L002).
  void add(std::string_view section, const TomlEntry& entry, Diagnostics& diagnostics);

 private:
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const ElementDefinition>,
           std::less<>>
      elements_;
  std::map<std::string, std::shared_ptr<const MediumDefinition>, std::less<>> media_;
  std::vector<std::string> files_;
};

/// Reads every *.toml of the folders, in order of name.
[[nodiscard]] Library load_library(const std::vector<std::filesystem::path>& folders,
                                   Diagnostics& diagnostics);

/// Adds the definitions of one library file's text; for tests and for [element] sections of plants.
void add_definitions(Library& library, const TomlValue& root, Diagnostics& diagnostics);

/// Adds the media of a [medium] section.
void add_media(Library& library, const TomlValue& media, Diagnostics& diagnostics);

/// The sections elements can stand in.
[[nodiscard]] const std::vector<std::string>& element_sections();
/// Domain of a section; nothing for "control" and unknown ones.
[[nodiscard]] std::optional<Domain> domain_of(std::string_view section);

/// "is empty": what an element is where a quantity leaves its range in this way.
[[nodiscard]] std::string_view meaning_text(RangeDefinition::Meaning meaning);
/// Of the event that is counted then.
[[nodiscard]] std::string_view meaning_code(RangeDefinition::Meaning meaning);

/// Parses "UNIT [structural] [CONSTRAINT] [= DEFAULT]" (also the long form as a table); reports L
/// and U codes.
[[nodiscard]] ParameterDefinition read_parameter(const TomlEntry& entry, Diagnostics& diagnostics);

}  // namespace takt::codegen
