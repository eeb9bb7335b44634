#pragma once
// A flat Modelica model as its front end has written it: declarations, equations, functions.
// Nothing is evaluated yet. Language: Modelica Language Specification 3.6; Base Modelica of
// MCP-0031.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::codegen::modelica {

struct FlatExpression;
using FlatRef = std::shared_ptr<const FlatExpression>;

struct FlatExpression {
  enum class Kind : std::uint8_t {
    number,
    boolean,
    text,
    name,         ///< text: dotted, subscripts of components inside ("pin[1].v")
    index,        ///< parts: base, subscripts
    field,        ///< text of parts[0]
    call,         ///< text: function
    constructor,  ///< text: record
    negate,
    invert,
    binary,    ///< text: + - * / ^, with a dot in front where element by element
    relation,  ///< text: < <= > >= == <>
    logic,     ///< text: and, or
    choice,    ///< parts: condition, value, condition, value, ..., value
    array,
    rows,           ///< [a, b; c, d]: parts are arrays, one per row
    range,          ///< parts: first, step, last
    comprehension,  ///< parts: value, range; text: the iterator
    tuple,
    all,   ///< the subscript ':'
    last,  ///< the subscript 'end'
    named  ///< text = parts[0], an argument by name
  };
  Kind kind = Kind::number;
  double number = 0.0;  ///< of number and boolean
  bool whole = false;   ///< the number is written as an Integer
  std::string text{};
  std::vector<FlatRef> parts{};
  Location where{};
};

enum class Variability : std::uint8_t { continuous, discrete, parameter, constant };
enum class Causality : std::uint8_t { none, input, output };
enum class StateSelect : std::int8_t { never = -2, avoid = -1, none = 0, prefer = 1, always = 2 };

struct FlatVariable {
  std::string name{},
      type{};  ///< type: Real, Integer, Boolean, String or empty where the front end does not tell
  Variability variability = Variability::continuous;
  Causality causality = Causality::none;
  bool is_final = false;
  bool is_discrete_type = false;  ///< Boolean, Integer, enumeration, String
  bool evaluate = false;          ///< annotation(Evaluate = true)
  bool is_flow = false;
  std::vector<FlatRef> dims{};
  FlatRef start{}, fixed{}, min{}, max{}, nominal{}, binding{};  ///< null where not given
  std::string unit{}, description{};
  StateSelect state_select = StateSelect::none;
  Location where{};
};

struct FlatStatement;
using FlatStatements = std::vector<FlatStatement>;

struct FlatStatement {
  enum class Kind : std::uint8_t {
    assign,
    assign_many,
    choose,
    repeat,
    repeat_while,
    check,
    leave,
    quit,
    nothing,
    other
  };
  Kind kind = Kind::nothing;
  std::string name{};  ///< assign: target, dotted; repeat: iterator; other: what it is
  std::vector<FlatRef> subscripts{};     ///< of the target
  std::vector<std::string> targets{};    ///< assign_many; an empty one takes nothing
  FlatRef value{};                       ///< assign, assign_many, check; range of repeat
  std::vector<FlatRef> conditions{};     ///< choose; one more body than conditions: else
  std::vector<FlatStatements> bodies{};  ///< choose, repeat
  Location where{};
};

struct FlatArgument {
  std::string name{}, type{};
  std::vector<FlatRef> dims{};  ///< kind `all` where not known
  bool is_record = false;
  FlatRef value{};  ///< default, or what a local begins with; null: none
};

struct FlatFunction {
  std::string name{};
  std::vector<FlatArgument> inputs{}, outputs{}, locals{};
  FlatStatements body{};
  bool is_external = false, is_constructor = false;
  std::string external_name{};
  Location where{};
};

struct FlatEquation {
  enum class Kind : std::uint8_t { equality, choose, repeat, call };
  Kind kind = Kind::equality;
  FlatRef left{}, right{};                          ///< equality; call: left
  std::vector<FlatRef> conditions{};                ///< choose
  std::vector<std::vector<FlatEquation>> bodies{};  ///< choose, one more than conditions; repeat
  std::string iterator{};                           ///< repeat
  FlatRef range{};
  int scalars = -1;           ///< as the front end counts them; -1: it does not
  std::string origin{};       ///< "component motor", "equation 17": for findings
  std::string unconnected{};  ///< the flow that it sets to zero, since nothing is connected to it
  Location where{};
};

/// What happens at an event.
struct FlatWhenAction {
  enum class Kind : std::uint8_t {
    assign,
    reinit,
    check,  ///< what may end a simulation: assert, terminate
    choose,
    other
  };
  Kind kind = Kind::other;
  std::string name{};                 ///< assign, reinit: target; other: what it is
  FlatRef value{};                    ///< assign, reinit
  std::vector<FlatRef> conditions{};  ///< choose; one more body than conditions: else
  std::vector<std::vector<FlatWhenAction>> bodies{};  ///< choose
  Location where{};
};

struct FlatWhenBranch {
  FlatRef condition{};
  std::vector<FlatWhenAction> actions{};
  Location where{};
};

/// A when-equation: `when`, then each `elsewhen`.
struct FlatWhen {
  std::string sets{};  ///< in words
  Location where{};
  std::vector<std::string>
      schedule{};  ///< what it sets, where all it does is to plan the events of a table
  std::vector<FlatWhenBranch> branches{};
};

struct FlatAssertion {
  std::string message{};
  Location where{};
};

struct FlatRecordType {
  std::string name{};
  std::vector<std::string> fields{};
};

/// Variables of a connector that circuits of the plant determine: the model has one equation less
/// than variables.
struct FlatJoin {
  std::string connector{}, across{}, through{};
  std::string position{};  ///< of which `across` is the rate, where it is one
  Location where{};
};

struct FlatModel {
  std::string name{}, description{};
  std::vector<FlatVariable> variables{};
  std::vector<FlatEquation> equations{}, initial_equations{};
  std::vector<FlatStatements> algorithms{}, initial_algorithms{};
  std::vector<std::string> algorithm_origins{}, initial_algorithm_origins{};
  std::vector<FlatWhen> whens{};
  std::vector<FlatAssertion> assertions{};
  std::map<std::string, FlatFunction, std::less<>> functions{};
  std::map<std::string, FlatRecordType, std::less<>> record_types{};
  std::map<std::string, std::string, std::less<>>
      record_instances{};                              ///< type by name of the component
  std::map<std::string, int, std::less<>> literals{};  ///< of enumerations: ordinal by full name
  std::vector<FlatJoin> joins{};
  double stop_time = 0.0, interval = 0.0;  ///< annotation(experiment(...)); 0: none
  Location where{};
};

/// What cannot be imported: thrown where it is found, reported where the equation or declaration is
/// known.
struct Refusal {
  std::string code{}, message{}, hint{};
  Location where{};
};

}  // namespace takt::codegen::modelica
