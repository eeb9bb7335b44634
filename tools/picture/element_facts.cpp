#include "tools/picture/element_facts.hpp"

#include <array>
#include <charconv>
#include <set>
#include <string_view>

#include "runtime/units/units.hpp"

namespace takt::picture {

using namespace takt::codegen;

namespace {

/// Parameters that tell what an element is, the first before all others.
constexpr std::array main_names = std::to_array<std::string_view>(
    {"r", "c", "l",     "v",      "i",    "r_on", "r_ce", "v_set",  "psi", "capacity", "power", "torque", "force", "j",
     "m", "d", "ratio", "radius", "dp_0", "flow", "area", "length", "p",   "t",        "c_v",   "kp",     "gain"});

/// As people write units: "mΩ", "°C", "m²".
std::string shown_unit(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> signs[] = {{"Ohm", "\xce\xa9"},
                                                                     {"degC",
                                                                      "\xc2\xb0"
                                                                      "C"},
                                                                     {"^2", "\xc2\xb2"},
                                                                     {"^3", "\xc2\xb3"},
                                                                     {"*", "\xc2\xb7"}};
  for (const auto& [from, to] : signs)
    for (std::size_t place = text.find(from); place != std::string::npos; place = text.find(from, place + to.size()))
      text.replace(place, from.size(), to);
  if (text.size() > 1 && text.front() == 'u') text.replace(0, 1, "\xc2\xb5");
  return text;
}

/// Four digits say enough in a picture.
std::string rounded(double value) {
  std::array<char, 32> buffer{};
  const auto [end, status] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 4);
  return {buffer.data(), end};
}

std::string parameter_text(const Parameter& parameter, const std::string& si_unit) {
  const auto unit = parse_unit(parameter.unit_text);
  if (!unit || parameter.unit_text == "1" || parameter.unit_text.empty())
    return quantity_text(parameter.value, si_unit);
  return rounded(from_si(parameter.value, *unit)) + " " + shown_unit(parameter.unit_text);
}

class FactFinder {
 public:
  explicit FactFinder(const Checked& checked) : network_(checked.network) {}

  std::map<std::string, ElementFacts> run() {
    for (const Element& element : network_.elements) file_[element.path] = element.where.file;
    for (const ControlBlock& block : network_.blocks) file_[block.path] = block.where.file;
    for (const codegen::PwmLeg& leg : network_.legs) file_[leg.path] = leg.where.file;
    parameters();
    for (const Branch& branch : network_.branches) {
      const std::string& owner = network_.elements[static_cast<std::size_t>(branch.element)].path;
      add_signal(owner, branch.through);
      add(owner, across_of(network_, branch));
      if (branch.stored) add_signal(owner, *branch.stored);
    }
    for (const ElementVariable& variable : network_.variables) add_signal(owner_of(variable.element), variable.symbol);
    for (const ElementState& state : network_.states) add_signal(owner_of(state.element), state.symbol);
    for (const EnergyContent& content : network_.contents) add_signal(owner_of(content.element), content.temperature);
    for (const Mode& mode : network_.modes) add_signal(owner_of(mode.element), mode.symbol);
    for (const Gate& gate : network_.gates) add_signal(owner_of(gate.element), gate.symbol);
    blocks();
    for (const ElementFault& fault : network_.faults) facts_[fault.element].faults.emplace_back(fault.name, fault.text);
    return std::move(facts_);
  }

 private:
  const std::string& owner_of(ElementId id) const { return network_.elements[static_cast<std::size_t>(id)].path; }

  void add_signal(const std::string& owner, SymbolId symbol) {
    add(owner, {network_.graph().symbol(symbol).path, network_.shown_unit(symbol)});
  }

  void add(const std::string& owner, Quantity quantity) {
    if (quantity.path.empty() || !seen_.insert({owner, quantity.path}).second) return;
    facts_[owner].signals.push_back(std::move(quantity));
  }

  /// What the library gives where the plant file is silent says little.
  void parameters() {
    for (const Parameter& parameter : network_.parameters) {
      const codegen::Symbol& symbol = network_.graph().symbol(parameter.symbol);
      const std::size_t dot = symbol.path.rfind('.');
      if (dot == std::string::npos) continue;
      std::string owner = symbol.path.substr(0, dot);
      if (constexpr std::string_view apart = ".param"; owner.ends_with(apart))  // a signal has the plain name
        owner.resize(owner.size() - apart.size());
      const auto known = file_.find(owner);
      if (known == file_.end() || !(known->second == parameter.where.file)) continue;
      facts_[owner].parameters.emplace_back(symbol.path.substr(dot + 1), parameter_text(parameter, symbol.unit));
    }
  }

  void blocks() {
    for (const ControlBlock& block : network_.blocks) {
      for (const ControlBlock::Output& output : block.outputs) add_signal(block.path, output.symbol);
      for (const ControlBlock::State& state : block.states) add_signal(block.path, state.symbol);
    }
    for (const codegen::PwmLeg& leg : network_.legs)
      for (const SymbolId symbol : {leg.high, leg.low}) add_signal(leg.path, symbol);
    for (const TimedGate& gate : network_.timed_gates) add_signal(gate.path, gate.symbol);
    for (const ForeignModel& model : network_.foreign)
      for (const ForeignModel::Port& port : model.outputs) add_signal(model.path, port.symbol);
  }

  const Network& network_;
  std::map<std::string, ElementFacts> facts_;
  std::map<std::string, FileName> file_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

Quantity across_of(const Network& network, const Branch& branch) {
  const auto is_reference = [&](NodeId id) { return network.nodes[static_cast<std::size_t>(id)].reference; };
  const bool is_difference = !is_reference(branch.from) && !is_reference(branch.to);
  const std::string& unit = network.shown_unit(branch.across);
  return {network.graph().symbol(branch.across).path, unit == "K" && is_difference ? "K (difference)" : unit};
}

std::string quantity_text(double value, const std::string& unit) {
  return rounded(value) + (unit == "1" || unit.empty() ? "" : " " + shown_unit(unit));
}

std::map<std::string, ElementFacts> facts_of(const Checked& checked) { return FactFinder(checked).run(); }

std::string main_value(const ElementFacts& facts) {
  for (const std::string_view wanted : main_names)
    for (const auto& [name, value] : facts.parameters)
      if (name == wanted) return value;
  return "";
}

}  // namespace takt::picture
