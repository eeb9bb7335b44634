// Free equations of an element and the unknowns they determine.

#include <algorithm>

#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos
             ? std::string_view()
             : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

void read_unknown(ElementDefinition& element, const TomlEntry& entry, Diagnostics& diagnostics) {
  if (!valid_name(entry, diagnostics) ||
      !expect_kind(entry.value, TomlValue::Kind::table, "unknown '" + entry.key + "'", diagnostics))
    return;
  check_keys(entry.value, {"unit", "start"}, "L003", "an unknown", diagnostics);
  UnknownDefinition unknown;
  unknown.name = entry.key;
  unknown.unit_text = read_unit_text(entry.value, diagnostics);
  unknown.started = entry.value.get("start") != nullptr;
  unknown.start = unknown.started ? required_expression(entry, "start", diagnostics)
                                  : make_expression("0", entry.where, diagnostics);
  unknown.where = entry.where;
  element.unknowns.push_back(std::move(unknown));
}

/// Rotational and translational branches share a circuit; others are coupled to it and need laws.
bool same_circuit(Domain a, Domain b) {
  const auto mechanical = [](Domain domain) {
    return domain == Domain::rotational || domain == Domain::translational;
  };
  return a == b || (mechanical(a) && mechanical(b));
}

}  // namespace

/// The first '=' that belongs to no comparison.
std::optional<CutEquation> cut_equation(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '=') continue;
    const bool comparison =
        (at > 0 && std::string_view("<>!=").find(text[at - 1]) != std::string_view::npos) ||
        (at + 1 < text.size() && text[at + 1] == '=');
    if (comparison) continue;
    std::size_t right = at + 1;
    while (right < text.size() && (text[right] == ' ' || text[right] == '\t')) ++right;
    return CutEquation{trimmed(text.substr(0, at)), trimmed(text.substr(right)), right};
  }
  return std::nullopt;
}

void read_equations(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics) {
  if (const TomlValue* equations = table.get("equation")) {
    for (const auto& [text, place] : read_strings(*equations, "'equation'", diagnostics)) {
      const auto equation = cut_equation(text);
      if (!equation || equation->left.empty() || equation->right.empty()) {
        diagnostics.error("L015", place->where, "an equation is written left = right",
                          "write for instance \"0 = x^2 + y^2 - l^2\"");
        element.equations.emplace_back();  // it counts
        continue;
      }
      const auto left_offset = static_cast<std::size_t>(equation->left.data() - text.data());
      element.equations.push_back(
          {make_expression(std::string(equation->left), shifted(place->text_where, left_offset),
                           diagnostics),
           make_expression(std::string(equation->right),
                           shifted(place->text_where, equation->right_offset), diagnostics)});
    }
  }
  const TomlValue* unknowns = table.get("unknown");
  if (unknowns == nullptr ||
      !expect_kind(*unknowns, TomlValue::Kind::table, "'unknown'", diagnostics))
    return;
  for (const TomlEntry& entry : unknowns->entries) read_unknown(element, entry, diagnostics);
}

void check_equation_count(const ElementDefinition& element, Diagnostics& diagnostics) {
  for (const BranchDefinition& branch : element.branches) {
    if (branch.kind != BranchKind::dissipator || branch.form != LawForm::none ||
        same_circuit(branch.domain, domain_of(element.section).value_or(branch.domain)))
      continue;
    diagnostics.error(
        "L015", branch.where,
        "branch '" + branch.name + "' of another domain needs its law: its circuit is solved apart",
        "free equations determine branches of the element's own domain");
    return;
  }
  const auto lawless = static_cast<std::size_t>(std::count_if(
      element.branches.begin(), element.branches.end(), [](const BranchDefinition& branch) {
        return branch.kind == BranchKind::dissipator && branch.form == LawForm::none;
      }));
  const std::size_t wanted = element.unknowns.size() + lawless;
  if (element.equations.size() == wanted) return;
  const Location& where = !element.unknowns.empty() ? element.unknowns.front().where
                                                    : element.equations.front().left.where;
  diagnostics.error("L015", where,
                    "element '" + element.name + "' has " +
                        std::to_string(element.equations.size()) + " free equations for " +
                        std::to_string(element.unknowns.size()) + " unknowns and " +
                        std::to_string(lawless) + " branches without law",
                    "give one equation for each");
}

}  // namespace takt::codegen
