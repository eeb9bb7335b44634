#include "codegen/topology/floating_inductors.hpp"

#include <algorithm>
#include <map>

#include "codegen/topology/normal_tree.hpp"

namespace takt::codegen {
namespace {

const Branch& branch_of(const Network& network, BranchId id) {
  return network.branches[static_cast<std::size_t>(id)];
}

/// A switching branch in the cutset of an inductor; toward +1: its forward current feeds a positive
/// current of the inductor.
struct Member {
  const SwitchingBranch* device = nullptr;
  int toward = 1;
};

using Devices = std::map<BranchId, const SwitchingBranch*>;

/// First what never opens, then inductors and current sources, then what opens, diodes before
/// switches: so the tree inductors' cutsets hold only inductors, current sources and switching
/// branches.
std::vector<BranchId> cutset_order(const Network& network, const CircuitTopology& circuit,
                                   const Devices& devices) {
  const auto rank = [&](BranchId id) {
    switch (branch_of(network, id).kind) {
      case BranchKind::across_source:
        return 0;
      case BranchKind::across_storage:
        return 1;
      case BranchKind::through_storage:
        return 3;
      case BranchKind::through_source:
        return 4;
      default:
        break;
    }
    const auto device = devices.find(id);
    return device == devices.end() ? 2 : device->second->opens_by_itself() ? 5 : 6;
  };
  std::vector<BranchId> order = circuit.branches;
  std::stable_sort(order.begin(), order.end(),
                   [&](BranchId a, BranchId b) { return rank(a) < rank(b); });
  return order;
}

/// In this direction of the inductor's current: can gates end it with nothing to take it over?
bool interrupts(const std::vector<Member>& members, int direction) {
  const auto any = [&](auto&& does) { return std::any_of(members.begin(), members.end(), does); };
  return any([&](const Member& m) { return m.device->interrupts(direction * m.toward); }) &&
         !any([&](const Member& m) { return m.device->free.in(direction * m.toward); });
}

/// Is there a switch whose gate ends it, and another branch that takes it over by itself?
bool commutates(const std::vector<Member>& members, int direction) {
  for (const Member& from : members)
    for (const Member& to : members)
      if (&from != &to && from.device->interrupts(direction * from.toward) &&
          to.device->free.in(direction * to.toward))
        return true;
  return false;
}

}  // namespace

std::vector<FloatingInductor> find_floating_inductors(
    const Network& network, const CircuitTopology& circuit,
    const std::vector<SwitchingBranch>& switches) {
  Devices devices;
  for (const SwitchingBranch& device : switches) devices[device.branch] = &device;
  const Basis basis = greedy_basis(network, circuit, cutset_order(network, circuit, devices));
  std::vector<FloatingInductor> found;
  for (const BranchId id : basis.tree) {
    const BranchKind kind = branch_of(network, id).kind;
    if (kind != BranchKind::through_storage && kind != BranchKind::through_source) continue;
    FloatingInductor floating;
    floating.branch = id;
    std::vector<Member> members;
    for (const CotreeRow& row : basis.cotree) {
      const auto term = std::find_if(row.terms.begin(), row.terms.end(),
                                     [&](const LinearTerm& t) { return t.branch == id; });
      if (term == row.terms.end()) continue;
      const auto device = devices.find(row.branch);
      if (device == devices.end()) {
        floating.with.push_back(row.branch);
        continue;
      }
      // x_cotree = K x_tree, f_tree = -K^T f_cotree
      members.push_back({device->second, term->coefficient > 0.0 ? -1 : 1});
      (device->second->opens_by_itself() ? floating.diodes : floating.gated).push_back(row.branch);
    }
    if (members.empty()) continue;
    for (const int direction : {1, -1}) {
      floating.interrupts = floating.interrupts || interrupts(members, direction);
      floating.commutates = floating.commutates || commutates(members, direction);
    }
    found.push_back(std::move(floating));
  }
  return found;
}

}  // namespace takt::codegen
