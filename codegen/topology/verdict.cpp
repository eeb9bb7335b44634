#include <algorithm>
#include <cmath>
#include <map>

#include "codegen/topology/circuits.hpp"
#include "codegen/topology/controlled_sources.hpp"
#include "codegen/topology/normal_tree.hpp"
#include "codegen/topology/topology.hpp"

namespace takt::codegen {

namespace {

const Branch& branch_of(const Network& network, BranchId id) {
  return network.branches[static_cast<std::size_t>(id)];
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

std::vector<std::string> paths(const Network& network, BranchId first,
                               const std::vector<LinearTerm>& terms) {
  std::vector<std::string> names{branch_of(network, first).path};
  for (const LinearTerm& term : terms) names.push_back(branch_of(network, term.branch).path);
  return names;
}

/// Cotree branches whose fundamental loop holds the tree branch: its fundamental cutset.
std::vector<BranchId> cutset_of(const CircuitTopology& circuit, BranchId tree_branch) {
  std::vector<BranchId> cutset{tree_branch};
  for (const CotreeRow& row : circuit.cotree)
    for (const LinearTerm& term : row.terms)
      if (term.branch == tree_branch) cutset.push_back(row.branch);
  return cutset;
}

std::string cutset_paths(const Network& network, const CircuitTopology& circuit,
                         BranchId tree_branch) {
  std::vector<std::string> names;
  for (const BranchId id : cutset_of(circuit, tree_branch))
    names.push_back(branch_of(network, id).path);
  return joined(names);
}

const char* across_source_word(Domain domain) {
  switch (domain) {
    case Domain::electric:
      return "voltage sources";
    case Domain::solid:
      return "temperature boundaries";
    case Domain::fluid:
      return "reservoirs";
    case Domain::gas:
      return "boundaries";
    default:
      return "speed sources";
  }
}

const char* through_source_word(Domain domain) {
  switch (domain) {
    case Domain::electric:
      return "current sources";
    case Domain::solid:
      return "heat sources";
    case Domain::rotational:
      return "torque sources";
    case Domain::fluid:
      return "demands";
    case Domain::gas:
      return "mass-flow sources";
    default:
      return "force sources";
  }
}

/// True where x_branch = sum of the terms holds for any node potentials. Across a two-port it holds
/// only by the two-port's law: an equation between potentials that the storages' laws need
/// differentiated.
bool holds_for_any_potentials(const Network& network, const CotreeRow& row) {
  std::map<NodeId, double> coefficients;
  const auto add = [&](BranchId id, double coefficient) {
    coefficients[branch_of(network, id).from] += coefficient;
    coefficients[branch_of(network, id).to] -= coefficient;
  };
  add(row.branch, 1.0);
  for (const LinearTerm& term : row.terms) add(term.branch, -term.coefficient);
  return std::all_of(coefficients.begin(), coefficients.end(), [&](const auto& entry) {
    return network.nodes[static_cast<std::size_t>(entry.first)].reference ||
           std::fabs(entry.second) < 1e-12;
  });
}

/// A dependent across storage keeps index 1 only where storages alone close its loop.
bool raises_index(const Network& network, const CotreeRow& row) {
  const bool holds_source =
      std::any_of(row.terms.begin(), row.terms.end(), [&](const LinearTerm& term) {
        return branch_of(network, term.branch).kind == BranchKind::across_source;
      });
  return holds_source || !holds_for_any_potentials(network, row);
}

/// An error; where a controlled source is involved, an objection.
void object(CircuitTopology& circuit, bool controlled, Diagnostic finding,
            Diagnostics& diagnostics) {
  if (controlled) {
    circuit.objections.push_back(std::move(finding));
    return;
  }
  circuit.singular = true;
  diagnostics.error(finding.code, finding.where, finding.message, finding.hint);
}

void judge_cotree(const Network& network, CircuitTopology& circuit, Diagnostics& diagnostics) {
  for (const CotreeRow& row : circuit.cotree) {
    const Branch& branch = branch_of(network, row.branch);
    if (branch.kind == BranchKind::across_source) {
      std::vector<BranchId> loop{row.branch};
      for (const LinearTerm& term : row.terms) loop.push_back(term.branch);
      object(circuit, any_controlled(network, circuit, loop),
             {.code = "T001",
              .where = branch.where,
              .message = std::string("loop of ") + across_source_word(branch.domain) + ": " +
                         joined(paths(network, row.branch, row.terms)),
              .hint = "put a resistance into the loop or remove one of these elements"},
             diagnostics);
    } else if (branch.kind == BranchKind::across_storage) {
      circuit.dependent_across_storages.push_back(row.branch);
      if (!raises_index(network, row)) continue;
      circuit.index = 2;
      circuit.index_causes.push_back(row.branch);
    }
  }
}

/// What could take the flow of a source, with a line to copy.
std::string path_hint(const Network& network, const Branch& branch) {
  const NetworkNode& from = network.nodes[static_cast<std::size_t>(branch.from)];
  const NetworkNode& node =
      from.reference ? network.nodes[static_cast<std::size_t>(branch.to)] : from;
  const std::string name = node.path.substr(node.path.rfind('.') + 1);
  if (branch.domain == Domain::rotational)
    return "nothing there has an inertia: add one in [rotational], as in rotor = { is = "
           "\"inertia\", at = [\"" +
           name + "\"], j = \"1e-3 kg*m^2\" }";
  if (branch.domain == Domain::translational)
    return "nothing there has a mass: add one in [translational], as in body = { is = \"mass\", at "
           "= [\"" +
           name + "\"], m = \"1 kg\" }";
  return "add a path beside them, such as a storage or a resistance, or remove one of these "
         "elements";
}

void judge_tree(const Network& network, CircuitTopology& circuit, Diagnostics& diagnostics) {
  for (const BranchId id : circuit.tree) {
    const Branch& branch = branch_of(network, id);
    if (branch.kind == BranchKind::through_source) {
      object(circuit, any_controlled(network, circuit, cutset_of(circuit, id)),
             {.code = "T002",
              .where = branch.where,
              .message = std::string("cutset of ") + through_source_word(branch.domain) + ": " +
                         cutset_paths(network, circuit, id) + " leave the flow nowhere else to go",
              .hint = path_hint(network, branch)},
             diagnostics);
    } else if (branch.kind == BranchKind::through_storage) {
      circuit.index = 2;
      circuit.dependent_through_storages.push_back(id);
      circuit.index_causes.push_back(id);
    }
  }
}

const char* undetermined_hint(Domain domain) {
  switch (domain) {
    case Domain::electric:
      return "connect it to gnd through some element";
    case Domain::solid:
      return "add a wall that stores heat or a temperature boundary to this circuit";
    case Domain::fluid:
      return "add a reservoir, an elastic volume or an expansion tank to this circuit";
    case Domain::gas:
      return "add a plenum or a boundary to this circuit";
    default:
      return "add an inertia or mass, a fixed point, or a connection to the frame";
  }
}

void report_undetermined(const Network& network, CircuitTopology& circuit,
                         const NormalTreeFindings& findings, Diagnostics& diagnostics) {
  if (findings.undetermined.empty()) return;
  circuit.singular = true;
  std::vector<std::string> names;
  for (const NodeId id : findings.undetermined)
    names.push_back(network.nodes[static_cast<std::size_t>(id)].path);
  const NetworkNode& first = network.nodes[static_cast<std::size_t>(findings.undetermined.front())];
  const char* what = first.domain == Domain::electric ? "potential"
                     : first.domain == Domain::solid  ? "temperature"
                     : is_convective(first.domain)    ? "pressure"
                                                      : "speed";
  const char* code = first.domain == Domain::solid ? "R010"
                     : is_convective(first.domain) ? "R011"
                                                   : "T003";
  diagnostics.error(
      code, first.where,
      std::string(what) + " undetermined at " + joined(names) + ": nothing ties it to a reference",
      undetermined_hint(first.domain));
}

void report_locked(const Network& network, CircuitTopology& circuit,
                   const NormalTreeFindings& findings, Diagnostics& diagnostics) {
  for (const std::uint32_t index : findings.locked_ports) {
    circuit.singular = true;
    const TwoPort& port = network.two_ports[index];
    diagnostics.error("T004", port.where,
                      "the ratio of " + branch_of(network, port.a).path +
                          " is implied or contradicted by the two-ports around it: "
                          "the through variable in the loop is undetermined",
                      "put an elastic or dissipative element between them");
  }
}

}  // namespace

TopologyResult analyse_topology(const Network& network, Diagnostics& diagnostics) {
  TopologyResult result{find_circuits(network)};
  for (CircuitTopology& circuit : result.circuits) {
    const NormalTreeFindings findings = build_normal_tree(network, circuit);
    report_undetermined(network, circuit, findings, diagnostics);
    report_locked(network, circuit, findings, diagnostics);
    judge_cotree(network, circuit, diagnostics);
    judge_tree(network, circuit, diagnostics);
  }
  return result;
}

}  // namespace takt::codegen
