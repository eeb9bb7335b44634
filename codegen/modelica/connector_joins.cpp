#include "codegen/modelica/connector_joins.hpp"

#include <algorithm>
#include <set>

#include "codegen/modelica/unit_texts.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/units.hpp"

namespace takt::codegen::modelica {
namespace {

FlatRef named(const std::string& name, const Location& where) {
  auto made = std::make_shared<FlatExpression>();
  made->kind = FlatExpression::Kind::name;
  made->text = name;
  made->where = where;
  return made;
}

FlatRef zero(const Location& where) {
  auto made = std::make_shared<FlatExpression>();
  made->where = where;
  return made;
}

FlatRef rate_of(const FlatRef& of) {
  auto made = std::make_shared<FlatExpression>();
  made->kind = FlatExpression::Kind::call;
  made->text = "der";
  made->parts = {of};
  made->where = of->where;
  return made;
}

class Opener {
 public:
  Opener(FlatModel& model, Diagnostics& diagnostics) : model_(model), diagnostics_(diagnostics) {}

  void open(const ConnectorJoin& join) {
    std::vector<const FlatVariable*> flows, potentials;
    for (const FlatVariable& each : model_.variables) {
      const std::size_t dot = each.name.find('.');
      if (dot == std::string::npos || each.name.substr(0, dot) != join.connector) continue;
      const bool plain = each.name.find('.', dot + 1) == std::string::npos && each.dims.empty();
      if (each.is_flow && plain) flows.push_back(&each);
      if (!each.is_flow) potentials.push_back(&each);
    }
    if (flows.size() != 1 || potentials.size() != 1)
      return refuse_shape(join, flows.size(), potentials.size());
    const FlatVariable across = *potentials.front(), through = *flows.front();
    const JoinedDomain& domain = join.domain;
    if (!is_in(across.unit, domain.across_unit) && !is_in(across.unit, domain.moved_unit))
      return refuse_unit(join, across,
                         domain.moved_unit.empty() ? domain.across_unit : domain.moved_unit);
    if (!is_in(through.unit, domain.through_unit))
      return refuse_unit(join, through, domain.through_unit);
    const auto own =
        std::find_if(model_.equations.begin(), model_.equations.end(),
                     [&](const FlatEquation& each) { return each.unconnected == through.name; });
    if (own == model_.equations.end())
      return refuse(join,
                    "'" + through.name +
                        "' is not left open by the model: something inside is connected to it");
    model_.equations.erase(own);
    if (join.node.empty())
      require(named(across.name, join.where), zero(join.where), join);
    else
      model_.joins.push_back({join.connector,
                              is_moved(across, join) ? rate(across, join) : across.name,
                              through.name, is_moved(across, join) ? across.name : "", join.where});
  }

 private:
  /// Numbers of a model are joined as they are: they have to be of one unit. Where the model says
  /// none, it is taken to be that of the node.
  static bool is_in(const std::string& unit, const std::string& wanted) {
    if (unit.empty()) return true;
    const std::string own = plant_unit(unit);
    return !wanted.empty() && (own != "1" || unit == "1") &&
           parse_unit(own)->dimension == parse_unit(wanted)->dimension;
  }

  /// Modelica's flanges have angles and positions, nodes of a plant speeds.
  static bool is_moved(const FlatVariable& across, const ConnectorJoin& join) {
    return !join.domain.moved_unit.empty() && is_in(across.unit, join.domain.moved_unit);
  }

  std::string rate(const FlatVariable& of, const ConnectorJoin& join) {
    FlatVariable made;
    made.name = of.name + ".rate";
    made.type = "Real";
    made.unit = join.domain.across_unit;
    made.description = "rate of " + of.name + ", where it joins the plant";
    made.where = join.where;
    model_.variables.push_back(made);
    require(named(made.name, join.where), rate_of(named(of.name, join.where)), join);
    return made.name;
  }

  void require(const FlatRef& left, const FlatRef& right, const ConnectorJoin& join) {
    FlatEquation made;
    made.left = left, made.right = right;
    made.origin = "connector '" + join.connector + "'";
    made.where = join.where;
    model_.equations.push_back(std::move(made));
  }

  void refuse(const ConnectorJoin& join, const std::string& message, std::string hint = {}) {
    if (hint.empty())
      hint = "only connectors of the model itself, with one potential and one flow, join circuits";
    diagnostics_.error("D031", join.where, message, hint);
  }

  void refuse_unit(const ConnectorJoin& join, const FlatVariable& of, const std::string& wanted) {
    refuse(join,
           "'" + of.name + "' is in " + of.unit + ", a node of " + join.domain.section +
               " takes it in " + wanted,
           "join the connector to a node of its own domain; its variables are in SI units");
  }

  void refuse_shape(const ConnectorJoin& join, std::size_t flows, std::size_t potentials) {
    if (flows + potentials > 0)
      return refuse(join, "connector '" + join.connector + "' has " + std::to_string(flows) +
                              " flows and " + std::to_string(potentials) + " other variables");
    std::set<std::string> names;
    for (const FlatEquation& each : model_.equations)
      if (!each.unconnected.empty())
        names.insert(each.unconnected.substr(0, each.unconnected.find('.')));
    refuse(join, "the model has no connector '" + join.connector + "'",
           did_you_mean(join.connector, std::vector(names.begin(), names.end())));
  }

  FlatModel& model_;
  Diagnostics& diagnostics_;
};

}  // namespace

bool open_connectors(FlatModel& model, const ModelInstance& instance, Diagnostics& diagnostics) {
  Opener opener(model, diagnostics);
  for (const ConnectorJoin& join : instance.joins) opener.open(join);
  return !diagnostics.has_errors();
}

}  // namespace takt::codegen::modelica
