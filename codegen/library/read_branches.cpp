// Branches of an element: ends, kind, law and its form.

#include <algorithm>
#include <array>

#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {
namespace {

const std::vector<std::string> branch_keys{"at",    "kind",   "law",   "domain",
                                           "start", "energy", "passes"};

constexpr std::array<std::pair<std::string_view, BranchKind>, 6> kinds{
    {{"A", BranchKind::across_source},
     {"C", BranchKind::across_storage},
     {"R", BranchKind::dissipator},
     {"L", BranchKind::through_storage},
     {"T", BranchKind::through_source},
     {"P", BranchKind::port}}};

/// Form of a law of a kind from the word on its left side; nothing where they do not fit.
std::optional<LawForm> form_of(BranchKind kind, std::string_view word, const DomainWords& words) {
  if (word == "0")
    return kind == BranchKind::dissipator ? std::optional(LawForm::implicit) : std::nullopt;
  const bool across = word == words.across, through = word == words.through;
  switch (kind) {
    case BranchKind::across_source:
      return across ? std::optional(LawForm::across_of) : std::nullopt;
    case BranchKind::through_source:
      return through ? std::optional(LawForm::through_of) : std::nullopt;
    case BranchKind::dissipator:
      if (across) return LawForm::across_of;
      return through ? std::optional(LawForm::through_of) : std::nullopt;
    case BranchKind::across_storage:
      if (across) return LawForm::from_stored;
      return word == words.charge ? std::optional(LawForm::stored_of) : std::nullopt;
    case BranchKind::through_storage:
      if (through) return LawForm::from_stored;
      return word == words.linkage ? std::optional(LawForm::stored_of) : std::nullopt;
    case BranchKind::port:
      return std::nullopt;
  }
  return std::nullopt;
}

std::string left_sides(BranchKind kind, const DomainWords& words) {
  const std::string across(words.across), through(words.through);
  switch (kind) {
    case BranchKind::across_source:
      return across + " = ...";
    case BranchKind::through_source:
      return through + " = ...";
    case BranchKind::dissipator:
      return across + " = ..., " + through + " = ... or 0 = ...";
    case BranchKind::across_storage:
      return std::string(words.charge) + " = ... or " + across + " = ...";
    case BranchKind::through_storage:
      return std::string(words.linkage) + " = ... or " + through + " = ...";
    case BranchKind::port:
      break;
  }
  return "no law";
}

class BranchReader {
 public:
  BranchReader(ElementDefinition& element, Diagnostics& diagnostics)
      : element_(element), diagnostics_(diagnostics) {}

  void read(const std::string& name, const TomlValue& table) {
    check_keys(table, branch_keys, "L003", "a branch", diagnostics_);
    BranchDefinition branch;
    branch.name = name;
    branch.where = table.where;
    if (!read_ends(table, branch) || !read_kind(table, branch)) return;
    if (branch.kind == BranchKind::port) {
      if (const auto* law = table.get("law"))
        diagnostics_.error("L008", law->where, "a branch of kind P has no law",
                           "the two-port's ratio is its law");
    } else if (!read_law(table, branch)) {
      return;
    }
    read_storage(table, branch);
    element_.branches.push_back(std::move(branch));
  }

 private:
  [[nodiscard]] bool read_kind(const TomlValue& table, BranchDefinition& branch) {
    const TomlValue* kind = table.get("kind");
    const std::string letter =
        kind != nullptr ? read_string(*kind, "'kind'", diagnostics_) : std::string();
    const auto* found =
        std::find_if(kinds.begin(), kinds.end(), [&](const auto& k) { return k.first == letter; });
    if (found == kinds.end()) {
      diagnostics_.error("L006", kind != nullptr ? kind->where : table.where,
                         "a branch needs a kind: A, C, R, L, T or P",
                         "A across source, C across storage, R dissipator, L through storage, T "
                         "through source, P side of a two-port");
      return false;
    }
    branch.kind = found->second;
    if (branch.kind == BranchKind::through_storage && words_of(branch.domain).linkage.empty()) {
      diagnostics_.error(
          "L006", kind->where,
          "the domain " + std::string(words_of(branch.domain).name) + " has no through storage");
      return false;
    }
    return true;
  }

  [[nodiscard]] std::optional<Domain> domain_of_vertex(const std::string& name) const {
    if (element_.self_node && name == "self") return domain_of(element_.section);
    for (const auto* list : {&element_.terminals, &element_.internal_nodes}) {
      const auto found = std::find_if(list->begin(), list->end(),
                                      [&](const auto& vertex) { return vertex.name == name; });
      if (found != list->end()) return found->domain;
    }
    return std::nullopt;
  }

  [[nodiscard]] bool read_ends(const TomlValue& table, BranchDefinition& branch) {
    std::vector<std::string> ends;
    const TomlValue* at = table.get("at");
    if (at != nullptr) {
      for (const auto& [text, place] : read_strings(*at, "'at'", diagnostics_)) {
        if (!domain_of_vertex(text)) {
          diagnostics_.error("L007", place->where,
                             "'" + text + "' is no terminal or internal node of the element",
                             name_hint(text, vertices()));
          return false;
        }
        ends.push_back(text);
      }
    } else if (element_.self_node && element_.terminals.empty()) {
      ends.push_back("self");
    } else {
      for (const auto& terminal : element_.terminals) ends.push_back(terminal.name);
    }
    const Location& where = at != nullptr ? at->where : table.where;
    if (ends.empty() || ends.size() > 2) {
      diagnostics_.error("L007", where, "a branch has one end or two; 'at' names them");
      return false;
    }
    branch.from = ends.front();
    branch.domain = domain_of_vertex(branch.from).value_or(Domain::electric);
    if (ends.size() == 2) branch.to = ends.back();
    if (ends.size() == 2 && domain_of_vertex(branch.to) != branch.domain) {
      diagnostics_.error("L007", where, "the ends of a branch are in different domains",
                         "join domains by two-ports or by sources");
      return false;
    }
    return check_domain(table, branch);
  }

  [[nodiscard]] bool check_domain(const TomlValue& table, const BranchDefinition& branch) {
    const TomlValue* domain = table.get("domain");
    if (domain == nullptr ||
        domain_of(read_string(*domain, "'domain'", diagnostics_)) == branch.domain)
      return true;
    diagnostics_.error(
        "L007", domain->where,
        "the ends of this branch are in the domain " + std::string(words_of(branch.domain).name));
    return false;
  }

  [[nodiscard]] std::vector<std::string> vertices() const {
    std::vector<std::string> names;
    for (const auto& terminal : element_.terminals) names.push_back(terminal.name);
    for (const auto& node : element_.internal_nodes) names.push_back(node.name);
    if (element_.self_node) names.emplace_back("self");
    return names;
  }

  /// "r0.v" and "v" both mean the own variable of branch r0.
  [[nodiscard]] static std::string_view own_word(std::string_view left, const std::string& branch) {
    if (!branch.empty() && left.starts_with(branch + ".")) left.remove_prefix(branch.size() + 1);
    return left;
  }

  [[nodiscard]] bool read_law(const TomlValue& table, BranchDefinition& branch) {
    const DomainWords& words = words_of(branch.domain);
    const std::string hint = "laws of this kind are written " + left_sides(branch.kind, words);
    const TomlValue* law = table.get("law");
    const bool free = !element_.equations.empty() && branch.kind == BranchKind::dissipator;
    if (law == nullptr && free) return true;
    if (law == nullptr) {
      diagnostics_.error("L004", table.where, "a branch needs its law", hint);
      return false;
    }
    branch.law_text = read_string(*law, "'law'", diagnostics_);
    const auto equation = cut_equation(branch.law_text);
    const auto form = equation ? form_of(branch.kind, own_word(equation->left, branch.name), words)
                               : std::nullopt;
    if (!form) {
      diagnostics_.error("L008", law->where,
                         "the left side of the law does not fit a branch of this kind", hint);
      return false;
    }
    branch.form = *form;
    branch.law = make_expression(std::string(equation->right),
                                 shifted(law->text_where, equation->right_offset), diagnostics_);
    return true;
  }

  void read_storage(const TomlValue& table, BranchDefinition& branch) {
    if (const TomlValue* passes = table.get("passes")) {
      if (branch.kind == BranchKind::dissipator)
        branch.passes = read_expression(*passes, diagnostics_);
      else
        diagnostics_.error("L008", passes->where, "'passes' belongs to branches of kind R");
    }
    const bool storage =
        branch.kind == BranchKind::across_storage || branch.kind == BranchKind::through_storage;
    for (const std::string_view key : {"start", "energy"}) {
      const TomlValue* value = table.get(key);
      if (value != nullptr && !storage) {
        diagnostics_.error("L008", value->where,
                           "'" + std::string(key) + "' belongs to storages (kind C and L)");
      }
    }
    if (!storage) return;
    if (const auto* energy = table.get("energy"))
      branch.energy = read_expression(*energy, diagnostics_);
    if (const auto* start = table.get("start"))
      branch.start = read_expression(*start, diagnostics_);
  }

  ElementDefinition& element_;
  Diagnostics& diagnostics_;
};

}  // namespace

void read_branches(ElementDefinition& element, const TomlValue& branches,
                   Diagnostics& diagnostics) {
  if (!expect_kind(branches, TomlValue::Kind::table, "'branch'", diagnostics)) return;
  BranchReader reader(element, diagnostics);
  // One branch without a name is a table of its own keys; named branches are tables.
  const bool named = std::all_of(branches.entries.begin(), branches.entries.end(),
                                 [](const TomlEntry& e) { return e.value.is_table(); });
  if (!named) {
    reader.read("", branches);
    return;
  }
  for (const TomlEntry& entry : branches.entries) {
    if (!is_name(entry.key)) {
      diagnostics.error("M006", entry.where, "'" + entry.key + "' is no name",
                        "names are lower-case letters, digits and _, beginning with a letter");
      continue;
    }
    reader.read(entry.key, entry.value);
  }
}

}  // namespace takt::codegen
