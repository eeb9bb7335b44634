#include "codegen/library/library.hpp"

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {

const std::vector<std::string>& element_sections() {
  static const std::vector<std::string> sections{"electric", "solid", "rotational", "translational",
                                                 "fluid",    "gas",   "control"};
  return sections;
}

std::optional<Domain> domain_of(std::string_view section) {
  const auto found = std::find_if(domain_words.begin(), domain_words.end(),
                                  [&](const DomainWords& w) { return w.name == section; });
  if (found == domain_words.end()) return std::nullopt;
  return found->domain;
}

const ParameterDefinition* ElementDefinition::parameter(std::string_view wanted) const {
  const auto found = std::find_if(parameters.begin(), parameters.end(),
                                  [&](const auto& p) { return p.name == wanted; });
  return found == parameters.end() ? nullptr : &*found;
}

const BranchDefinition* ElementDefinition::branch(std::string_view wanted) const {
  const auto found = std::find_if(branches.begin(), branches.end(),
                                  [&](const auto& b) { return b.name == wanted; });
  return found == branches.end() ? nullptr : &*found;
}

bool ElementDefinition::switches(std::string_view wanted) const {
  const ParameterDefinition* gate = parameter(wanted);
  if (gate != nullptr) return gate->kind == ParameterDefinition::Kind::gate;
  return std::any_of(modes.begin(), modes.end(),
                     [&](const auto& mode) { return mode.name == wanted; });
}

const ElementDefinition* Library::find(std::string_view section, std::string_view name) const {
  const auto found = elements_.find(std::pair(std::string(section), std::string(name)));
  return found == elements_.end() ? nullptr : found->second.get();
}

std::vector<const ElementDefinition*> Library::find_all(std::string_view name) const {
  std::vector<const ElementDefinition*> found;
  for (const auto& [key, element] : elements_) {
    if (element->name == name || element->full_name() == name) found.push_back(element.get());
  }
  return found;
}

std::vector<std::string> Library::names(std::string_view section) const {
  std::vector<std::string> names;
  for (const auto& [key, element] : elements_) {
    if (key.first == section) names.push_back(key.second);
  }
  return names;
}

std::vector<const ElementDefinition*> Library::all() const {
  std::vector<const ElementDefinition*> all;
  for (const auto& [key, element] : elements_) all.push_back(element.get());
  return all;
}

void Library::add(std::string_view section, const TomlEntry& entry, Diagnostics& diagnostics) {
  if (!is_name(entry.key)) {
    diagnostics.error("M006", entry.where, "'" + entry.key + "' is no name",
                      "names are lower-case letters, digits and _, beginning with a letter");
    return;
  }
  if (const ElementDefinition* existing = find(section, entry.key)) {
    diagnostics.error("L002", entry.where,
                      "element '" + existing->full_name() + "' is defined already",
                      "the other definition is in " + place_text(existing->where));
    return;
  }
  auto element =
      std::make_shared<const ElementDefinition>(read_element(section, entry, diagnostics));
  elements_.emplace(std::pair(element->section, element->name), element);
}

const MediumDefinition* Library::find_medium(std::string_view name) const {
  const auto found = media_.find(name);
  return found == media_.end() ? nullptr : found->second.get();
}

std::vector<std::string> Library::medium_names() const {
  std::vector<std::string> names;
  for (const auto& [name, medium] : media_) names.push_back(name);
  return names;
}

void Library::add_medium(const TomlEntry& entry, Diagnostics& diagnostics) {
  if (!valid_name(entry, diagnostics)) return;
  if (const MediumDefinition* existing = find_medium(entry.key)) {
    diagnostics.error("L002", entry.where, "medium '" + entry.key + "' is defined already",
                      "the other definition is in " + place_text(existing->where));
    return;
  }
  media_.emplace(entry.key,
                 std::make_shared<const MediumDefinition>(read_medium(entry, diagnostics)));
}

void add_media(Library& library, const TomlValue& media, Diagnostics& diagnostics) {
  if (!expect_kind(media, TomlValue::Kind::table, "section 'medium'", diagnostics)) return;
  for (const TomlEntry& medium : media.entries) library.add_medium(medium, diagnostics);
}

void add_definitions(Library& library, const TomlValue& root, Diagnostics& diagnostics) {
  for (const TomlEntry& section : root.entries) {
    const auto& known = element_sections();
    if (section.key == "medium") {
      add_media(library, section.value, diagnostics);
      continue;
    }
    if (std::find(known.begin(), known.end(), section.key) == known.end()) {
      diagnostics.error("L001", section.where, "'" + section.key + "' is no section of elements",
                        name_hint(section.key, known));
      continue;
    }
    if (!expect_kind(section.value, TomlValue::Kind::table, "section '" + section.key + "'",
                     diagnostics))
      continue;
    for (const TomlEntry& element : section.value.entries)
      library.add(section.key, element, diagnostics);
  }
}

Library load_library(const std::vector<std::filesystem::path>& folders, Diagnostics& diagnostics) {
  Library library;
  for (const auto& folder : folders) {
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (auto entry = std::filesystem::directory_iterator(folder, error);
         !error && entry != std::filesystem::directory_iterator(); entry.increment(error)) {
      if (entry->path().extension() == ".toml") files.push_back(entry->path());
    }
    if (error) {
      diagnostics.error("M002", {folder.string(), 0, 0},
                        "cannot read the library folder '" + folder.string() + "'",
                        "check the path");
      continue;
    }
    std::sort(files.begin(), files.end());
    for (const auto& file : files) {
      library.add_file(file.string());
      if (const auto root = read_toml(file, diagnostics))
        add_definitions(library, *root, diagnostics);
    }
  }
  return library;
}

}  // namespace takt::codegen
