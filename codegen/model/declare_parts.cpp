// [part.NAME]: what a part has, before it is used.

#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/expand.hpp"

namespace takt::codegen {

void declare_parts(Workspace& work, const TomlValue& parts) {
  Diagnostics findings;
  if (!expect_kind(parts, TomlValue::Kind::table, "section 'part'", findings))
    return work.forward(findings);
  for (const TomlEntry& entry : parts.entries) {
    if (!is_name(entry.key)) {
      findings.error("M006", entry.where, "'" + entry.key + "' is no name",
                     "names are lower-case letters, digits and _, beginning with a letter");
      continue;
    }
    if (!expect_kind(entry.value, TomlValue::Kind::table, "part '" + entry.key + "'", findings))
      continue;
    std::vector<std::string> known{"doc", "param", "terminal", "parts"};
    known.insert(known.end(), element_sections().begin(), element_sections().end());
    check_keys(entry.value, known, "M005", "a part", findings);
    PartDefinition part;
    part.name = entry.key;
    part.table = &entry.value;
    part.where = entry.where;
    const TomlValue* parameters = entry.value.get("param");
    if (parameters != nullptr &&
        expect_kind(*parameters, TomlValue::Kind::table, "'param'", findings)) {
      for (const TomlEntry& parameter : parameters->entries) {
        if (is_name(parameter.key)) {
          (void)is_free(parameter.key, NamePlace::block, parameter.where, findings);
          part.parameters.push_back(read_parameter(parameter, findings));
        } else {
          findings.error("M006", parameter.where, "'" + parameter.key + "' is no name");
        }
      }
    }
    if (const TomlValue* terminals = entry.value.get("terminal")) {
      for (const auto& [text, place] : read_strings(*terminals, "'terminal'", findings)) {
        part.terminals.push_back(
            read_terminal(text, place->text_where, Domain::electric, findings));
      }
    }
    work.parts.emplace(entry.key, std::move(part));
  }
  work.forward(findings);
}

}  // namespace takt::codegen
