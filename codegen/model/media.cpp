#include "codegen/model/media.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/values.hpp"

namespace takt::codegen {
namespace {

constexpr double zero_celsius = 273.15;

/// What a line or section says, and where.
struct Choice {
  std::string name;
  const TomlValue* value = nullptr;
};

class MediaFinder {
 public:
  explicit MediaFinder(Workspace& work) : work_(work), group_(work.network.nodes.size()) {
    std::iota(group_.begin(), group_.end(), std::size_t{0});
  }

  void run() {
    for (const Instance& instance : work_.instances) join(instance);
    std::map<std::size_t, Choice> chosen;
    for (const Instance& instance : work_.instances)
      choose(instance, instance.entry->value.get("medium"), chosen, true);
    for (const Instance& instance : work_.instances)
      choose(instance, section_default(instance), chosen, false);
    for (const Instance& instance : work_.instances) settle(instance, chosen);
    for (std::size_t index = 0; index < group_.size(); ++index)
      if (const auto medium = medium_of_group_.find(find(index)); medium != medium_of_group_.end())
        work_.medium_of_node[static_cast<NodeId>(index)] = medium->second;
  }

 private:
  std::size_t find(std::size_t node) {
    while (group_[node] != node) node = group_[node] = group_[group_[node]];
    return node;
  }
  std::size_t group_at(NodeId node) { return find(static_cast<std::size_t>(node)); }
  void unite(NodeId a, NodeId b) {
    const std::size_t one = group_at(a), other = group_at(b);
    group_[std::max(one, other)] = std::min(one, other);
  }
  [[nodiscard]] bool flows(NodeId node) const {
    const NetworkNode& at = work_.network.nodes[static_cast<std::size_t>(node)];
    return is_convective(at.domain) && !at.reference;
  }

  void join(const Instance& instance) {
    for (const BranchId id : instance.branches) {
      const Branch& branch = work_.network.branches[static_cast<std::size_t>(id)];
      if (flows(branch.from) && flows(branch.to)) unite(branch.from, branch.to);
    }
    for (const StreamDefinition& stream : instance.definition->streams) {
      if (stream.to.empty()) continue;
      const NodeId from = instance.vertices.at(stream.from), to = instance.vertices.at(stream.to);
      if (flows(from) && flows(to)) unite(from, to);
    }
  }

  /// The first node of the element that mass flows through.
  [[nodiscard]] std::optional<NodeId> node_of(const Instance& instance) const {
    for (const auto& [name, node] : instance.vertices)
      if (flows(node)) return node;
    return std::nullopt;
  }

  [[nodiscard]] const TomlValue* section_default(const Instance& instance) const {
    for (const Scope* scope = instance.reading.scope; scope != nullptr; scope = scope->parent)
      if (const auto found = scope->default_media.find(instance.definition->section);
          found != scope->default_media.end())
        return found->second;
    return nullptr;
  }

  void choose(const Instance& instance, const TomlValue* value,
              std::map<std::size_t, Choice>& chosen, bool explicit_choice) {
    const auto node = node_of(instance);
    if (!node || value == nullptr ||
        !is_convective(domain_of(instance.definition->section).value_or(Domain::electric)))
      return;
    Diagnostics findings;
    const std::string name = read_string(*value, "'medium'", findings);
    work_.forward(findings);
    if (name.empty()) return;
    const auto [place, fresh] = chosen.try_emplace(group_at(*node), Choice{name, value});
    if (fresh || place->second.name == name || !explicit_choice) return;
    work_.error("M037", value->where,
                "'" + instance.path + "' holds " + name + ", but its circuit holds " +
                    place->second.name + " (line " +
                    std::to_string(place->second.value->where.line) + ")",
                "one circuit has one medium; separate two by a heat exchanger");
  }

  void settle(const Instance& instance, const std::map<std::size_t, Choice>& chosen) {
    const auto node = node_of(instance);
    if (!node || !is_convective(domain_of(instance.definition->section).value_or(Domain::electric)))
      return;
    const std::size_t group = group_at(*node);
    if (!settled_.insert(group).second) return;
    const auto choice = chosen.find(group);
    if (choice == chosen.end()) {
      work_.error("M038", instance.entry->where,
                  "the circuit of '" + instance.path + "' has no medium",
                  "write medium = \"...\" below [" + instance.definition->section +
                      "] or on the line of one of its elements; " +
                      name_hint("", work_.library.medium_names()));
      return;
    }
    medium_of_group_[group] =
        lowered(choice->second, domain_of(instance.definition->section).value_or(Domain::fluid));
  }

  const Medium* lowered(const Choice& choice, Domain domain) {
    const MediumDefinition* definition = work_.library.find_medium(choice.name);
    if (definition == nullptr) {
      work_.error("M038", choice.value->where, "there is no medium '" + choice.name + "'",
                  name_hint(choice.name, work_.library.medium_names()));
      return nullptr;
    }
    if (definition->r.has_value() != (domain == Domain::gas)) {
      work_.error("M039", choice.value->where,
                  "'" + choice.name + "' is " + (definition->r ? "a gas" : "a liquid") +
                      "; circuits of the section " + std::string(words_of(domain).name) + " hold " +
                      (domain == Domain::gas ? "gases" : "liquids"));
      return nullptr;
    }
    for (const Medium& known : work_.media)
      if (known.definition == definition) return &known;
    return failed_.contains(definition) ? nullptr : lower_medium(*definition);
  }

  const Medium* lower_medium(const MediumDefinition& definition) {
    Graph& graph = work_.network.graph();
    Medium medium;
    medium.definition = &definition;
    medium.t = graph.make_symbol("medium." + definition.name + ".t", "K");
    const auto value = [&](const SourceExpression& source,
                           std::string_view unit) -> std::optional<Named> {
      if (!source.ast) return std::nullopt;
      Resolver resolver;
      const Dimension kelvin = parse_unit("K").value_or(Unit{}).dimension;
      resolver.name = [&](std::string_view name) {
        return name == "t" ? std::optional(Named{graph.use(medium.t), kelvin}) : std::nullopt;
      };
      Diagnostics findings;
      auto result = lower({*source.ast, source.where}, graph, resolver, findings);
      work_.forward(findings);
      const auto expected = parse_unit(unit);
      if (result && result->dimension && expected && *result->dimension != expected->dimension)
        work_.error("L012", source.where,
                    "a property of medium '" + definition.name + "' is in " + std::string(unit) +
                        "; this is in " + dimension_text(*result->dimension));
      return result;
    };
    const auto optional = [&](const std::optional<SourceExpression>& source,
                              std::string_view unit) {
      return source ? value(*source, unit) : std::nullopt;
    };
    const auto cp = value(definition.cp, "J/kg/K");
    Expr rest{};
    if (!cp || !graph.split_linear(cp->value, medium.t, medium.cp_slope, rest) ||
        !graph.is_constant(medium.cp_slope) || !graph.is_constant(rest)) {
      work_.error("L016", definition.cp.where,
                  "cp of medium '" + definition.name + "' must be a number plus a number times t",
                  "its enthalpy is inverted in closed form");
      failed_.insert(&definition);
      return nullptr;
    }
    medium.cp_zero = graph.add(rest, graph.mul(medium.cp_slope, graph.constant(zero_celsius)));
    medium.r = optional(definition.r, "J/kg/K").value_or(Named{graph.zero(), std::nullopt}).value;
    medium.properties = {{"cp", cp},
                         {"rho", optional(definition.rho, "kg/m^3")},
                         {"mu", optional(definition.mu, "Pa*s")},
                         {"lambda", optional(definition.lambda, "W/m/K")},
                         {"p_vap", optional(definition.p_vap, "Pa")}};
    medium.coldest = constant_of(optional(definition.t_min, "K"));
    medium.hottest = constant_of(optional(definition.t_max, "K"));
    if (!check_properties(medium)) {
      failed_.insert(&definition);
      return nullptr;
    }
    return &work_.media.emplace_back(std::move(medium));
  }

  [[nodiscard]] std::optional<double> constant_of(const std::optional<Named>& value) const {
    const Graph& graph = work_.network.graph();
    return value && graph.is_constant(value->value) ? std::optional(graph.node(value->value).value)
                                                    : std::nullopt;
  }

  /// Every property is positive where the medium is used: between t_min and t_max, else at 20 degC.
  /// So is cp - r of a gas.
  [[nodiscard]] bool check_properties(const Medium& medium) {
    Graph& graph = work_.network.graph();
    const MediumDefinition& definition = *medium.definition;
    const double coldest = medium.coldest.value_or(zero_celsius + 20.0),
                 hottest = medium.hottest.value_or(coldest);
    bool sound = true;
    const auto positive = [&](Expr value, const SourceExpression& source, const std::string& what) {
      constexpr int points = 16;
      for (int point = 0; point <= points && sound; ++point) {
        const double t = coldest + (hottest - coldest) * point / points;
        const double now = graph.evaluate(value, [&](SymbolId) { return t; });
        if (now > 0.0) continue;
        sound = false;
        work_.error("M046", source.where,
                    what + " of medium '" + definition.name + "' must be above 0; at " +
                        quantity_text(t, "K") + " it is " + quantity_text(now, ""));
      }
    };
    for (const auto& [name, source] : {std::pair{"cp", &definition.cp},
                                       {"rho", source_of(definition.rho)},
                                       {"mu", source_of(definition.mu)},
                                       {"lambda", source_of(definition.lambda)},
                                       {"p_vap", source_of(definition.p_vap)}})
      if (const auto& property = medium.properties.at(name); source != nullptr && property)
        positive(property->value, *source, name);
    if (!definition.r) return sound;
    positive(medium.r, *definition.r, "r");
    if (const auto& cp = medium.properties.at("cp"))
      positive(graph.sub(cp->value, medium.r), definition.cp, "cp - r");
    return sound;
  }

  [[nodiscard]] static const SourceExpression* source_of(
      const std::optional<SourceExpression>& source) {
    return source ? &*source : nullptr;
  }

  [[nodiscard]] static std::string quantity_text(double value, const std::string& unit) {
    char text[48];
    std::snprintf(text, sizeof text, "%.6g", value);
    return text + (unit.empty() ? "" : " " + unit);
  }

  Workspace& work_;
  std::vector<std::size_t> group_;
  std::set<std::size_t> settled_;
  std::unordered_map<std::size_t, const Medium*> medium_of_group_;
  std::set<const MediumDefinition*> failed_;  ///< reported
};

/// b*tau + s/2*tau^2 = value, solved for tau + 273.15 K. The root is cp at tau: it is kept from
/// zero, where a slope would be infinite.
Expr solve_quadratic(Graph& graph, Expr b, Expr s, Expr value) {
  const Expr least = graph.mul(graph.constant(1e-2), graph.mul(b, b));
  const Expr root = graph.unary(
      Op::sqrt, graph.binary(Op::max, least,
                             graph.add(graph.mul(b, b),
                                       graph.mul(graph.mul(graph.constant(2.0), s), value))));
  const Expr tau = graph.is_constant(s, 0.0)
                       ? graph.div(value, b)
                       : graph.div(graph.mul(graph.constant(2.0), value), graph.add(b, root));
  return graph.add(graph.constant(zero_celsius), tau);
}

}  // namespace

void assign_media(Workspace& work) { MediaFinder(work).run(); }

const Medium* medium_at(const Workspace& work, NodeId node) {
  const auto found = work.medium_of_node.find(node);
  return found == work.medium_of_node.end() ? nullptr : found->second;
}

const Medium* medium_of(const Workspace& work, const Instance& instance) {
  for (const auto& [name, node] : instance.vertices)
    if (const Medium* medium = medium_at(work, node)) return medium;
  return nullptr;
}

std::optional<Named> property_at(Workspace& work, const Medium& medium, std::string_view name,
                                 Expr temperature) {
  const auto property = medium.properties.find(name);
  if (property == medium.properties.end() || !property->second) return std::nullopt;
  // Newton's first steps for the enthalpy of a junction may lead far: not to where viscosities have
  // poles.
  Graph& graph = work.network.graph();
  const Expr coldest = graph.constant(medium.definition->r ? 50.0 : 200.0);
  return Named{graph.substitute(property->second->value,
                                {{medium.t, graph.binary(Op::max, temperature, coldest)}}),
               property->second->dimension};
}

Expr enthalpy_at(Graph& graph, const Medium& medium, Expr temperature) {
  const Expr tau = graph.sub(temperature, graph.constant(zero_celsius));
  return graph.mul(tau, graph.add(medium.cp_zero,
                                  graph.mul(graph.mul(graph.constant(0.5), medium.cp_slope), tau)));
}

Expr temperature_of_enthalpy(Graph& graph, const Medium& medium, Expr enthalpy) {
  return solve_quadratic(graph, medium.cp_zero, medium.cp_slope, enthalpy);
}

Expr energy_at(Graph& graph, const Medium& medium, Expr temperature) {
  return graph.sub(enthalpy_at(graph, medium, temperature), graph.mul(medium.r, temperature));
}

Expr temperature_of_energy(Graph& graph, const Medium& medium, Expr energy) {
  return solve_quadratic(graph, graph.sub(medium.cp_zero, medium.r), medium.cp_slope,
                         graph.add(energy, graph.mul(medium.r, graph.constant(zero_celsius))));
}

}  // namespace takt::codegen
