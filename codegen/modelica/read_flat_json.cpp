#include "codegen/modelica/read_flat_json.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/modelica/external_functions.hpp"
#include "codegen/modelica/flat_json_expressions.hpp"
#include "codegen/modelica/flat_json_loops.hpp"
#include "codegen/modelica/json_places.hpp"
#include "runtime/json/deep_json.hpp"

namespace takt::codegen::modelica {
namespace {

class Reader {
 public:
  Reader(const Json& json, FileName file, Diagnostics& diagnostics)
      : json_(json),
        file_(file),
        expressions_(file),
        places_(json, file),
        diagnostics_(diagnostics) {
    out_.where = {file};
  }

  FlatModel read() {
    read_description();
    read_literals();
    read_records();
    for (const auto& [name, each] : json_.at("variables").items()) read_variable(name, each);
    read_equations("equations", out_.equations);
    read_equations("initial_equations", out_.initial_equations);
    const LoopReader loops(expressions_, file_, diagnostics_);
    loops.read(json_.at("structured_equations"), out_.equations);
    loops.read(json_.at("initial_structured_equations"), out_.initial_equations);
    read_algorithms("algorithms", {&out_.algorithms, &out_.algorithm_origins});
    read_algorithms("initial_algorithms",
                    {&out_.initial_algorithms, &out_.initial_algorithm_origins});
    for (const Json& chain : json_.at("when_chains")) read_when(chain);
    for (const char* list : {"assert_equations", "initial_assert_equations"})
      for (const Json& each : json_.at(list))
        out_.assertions.push_back({message_of(each), places_.of(each)});
    for (const auto& [name, each] : json_.at("functions").items()) read_function(name, each);
    return std::move(out_);
  }

 private:
  void report(const Refusal& refusal, const std::string& place, const Location& where) {
    diagnostics_.error(refusal.code, where, place + ": " + refusal.message, refusal.hint);
  }

  void read_description() {
    if (const auto beside = json_.find("takt"); beside != json_.end())
      out_.stop_time = beside->value("stop_time", 0.0);
    const Json& text = json_.at("model_description");
    if (text.is_string()) out_.description = text.get<std::string>();
    if (json_.at("is_partial").get<bool>())
      diagnostics_.error("D001", {file_},
                         "the class is partial: it has no complete set of equations",
                         "name a class that can be simulated");
  }

  void read_literals() {
    for (const auto& [name, ordinal] : json_.at("enum_literal_ordinals").items())
      out_.literals[name] = ordinal.get<int>();
  }

  void read_records() {
    for (const auto& [id, type] : json_.at("record_types").items()) {
      FlatRecordType made{.name = type.at("name").get<std::string>(), .fields = {}};
      for (const Json& field : type.at("fields"))
        made.fields.push_back(field.at("name").get<std::string>());
      out_.record_types[made.name] = std::move(made);
    }
    for (const auto& [name, instance] : json_.at("record_instances").items())
      out_.record_instances[name] = instance.at("type_name").get<std::string>();
  }

  static std::string first_key(const Json& json) {
    if (json.is_string()) return json.get<std::string>();
    return json.is_object() && !json.empty() ? json.begin().key() : std::string();
  }

  void read_kind(FlatVariable& made, const Json& json) {
    const std::string variability = first_key(json.at("variability")),
                      causality = first_key(json.at("causality"));
    if (variability == "Parameter") made.variability = Variability::parameter;
    if (variability == "Constant") made.variability = Variability::constant;
    if (variability == "Discrete") made.variability = Variability::discrete;
    if (causality == "Input") made.causality = Causality::input;
    if (causality == "Output") made.causality = Causality::output;
    const std::string select = json.at("state_select").get<std::string>();
    if (select == "Never") made.state_select = StateSelect::never;
    if (select == "Avoid") made.state_select = StateSelect::avoid;
    if (select == "Prefer") made.state_select = StateSelect::prefer;
    if (select == "Always") made.state_select = StateSelect::always;
  }

  void read_variable(const std::string& name, const Json& json) {
    FlatVariable made;
    made.name = name;
    made.where = places_.of(json);
    try {
      read_kind(made, json);
      made.is_discrete_type = json.at("is_discrete_type").get<bool>();
      if (is_of_type(json, "boolean")) made.type = "Boolean";
      if (is_of_type(json, "clock")) made.type = "Clock";
      made.evaluate = json.at("evaluate").get<bool>();
      made.is_flow = json.value("flow", false);
      const auto& finals = json_.at("variable_final_flags");
      made.is_final = finals.contains(name) && finals.at(name).get<bool>();
      for (const Json& dim : json.at("dims")) made.dims.push_back(number(dim.get<double>()));
      for (const auto& [key, to] : {std::pair{"start", &made.start},
                                    {"min", &made.min},
                                    {"max", &made.max},
                                    {"nominal", &made.nominal},
                                    {"binding", &made.binding},
                                    {"fixed", &made.fixed}})
        *to = attribute(json.at(key));
      if (json.at("unit").is_string()) made.unit = json.at("unit").get<std::string>();
      if (json.at("description").is_string())
        made.description = json.at("description").get<std::string>();
    } catch (const Refusal& refusal) {
      report(refusal, "variable '" + name + "'", made.where);
    }
    out_.variables.push_back(std::move(made));
  }

  [[nodiscard]] bool is_of_type(const Json& variable, const char* predefined) const {
    if (!json_.contains("effective_types") || !json_.contains("predefined_types")) return false;
    const Json& types = json_.at("effective_types");
    const std::string id = std::to_string(variable.value("type_id", -1));
    return types.contains(id) && types.at(id).value("canonical_type", -1) ==
                                     json_.at("predefined_types").value(predefined, -2);
  }

  [[nodiscard]] FlatRef number(double value) const {
    auto made = std::make_shared<FlatExpression>();
    made->number = value;
    made->whole = true;
    made->where = {file_};
    return made;
  }

  /// An expression, a bare truth value, or a list of such, one for all or one for each element.
  [[nodiscard]] FlatRef attribute(const Json& json) const {
    if (json.is_array() && json.size() == 1) return attribute(json.front());
    if (json.is_array()) {
      auto made = std::make_shared<FlatExpression>();
      made->kind = FlatExpression::Kind::array;
      for (const Json& each : json) made->parts.push_back(attribute(each));
      made->where = {file_};
      return made;
    }
    if (!json.is_boolean()) return expressions_.optional(json);
    auto made = std::make_shared<FlatExpression>();
    made->kind = FlatExpression::Kind::boolean;
    made->number = json.get<bool>() ? 1.0 : 0.0;
    made->where = {file_};
    return made;
  }

  static std::string origin_of(const Json& json, std::size_t index) {
    std::string made = "equation " + std::to_string(index + 1);
    const Json origin = json.value("origin", Json());
    if (origin.is_object() && origin.contains("ComponentEquation")) {
      const std::string component = origin.at("ComponentEquation").value("component", "");
      if (!component.empty()) made += " (of component '" + component + "')";
    } else if (origin.is_object() && !origin.empty()) {
      made += " (" + origin.begin().key() + ")";
    }
    return made;
  }

  void read_equations(const char* list, std::vector<FlatEquation>& into) {
    for (const Json& each : json_.at(list)) {
      FlatEquation made;
      made.origin = (list[0] == 'i' ? "initial " : "") + origin_of(each, into.size());
      made.where = places_.of(each);
      made.scalars = each.at("scalar_count").get<int>();
      const Json origin = each.value("origin", Json());
      if (origin.is_object() && origin.contains("UnconnectedFlow"))
        made.unconnected = origin.at("UnconnectedFlow").value("variable", "");
      try {
        const FlatRef residual = expressions_.expression(each.at("residual"));
        const bool difference =
            residual->kind == FlatExpression::Kind::binary && residual->text == "-";
        made.left = difference ? residual->parts[0] : nullptr;
        made.right = difference ? residual->parts[1] : residual;
      } catch (const Refusal& refusal) {
        report(refusal, made.origin, made.where);
        continue;
      }
      into.push_back(std::move(made));
    }
  }

  void read_algorithms(const char* list,
                       std::pair<std::vector<FlatStatements>*, std::vector<std::string>*> into) {
    for (const Json& each : json_.at(list)) {
      into.second->push_back(each.value("origin", "an algorithm"));
      try {
        into.first->push_back(expressions_.statements(each.at("statements")));
      } catch (const Refusal& refusal) {
        into.first->emplace_back();
        report(refusal, into.second->back(), places_.of(each));
      }
    }
  }

  void read_when(const Json& chain) {
    std::vector<std::string> sets;
    bool planned = false, assigns = true;
    for (const Json& each : chain.at("first").at("equations")) {
      const Json& content = each.is_object() && each.size() == 1 ? each.begin().value() : each;
      assigns = assigns && each.is_object() && each.contains("Assign");
      for (const char* key : {"target", "state"})
        if (content.is_object() && content.contains(key) && content.at(key).is_string())
          sets.push_back(content.at(key).get<std::string>());
      planned = planned || (assigns && plans_table(content.at("value")));
    }
    FlatWhen made{.sets = sets.empty() ? "" : "that sets '" + sets.front() + "'",
                  .where = places_.of(chain.at("first")),
                  .schedule = {},
                  .branches = {}};
    const bool only_plans = std::all_of(sets.begin(), sets.end(), [](const std::string& name) {
      return name.ends_with(".nextTimeEvent") || name.ends_with(".nextTimeEventScaled");
    });
    const Json others = chain.value("else_when", Json::array());
    if (planned && assigns && only_plans && others.empty()) {
      made.schedule = std::move(sets);
    } else {
      try {
        made.branches.push_back(when_branch(chain.at("first")));
        for (const Json& each : others) made.branches.push_back(when_branch(each));
      } catch (const Refusal& refusal) {
        report(refusal, "a when-equation " + made.sets, made.where);
      }
    }
    out_.whens.push_back(std::move(made));
  }

  FlatWhenBranch when_branch(const Json& json) {
    return {.condition = expressions_.expression(json.at("condition")),
            .actions = when_actions(json.at("equations")),
            .where = places_.of(json)};
  }

  std::vector<FlatWhenAction> when_actions(const Json& list) {
    std::vector<FlatWhenAction> made;
    for (const Json& each : list) {
      if (!each.is_object() || each.size() != 1)
        throw Refusal{"D001", "what is no equation in a when-equation", "", {file_}};
      const std::string kind = first_key(each);
      const Json& content = each.begin().value();
      FlatWhenAction action{.name = kind, .where = places_.of(content)};
      if (kind == "Assign" || kind == "Reinit") {
        const bool assigns = kind == "Assign";
        action.kind = assigns ? FlatWhenAction::Kind::assign : FlatWhenAction::Kind::reinit;
        action.name = JsonExpressions::name_of(content.at(assigns ? "target" : "state"));
        action.value = expressions_.expression(content.at("value"));
      } else if (kind == "Assert" || kind == "Terminate") {
        action.kind = FlatWhenAction::Kind::check;
      } else if (kind == "Conditional") {
        action.kind = FlatWhenAction::Kind::choose;
        for (const Json& branch : content.at("branches")) {
          action.conditions.push_back(expressions_.expression(branch.at(0)));
          action.bodies.push_back(when_actions(branch.at(1)));
        }
        action.bodies.push_back(when_actions(content.value("else_branch", Json::array())));
      }
      made.push_back(std::move(action));
    }
    return made;
  }

  /// The value is the next event of a table: Takt cuts its steps at all of them.
  [[nodiscard]] bool plans_table(const Json& value) const {
    if (!value.is_object() || !value.contains("FunctionCall")) return false;
    const auto& functions = json_.at("functions");
    const auto function =
        functions.find(JsonExpressions::name_of(value.at("FunctionCall").at("name")));
    if (function == functions.end()) return false;
    const Json external = function->value("external", Json());
    return external.is_object() && external.value("function_name", "") ==
                                       "ModelicaStandardTables_CombiTimeTable_nextTimeEvent";
  }

  static std::string message_of(const Json& json) {
    const Json message = json.value("message", Json());
    if (message.is_object() && message.contains("Literal"))
      return message.at("Literal").at("value").value("String", "");
    return "";
  }

  FlatArgument argument(const Json& json) {
    FlatArgument made;
    made.name = json.at("name").get<std::string>();
    made.type = json.at("type_name").get<std::string>();
    const Json type_class = json.value("type_class", Json());
    made.is_record = type_class.is_string() && type_class.get<std::string>() == "Record";
    made.dims = expressions_.subscripts(json.at("shape_expr"));
    if (made.dims.empty()) {
      const Json effective = json.value("effective_type", Json());
      if (effective.is_object())
        for (const Json& dim : effective.value("dimensions", Json::array()))
          made.dims.push_back(dimension(dim));
    }
    made.value = json.contains("default") ? expressions_.optional(json.at("default")) : nullptr;
    return made;
  }

  [[nodiscard]] FlatRef dimension(const Json& json) const {
    if (json.is_number()) return number(json.get<double>());
    auto made = std::make_shared<FlatExpression>();
    made->kind = FlatExpression::Kind::all;
    made->where = {file_};
    return made;
  }

  void read_function(const std::string& name, const Json& json) {
    FlatFunction made;
    made.name = name;
    made.where = places_.of(json);
    made.is_constructor = json.at("is_constructor").get<bool>();
    try {
      for (const Json& each : json.at("inputs")) made.inputs.push_back(argument(each));
      for (const Json& each : json.at("outputs")) made.outputs.push_back(argument(each));
      for (const Json& each : json.at("locals")) made.locals.push_back(argument(each));
      made.body = expressions_.statements(json.at("body"));
    } catch (const Refusal& refusal) {
      // Only a function that is called is missed: the call says so.
      made.body = {{.kind = FlatStatement::Kind::other, .name = refusal.message}};
    }
    if (const Json external = json.value("external", Json()); !external.is_null()) {
      made.is_external = true;
      made.external_name = external.value("function_name", "");
      read_external(made, external);
    }
    out_.functions[name] = std::move(made);
  }

  void read_external(FlatFunction& into, const Json& external) const {
    const auto text = [&](const char* key) {
      const auto found = external.find(key);
      return found != external.end() && found->is_string() ? found->get<std::string>() : "";
    };
    FlatExpression call{.kind = FlatExpression::Kind::call};
    call.text = into.external_name;
    call.where = into.where;
    try {
      for (const Json& each : external.at("args"))
        call.parts.push_back(expressions_.expression(each));
    } catch (const std::exception&) {
      return;  // it stays external: a call says so
    } catch (const Refusal&) {
      return;
    }
    take_mathematics(into, text("language"), text("output_name"), call);
  }

  const Json& json_;
  FileName file_;
  JsonExpressions expressions_;
  JsonPlaces places_;
  Diagnostics& diagnostics_;
  FlatModel out_;
};

}  // namespace

std::optional<FlatModel> read_flat_json(std::string_view text, FileName file,
                                        Diagnostics& diagnostics) {
  try {
    const Json json = parse_deep_json<Json>(text);
    FlatModel made = Reader(json, file, diagnostics).read();
    return diagnostics.has_errors() ? std::nullopt : std::optional(std::move(made));
  } catch (const JsonError& error) {
    diagnostics.error(
        "D001", {file}, std::string("this is no JSON: ") + error.what(),
        "give the flat model that rumoca writes (--flat-json), or Base Modelica text");
  } catch (const Json::exception& error) {
    diagnostics.error(
        "D001", {file},
        std::string("this is no flat model of rumoca: ") + json_mistake(error.what()),
        "give the flat model that rumoca writes (--flat-json); the manual names its version");
  } catch (const Refusal& refusal) {
    diagnostics.error(refusal.code, {file}, refusal.message, refusal.hint);
  }
  return std::nullopt;
}

}  // namespace takt::codegen::modelica
