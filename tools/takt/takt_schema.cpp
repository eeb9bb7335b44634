// takt schema KIND: the JSON schema of plant, rig or scenario files, for editors that complete and check them.
// config/schema has them without the elements, which are those of the library.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "codegen/library/line_keys.hpp"
#include "runtime/command_line/command_line.hpp"
#include "runtime/json/parse_json.hpp"
#include "runtime/scenario/read_values.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/home.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

using Json = nlohmann::ordered_json;

Json value_of(const ParameterDefinition& parameter) {
  std::string text = parameter.doc;
  if (parameter.kind == ParameterDefinition::Kind::quantity && parameter.unit_text != "1")
    text += (text.empty() ? "in " : ", in ") + parameter.unit_text;
  if (!parameter.default_text.empty()) text += (text.empty() ? "default " : ", default ") + parameter.default_text;
  Json value;
  if (!text.empty()) value["description"] = text;
  if (!parameter.words.empty())
    value["enum"] = parameter.words;
  else if (parameter.kind == ParameterDefinition::Kind::table)
    value["anyOf"] = {{{"type", "array"}},
                      {{"$ref", parameter.two_dimensional ? "#/definitions/grid" : "#/definitions/table"}}};
  else
    value["allOf"] = {{{"$ref", "#/definitions/value"}}};
  return value;
}

/// What holds where `is` names this element.
Json rule_of(const ElementDefinition& element, const Json& common) {
  Json properties = Json::object(), needed = {"is"};
  for (const std::string& key : line_keys(element))
    properties[key] = common.contains(key) ? common.at(key) : Json{{"$ref", "#/definitions/value"}};
  properties["is"] = {{"description", element.doc}, {"const", element.name}};
  for (const auto* list : {&element.parameters, &element.inputs})
    for (const ParameterDefinition& parameter : *list) {
      properties[parameter.name] = value_of(parameter);
      if (!parameter.optional) needed.push_back(parameter.name);
    }
  return {{"if", {{"properties", {{"is", {{"const", element.name}}}}}, {"required", {"is"}}}},
          {"then", {{"properties", properties}, {"required", needed}, {"additionalProperties", false}}}};
}

/// Elements of a section; those of the plant's own have names that the library does not know.
Json elements_of(const Library& library, const std::string& section, const Json& any_element) {
  Json names = Json::array(), rules = Json::array();
  for (const ElementDefinition* element : library.all()) {
    if (element->section != section) continue;
    names.push_back(element->name);
    rules.push_back(rule_of(*element, any_element.at("properties")));
  }
  Json found = any_element;
  found["properties"]["is"]["anyOf"] = {{{"enum", names}}, {{"type", "string"}}};
  found["properties"]["is"].erase("type");
  found["allOf"] = rules;
  return found;
}

void add_elements(Json& schema, const Library& library) {
  Json& definitions = schema.at("definitions");
  for (const std::string& section : element_sections())
    definitions["element_" + section] =
        elements_of(library, section, definitions.at(section == "control" ? "block" : "element"));
}

}  // namespace

int schema_command(int argc, char** argv) {
  command_line::App app{
      "The JSON schema of a kind of file, with which editors complete and check it (taplo, the TOML extension of "
      "Visual Studio Code).",
      "takt schema"};
  std::string kind;
  app.add_option("kind", kind, "of file; a plant's has the elements of the library")
      ->one_of({"plant", "rig", "scenario"})
      ->required();
  app.example("takt schema plant > plant.schema.json");
  app.footer(
      "With `#:schema plant.schema.json` as its first line a file is checked by that schema. What no schema says - "
      "units, names of nodes and signals - `takt check` finds.");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  const Home home = find_home();
  Json schema = parse_json<Json>(read_whole_file((home.config / "schema" / (kind + ".json")).string()));
  if (kind == "plant") {
    Diagnostics diagnostics;
    const Library library = load_library({home.library}, diagnostics);
    fmt::print(stderr, "{}", diagnostics.render());
    if (diagnostics.has_errors()) return exit_failed;
    add_elements(schema, library);
  }
  fmt::print("{}\n", schema.dump(1));
  return exit_ok;
}

}  // namespace takt::tools
