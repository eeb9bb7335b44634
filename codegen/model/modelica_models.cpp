#include "codegen/model/modelica_models.hpp"

#include <fstream>
#include <iterator>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/expand.hpp"
#include "codegen/modelica/import_model.hpp"

namespace takt::codegen {
namespace {

constexpr const char* form =
    "write body.file = \"body.flat.json\" and body.at = { port = \"solid.wall\" } in [model]: "
    "connector = node";

class ModelReader {
 public:
  ModelReader(Workspace& work, const TomlEntry& entry) : work_(work), entry_(entry) {}

  void read() {
    if (!is_fine() || !open()) return broken();
    instance_.name = entry_.key;
    instance_.where = entry_.where;
    read_nodes();
    read_values("inputs", instance_.inputs);
    read_values("parameters", instance_.parameters);
    work_.forward(findings_);
    if (findings_.has_errors()) return broken();
    expand();
  }

 private:
  void broken() {
    work_.broken.insert((instance_.section.empty() ? "" : instance_.section + ".") + entry_.key);
  }

  bool is_fine() {
    bool fine =
        valid_name(entry_, findings_) &&
        expect_kind(entry_.value, TomlValue::Kind::table, "model '" + entry_.key + "'", findings_);
    if (fine)
      check_keys(entry_.value, {"file", "at", "inputs", "parameters"}, "M005", "a model",
                 findings_);
    work_.forward(findings_);
    return fine && !findings_.has_errors();
  }

  bool open() {
    const TomlValue* file = entry_.value.get("file");
    if (file == nullptr || !file->is_string())
      return work_.error("M007", entry_.where, "model '" + entry_.key + "' does not say its file",
                         form),
             false;
    path_ = work_.folder / file->text;
    std::error_code missing;
    if (!std::filesystem::is_regular_file(path_, missing))
      return work_.error("M002", file->where, "cannot read '" + path_.string() + "'",
                         "the path is relative to the plant file"),
             false;
    if (path_.extension() != ".json")
      return work_.error("D031", file->where,
                         "'" + file->text + "' is no flat JSON, which says what flows",
                         "takt import modelica CLASS --flat FILE.flat.json makes it of a class"),
             false;
    work_.network.files.push_back(path_.string());
    return true;
  }

  void read_nodes() {
    const TomlValue* at = entry_.value.get("at");
    if (at == nullptr || !at->is_table() || at->entries.empty())
      return findings_.error("M007", entry_.where,
                             "model '" + entry_.key + "' does not say where its connectors are",
                             form);
    for (const TomlEntry& each : at->entries) read_node(each);
  }

  void read_node(const TomlEntry& each) {
    const std::string node = read_string(each.value, "a node", findings_);
    const std::size_t dot = node.find('.');
    const auto domain = domain_of(node.substr(0, dot));
    if (dot == std::string::npos || !domain || *domain == Domain::fluid || *domain == Domain::gas)
      return findings_.error(
          "D031", each.value.where, "'" + node + "' is no node that a connector can join",
          "name a node with its section: electric.NODE, solid.NODE, rotational.NODE or "
          "translational.NODE");
    const DomainWords& words = words_of(*domain);
    if (instance_.section.empty()) home_ = *domain, instance_.section = std::string(words.name);
    const auto circuit = [](Domain of) {
      return of == Domain::translational ? Domain::rotational : of;
    };
    const std::string name = node.substr(dot + 1);
    modelica::ConnectorJoin join;
    join.connector = each.key;
    join.where = each.where;
    if (name != words.reference) join.node = *domain == home_ ? name : node;
    join.domain = {std::string(words.name),         std::string(words.across),
                   std::string(words.across_unit),  std::string(words.through),
                   std::string(words.through_unit), circuit(*domain) == circuit(home_),
                   words.through_is_power};
    instance_.joins.push_back(std::move(join));
  }

  void read_values(std::string_view key, std::map<std::string, std::string>& into) {
    const TomlValue* given = entry_.value.get(key);
    if (given == nullptr || !expect_kind(*given, TomlValue::Kind::table,
                                         "'" + std::string(key) + "' of a model", findings_))
      return;
    for (const TomlEntry& each : given->entries)
      into[each.key] = read_string(each.value, "'" + each.key + "'", findings_);
  }

  void expand() {
    std::ifstream input(path_, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(input), {}};
    Diagnostics findings;
    modelica::PlantSettings settings;
    settings.title = entry_.key;
    settings.origin = path_.filename().string();
    settings.instance = instance_;
    const auto made = modelica::import_model(text, FileName(path_.string()), settings, findings);
    work_.forward(findings);
    if (!made) return broken();
    Diagnostics of_text;
    auto element = parse_toml(made->plant, path_.string() + " as an element", of_text);
    if (element) add_definitions(work_.library, *element->get("element"), of_text);
    work_.forward(of_text);
    if (!element || of_text.has_errors()) return broken();
    expand_sections(work_, work_.scopes.front(), work_.texts.emplace_back(std::move(*element)));
  }

  Workspace& work_;
  const TomlEntry& entry_;
  Diagnostics findings_;
  std::filesystem::path path_;
  modelica::ModelInstance instance_;
  Domain home_ = Domain::electric;
};

}  // namespace

void declare_models(Workspace& work, const TomlValue& models) {
  for (const TomlEntry& entry : models.entries) ModelReader(work, entry).read();
}

}  // namespace takt::codegen
