// takt explain NAME|CODE: documentation from the element library, the rows of methods and the table of diagnostic
// codes.

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <optional>
#include <vector>

#include "codegen/library/library.hpp"
#include "codegen/methods/method.hpp"
#include "codegen/text/codes.hpp"
#include "codegen/text/nearest.hpp"
#include "runtime/command_line/command_line.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/element_text.hpp"
#include "tools/takt/fault_text.hpp"
#include "tools/takt/home.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

bool is_code(std::string_view name) {
  return name.size() == 4 && std::isupper(static_cast<unsigned char>(name[0])) != 0 &&
         name.find_first_not_of("0123456789", 1) == std::string_view::npos;
}

int explain_code(const std::string& name) {
  const CodeEntry* entry = find_code(name);
  if (entry == nullptr) {
    fmt::print(stderr, "takt explain: no diagnostic has the code {}; `takt explain --list` shows all\n", name);
    return exit_usage;
  }
  fmt::print("{}", code_text(*entry));
  return exit_ok;
}

int explain_element(const Library& library, const std::string& name) {
  const auto found = library.find_all(name);
  const MediumDefinition* medium = library.find_medium(name.starts_with("medium.") ? name.substr(7) : name);
  if (medium != nullptr) fmt::print("{}{}", medium_text(*medium), found.empty() ? "" : "\n----\n\n");
  if (found.empty() && medium == nullptr) {
    std::vector<std::string> names = library.medium_names();
    for (const ElementDefinition* element : library.all()) names.push_back(element->name);
    const std::string hint = did_you_mean(name, names);
    fmt::print(stderr, "takt explain: no element or medium is called '{}'; {}\n", name,
               hint.empty() ? "`takt explain --list` shows all" : hint);
    return exit_usage;
  }
  for (const ElementDefinition* element : found) {
    fmt::print("{}{}", element == found.front() ? "" : "\n----\n\n", element_text(*element));
  }
  return exit_ok;
}

void list_all(const Library& library) {
  for (const ElementDefinition* element : library.all()) fmt::print("{:<32} {}\n", element->full_name(), element->doc);
  for (const std::string& name : library.medium_names())
    fmt::print("{:<32} {}\n", "medium." + name, library.find_medium(name)->doc);
  fmt::print("\n");
  for (const Method* method : methods::all())
    if (!method->is_sampled()) fmt::print("{:<32} {}\n", method->name, method->words);
  fmt::print("\n");
  for (const CodeEntry& entry : all_codes()) fmt::print("{}  {}\n", entry.code, entry.title);
}

/// Loaded where a name needs it.
class Explanations {
 public:
  int one(const std::string& name) {
    if (is_code(name)) return explain_code(name);
    if (name == "methods") {
      fmt::print("{}", methods::markdown_table());
      return exit_ok;
    }
    if (const Method* method = methods::find(name); method != nullptr) {
      fmt::print("{}", methods::text_of(*method));
      return exit_ok;
    }
    const Library* known = library();
    if (known == nullptr) return exit_failed;
    if (name != "faults") return explain_element(*known, name);
    fmt::print("{}", all_faults_text(*known));
    return exit_ok;
  }

  int all() {
    const Library* known = library();
    if (known == nullptr) return exit_failed;
    list_all(*known);
    return exit_ok;
  }

 private:
  /// @return null where it has mistakes, which are told
  const Library* library() {
    if (library_) return &*library_;
    Diagnostics diagnostics;
    library_ = load_library({find_home().library}, diagnostics);
    fmt::print(stderr, "{}", diagnostics.render());
    if (diagnostics.has_errors()) library_.reset();
    return library_ ? &*library_ : nullptr;
  }

  std::optional<Library> library_;
};

}  // namespace

int explain_command(int argc, char** argv) {
  command_line::App app{"Tell about elements or media of the library, methods of integration or diagnostic codes.",
                        "takt explain"};
  std::vector<std::string> names;
  bool list = false;
  app.add_option("name", names,
                 "element (resistor, electric.resistor), medium (water), method (rk4; methods: a table of all), code "
                 "(T001), or faults: "
                 "what can be injected; several are told one after the other");
  app.add_flag("--list", list, "list every element, medium, method and code");
  app.example(
      "takt explain resistor\n"
      "takt explain water\n"
      "takt explain X044 S046");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  if (names.empty() != list) {
    fmt::print(stderr, "takt explain: give names, or --list\n");
    return exit_usage;
  }
  Explanations explanations;
  if (list) return explanations.all();
  int worst = exit_ok;
  for (std::size_t k = 0; k < names.size(); ++k) {
    if (k > 0) fmt::print("\n----\n\n");
    worst = std::max(worst, explanations.one(names[k]));
  }
  return worst;
}

}  // namespace takt::tools
