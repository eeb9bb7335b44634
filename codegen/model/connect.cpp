// Nodes and the terminals at them: how elements hang together.

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/expand.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

std::string terminal_list(const std::vector<TerminalDefinition>& terminals) {
  std::vector<std::string> names;
  for (const auto& terminal : terminals) names.push_back(terminal.name);
  return names.empty() ? std::string("none") : join_names(names);
}

std::string counted(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " terminal" : " terminals");
}

/// The name without the index: "tap[3]" is "tap".
std::string_view stem(std::string_view name) { return name.substr(0, name.find('[')); }

/// The nodes a solid section knows, for hints.
std::vector<std::string> wall_names(const Workspace& work) {
  std::vector<std::string> names;
  for (const NodeId wall : work.walls)
    names.push_back(work.network.nodes[static_cast<std::size_t>(wall)].path);
  return names;
}

}  // namespace

std::optional<NodeId> find_vertex(Workspace& work, const NodeName& node, const Reading& reading) {
  const auto& [text, where, expected] = node;
  const auto indexed = with_indices(text, reading.index);
  if (!indexed) {
    work.error("M024", where, "'" + text + "' is no node",
               "an index is [3], or [i], [i+1] in the line of an array");
    return std::nullopt;
  }
  std::string name = *indexed;
  Domain domain = expected;
  if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
    const std::string section = name.substr(0, dot);
    const auto given = domain_of(section);
    if (!given) {
      std::vector<std::string> known(element_sections().begin(), element_sections().end() - 1);
      work.error("M015", where, "'" + section + "' is no physical domain",
                 name_hint(section, known));
      return std::nullopt;
    }
    domain = *given;
    name = name.substr(dot + 1);
  }
  const bool heat =
      expected == Domain::solid && is_convective(domain);  // what flows there has a temperature
  if (domain != expected && !heat) {
    work.error("M015", where,
               "'" + text + "' is a node of the domain " + std::string(words_of(domain).name) +
                   "; the terminal is " + std::string(words_of(expected).name));
    return std::nullopt;
  }
  if (!is_name(stem(name))) {
    work.error(
        "M024", where, "'" + text + "' is no name of a node",
        "nodes are named like elements; inside of parts nodes are reached by terminals only");
    return std::nullopt;
  }
  const DomainWords& words = words_of(domain);
  const std::string section(words.name);
  if (name == words.reference) return work.node_at(domain, section + "." + name, where);
  if (const auto terminal = reading.scope->terminals.find({domain, name});
      terminal != reading.scope->terminals.end())
    return terminal->second;
  return work.node_at(domain, section + "." + reading.scope->prefix + name, where);
}

std::map<std::string, NodeId, std::less<>> connect(Workspace& work, const PlantLine& line,
                                                   const std::vector<TerminalDefinition>& terminals,
                                                   const std::string& what) {
  std::map<std::string, NodeId, std::less<>> nodes;
  const TomlValue* at = line.entry.value.get("at");
  if (at == nullptr) {
    if (!terminals.empty()) {
      work.error("M013", line.entry.where,
                 "'" + line.entry.key + "' is not connected: " + what + " has " +
                     counted(terminals.size()) + " (" + terminal_list(terminals) + ")",
                 "write at = [...] with one node for each terminal");
    }
    return nodes;
  }
  Diagnostics findings;
  const auto place = [&](const TerminalDefinition& terminal, const std::string& text,
                         const Location& where) {
    if (const auto node = find_vertex(work, {text, where, terminal.domain}, line.reading))
      nodes[terminal.name] = *node;
  };
  if (at->is_table()) {
    for (const TomlEntry& given : at->entries) {
      const auto terminal = std::find_if(terminals.begin(), terminals.end(),
                                         [&](const auto& t) { return t.name == given.key; });
      if (terminal == terminals.end()) {
        findings.error("M014", given.where, what + " has no terminal '" + given.key + "'",
                       "its terminals: " + terminal_list(terminals));
      } else if (const std::string text = read_string(given.value, "a node", findings);
                 !text.empty()) {
        place(*terminal, text, given.value.text_where);
      }
    }
    std::vector<std::string> missing;
    for (const auto& terminal : terminals) {
      if (at->find(terminal.name) == nullptr) missing.push_back(terminal.name);
    }
    if (!missing.empty())
      findings.error("M013", at->where, "terminals not connected: " + join_names(missing),
                     "give each its node");
  } else {
    const auto given = read_strings(*at, "'at'", findings);
    for (std::size_t index = 0; index < std::min(given.size(), terminals.size()); ++index) {
      place(terminals[index], given[index].first, given[index].second->text_where);
    }
    if (given.size() != terminals.size() && !findings.has_errors()) {
      const Location& where =
          given.size() > terminals.size() ? given[terminals.size()].second->where : at->where;
      findings.error("M013", where,
                     what + " has " + counted(terminals.size()) + " (" + terminal_list(terminals) +
                         "), " + std::to_string(given.size()) + " given");
    }
  }
  work.forward(findings);
  return nodes;
}

void name_potentials(Workspace& work) {
  for (const auto& use : work.heat_uses) {
    if (is_convective(work.network.nodes[static_cast<std::size_t>(use.node)].domain))
      continue;  // judged with the streams
    if (work.walls.contains(use.node) || work.node_uses[static_cast<std::size_t>(use.node)] > 1)
      continue;
    const std::string path = work.network.nodes[static_cast<std::size_t>(use.node)].path;
    work.error("M016", use.where, "there is no wall '" + path + "'",
               name_hint(path, wall_names(work)));
  }
  for (std::size_t index = 0; index < work.network.nodes.size(); ++index) {
    const auto id = static_cast<NodeId>(index);
    NetworkNode& node = work.network.nodes[index];
    const DomainWords& words = words_of(node.domain);
    const std::string word(words.across), path = node.path;
    if (node.reference) {
      node.across = work.make_symbol(path + "." + word, words.across_unit);
      work.names[work.other_names.emplace_back(path + "." + word)] = Target{};
      continue;
    }
    if (work.potentials.contains(id)) {
      // The element's own across variable is the potential people mean; this symbol is the graph's.
      node.across = work.make_symbol(path + ".potential", words.across_unit);
      continue;
    }
    const bool taken = work.names.contains(path + "." + word);
    node.across = work.make_symbol(path + (taken ? ".node." : ".") + word, words.across_unit);
    work.potentials.emplace(id, node.across);
    if (node.domain == Domain::solid) work.kinds[node.across] = temperature_kind(1.0);
  }
  for (const Scope& scope : work.scopes) {
    for (const auto& [terminal, node] : scope.terminals) {
      const DomainWords& words = words_of(terminal.first);
      const auto potential = work.potentials.find(node);
      const Target target =
          potential == work.potentials.end() ? Target{} : Target{potential->second, nullptr};
      work.declare(std::string(words.name) + "." + scope.prefix + terminal.second + "." +
                       std::string(words.across),
                   target);
    }
  }
}

}  // namespace takt::codegen
