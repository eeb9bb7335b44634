#include "codegen/model/workspace.hpp"

#include <algorithm>

namespace takt::codegen {

bool Workspace::first_time(std::string_view code, const Location& where,
                           const std::string& message) {
  std::string key(code);
  key += "|" + where.file.text() + "|" + std::to_string(where.line) + "|" +
         std::to_string(where.column) + "|";
  // Indices of arrays are left out: members of an array share one line.
  bool inside = false;
  for (const char character : message) {
    if (character == '[') inside = true;
    if (character == ']') inside = false;
    if (!inside) key += character;
  }
  return reported.insert(std::move(key)).second;
}

void Workspace::error(std::string_view code, const Location& where, const std::string& message,
                      const std::string& hint) {
  if (first_time(code, where, message)) diagnostics.error(code, where, message, hint);
}

void Workspace::warning(std::string_view code, const Location& where, const std::string& message,
                        const std::string& hint) {
  if (first_time(code, where, message)) diagnostics.warning(code, where, message, hint);
}

void Workspace::forward(const Diagnostics& findings) {
  for (const Diagnostic& finding : findings.all()) {
    if (!first_time(finding.code, finding.where, finding.message)) continue;
    switch (finding.severity) {
      case Severity::error:
        diagnostics.error(finding.code, finding.where, finding.message, finding.hint);
        break;
      case Severity::warning:
        diagnostics.warning(finding.code, finding.where, finding.message, finding.hint);
        break;
      case Severity::note:
        diagnostics.note(finding.code, finding.where, finding.message, finding.hint);
        break;
    }
  }
}

SymbolId Workspace::make_symbol(const std::string& path, std::string_view unit_text) {
  std::string unique = path;
  while (network.graph().find_symbol(unique)) unique += "_";
  const auto [unit, fresh] = units_.try_emplace(std::string(unit_text));
  if (fresh) unit->second = {si_text(unit_text), parse_unit(unit_text), kind_of_unit(unit_text)};
  const SymbolId symbol = network.graph().make_symbol(unique, unit->second.si);
  names.emplace(network.graph().symbol(symbol).path, Target{symbol, nullptr});
  if (unit_text.empty() || unit_text == "any") return symbol;
  if (unit->second.unit) dimensions.emplace(symbol, unit->second.unit->dimension);
  if (unit->second.kind.sort != QuantityKind::Sort::open) kinds.emplace(symbol, unit->second.kind);
  return symbol;
}

Named Workspace::named(SymbolId symbol) const {
  const auto dimension = dimensions.find(symbol);
  const auto kind = kinds.find(symbol);
  return {network.graph().use(symbol),
          dimension == dimensions.end() ? std::nullopt : std::optional(dimension->second),
          kind == kinds.end() ? QuantityKind{} : kind->second};
}

Named Workspace::named(const Slot& slot) const { return {slot.value, slot.dimension, slot.kind}; }

Named Workspace::refused() {
  if (!refused_)
    refused_ = network.graph().make_symbol("?", "1");  // no network with errors leaves this stage
  return {network.graph().use(*refused_), std::nullopt};
}

bool Workspace::is_refused(Expr value) const {
  return refused_ && network.graph().depends_on(value, *refused_);
}

bool Workspace::declare(const std::string& path, Target target) {
  if (names.contains(path)) return false;
  return names.emplace(other_names.emplace_back(path), target).second;
}

Slot& Workspace::make_slot(Slot slot) {
  if (const auto given = overrides.find(slot.path); given != overrides.end()) {
    slot.override_text = given->second;
    overrides.erase(given);
  }
  return slots.emplace_back(std::move(slot));
}

NodeId Workspace::node_at(Domain domain, const std::string& path, const Location& where) {
  if (const auto found = nodes.find(path); found != nodes.end()) return found->second;
  const auto id = static_cast<NodeId>(network.nodes.size());
  NetworkNode node;
  node.path = path;
  node.domain = domain;
  const DomainWords& words = words_of(domain);
  node.reference = path == std::string(words.name) + "." + std::string(words.reference);
  node.where = where;
  network.nodes.push_back(std::move(node));
  node_uses.push_back(0);
  nodes.emplace(path, id);
  return id;
}

std::string si_text(std::string_view unit_text) {
  if (unit_text.empty() || unit_text == "any") return "1";
  const auto unit = parse_unit(unit_text);
  if (!unit) return "1";
  constexpr double exactly_one = 1.0;
  if (unit->factor == exactly_one && unit->offset == 0.0) return std::string(unit_text);
  const QuantityKind kind = kind_of_unit(unit_text);
  if (kind.turns()) return kind.sort == QuantityKind::Sort::frequency ? "Hz" : "rad/s";
  return dimension_text(unit->dimension);
}

}  // namespace takt::codegen
