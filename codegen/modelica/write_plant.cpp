#include "codegen/modelica/write_plant.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <unordered_map>

#include "codegen/modelica/import_map.hpp"
#include "codegen/modelica/plant_names.hpp"
#include "codegen/modelica/shared_texts.hpp"
#include "codegen/modelica/table_texts.hpp"
#include "codegen/modelica/unit_texts.hpp"
#include "codegen/modelica/write_events.hpp"
#include "codegen/modelica/write_joins.hpp"
#include "codegen/modelica/write_record.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen::modelica {
namespace {

// The element's own circuit: one node at rest. Its domain says nothing of the model.
constexpr std::string_view element_path = "rotational.model";
constexpr std::string_view own_circuit =
    "terminals = []\nnode = [\"inner\"]\nbranch.own = { at = [\"inner\"], kind = \"A\", law = \"w "
    "= 0\" }\n"
    "branch.rest = { at = [\"inner\"], kind = \"R\", law = \"tau = w*(1 N*m*s)\" }\n";

class PlantWriter {
 public:
  PlantWriter(ScalarModel& model, const ReducedModel& reduced, const PlantSettings& settings,
              Diagnostics& diagnostics)
      : model_(model),
        reduced_(reduced),
        settings_(settings),
        diagnostics_(diagnostics),
        names_(settings.instance ? JoinTexts::reserved() : std::vector<std::string>()) {}

  std::optional<PlantText> write() {
    collect();
    if (diagnostics_.has_errors()) return std::nullopt;
    const SharedTexts::Names names{[this](SymbolId symbol) { return term(symbol); },
                                   [this](TableId table) { return tables_.at(table); }};
    SharedTexts texts(model_.graph, roots_, names, [this] { return names_.fresh("e"); });
    texts_ = &texts;
    // Defaults of parameters and start values are read before there are other names.
    SharedTexts plain(model_.graph, plain_roots_, names, {});
    plain_ = &plain;
    // The solver looks for instants in conditions: they are written out.
    SharedTexts instants(model_.graph, event_roots_, names, {});
    instants_ = &instants;
    name_joins();
    std::string made = settings_.instance ? "" : head();
    made += element();
    made += settings_.instance ? line() : instance();
    if (!settings_.instance)
      made += RecordText(model_, reduced_, map_).text(settings_, diagnostics_);
    if (diagnostics_.has_errors()) return std::nullopt;
    return PlantText{std::move(made), map_.text(model_, settings_.origin)};
  }

 private:
  [[nodiscard]] const ScalarVariable& variable(SymbolId symbol) const {
    return model_.variables[model_.variable_of.at(symbol)];
  }

  /// Equations are between numbers: the front end has checked the units, and what they hide ("v =
  /// 1*w").
  std::string name_of(SymbolId symbol) {
    if (symbol == model_.time) return "(time/(1 s))";
    return names_.of(model_.graph.symbol(symbol).path);
  }

  std::string term(SymbolId symbol) {
    const auto rate = rates_.find(symbol);
    const std::string unit = rate != rates_.end() ? rate_unit(rate->second) : unit_of(symbol);
    if (unit == "1/s" && rate != rates_.end()) return "(" + name_of(symbol) + "*(1 s))";
    return unit == "1" ? name_of(symbol) : fmt::format("({}/(1 {}))", name_of(symbol), unit);
  }

  /// Of a variable; parameters and all else are numbers.
  [[nodiscard]] std::string unit_of(SymbolId symbol) const {
    const auto found = model_.variable_of.find(symbol);
    const FlatVariable* declared =
        found == model_.variable_of.end() ? nullptr : model_.variables[found->second].declared;
    return declared == nullptr ? "1" : plant_unit(declared->unit);
  }
  [[nodiscard]] std::string rate_unit(SymbolId state) const { return unit_of(state) + "/s"; }

  /// Events are judged: conditions lose their marks. All expressions that are written, and the
  /// parameters they read.
  void collect() {
    for (const auto& [state, rate] : reduced_.rates) rates_[rate] = state;
    std::unordered_map<SymbolId, Expr>& unmarked = unmarked_;
    unmarked[model_.literal_mark] = model_.graph.one();
    for (const SymbolId symbol : reduced_.held)
      if (variable(symbol).declared->type == "Boolean")
        unmarked[symbol] =
            model_.graph.binary(Op::less, model_.graph.constant(0.5), model_.graph.use(symbol));
    for (const auto& [symbol, parameter] : model_.parameters)
      if (model_.fixed_parameters.contains(parameter.name))
        unmarked[symbol] = model_.graph.constant(parameter_value(model_, parameter.value));
    const auto plain_value = [&](Expr e, const std::string& what) {
      const Expr plain = model_.graph.substitute(e, unmarked);
      for (const Expr each : model_.graph.reachable({plain}))
        if (model_.graph.is_constant(each) && !std::isfinite(model_.graph.node(each).value))
          diagnostics_.error("D007", model_.flat->where, what + " has a number that is not finite",
                             "look at the values of its parameters");
      return plain;
    };
    const auto taken = [&](Expr e, const std::string& what) {
      roots_.push_back(plain_value(e, what));
      return roots_.back();
    };
    for (const ScalarEquation& each : reduced_.equations)
      equations_.emplace_back(taken(each.left, each.origin), taken(each.right, each.origin));
    for (const Named& each : reduced_.named) {
      const std::string& name = model_.graph.symbol(each.symbol).path;
      named_.push_back({each.symbol, taken(each.value, "'" + name + "'")});
    }
    for (const Expr each : event_roots(model_))
      event_roots_.push_back(plain_value(each, "an event"));
    for (const auto* list : {&reduced_.states, &reduced_.unknowns, &reduced_.held})
      for (const SymbolId symbol : *list)
        plain_roots_.push_back(
            starts_[symbol] =
                plain_value(variable(symbol).start.value_or(model_.graph.zero()), "a start value"));
    for (const FlatJoin& each : model_.flat->joins)
      for (const std::string* name : {&each.across, &each.through})
        taken(put_through(model_, reduced_, symbol_of(model_, *name)), "'" + *name + "'");
    collect_parameters();
    collect_tables();
  }

  // --- connectors that join circuits of the plant
  void name_joins() {
    if (!settings_.instance) return;
    const auto joined = JoinTexts(*settings_.instance).joined();
    for (std::size_t k = 0; k < joined.size(); ++k) {
      const FlatJoin& of = model_.flat->joins[k];
      const auto text = [&](const std::string& name) { return texts_->text(plain_of_join(name)); };
      joins_.push_back({joined[k], names_.of(of.connector), text(of.across), text(of.through)});
    }
  }

  /// As it was taken among the roots.
  [[nodiscard]] Expr plain_of_join(const std::string& name) const {
    return model_.graph.substitute(put_through(model_, reduced_, symbol_of(model_, name)),
                                   unmarked_);
  }

  /// The element's line in the plant, with values that it gives.
  std::string line() {
    const ModelInstance& own = *settings_.instance;
    std::vector<std::pair<std::string, std::string>> values;
    std::set<std::string> inputs, parameters;
    for (const SymbolId symbol : reduced_.inputs) {
      const ScalarVariable& input = variable(symbol);
      const std::string unit = unit_of(symbol),
                        start =
                            number_text(input.start ? parameter_value(model_, *input.start) : 0.0);
      const auto given = own.inputs.find(input.name);
      inputs.insert(input.name);
      values.emplace_back(
          name_of(symbol),
          toml_text(given != own.inputs.end() ? given->second.text : in_unit(start, unit)));
    }
    for (const SymbolId symbol : parameters_) {
      const std::string& name = model_.parameters.at(symbol).name;
      parameters.insert(name);
      if (const auto given = own.parameters.find(name); given != own.parameters.end())
        values.emplace_back(name_of(symbol), toml_text(given->second.text));
    }
    for (const auto& [id, name] : tables_)
      if (!model_.graph.table(id).second.empty())
        values.emplace_back(name,
                            table_argument(name, model_.graph.table(id)).substr(name.size() + 5));
    check_names(own.inputs, {inputs, "input"}, diagnostics_);
    check_names(own.parameters, {parameters, "parameter that can be set", &model_.fixed_parameters},
                diagnostics_);
    return JoinTexts(own).line(joins_, values);
  }

  void collect_tables() {
    std::vector<Expr> roots = roots_;
    for (const auto* list : {&plain_roots_, &event_roots_})
      roots.insert(roots.end(), list->begin(), list->end());
    for (const Expr e : model_.graph.reachable(roots)) {
      const Node& node = model_.graph.node(e);
      if (node.op == Op::table || node.op == Op::table2) {
        std::string& name = tables_[TableId{node.payload}];
        if (name.empty()) name = names_.fresh("table");
      } else if (node.op > Op::table) {
        diagnostics_.error("D002", model_.flat->where, "the rate of a table",
                           "give the table's argument a rate: der(y) of y = table(u) is not taken");
      }
    }
  }

  /// Those that something reads, each after those that its own default reads.
  void collect_parameters() {
    std::set<SymbolId> seen;
    std::vector<SymbolId> open = model_.graph.symbols_of(roots_);
    for (const auto* list : {&plain_roots_, &event_roots_})
      for (const SymbolId symbol : model_.graph.symbols_of(*list)) open.push_back(symbol);
    for (std::size_t k = 0; k < open.size(); ++k) {
      const auto found = model_.parameters.find(open[k]);
      if (found == model_.parameters.end() || !seen.insert(open[k]).second) continue;
      plain_roots_.push_back(found->second.value);
      for (const SymbolId read : model_.graph.symbols_of(found->second.value)) open.push_back(read);
    }
    parameters_.assign(seen.begin(), seen.end());
  }

  [[nodiscard]] std::string duration() const {
    if (!settings_.duration.empty()) return settings_.duration;
    return (model_.flat->stop_time > 0.0 ? number_text(model_.flat->stop_time) : "1") + " s";
  }

  std::string head() {
    std::string made = fmt::format(
        "# Made by `takt import modelica` of {}.\n# import.json maps names of Modelica to "
        "signals.\n",
        settings_.origin);
    made += fmt::format("\n[plant]\ntitle = {}\nduration = {}\n", toml_text(settings_.title),
                        toml_text(duration()));
    if (!reduced_.inputs.empty()) made += "\n[input]\n";
    for (const SymbolId symbol : reduced_.inputs) {
      const ScalarVariable& input = variable(symbol);
      const double start = input.start ? parameter_value(model_, *input.start) : 0.0;
      const std::string unit = unit_of(symbol);
      made += fmt::format("{} = {{ unit = {}, start = {} }}\n", name_of(symbol), toml_text(unit),
                          toml_text(number_text(start) + (unit == "1" ? "" : " " + unit)));
    }
    return made;
  }

  std::string element() {
    const bool joins = !joins_.empty();
    std::string made = settings_.instance
                           ? fmt::format("\n[element.{}.{}]\n", settings_.instance->section,
                                         JoinTexts(*settings_.instance).element_name())
                           : "\n[element.rotational.flat]\n";
    made += fmt::format("doc = {}\n",
                        toml_text(model_.flat->description.empty() ? "imported from Modelica"
                                                                   : model_.flat->description));
    made += fmt::format("source = {}\n", toml_text(settings_.origin));
    made +=
        "# Equations are between numbers, of the units of the model: its front end has checked "
        "them.\n";
    if (joins) made += JoinTexts(*settings_.instance).branches(joins_);
    if (!joins) made += own_circuit;
    for (const SymbolId symbol : parameters_) made += parameter(symbol);
    for (const SymbolId symbol : reduced_.inputs)
      made += fmt::format("param.{} = {}\n", name_of(symbol), toml_text(unit_of(symbol)));
    for (const auto& [id, name] : tables_) made += table_parameter(name, model_.graph.table(id));
    for (const SymbolId symbol : reduced_.states) made += state(symbol);
    for (const SymbolId symbol : reduced_.unknowns) made += unknown(symbol);
    made += events();
    for (const auto& [name, text] : texts_->shared())
      made += fmt::format("let.{} = {{ unit = \"1\", value = {} }}\n", name, toml_text(text));
    for (const Named& each : named_) {
      map_.add_signal(variable(each.symbol),
                      fmt::format("{}.{}", element_path, name_of(each.symbol)), 1);
      const std::string unit = unit_of(each.symbol);
      made += fmt::format("let.{} = {{ unit = {}, value = {} }}\n", name_of(each.symbol),
                          toml_text(unit), toml_text(in_unit(texts_->text(each.value), unit)));
    }
    std::vector<std::string> equations;
    for (const auto& [left, right] : equations_)
      equations.push_back(texts_->text(left) + " = " + texts_->text(right));
    if (joins)
      for (std::string& each : JoinTexts(*settings_.instance).equations(joins_))
        equations.push_back(std::move(each));
    if (equations.empty()) return made;
    made += "equation = [\n";
    for (const std::string& each : equations) made += "  " + toml_text(each) + ",\n";
    return made + "]\n";
  }

  std::string parameter(SymbolId symbol) {
    const TunableParameter& each = model_.parameters.at(symbol);
    const std::string text = "1 = " + plain_->text(each.value);
    map_.add_parameter(each, fmt::format("{}.{}", element_path, name_of(symbol)));
    const std::string& doc = each.declared->description;
    const std::string unit = toml_text(text), name = name_of(symbol);
    if (doc.empty()) return fmt::format("param.{} = {}\n", name, unit);
    return fmt::format("param.{} = {{ unit = {}, doc = {} }}\n", name, unit, toml_text(doc));
  }

  std::string state(SymbolId symbol) {
    const ScalarVariable& each = variable(symbol);
    const std::string name = name_of(symbol), rate = name_of(reduced_.rates.at(symbol)),
                      unit = unit_of(symbol), unit_of_rate = rate_unit(symbol),
                      start = in_unit(plain_->text(starts_.at(symbol)), unit),
                      always = each.declared->state_select == StateSelect::always
                                   ? ", always = true"
                                   : "";
    map_.add_signal(each, fmt::format("{}.{}", element_path, name), 1);
    std::string rate_start;
    if (const auto found = reduced_.started.find(reduced_.rates.at(symbol));
        found != reduced_.started.end())
      rate_start = ", start = " + toml_text(in_unit(number_text(found->second), unit_of_rate));
    return fmt::format(
        "state.{} = {{ unit = {}, der = {}, start = {}{} }}\nunknown.{} = {{ unit = {}{} }}\n",
        name, toml_text(unit), toml_text(rate), toml_text(start), always, rate,
        toml_text(unit_of_rate), rate_start);
  }

  std::string unknown(SymbolId symbol) {
    const ScalarVariable& each = variable(symbol);
    map_.add_signal(each, fmt::format("{}.{}", element_path, name_of(symbol)), 1);
    const std::string unit = unit_of(symbol);
    return fmt::format("unknown.{} = {{ unit = {}, start = {} }}\n", name_of(symbol),
                       toml_text(unit), toml_text(in_unit(plain_->text(starts_.at(symbol)), unit)));
  }

  std::string events() {
    EventTexts texts(model_, reduced_,
                     {.name = [this](SymbolId symbol) { return name_of(symbol); },
                      .unit = [this](SymbolId symbol) { return unit_of(symbol); },
                      .number = in_unit,
                      .text = [this](Expr e) { return instants_->text(plain_of(e)); },
                      .fresh = [this] { return names_.fresh("event"); }});
    std::string made;
    for (const SymbolId symbol : reduced_.held) {
      map_.add_signal(variable(symbol), fmt::format("{}.{}", element_path, name_of(symbol)), 1);
      made += texts.held(symbol, in_unit(plain_->text(starts_.at(symbol)), unit_of(symbol)));
    }
    return made + texts.relations() + texts.counts() + texts.events();
  }

  [[nodiscard]] Expr plain_of(Expr e) const { return model_.graph.substitute(e, unmarked_); }

  std::string instance() {
    std::string made = "\n[rotational]\nmodel = { is = \"flat\"";
    for (const SymbolId symbol : reduced_.inputs)
      made += fmt::format(", {} = {}", name_of(symbol), toml_text(name_of(symbol)));
    for (const auto& [id, name] : tables_)
      if (!model_.graph.table(id).second.empty())
        made += table_argument(name, model_.graph.table(id));
    map_aliases();
    return made + " }\n";
  }

  void map_aliases() {
    for (const SymbolId symbol : reduced_.inputs)
      map_.add_signal(variable(symbol), name_of(symbol), 1);
    for (const auto& [symbol, first] : reduced_.aliases) {
      int sign = 1;
      const Alias* at = &first;
      for (;; at = &reduced_.aliases.at(*at->target)) {
        sign *= at->sign;
        if (!at->target || !reduced_.aliases.contains(*at->target)) break;
      }
      if (at->target)
        map_.add_alias(variable(symbol), variable(*at->target).name, sign);
      else
        map_.add_value(variable(symbol), sign * parameter_value(model_, at->value));
    }
  }

  ScalarModel& model_;
  const ReducedModel& reduced_;
  const PlantSettings& settings_;
  Diagnostics& diagnostics_;
  PlantNames names_;
  ImportMap map_;
  const SharedTexts* texts_ = nullptr;     ///< of equations and named values
  const SharedTexts* plain_ = nullptr;     ///< of start values and parameters
  const SharedTexts* instants_ = nullptr;  ///< of events
  std::vector<Expr> roots_, plain_roots_, event_roots_;
  std::vector<std::pair<Expr, Expr>> equations_;
  std::vector<Named> named_;
  std::map<SymbolId, Expr> starts_;
  std::vector<SymbolId> parameters_;
  std::map<TableId, std::string> tables_;
  std::map<SymbolId, SymbolId> rates_;  ///< state by rate
  std::unordered_map<SymbolId, Expr> unmarked_;
  std::vector<WrittenJoin> joins_;
};

}  // namespace

std::optional<PlantText> write_plant(ScalarModel& model, const ReducedModel& reduced,
                                     const PlantSettings& settings, Diagnostics& diagnostics) {
  return PlantWriter(model, reduced, settings, diagnostics).write();
}

}  // namespace takt::codegen::modelica
