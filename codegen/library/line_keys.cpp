#include "codegen/library/line_keys.hpp"

namespace takt::codegen {

std::vector<std::string> line_keys(const ElementDefinition& definition) {
  std::vector<std::string> keys{"is", "n"};
  if (definition.is_control()) keys.emplace_back("every");
  if (definition.state_machine) keys.insert(keys.end(), {"start", "state", "output"});
  if (!definition.is_control()) keys.insert(keys.end(), {"at", "start"});
  if (definition.heat) keys.emplace_back("heat");
  if (definition.section == "solid") keys.emplace_back("paradigm");
  if (is_convective(domain_of(definition.section).value_or(Domain::electric)))
    keys.emplace_back("medium");
  for (const auto* list : {&definition.parameters, &definition.inputs})
    for (const auto& parameter : *list) keys.push_back(parameter.name);
  return keys;
}

}  // namespace takt::codegen
