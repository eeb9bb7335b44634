#include "codegen/model/modelica_models.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/expand.hpp"
#include "codegen/modelica/import_model.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr const char* form =
    "write body.file = \"body.flat.json\" and body.at = { port = \"solid.wall\" } in [model]: "
    "connector = node";

class ModelReader {
 public:
  ModelReader(Workspace& work, const TomlEntry& entry) : work_(work), entry_(entry) {}

  /// What has been made of it.
  [[nodiscard]] const modelica::ModelInstance& instance() const { return instance_; }
  [[nodiscard]] const std::vector<modelica::StartPosition>& positions() const { return positions_; }

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
    if (!is_name(name.substr(0, name.find('['))))
      return findings_.error("D031", each.value.where,
                             "'" + name + "' of '" + node + "' is no name of a node",
                             "names are lower-case letters, digits and _, beginning with a letter");
    modelica::ConnectorJoin join;
    join.connector = each.key;
    join.where = each.where;
    if (name != words.reference) join.node = *domain == home_ ? name : node;
    join.domain = {std::string(words.name),
                   std::string(words.across),
                   std::string(words.across_unit),
                   std::string(words.through),
                   std::string(words.through_unit),
                   moved_unit(words),
                   circuit(*domain) == circuit(home_),
                   words.through_is_power};
    instance_.joins.push_back(std::move(join));
  }

  /// Modelica's flanges have angles and positions, nodes of a plant speeds.
  static std::string moved_unit(const DomainWords& words) {
    return std::string(is_mechanical(words.domain) ? words.linkage_unit : "");
  }
  static bool is_mechanical(Domain domain) {
    return domain == Domain::rotational || domain == Domain::translational;
  }

  void read_values(std::string_view key, std::map<std::string, modelica::GivenText>& into) {
    const TomlValue* given = entry_.value.get(key);
    if (given == nullptr || !expect_kind(*given, TomlValue::Kind::table,
                                         "'" + std::string(key) + "' of a model", findings_))
      return;
    for (const TomlEntry& each : given->entries)
      into[each.key] = {read_string(each.value, "'" + each.key + "'", findings_), each.value.where};
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
    if (!made || !is_new_name()) return broken();
    positions_ = made->positions;
    Diagnostics of_text;
    auto element = parse_toml(made->plant, path_.string() + " as an element", of_text);
    if (element) put_in_place(*element);
    if (element) add_definitions(work_.library, *element->get("element"), of_text);
    work_.forward(of_text);
    if (!element || of_text.has_errors()) return broken();
    expand_sections(work_, work_.scopes.front(), work_.texts.emplace_back(std::move(*element)));
  }

  bool is_new_name() {
    const std::string path = instance_.section + "." + instance_.name;
    const auto same = std::find_if(work_.instances.begin(), work_.instances.end(),
                                   [&](const Instance& each) { return each.path == path; });
    if (same == work_.instances.end()) return true;
    work_.error("M019", entry_.where, "'" + path + "' names a model and an element",
                "the element stands in " + place_text(same->entry->where) +
                    "; give one of them another name");
    return false;
  }

  /// Nobody sees the text of the element: findings name the line of the model, or what it gives.
  void put_in_place(TomlValue& made) const {
    put_at(made, entry_.where);
    for (TomlEntry& section : made.entries)
      for (TomlEntry& line : section.value.entries)
        for (TomlEntry& value : line.value.entries)
          for (const auto* given : {&instance_.inputs, &instance_.parameters})
            for (const auto& [name, text] : *given)
              if (value.value.text == text.text) put_at(value.value, text.where);
  }
  static void put_at(TomlValue& value, const Location& where) {
    value.where = value.text_where = where;
    for (TomlValue& item : value.items) put_at(item, where);
    for (TomlEntry& entry : value.entries) entry.where = where, put_at(entry.value, where);
  }

  Workspace& work_;
  const TomlEntry& entry_;
  Diagnostics findings_;
  std::filesystem::path path_;
  modelica::ModelInstance instance_;
  std::vector<modelica::StartPosition> positions_;
  Domain home_ = Domain::electric;
};

/// Flanges at one node: what meets there has one position.
class MeetingFlanges {
 public:
  explicit MeetingFlanges(Workspace& work) : work_(work) {}

  void add(const ModelReader& model) {
    for (const modelica::StartPosition& position : model.positions())
      for (const modelica::ConnectorJoin& join : model.instance().joins)
        if (join.connector == position.connector) add(model.instance(), join, position.value);
  }

 private:
  struct First {
    std::string name;
    double value = 0.0;
  };

  void add(const modelica::ModelInstance& model, const modelica::ConnectorJoin& join,
           double value) {
    const bool at_home = join.node.find('.') == std::string::npos;
    const std::string node = at_home ? model.section + "." + join.node : join.node,
                      name = model.name + "." + join.connector;
    const auto [first, fresh] = firsts_.emplace(node, First{name, value});
    const double other = first->second.value;
    if (fresh || std::fabs(value - other) <= 1e-9 * (1.0 + std::fabs(other))) return;
    work_.error("D032", join.where,
                "'" + name + "' begins at " + number_text(value) + " " + join.domain.moved_unit +
                    " and '" + first->second.name + "' at " + number_text(other) +
                    ": both are at " + node + ", where they have one position",
                "give both the same start value in Modelica, as " + join.connector +
                    "(phi(start = ...)) or " + join.connector +
                    "(s(start = ...)), and make the flat model again");
  }

  Workspace& work_;
  std::map<std::string, First> firsts_;  // by node
};

}  // namespace

void declare_models(Workspace& work, const TomlValue& models) {
  MeetingFlanges meeting(work);
  for (const TomlEntry& entry : models.entries) {
    ModelReader reader(work, entry);
    reader.read();
    meeting.add(reader);
  }
}

}  // namespace takt::codegen
