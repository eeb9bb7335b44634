#include "tools/fmu_host/joined_model.hpp"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runtime/json/parse_json.hpp"
#include "tools/fmu_host/kept_state.hpp"

namespace takt::fmu_host {
namespace {

using nlohmann::json;
namespace join = fmu::join;

join::Joined joined_of(const json& text) {
  return {text.at("reference").get<std::uint32_t>(), text.at("factor").get<double>(), text.at("offset").get<double>()};
}

/// Index of a variable among those that are joined already, else of a new one.
std::size_t place_of(std::vector<join::Joined>& known, const join::Joined& one) {
  const auto found = std::find_if(known.begin(), known.end(),
                                  [&](const join::Joined& other) { return other.reference == one.reference; });
  if (found != known.end()) return static_cast<std::size_t>(found - known.begin());
  known.push_back(one);
  return known.size() - 1;
}

join::Way way_of(const std::string& name) {
  for (std::size_t k = 0; k < std::size(join::way_names); ++k)
    if (join::way_names[k] == name) return static_cast<join::Way>(k);
  throw std::runtime_error("there is no way " + name + " for joins");
}

join::Settings settings_of(const json& text) {
  join::Settings settings{.way = way_of(text.at("way").get<std::string>()), .step = text.at("step").get<double>()};
  const auto method = text.at("method").get<std::string>();
  // A co-simulation has its own.
  if (!method.empty()) settings.method = method == fmu::automatic ? fmu::usual_method : fmu::find_tableau(method);
  if (settings.method == nullptr) throw std::runtime_error("there is no method " + method + " for FMUs");
  settings.stiffness = text.at("stiffness").get<double>(), settings.damper = text.at("damper").get<double>();
  settings.gain = text.at("gain").get<double>(), settings.limit = text.at("limit").get<double>();
  settings.iterations = text.at("iterations").get<int>();
  return settings;
}

}  // namespace

bool is_joined(const std::string& table) { return parse_json<json>(table).contains("joins"); }

JoinedModel::JoinedModel(std::istream& text, const std::filesystem::path& folder) {
  const auto table = parse_json<json>(std::string(std::istreambuf_iterator<char>(text), {}));
  settings_ = settings_of(table);
  std::size_t inputs = 0, parameters = 0;
  for (const json& one : table.at("members")) {
    auto made = std::make_unique<Member>();
    made->name = one.at("name").get<std::string>();
    made->table = table_of(one, folder.parent_path() / one.at("folder").get<std::string>());
    made->inputs = ports_of(made->table.version, one.at("inputs"));
    made->parameters = ports_of(made->table.version, one.at("parameters"));
    made->outputs = ports_of(made->table.version, one.at("outputs"));
    made->first_input = inputs, made->first_parameter = parameters;
    inputs += made->inputs.slots.size(), parameters += made->parameters.slots.size();
    made->terminals.derivatives = made->table.rate_references;
    made->terminals.states = made->table.state_references;
    made->window = std::make_unique<WindowInputs>(made->inputs, made->first_input);
    made->window->sort_rows(made->table);
    made->instance = std::make_unique<fmu::Instance>(made->table);
    names_.push_back(made->name);
    members_.push_back(std::move(made));
  }
  const auto side = [&](const json& of) -> join::Terminal {
    const auto member = of.at("member").get<std::size_t>();
    join::ModelTerminals& terminals = members_.at(member)->terminals;
    return {member, place_of(terminals.acrosses, joined_of(of.at("across"))),
            place_of(terminals.throughs, joined_of(of.at("through"))), of.at("sign").get<double>()};
  };
  for (const json& one : table.at("joins"))
    constraints_.push_back({one.at("name").get<std::string>(), side(one.at("a")), side(one.at("b"))});
}

std::string JoinedModel::said(const join::Fault& fault) {
  if (fault.none()) return {};
  if (fault.what == join::Fault::What::body)
    return names_[fault.index] + ": " + describe(fault.result, *members_[fault.index]->instance);
  return join::describe(fault, *joint_, names_);
}

/// Whatever was before: the same instance where it has not run yet, else a new one.
std::string JoinedModel::initialise(Member& member, foreign::Block& block) {
  fmu::Result result;
  if (member.instance->mode() != fmu::Mode::none) member.instance = std::make_unique<fmu::Instance>(member.table);
  fmu::Instance& instance = *member.instance;
  result = instance.instantiate({.name = member.name});
  member.parameters.values = member.parameters.start, member.inputs.values = member.inputs.start;
  for (std::size_t i = 0; i < member.parameters.slots.size(); ++i)
    member.parameters.values[member.parameters.slots[i]] = block.given()[member.first_parameter + i];
  member.window->set_window(0.0, 0.0, block);
  if (result.done() && !member.parameters.slots.empty())
    result = instance.set(member.parameters.rows, member.parameters.values);
  if (result.done()) result = instance.enter_initialization({.start = 0.0});
  (void)member.window->have_jumped(0.0);  // known from the beginning
  if (result.done()) result = member.window->all(instance, 0.0);
  if (result.done()) result = instance.exit_initialization();
  return result.done() ? std::string() : member.name + ": " + describe(result, instance);
}

void JoinedModel::join_members() {
  if (members_.front()->table.kind == fmu::Kind::co_simulation) {
    std::vector<join::Slave> slaves;
    for (const auto& member : members_)
      slaves.push_back({member->instance.get(), member->window.get(), member->terminals});
    joint_ = std::make_unique<join::SlaveGroup>(std::move(slaves), constraints_, settings_);
    return;
  }
  std::vector<join::Body*> bodies;
  for (const auto& member : members_) {
    member->body = std::make_unique<join::ModelBody>(*member->instance, *member->window, member->terminals);
    bodies.push_back(member->body.get());
  }
  joint_ = std::make_unique<join::Group>(bodies, constraints_, settings_);
}

std::string JoinedModel::begin(foreign::Block& block) {
  joint_.reset();
  for (const auto& member : members_)
    if (std::string problem = initialise(*member, block); !problem.empty()) return problem;
  join_members();
  if (const join::Fault fault = joint_->start(0.0); !fault.none()) return said(fault);
  return write(block);
}

/// Outputs of all members, then the signals of the joins, in the order of codegen/model/foreign_join.hpp.
std::string JoinedModel::write(foreign::Block& block) {
  double* to = block.results();
  for (const auto& member : members_) {
    if (member->outputs.slots.empty()) continue;
    const fmu::Result result = member->instance->get(member->outputs.rows, member->outputs.values);
    if (!result.done()) return member->name + ": " + describe(result, *member->instance);
    for (const std::size_t slot : member->outputs.slots) *to++ = member->outputs.values[slot];
  }
  for (std::size_t c = 0; c < constraints_.size(); ++c) {
    const join::Ledger& of = joint_->ledger(c);
    for (const double value : {of.through, of.power_a, of.power_b, of.given, of.received, of.stored, of.lost,
                               of.unclosed(), of.violation, of.drift})
      *to++ = value;
  }
  return {};
}

std::string JoinedModel::step(foreign::Block& block) {
  if (joint_ == nullptr) return "a step before the initialisation";
  const double t = static_cast<double>(block.start_ns) / 1e9,
               end = static_cast<double>(block.start_ns + block.step_ns) / 1e9;
  for (const auto& member : members_) member->window->set_window(t, end - t, block);
  std::string problem;
  // Steps that a paced plant could not wait for: their inputs are those of now.
  for (std::int64_t at = block.reached_ns; at < block.start_ns && problem.empty(); at += block.step_ns)
    problem = step(at, std::min(at + block.step_ns, block.start_ns));
  if (problem.empty()) problem = step(block.start_ns, block.start_ns + block.step_ns);
  if (problem.empty()) problem = write(block);
  return problem;
}

std::string JoinedModel::step(std::int64_t start_ns, std::int64_t end_ns) {
  const double t = static_cast<double>(start_ns) / 1e9, end = static_cast<double>(end_ns) / 1e9;
  bool jumped = false, terminate = false;
  join::Fault fault;
  for (const auto& member : members_) jumped = member->window->have_jumped(t) || jumped;
  if (jumped) fault = joint_->input_event(t, terminate);
  if (!terminate && fault.none()) fault = joint_->advance(t, end, terminate);
  // A step of FMI 2 that is discarded may have been so for good.
  ended_ = terminate && (fault.none() || fault.result.status == fmu::Status::discard);
  if (!ended_) return said(fault);
  return "one of the FMUs ended the simulation before " + std::to_string(end) + " s" +
         (fault.none() ? "" : ": " + said(fault));
}

std::string JoinedModel::save(foreign::Block& block) {
  if (joint_ == nullptr) return "a state before the initialisation";
  StateWriter to;
  for (const auto& member : members_) {
    to.numbers(member->window->last());
    if (const fmu::Result saved = to.instance(*member->instance); !saved.done())
      return member->name + ": " + describe(saved, *member->instance);
  }
  to.numbers(joint_->kept());
  return to.into(block);
}

std::string JoinedModel::load(foreign::Block& block) {
  if (joint_ == nullptr) return "a state before the initialisation";
  constexpr const char* of_others = "its state is of other FMUs, or cut off";
  StateReader from(block);
  for (const auto& member : members_) {
    bool well = from.numbers(member->window->last());
    if (!well) return of_others;
    const fmu::Result result = from.instance(*member->instance, well);
    if (!well) return of_others;
    if (!result.done()) return member->name + ": " + describe(result, *member->instance);
    const double t = static_cast<double>(block.start_ns) / 1e9;
    member->window->set_window(t, 0.0, block);
    if (member->body == nullptr) continue;
    if (const fmu::Result at = member->instance->set_time(t); !at.done())
      return member->name + ": " + describe(at, *member->instance);
  }
  std::vector<double> kept = joint_->kept();
  if (!from.numbers(kept)) return of_others;
  return said(joint_->resume(static_cast<double>(block.start_ns) / 1e9, kept));
}

void JoinedModel::end() noexcept {
  for (const auto& member : members_)
    if (const auto mode = member->instance->mode(); mode == fmu::Mode::continuous_time || mode == fmu::Mode::step)
      (void)member->instance->terminate();
}

}  // namespace takt::fmu_host
