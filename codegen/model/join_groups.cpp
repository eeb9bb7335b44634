#include "codegen/model/join_groups.hpp"

#include <algorithm>
#include <numeric>

#include "codegen/fmu/fmu_description.hpp"
#include "codegen/model/joins.hpp"

namespace takt::codegen {
namespace {

const FmuInterface& interface_of(const ForeignModel& model) {
  return model.model_exchange ? *model.fmu->model_exchange : *model.fmu->co_simulation;
}

/// Which FMUs belong together: by FMU, the first of its set.
std::vector<std::size_t> connected(std::size_t models, const std::vector<ReadJoin>& joins) {
  std::vector<std::size_t> first(models);
  std::iota(first.begin(), first.end(), std::size_t{0});
  for (std::size_t round = 0; round < joins.size(); ++round)
    for (const ReadJoin& one : joins) {
      std::size_t &a = first[one.join.a.member], &b = first[one.join.b.member];
      a = b = std::min(first[a], first[b]);
    }
  return first;
}

class GroupMaker {
 public:
  GroupMaker(Workspace& work, std::vector<ForeignModel> members, std::vector<ReadJoin> joins)
      : work_(work), joins_(std::move(joins)) {
    group_.members = std::move(members);
  }

  [[nodiscard]] ForeignModel make() {
    const ForeignModel& first = group_.members.front();
    group_.path = "join." + joins_.front().join.name;
    group_.fmu = first.fmu, group_.folder = first.folder;
    group_.model_exchange = first.model_exchange, group_.method = joined_method(first);
    group_.step_ns = first.step_ns, group_.stops = first.stops,
    group_.waited_for = first.waited_for, group_.where = joins_.front().join.where;
    for (const ForeignModel& member : group_.members) check_like(first, member);
    if (first.method.starts_with("ros"))
      work_.error(
          "Y106", first.where, "joined FMUs are not integrated by " + first.method,
          "write way = \"implicit\" in the join, or an explicit method: euler, heun, rk3, rk4");
    check_once();
    merge_settings();
    choose_way();
    for (std::size_t index = 0; index < group_.members.size(); ++index) take_ports(index);
    for (ReadJoin& one : joins_) add_signals(one);
    return std::move(group_);
  }

 private:
  /// What a silent line means: joined FMUs are integrated by explicit methods only.
  [[nodiscard]] static std::string joined_method(const ForeignModel& model) {
    return model.method == "auto" ? "rk4" : model.method;
  }

  void check_like(const ForeignModel& first, const ForeignModel& other) {
    const char* what = first.model_exchange != other.model_exchange   ? "kind"
                       : first.step_ns != other.step_ns               ? "step"
                       : joined_method(first) != joined_method(other) ? "method"
                       : first.stops != other.stops                   ? "on_error"
                       : first.waited_for != other.waited_for         ? "lag"
                                                                      : nullptr;
    if (what == nullptr) return;
    const bool kind = std::string_view(what) == "kind";
    work_.error(kind ? "Y123" : "Y124", other.where,
                "joined FMUs are advanced together: " + first.path + " and " + other.path +
                    " have not the same " + what,
                kind ? "write kind = \"me\" for both" : std::string("give both the same ") + what);
  }

  void check_once() {
    for (const ForeignModel& one : group_.members)
      for (const ForeignModel& other : group_.members)
        if (&one < &other && one.folder == other.folder && interface_of(one).only_once_per_process)
          work_.error("Y123", other.where,
                      one.path + " and " + other.path +
                          " are the same FMU, which can be there only once per process: they "
                          "cannot be joined",
                      "ask its maker for one without canBeInstantiatedOnlyOncePerProcess");
  }

  template <class T>
  void merge(const char* key, T ForeignJoinSettings::*field, T none) {
    for (const ReadJoin& one : joins_) {
      const T own = one.settings.*field;
      if (own == none) continue;
      if (group_.join_settings.*field != none && group_.join_settings.*field != own)
        work_.error("Y127", one.join.where,
                    "joins that hang together are solved together: join." + one.join.name +
                        " gives another " + key + " than the others",
                    std::string("give `") + key + "` once, or to all the same");
      group_.join_settings.*field = own;
    }
  }

  void merge_settings() {
    merge("way", &ForeignJoinSettings::way, std::string());
    merge("stiffness", &ForeignJoinSettings::stiffness, 0.0);
    merge("damper", &ForeignJoinSettings::damper, -1.0);
    merge("gain", &ForeignJoinSettings::gain, 0.0);
    merge("limit", &ForeignJoinSettings::limit, 0.0);
    merge("iterations", &ForeignJoinSettings::iterations, 0);
  }

  void choose_way() {
    ForeignJoinSettings& settings = group_.join_settings;
    const bool chosen = settings.way.empty();
    std::string why;
    if (group_.model_exchange) {
      const bool partials =
          std::all_of(group_.members.begin(), group_.members.end(), [](const ForeignModel& member) {
            return interface_of(member).directional_derivatives && member.directional_derivatives;
          });
      if (chosen) settings.way = "index";
      why = std::string("model exchange gives derivatives at any state, ") +
            (partials ? "and these FMUs their directional derivatives: no iteration"
                      : "partials are taken by differences: no iteration");
    } else {
      check_co_simulation();
      if (chosen) settings.way = "implicit";
      why =
          "co-simulation that goes back to a saved state: the force that is held over a step is "
          "found by trial steps";
    }
    check_keys_of_way();
    if (chosen && !work_.diagnostics.has_errors())
      work_.diagnostics.note("Y128", group_.where,
                             group_.path + " is kept by way = \"" + settings.way + "\": " + why);
  }

  void check_co_simulation() {
    const std::string& way = group_.join_settings.way;
    for (const ForeignModel& member : group_.members)
      if (!interface_of(member).get_and_set_state)
        return work_.error("Y123", member.where,
                           member.path +
                               " is a co-simulation that cannot go back to a saved state "
                               "(canGetAndSetFMUState): it cannot be joined",
                           member.fmu->model_exchange
                               ? "write kind = \"me\": it offers model exchange, too"
                               : "export it as model exchange, or with its state");
    if (!way.empty() && way != "implicit")
      work_.error("Y123", group_.where,
                  "way = \"" + way + "\" needs derivatives, which a co-simulation does not give",
                  "write way = \"implicit\", or kind = \"me\" where the FMU offers it");
  }

  void check_keys_of_way() {
    const ForeignJoinSettings& of = group_.join_settings;
    const auto belongs = [&](const char* key, bool given, std::string_view ways) {
      if (given && ways.find(of.way) == std::string_view::npos)
        work_.error("Y127", group_.where,
                    std::string("`") + key + "` has no effect with way = \"" + of.way + "\"",
                    std::string("it belongs to ") + std::string(ways));
    };
    belongs("stiffness", of.stiffness != 0.0, "spring");
    belongs("damper", of.damper != -1.0, "spring");
    belongs("gain", of.gain != 0.0, "loop");
    belongs("iterations", of.iterations != 0, "index, implicit, loop");
  }

  void take_ports(std::size_t index) {
    ForeignModel& member = group_.members[index];
    const auto mine = [&](ForeignModel::Port port) { return port.member = index, port; };
    for (const ForeignModel::Fed& fed : member.inputs)
      group_.inputs.push_back({mine(fed.port), fed.value});
    for (const ForeignModel::Fed& fed : member.parameters)
      group_.parameters.push_back({mine(fed.port), fed.value});
    for (const ForeignModel::Port& port : member.outputs) group_.outputs.push_back(mine(port));
    group_.ports.insert(group_.ports.end(), member.ports.begin(), member.ports.end());
  }

  void add_signals(const ReadJoin& one) {
    const std::string path = "join." + one.join.name + ".";
    for (const std::string name : join_signals) {
      const std::string unit = name == "through"                        ? one.through_unit
                               : name == "violation" || name == "drift" ? one.across_unit
                               : name.starts_with("power")              ? "W"
                                                                        : "J";
      ForeignModel::Port port;
      port.member = ForeignModel::Port::of_join;
      port.symbol = work_.make_symbol(path + name, unit);
      group_.outputs.push_back(port);
    }
    group_.joins.push_back(one.join);
  }

  Workspace& work_;
  std::vector<ReadJoin> joins_;
  ForeignModel group_;
};

}  // namespace

std::vector<std::string> paths_of(const ForeignModel& model) {
  std::vector<std::string> paths{model.path};
  for (const ForeignModel& member : model.members) paths.push_back(member.path);
  for (const ForeignJoin& join : model.joins) paths.push_back("join." + join.name);
  return paths;
}

void make_join_groups(Workspace& work, const std::vector<ReadJoin>& joins) {
  std::vector<ForeignModel> models = std::move(work.network.foreign);
  work.network.foreign.clear();
  const std::vector<std::size_t> first = connected(models.size(), joins);
  struct Place {
    std::size_t model = 0, inputs = 0, parameters = 0;
  };
  std::vector<Place> places(models.size());
  for (std::size_t begin = 0; begin < models.size(); ++begin) {
    if (first[begin] != begin) continue;
    std::vector<ForeignModel> members;
    std::vector<std::size_t> place_in(models.size(), 0);
    std::size_t inputs = 0, parameters = 0;
    for (std::size_t index = begin; index < models.size(); ++index) {
      if (first[index] != begin) continue;
      places[index] = {work.network.foreign.size(), inputs, parameters};
      inputs += models[index].inputs.size(), parameters += models[index].parameters.size();
      place_in[index] = members.size();
      members.push_back(std::move(models[index]));
    }
    std::vector<ReadJoin> own;
    for (const ReadJoin& one : joins) {
      if (first[one.join.a.member] != begin) continue;
      own.push_back(one);
      own.back().join.a.member = place_in[one.join.a.member],
      own.back().join.b.member = place_in[one.join.b.member];
    }
    if (own.empty())
      work.network.foreign.push_back(std::move(members.front()));
    else
      work.network.foreign.push_back(GroupMaker(work, std::move(members), std::move(own)).make());
  }
  for (Workspace::ForeignLine& line : work.foreign_lines) {
    if (line.model >= places.size()) continue;
    const Place& place = places[line.model];
    line.model = place.model;
    line.place += line.slot != nullptr ? place.parameters : place.inputs;
  }
}

}  // namespace takt::codegen
