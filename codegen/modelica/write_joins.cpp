#include "codegen/modelica/write_joins.hpp"

#include <fmt/format.h>

#include "codegen/text/nearest.hpp"

namespace takt::codegen::modelica {

void check_names(const std::map<std::string, GivenText>& given, const KnownNames& known,
                 Diagnostics& diagnostics) {
  for (const auto& [name, value] : given) {
    if (known.names.contains(name)) continue;
    if (known.refused != nullptr && known.refused->contains(name))
      diagnostics.error("D003", value.where,
                        "'" + name + "' cannot be set here: " + known.refused->at(name),
                        "set it in Modelica, and make the flat model again");
    else
      diagnostics.error("D003", value.where, "the model has no " + known.what + " '" + name + "'",
                        did_you_mean(name, std::vector(known.names.begin(), known.names.end())));
  }
}

std::vector<std::string> JoinTexts::reserved() {
  return {"v", "i", "q", "lambda", "t", "h", "e", "f", "p", "s", "m", "psi", "passes"};
}

std::vector<const ConnectorJoin*> JoinTexts::joined() const {
  std::vector<const ConnectorJoin*> made;
  for (const ConnectorJoin& join : instance_.joins)
    if (!join.node.empty()) made.push_back(&join);
  return made;
}

std::string JoinTexts::variable(const WrittenJoin& join, const std::string& word,
                                std::size_t joins) const {
  return joins == 1 ? word : join.terminal + "." + word;
}

/// At home the model's equations take the place of a law. Elsewhere the flow comes from there, and
/// the model takes what is across. Power that flows in at home is no loss: what becomes of it, the
/// model knows.
std::string JoinTexts::branches(const std::vector<WrittenJoin>& joins) const {
  std::string terminals, branches;
  for (const WrittenJoin& each : joins) {
    const JoinedDomain& domain = each.join->domain;
    const bool own = domain.section == instance_.section;
    terminals += fmt::format("{}\"{}{}\"", terminals.empty() ? "" : ", ", each.terminal,
                             own ? "" : ":" + domain.section);
    const std::string across = variable(each, domain.across, joins.size()),
                      through = variable(each, domain.through, joins.size());
    if (domain.at_home)
      branches += fmt::format("branch.{0} = {{ at = [\"{0}\"], kind = \"R\", passes = \"{1}\" }}\n",
                              each.terminal, domain.is_power ? through : across + "*" + through);
    else
      branches +=
          fmt::format("branch.{0} = {{ at = [\"{0}\"], kind = \"T\", law = {1} }}\n", each.terminal,
                      toml_text(fmt::format("{} = ({})*(1 {})", domain.through, each.through,
                                            domain.through_unit)));
  }
  return fmt::format("terminals = [{}]\n{}", terminals, branches);
}

std::vector<std::string> JoinTexts::equations(const std::vector<WrittenJoin>& joins) const {
  std::vector<std::string> made;
  for (const WrittenJoin& each : joins) {
    const JoinedDomain& domain = each.join->domain;
    const auto equal = [&](const std::string& word, const std::string& unit,
                           const std::string& value) {
      made.push_back(
          fmt::format("{}/(1 {}) = {}", variable(each, word, joins.size()), unit, value));
    };
    equal(domain.across, domain.across_unit, each.across);
    if (domain.at_home) equal(domain.through, domain.through_unit, each.through);
  }
  return made;
}

std::string JoinTexts::line(const std::vector<WrittenJoin>& joins,
                            const std::vector<std::pair<std::string, std::string>>& values) const {
  std::string nodes, given;
  for (const WrittenJoin& each : joins)
    nodes += (nodes.empty() ? "" : ", ") + toml_text(each.join->node);
  for (const auto& [name, value] : values) given += fmt::format(", {} = {}", name, value);
  return fmt::format("\n[{}]\n{} = {{ is = \"{}\", at = [{}]{} }}\n", instance_.section,
                     instance_.name, element_name(), nodes, given);
}

}  // namespace takt::codegen::modelica
