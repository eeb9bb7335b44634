// What may happen to an element: fault.NAME = { doc = "...", PARAMETER = VALUE, ... }.

#include <algorithm>
#include <cmath>

#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"
#include "runtime/units/kinds.hpp"

namespace takt::codegen {
namespace {

using Change = FaultDefinition::Change;
using Kind = ParameterDefinition::Kind;

/// A factor: a number, also one in a unit without dimension.
std::optional<double> factor_of(const Ast& ast) {
  const auto literal = literal_of(ast);
  if (!literal || (literal->unit && literal->unit->dimension != Dimension{})) return std::nullopt;
  return literal->value;
}

std::string bare_name(const std::string& name) {
  return name.starts_with("param.") ? name.substr(6) : name;
}

/// Cuts "r_on", "1e3*r", "r*1e3" and "r/5" into factor and name.
bool read_product(const Ast& ast, Change& change) {
  if (ast.kind == Ast::Kind::name) {
    change.of = bare_name(ast.name);
    return true;
  }
  if (ast.kind != Ast::Kind::binary || (ast.name != "*" && ast.name != "/")) return false;
  const bool divided = ast.name == "/", name_first = ast.args[0]->kind == Ast::Kind::name;
  const Ast& named = name_first ? *ast.args[0] : *ast.args[1];
  const auto factor = factor_of(name_first ? *ast.args[1] : *ast.args[0]);
  if (named.kind != Ast::Kind::name || !factor || (divided && (!name_first || *factor == 0.0)))
    return false;
  change.of = bare_name(named.name);
  change.factor = divided ? 1.0 / *factor : *factor;
  return true;
}

class FaultReader {
 public:
  FaultReader(const ElementDefinition& element, Diagnostics& diagnostics)
      : element_(element), diagnostics_(diagnostics) {}

  [[nodiscard]] std::optional<FaultDefinition> read(const TomlEntry& entry) {
    fault_ = {entry.key, {}, {}, entry.where};
    if (const TomlValue* doc = entry.value.get("doc"))
      fault_.doc = read_string(*doc, "'doc'", diagnostics_);
    if (fault_.doc.empty())
      return wrong(entry.where, "does not say what happens", "give doc = \"...\"");
    for (const TomlEntry& line : entry.value.entries)
      if (line.key != "doc" && !read_change(line)) return std::nullopt;
    if (fault_.changes.empty())
      return wrong(entry.where, "changes no parameter", "give PARAMETER = VALUE");
    return std::move(fault_);
  }

 private:
  std::nullopt_t wrong(const Location& where, const std::string& what,
                       const std::string& hint = {}) {
    diagnostics_.error("L018", where,
                       "fault '" + fault_.name + "' of '" + element_.full_name() + "' " + what,
                       hint);
    return std::nullopt;
  }

  bool read_change(const TomlEntry& line) {
    const ParameterDefinition* parameter = changeable(line.key, line.where);
    if (parameter == nullptr) return false;
    const SourceExpression given = read_expression(line.value, diagnostics_);
    if (!given.ast) return false;
    Change change{line.key, given.text, 0.0, std::nullopt, {}, 1.0, given.where};
    const bool fine = literal_of(*given.ast)
                          ? read_value(*parameter, *literal_of(*given.ast), change)
                          : read_dependence(*parameter, given, change);
    if (fine && !(std::isfinite(change.value) && std::isfinite(change.factor)))
      return wrong(given.where, "gives '" + line.key + "' no finite number"), false;
    if (fine) fault_.changes.push_back(std::move(change));
    return fine;
  }

  /// The parameter of that name that may be changed while a plant runs; nullptr where there is none
  /// (reported).
  [[nodiscard]] const ParameterDefinition* changeable(const std::string& name,
                                                      const Location& where) {
    const ParameterDefinition* parameter = element_.parameter(name);
    if (parameter == nullptr) {
      std::vector<std::string> known;
      for (const auto& each : element_.parameters) known.push_back(each.name);
      const auto& inputs = element_.inputs;
      const bool input = std::any_of(inputs.begin(), inputs.end(),
                                     [&](const auto& each) { return each.name == name; });
      wrong(where, "names '" + name + "', which is " + (input ? "an input" : "no parameter"),
            input ? "inputs follow signals: change a parameter" : name_hint(name, known));
      return nullptr;
    }
    const char* why = parameter->structural            ? "is structural"
                      : parameter->kind == Kind::table ? "is a table"
                      : parameter->kind == Kind::text  ? "is a text"
                      : parameter->kind == Kind::gate  ? "is a gate"
                                                       : nullptr;
    if (why == nullptr) return parameter;
    wrong(where, "names '" + name + "', which " + why + ": it cannot change while a plant runs",
          "change a number of the element");
    return nullptr;
  }

  [[nodiscard]] static std::size_t unit_of_text(const std::string& text) {
    return std::min(text.find_first_not_of("+-0123456789.eE \t"), text.size());
  }

  /// A frequency is no angular velocity.
  bool is_of_its_kind(const ParameterDefinition& parameter, std::string_view unit,
                      const Location& where) {
    const auto conflict = wrong_kind(kind_of_unit(unit), kind_of_unit(parameter.unit_text));
    if (conflict)
      wrong(where, "gives '" + parameter.name + "' a value of another kind: " + conflict->cause,
            conflict->remedy);
    return !conflict;
  }

  bool read_value(const ParameterDefinition& parameter, const Literal& literal, Change& change) {
    change.value = literal.value;
    if (literal.unit) change.dimension = literal.unit->dimension;
    if (parameter.kind == Kind::boolean && !literal.unit) return true;
    if (!parameter.unit || parameter.unit->dimension == change.dimension.value_or(Dimension{}))
      return is_of_its_kind(parameter, change.text.substr(unit_of_text(change.text)), change.where);
    wrong(change.where,
          "gives '" + change.parameter + "', which is in " + parameter.unit_text + ", " +
              (literal.unit ? "a value in " + dimension_text(literal.unit->dimension)
                            : "a number without unit"),
          "write for instance \"1 " + parameter.unit_text + "\"");
    return false;
  }

  bool read_dependence(const ParameterDefinition& parameter, const SourceExpression& given,
                       Change& change) {
    if (!read_product(*given.ast, change)) {
      wrong(given.where, "gives '" + change.parameter + "' the value '" + given.text + "'",
            "a value is a quantity (\"10 MOhm\"), a parameter (\"r_on\") or a number times one "
            "(\"1e3*r\")");
      return false;
    }
    const ParameterDefinition* of = changeable(change.of, given.where);
    if (of == nullptr) return false;
    if (!parameter.unit || !of->unit || parameter.unit->dimension == of->unit->dimension)
      return is_of_its_kind(parameter, of->unit_text, given.where);
    wrong(given.where, "gives '" + change.parameter + "', which is in " + parameter.unit_text +
                           ", a value of '" + change.of + "', which is in " + of->unit_text);
    return false;
  }

  const ElementDefinition& element_;
  Diagnostics& diagnostics_;
  FaultDefinition fault_;
};

}  // namespace

void read_faults(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics) {
  const TomlValue* faults = table.get("fault");
  if (faults == nullptr || !expect_kind(*faults, TomlValue::Kind::table, "'fault'", diagnostics))
    return;
  for (const TomlEntry& entry : faults->entries) {
    if (!valid_name(entry, diagnostics) ||
        !expect_kind(entry.value, TomlValue::Kind::table, "fault '" + entry.key + "'", diagnostics))
      continue;
    if (auto fault = FaultReader(element, diagnostics).read(entry))
      element.faults.push_back(std::move(*fault));
  }
  std::sort(element.faults.begin(), element.faults.end(),
            [](const FaultDefinition& a, const FaultDefinition& b) { return a.name < b.name; });
}

}  // namespace takt::codegen
