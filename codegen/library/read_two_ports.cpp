// Two-ports of an element: pairs of branches of kind P and the ratio of their across variables.

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {
namespace {

class TwoPortReader {
 public:
  TwoPortReader(ElementDefinition& element, Diagnostics& diagnostics)
      : element_(element), diagnostics_(diagnostics) {}

  void read(const TomlEntry& entry) {
    if (!expect_kind(entry.value, TomlValue::Kind::table, "'two_port'", diagnostics_)) return;
    check_keys(entry.value, {"a", "b", "ratio"}, "L003", "'two_port'", diagnostics_);
    TwoPortDefinition two_port;
    two_port.ratio = required_expression(entry, "ratio", diagnostics_);
    const bool a = read_side(entry, "a", two_port.a), b = read_side(entry, "b", two_port.b);
    if (a && b && two_port.a == two_port.b) {
      diagnostics_.error("L006", entry.where,
                         "the two sides of a two-port are the same branch '" + two_port.a + "'");
      complete_ = false;
    }
    if (!a || !b) complete_ = false;
    if (!complete_) return;
    element_.two_ports.push_back(std::move(two_port));
  }

  /// A branch of kind P has no law of its own.
  void check_branches() {
    for (const BranchDefinition& branch : element_.branches) {
      if (!complete_ || branch.kind != BranchKind::port || taken(branch.name)) continue;
      diagnostics_.error("L006", branch.where,
                         "branch '" + branch.name + "' is of kind P but a side of no two-port",
                         "name it in two_port = { a = \"...\", b = \"...\", ratio = \"...\" }");
    }
  }

 private:
  [[nodiscard]] bool taken(const std::string& branch) const {
    return std::any_of(element_.two_ports.begin(), element_.two_ports.end(),
                       [&](const auto& port) { return port.a == branch || port.b == branch; });
  }

  [[nodiscard]] bool read_side(const TomlEntry& entry, std::string_view key, std::string& side) {
    const TomlValue* name = entry.value.get(key);
    if (name != nullptr) side = read_string(*name, "'" + std::string(key) + "'", diagnostics_);
    const Location& where = name != nullptr ? name->where : entry.where;
    const BranchDefinition* branch = element_.branch(side);
    if (branch == nullptr || branch->kind != BranchKind::port) {
      diagnostics_.error(
          "L006", where,
          "side '" + std::string(key) + "' of the two-port names no branch of kind P");
      return false;
    }
    if (!taken(side)) return true;
    diagnostics_.error("L006", where, "branch '" + side + "' is a side of two two-ports already",
                       "give each two-port branches of its own between the same nodes");
    return false;
  }

  ElementDefinition& element_;
  Diagnostics& diagnostics_;
  bool complete_ = true;
};

}  // namespace

void read_two_ports(ElementDefinition& element, const TomlEntry& definition,
                    Diagnostics& diagnostics) {
  TwoPortReader reader(element, diagnostics);
  if (const TomlEntry* entry = definition.value.find("two_port")) {
    const auto& parts = entry->value.entries;
    const bool named =
        !parts.empty() && std::all_of(parts.begin(), parts.end(),
                                      [](const TomlEntry& part) { return part.value.is_table(); });
    if (!named) reader.read(*entry);
    for (const TomlEntry& part : parts) {
      if (named && valid_name(part, diagnostics)) reader.read(part);
    }
  }
  reader.check_branches();
}

}  // namespace takt::codegen
