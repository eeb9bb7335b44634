#include "tools/picture/circuit_items.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <unordered_map>

#include "tools/picture/symbols.hpp"

namespace takt::picture {

using namespace takt::codegen;

namespace {

constexpr std::size_t none = static_cast<std::size_t>(-1);

class CircuitItems {
 public:
  CircuitItems(const Checked& checked, const Facts& facts)
      : checked_(checked),
        network_(checked.network),
        facts_(facts),
        home_(network_.elements.size(), none),
        circuit_of_(network_.branches.size(), none),
        by_element_(network_.elements.size()) {
    for (std::size_t branch = 0; branch < network_.branches.size(); ++branch)
      by_element_[at(network_.branches[branch].element)].push_back(static_cast<BranchId>(branch));
    for (std::size_t circuit = 0; circuit < checked.topology.circuits.size(); ++circuit) {
      const CircuitTopology& each = checked.topology.circuits[circuit];
      for (const BranchId branch : each.branches) circuit_of_[at(branch)] = circuit;
      tree_.insert(each.tree.begin(), each.tree.end());
      for (const std::uint32_t port : each.two_ports)
        for (const BranchId side : {network_.two_ports[port].a, network_.two_ports[port].b})
          circuit_of_[at(side)] = circuit;
      for (const ElementId element : each.elements) home_[at(element)] = circuit;
    }
    for (std::size_t element = 0; element < network_.elements.size(); ++element)
      if (network_.elements[element].self) self_[at(*network_.elements[element].self)] = element;
    for (const HeatCoupling& coupling : network_.heat_couplings) media_[coupling.transfer].push_back(coupling.node);
    begins_.assign(network_.nodes.size(), 0);
    for (const Branch& branch : network_.branches) ++begins_[at(branch.from)], --begins_[at(branch.to)];
    for (const EnergyContent& content : network_.contents) contents_[at(content.element)] = content.temperature;
  }

  std::vector<Flat> run() {
    std::vector<Flat> flats;
    for (std::size_t circuit = 0; circuit < checked_.topology.circuits.size(); ++circuit)
      flats.push_back(flat_of(circuit));
    Flat others{.name = "beside the circuits", .domain = CircuitDomain::whole, .items = {}, .ends = {}};
    for (std::size_t element = 0; element < network_.elements.size(); ++element)
      if (home_[element] == none) others.items.push_back({box_of(element, Look::element), {}});
    if (!others.items.empty()) flats.push_back(std::move(others));
    return flats;
  }

 private:
  static std::size_t at(NodeId id) { return static_cast<std::size_t>(id); }
  static std::size_t at(BranchId id) { return static_cast<std::size_t>(id); }
  static std::size_t at(ElementId id) { return static_cast<std::size_t>(id); }
  [[nodiscard]] const NetworkNode& node(NodeId id) const { return network_.nodes[at(id)]; }

  Box box_of(std::size_t index, Look look) const {
    const Element& element = network_.elements[index];
    const std::size_t dot = element.path.rfind('.');
    Box box{.path = element.path,
            .name = dot == std::string::npos ? element.path : element.path.substr(dot + 1),
            .type = element.type,
            .look = look,
            .domain = circuit_domain(element.home),
            .where = element.where};
    if (const auto known = facts_.find(element.path); known != facts_.end()) box.value = main_value(known->second);
    return box;
  }

  Flat flat_of(std::size_t circuit) {
    const CircuitTopology& topology = checked_.topology.circuits[circuit];
    Flat flat{.name = topology.name, .domain = topology.domain, .items = {}, .ends = {}};
    if (topology.singular)
      flat.note = "not solvable";
    else if (topology.index == 2)
      flat.note = "d-index 2 \xe2\x86\x92 1";
    std::unordered_map<std::size_t, std::size_t> end_of, item_of;  // of a node; of an element
    for (const ElementId element : topology.elements) {
      item_of.emplace(at(element), flat.items.size());
      flat.items.push_back({box_of(at(element), Look::element), {}});
      add_home_ties(flat.items.back().box, at(element), circuit);
      choose_shown(flat.items.back().box, at(element), circuit);
    }
    for (const std::size_t guest : guests_of(topology)) add_guest(flat, item_of, guest, circuit);
    for (const auto& [element, item] : std::map<std::size_t, std::size_t>(item_of.begin(), item_of.end()))
      for (const NodeId end : ends_of(element, circuit, flat.items[item].box)) {
        const auto [place, fresh] = end_of.emplace(at(end), flat.ends.size());
        if (fresh) flat.ends.push_back({node(end).path, std::nullopt, potential(end)});
        std::vector<std::size_t>& ends = flat.items[item].ends;
        if (std::find(ends.begin(), ends.end(), place->second) == ends.end()) ends.push_back(place->second);
      }
    return flat;
  }

  /// Of a source: what is meant to give comes before what is a mere boundary, of these where branches begin before
  /// where they end.
  [[nodiscard]] int rank(const Box& box, std::size_t element) const {
    const std::string_view symbol = symbol_of(box);
    if (symbol == "battery" || symbol == "across_source") return 4;
    const auto self = network_.elements[element].self;
    return self && begins_[at(*self)] > 0 ? 3 : 1;
  }

  /// Nodes of this circuit that an element has branches at, its own node first; notes the rest in its box.
  std::vector<NodeId> ends_of(std::size_t element, std::size_t circuit, Box& box) const {
    std::vector<NodeId> ends;
    if (box.look == Look::element && network_.elements[element].self) ends.push_back(*network_.elements[element].self);
    for (const BranchId id : by_element_[element]) {
      const Branch& branch = network_.branches[at(id)];
      if (circuit_of_[at(id)] != circuit) continue;
      if (!box.kind) box.kind = branch.kind;
      box.in_tree = box.in_tree || tree_.contains(id);
      if (branch.kind == BranchKind::across_source && !branch.coupling && box.type != "electric.ground")
        box.leads = std::max(box.leads, rank(box, element));
      for (const NodeId end : {branch.from, branch.to})
        if (!node(end).reference)
          ends.push_back(end);
        else if (!network_.elements[element].self && has_earth(branch.domain))
          box.grounded = true;
    }
    if (network_.elements[element].pump) box.leads = std::max(box.leads, 2);
    return ends;
  }

  [[nodiscard]] Quantity quantity(SymbolId symbol) const {
    return {network_.graph().symbol(symbol).path, network_.shown_unit(symbol)};
  }

  /// By the name that tables and records use: of an element that is the node, its own.
  [[nodiscard]] Quantity potential(NodeId id) const {
    if (const auto self = self_.find(at(id)); self != self_.end())
      for (const BranchId branch : by_element_[self->second])
        if (const Branch& own = network_.branches[at(branch)]; own.from == id && node(own.to).reference)
          return quantity(own.across);
    return quantity(node(id).across);
  }

  /// Of a node its temperature and what its potential is, of others what flows and what drives it.
  void choose_shown(Box& box, std::size_t element, std::size_t circuit) const {
    if (const auto content = contents_.find(element); content != contents_.end())
      box.shown.push_back(quantity(content->second));
    if (box.look == Look::element && network_.elements[element].self)
      return box.shown.push_back(potential(*network_.elements[element].self));
    for (const BranchId id : by_element_[element]) {
      if (circuit_of_[at(id)] != circuit) continue;
      box.shown.push_back(quantity(network_.branches[at(id)].through));
      return box.shown.push_back(across_of(network_, network_.branches[at(id)]));
    }
  }

  /// Absolute zero and vacuum are no places that something is tied to.
  static bool has_earth(Domain domain) {
    return domain == Domain::electric || domain == Domain::rotational || domain == Domain::translational;
  }

  /// Where its branches in other circuits end, and the media it gives heat to.
  void add_home_ties(Box& box, std::size_t element, std::size_t circuit) const {
    for (const BranchId id : by_element_[element]) {
      if (circuit_of_[at(id)] == circuit) continue;
      for (const NodeId end : {network_.branches[at(id)].from, network_.branches[at(id)].to})
        if (!node(end).reference) add_tie(box, node(end).path);
    }
    if (const auto known = media_.find(box.path); known != media_.end())
      for (const std::string& medium : known->second) add_tie(box, medium);
  }

  static void add_tie(Box& box, const std::string& path) {
    if (std::find(box.ties.begin(), box.ties.end(), path) == box.ties.end()) box.ties.push_back(path);
  }

  /// Elements of other circuits with branches in this one.
  [[nodiscard]] std::vector<std::size_t> guests_of(const CircuitTopology& topology) const {
    std::set<std::size_t> own, guests;
    for (const ElementId element : topology.elements) own.insert(at(element));
    const auto look = [&](BranchId id) {
      const std::size_t element = at(network_.branches[at(id)].element);
      if (!own.contains(element)) guests.insert(element);
    };
    for (const BranchId id : topology.branches) look(id);
    for (const std::uint32_t port : topology.two_ports)
      look(network_.two_ports[port].a), look(network_.two_ports[port].b);
    return {guests.begin(), guests.end()};
  }

  /// A guest that does nothing but heat a wall is a tie of the wall.
  void add_guest(Flat& flat, std::unordered_map<std::size_t, std::size_t>& item_of, std::size_t guest,
                 std::size_t circuit) {
    Box box = box_of(guest, Look::guest);
    const std::vector<NodeId> ends = ends_of(guest, circuit, box);
    if (ends.size() == 1 && box.kind == BranchKind::through_source)
      if (const auto wall = self_.find(at(ends.front())); wall != self_.end())
        if (const auto item = item_of.find(wall->second); item != item_of.end())
          return add_tie(flat.items[item->second].box, box.path);
    box.ties.push_back(box.path);
    box.leads = 0;
    choose_shown(box, guest, circuit);
    item_of.emplace(guest, flat.items.size());
    flat.items.push_back({std::move(box), {}});
  }

  const Checked& checked_;
  const Network& network_;
  const Facts& facts_;
  std::vector<std::size_t> home_;        // of each element: its circuit
  std::vector<std::size_t> circuit_of_;  // of each branch
  std::vector<std::vector<BranchId>> by_element_;
  std::unordered_map<std::size_t, std::size_t> self_;  // of a node: the element that is it
  std::set<BranchId> tree_;
  std::vector<int> begins_;  // of each node: branches that begin there, less those that end there
  std::map<std::string, std::vector<std::string>> media_;
  std::unordered_map<std::size_t, SymbolId> contents_;  // of an element that stores a medium: its temperature
};

}  // namespace

std::vector<Flat> circuit_items(const Checked& checked, const Facts& facts) {
  return CircuitItems(checked, facts).run();
}

}  // namespace takt::picture
