#pragma once
// Expressions of a flat model as scalars of one graph. Names of variables become symbols,
// parameters stay symbols where they can be tuned, functions are written out: equal expressions are
// one node, so that what many equations share is there once (as trees, three tanks with a medium
// did not end).

#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>

#include "codegen/modelica/flat_model.hpp"
#include "codegen/modelica/library_tables.hpp"
#include "codegen/modelica/value.hpp"

namespace takt::codegen::modelica {

/// Parameters that are numbers in the plant, by name, with the reason.
using FixedParameters = std::map<std::string, std::string, std::less<>>;

/// A parameter that can be tuned: a symbol with what it is by default.
struct TunableParameter {
  const FlatVariable* declared = nullptr;
  std::string name;  ///< with its subscripts
  Expr value{};      ///< a number, or an expression of other parameters
};

/// y = semiLinear(x, positive, negative): a slope for each direction of x.
struct SemiLinear {
  SymbolId symbol{};  ///< stands for y
  Expr x{}, positive{}, negative{};
  /// It is continuous: its relation carries the mark.
  [[nodiscard]] Expr value(Graph& graph, SymbolId mark) const;
};

/// sample(first, period): an instant at which `symbol` is true, counted by `count`.
struct SampleTick {
  SymbolId symbol{}, count{};
  Expr first{}, period{};
  /// Of a clock: due at period*(offset + step*count)/resolution, whole numbers, so that clocks made
  /// of one another are due at one number.
  long long step = 0, offset = 0, resolution = 1;
};

/// What an operator of synchronous Modelica gives.
struct ClockWord {
  enum class Kind : std::uint8_t {
    base,  ///< `period`; 0: another equation tells which clock it is
    sub,
    super,
    shift,
    back,
    sample,
    hold,
    previous,
    interval,
    first_tick,
    no_clock
  };
  Kind kind = Kind::base;
  SymbolId symbol{};
  std::optional<Expr> operand{}, clock{};
  bool is_clock = false;   ///< else a value at its ticks
  double period = 0.0;     ///< s
  long long a = 1, b = 1;  ///< factor; shift by a/b of the interval
  Location where{};
};

/// Names of a function that is written out, or of iterators.
struct Frame {
  std::map<std::string, Value, std::less<>> values;
  const Frame* outer = nullptr;
  std::string function;  ///< for findings; empty: none
};

class Evaluator {
 public:
  Evaluator(const FlatModel& model, Graph& graph, FixedParameters& fixed);

  /// @throw Refusal
  [[nodiscard]] Value value(const FlatExpression& expression, const Frame* frame = nullptr);
  /// The value where it must be known now: parameters that it reads are fixed for this reason.
  [[nodiscard]] double number(Expr e, const std::string& reason);
  [[nodiscard]] double number(const FlatExpression& expression, const std::string& reason,
                              const Frame* frame = nullptr);
  /// With parameters as they are; fixes nothing.  @return nothing where it depends on variables or
  /// time
  [[nodiscard]] std::optional<double> value_now(Expr e);
  /// Elements of the range of a loop.
  [[nodiscard]] std::vector<double> elements(const FlatExpression& range, const Frame* frame);

  /// All that a call gives: (a, b) = f(x).
  [[nodiscard]] std::vector<Value> outputs(const FlatExpression& call,
                                           const Frame* frame = nullptr);

  /// What an algorithm section gives to each variable.
  [[nodiscard]] std::vector<std::pair<std::string, Value>> assigned(const FlatStatements& algorithm,
                                                                    const std::string& origin);

  /// Symbols of a variable: one, or an array of them.
  [[nodiscard]] Value name(const std::string& name);
  [[nodiscard]] Expr derivative(Expr e);
  [[nodiscard]] bool depends_on_variables(Expr e);
  [[nodiscard]] bool depends_on_held_alone(Expr e);  ///< or on time
  [[nodiscard]] bool is_variable(SymbolId symbol) const { return variable_of_.contains(symbol); }

  [[nodiscard]] const std::unordered_map<SymbolId, TunableParameter>& tunable() const {
    return tunable_;
  }
  [[nodiscard]] const std::map<SymbolId, SymbolId>& derivatives() const {
    return derivatives_;
  }  ///< der(x) by x
  [[nodiscard]] const FlatVariable* variable(SymbolId symbol) const;
  [[nodiscard]] SymbolId time() const { return time_; }
  /// 1: stands in conditions that are taken as they are (noEvent, smooth, functions), not as
  /// events.
  [[nodiscard]] SymbolId literal_mark() const { return mark_; }
  [[nodiscard]] const std::vector<SemiLinear>& semi_linear() const { return semi_linear_; }
  [[nodiscard]] const std::set<std::string>& functions_used() const { return functions_used_; }
  [[nodiscard]] std::size_t assertions_passed() const { return assertions_; }
  [[nodiscard]] Graph& graph() { return graph_; }
  [[nodiscard]] const FlatModel& model() const { return model_; }
  /// Parameters that the start determines from variables.
  [[nodiscard]] const std::vector<const FlatVariable*>& held() const { return held_; }
  /// What a truth value among them is at the start, by name.
  [[nodiscard]] const std::map<std::string, Expr>& truths_at_start() const {
    return truths_at_start_;
  }
  [[nodiscard]] Value symbols_of(const FlatVariable& declared) {
    return symbols_of(declared, 0, "");
  }
  /// In initial equations initial() is true and pre(x) is x.
  void set_initial(bool initial) { initial_ = initial; }

  // --- words of events (event_words.cpp)
  /// pre(x) by x.
  [[nodiscard]] const std::map<SymbolId, SymbolId>& befores() const { return befores_; }
  [[nodiscard]] const std::vector<SampleTick>& ticks() const { return ticks_; }
  [[nodiscard]] const std::vector<ClockWord>& clock_words() const { return clock_words_; }
  /// Whose value at the tick before is read.
  [[nodiscard]] const std::set<SymbolId>& previous() const { return previous_; }
  /// True at the initial instant, in conditions of when-equations.
  [[nodiscard]] SymbolId initial_mark() const { return initial_mark_; }
  [[nodiscard]] Expr before_the_start(Expr e);
  [[nodiscard]] Expr before(Expr e);
  /// Conditions of when-equations: any that comes true is one event.
  [[nodiscard]] std::vector<Expr> event_conditions(const FlatExpression& condition);

 private:
  // --- names (model_names.cpp)
  [[nodiscard]] Value find(const std::string& name, const Frame* frame);
  [[nodiscard]] std::optional<Value> local(const std::string& name, const Frame* frame) const;
  [[nodiscard]] std::optional<Value> model_value(const std::string& name);
  [[nodiscard]] std::optional<Value> gathered(const std::string& name);
  [[nodiscard]] std::optional<Value> subscripted(const std::string& name);
  [[nodiscard]] Value parameter(const FlatVariable& declared);
  [[nodiscard]] Value parameter_binding(const FlatVariable& declared);
  [[nodiscard]] Value initial_binding(const FlatVariable& declared, const FlatExpression& given);
  [[nodiscard]] Value named_scalars(const Value& value, const FlatVariable& declared,
                                    const std::string& subscripts);
  [[nodiscard]] Value symbols_of(const FlatVariable& declared, std::size_t dim,
                                 const std::string& subscripts);
  [[nodiscard]] Expr tunable_or_fixed(const FlatVariable& declared, const std::string& path,
                                      Expr given);

  // --- expressions (evaluator.cpp)
  [[nodiscard]] Value binary(const FlatExpression& e, const Frame* frame);
  [[nodiscard]] Value relation(const FlatExpression& e, const Frame* frame);
  [[nodiscard]] Value logic(const FlatExpression& e, const Frame* frame);
  [[nodiscard]] Value choice(const FlatExpression& e, std::size_t at, const Frame* frame);
  [[nodiscard]] Value index(const FlatExpression& e, const Frame* frame);
  [[nodiscard]] Value indexed(const Value& value, const std::vector<Value>& subscripts,
                              std::size_t at);
  [[nodiscard]] Value field(const Value& value, const std::string& name, const Location& where);
  [[nodiscard]] Value rows(const FlatExpression& e, const Frame* frame);
  [[nodiscard]] Value comprehension(const FlatExpression& e, const Frame* frame);
  [[nodiscard]] std::vector<double> elements_of(const FlatExpression& range, const Frame* frame);
  [[nodiscard]] Value constructed(const FlatExpression& e, const Frame* frame);
  [[nodiscard]] Value selected(Expr condition, const Value& a, const Value& b);
  [[nodiscard]] Expr compared(std::string_view op, Expr a, Expr b);
  [[nodiscard]] Expr marked(Expr condition);

  [[nodiscard]] std::optional<Value> event_word(const FlatExpression& e, const Frame* frame);
  [[nodiscard]] Expr tick(Expr first, Expr period);
  // --- clocks (clock_words.cpp)
  [[nodiscard]] std::optional<Value> clocked(const FlatExpression& e, const Frame* frame);
  [[nodiscard]] Expr base_clock(const FlatExpression& e, const std::vector<Value>& parts);
  [[nodiscard]] Expr clock_word(ClockWord word);
  [[nodiscard]] bool is_clock(Expr e) const;

  // --- functions (builtin_functions.cpp, inline_functions.cpp)
  [[nodiscard]] Value call(const FlatExpression& e, const Frame* frame);
  [[nodiscard]] std::optional<Value> builtin(const FlatExpression& e,
                                             const std::vector<Value>& arguments);
  [[nodiscard]] std::optional<Value> array_builtin(const std::string& name,
                                                   const std::vector<Value>& arguments);
  [[nodiscard]] std::optional<Value> scalar_builtin(const std::string& name,
                                                    const std::vector<Value>& arguments);
  [[nodiscard]] std::optional<Value> text_builtin(const std::string& name,
                                                  const std::vector<Value>& arguments);
  [[nodiscard]] Expr stepped(const std::string& name, const std::vector<Expr>& arguments);
  [[nodiscard]] Expr semi_linear(Expr x, Expr positive, Expr negative);
  [[nodiscard]] std::size_t size_of(const Value& value);
  [[nodiscard]] Value inlined(const FlatFunction& function, const std::vector<Value>& arguments,
                              const FlatExpression& call);
  [[nodiscard]] std::vector<Value> written_out(const FlatFunction& function,
                                               const std::vector<Value>& arguments,
                                               const FlatExpression& call);
  [[nodiscard]] std::optional<Value> by_element(const FlatFunction& function,
                                                const std::vector<Value>& arguments,
                                                const FlatExpression& call);
  [[nodiscard]] Value blank(const FlatArgument& argument, const Frame& frame);
  // --- tables of the library (table_calls.cpp)
  [[nodiscard]] Value table_call(const FlatFunction& function, const FlatExpression& call,
                                 const Frame* frame);
  [[nodiscard]] Value table_object(const FlatFunction& function, const FlatExpression& call,
                                   const Frame* frame);
  [[nodiscard]] Value table_of_one(const FlatFunction& function, const FlatExpression& call,
                                   const Value& object, const Frame* frame);
  [[nodiscard]] Value table_of_two(const FlatFunction& function, const FlatExpression& call,
                                   const Value& object, const Frame* frame);
  [[nodiscard]] std::vector<std::vector<double>> table_rows(const Value& object);
  [[nodiscard]] TableRules table_rules(const Value& object);

  enum class Flow : std::uint8_t { on, left_loop, left_function };
  Flow run(const FlatStatements& statements, Frame& frame);
  Flow run_one(const FlatStatement& statement, Frame& frame);
  Flow run_choice(const FlatStatement& statement, std::size_t at, Frame& frame);
  Flow run_loop(const FlatStatement& statement, Frame& frame);
  void assign(const FlatStatement& statement, Frame& frame);
  void put_at(Value& target, const FlatStatement& statement, const Value& given,
              const Frame& frame);
  void put(Value& into, const std::vector<Value>& subscripts, const Value& value);
  void assign_many(const FlatStatement& statement, Frame& frame);

  friend class AlgorithmRun;

  const FlatModel& model_;
  Graph& graph_;
  FixedParameters& fixed_;
  std::map<std::string, const FlatVariable*, std::less<>> declared_;
  std::map<std::string, Value, std::less<>> values_;
  std::set<std::string> under_way_;  ///< parameters whose bindings are being read
  std::unordered_map<SymbolId, const FlatVariable*> variable_of_;
  std::unordered_map<SymbolId, TunableParameter> tunable_;
  std::map<SymbolId, SymbolId> derivatives_;
  std::unordered_map<SymbolId, double> numbers_;
  std::vector<SemiLinear> semi_linear_;
  std::set<std::string> functions_used_;
  std::vector<const FlatVariable*> held_;
  std::map<std::string, Expr> truths_at_start_;
  std::map<SymbolId, SymbolId> befores_;
  std::vector<SampleTick> ticks_;
  std::vector<ClockWord> clock_words_;
  std::set<SymbolId> previous_;
  SymbolId time_{}, mark_{}, initial_mark_{};
  std::size_t assertions_ = 0, looped_ = 0;
  int literal_ = 0;  ///< depth of noEvent, smooth and functions
  int depth_ = 0;    ///< of functions in functions
  bool initial_ = false;
  bool in_condition_ = false;  ///< of a when-equation
};

}  // namespace takt::codegen::modelica
