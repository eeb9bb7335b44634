#include "runtime/tap/requests.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "runtime/json/parse_json.hpp"
#include "runtime/plant/quantity.hpp"
#include "runtime/tap/texts.hpp"

namespace takt {
namespace {

using Json = nlohmann::ordered_json;

/// Of one object of a request: all that a request can hold is a few.
constexpr std::size_t most_members = 1000;

/// As parse_action() takes it: numbers are in SI.
std::string value_text(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_number()) throw std::runtime_error("a value is a number (SI) or a text with its unit, as \"12 V\"");
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", value.get<double>());
  return text;
}

Json buses_of(const TapSegment& segment) {
  constexpr auto any = std::memory_order_relaxed;
  Json found = Json::array();
  for (std::size_t k = 0; k < std::min<std::size_t>(segment.bus_count.load(any), BusCounts::most); ++k) {
    const BusCounts& bus = segment.buses[k];
    found.push_back({{"name", std::string(bus.name.data(), ::strnlen(bus.name.data(), bus.name.size()))},
                     {"state", state_name(bus.state.load(any))},
                     {"received", bus.received.load(any)},
                     {"sent", bus.sent.load(any)},
                     {"failed", bus.failed.load(any)}});
  }
  return found;
}

}  // namespace

std::string TapRequests::string_in(const Json& object, const char* key) {
  if (!object.contains(key) || !object[key].is_string())
    throw std::runtime_error(std::string("\"") + key + "\" is missing, or no text");
  return object[key].get<std::string>();
}

TapRequests::Json::array_t TapRequests::list_in(const Json& object, const char* key) {
  if (!object[key].is_array() || object[key].empty())
    throw std::runtime_error(std::string("\"") + key + "\" is no list, or empty");
  return object[key].get<Json::array_t>();
}

void TapRequests::add_actions(const Json& request, std::vector<Action>& actions) const {
  const std::string verb = string_in(request, "verb");
  const auto add = [&](std::string_view path, const std::string& argument) {
    check_length(path), check_length(argument);
    actions.push_back(parse_action(desk_.plant, verb, path, argument));
  };
  if (request.contains("values")) {
    if (!request["values"].is_object() || request["values"].empty())
      throw std::runtime_error("\"values\" is no object, or empty");
    for (const auto& [path, value] : request["values"].items()) add(path, value_text(value));
  } else if (request.contains("paths")) {
    for (const Json& path : list_in(request, "paths")) add(value_text(path), "");
  } else if (verb == "checkpoint") {
    add("", "");
  } else {
    add(string_in(request, "path"), request.contains("value") ? value_text(request["value"]) : std::string());
  }
  if (actions.size() > TapSegment::most_actions)
    throw std::runtime_error("more than " + std::to_string(TapSegment::most_actions) +
                             " actions in one request, which all take effect at once");
}

const TapRequests::Row* TapRequests::find(std::string_view verb) {
  static constexpr Row verbs[] = {
      {"hello", &TapRequests::hello},     {"list", &TapRequests::list},       {"records", &TapRequests::records},
      {"read", &TapRequests::read},       {"watch", &TapRequests::watch},     {"unwatch", &TapRequests::unwatch},
      {"act", &TapRequests::act},         {"set", &TapRequests::act},         {"override", &TapRequests::act},
      {"release", &TapRequests::act},     {"inject", &TapRequests::act},      {"clear", &TapRequests::act},
      {"tune", &TapRequests::act},        {"checkpoint", &TapRequests::act},  {"events", &TapRequests::events},
      {"status", &TapRequests::status},   {"pause", &TapRequests::control},   {"resume", &TapRequests::control},
      {"step", &TapRequests::control},    {"stop", &TapRequests::control},    {"await", &TapRequests::await},
      {"unawait", &TapRequests::unawait}, {"lease", &TapRequests::lease},     {"detach", &TapRequests::detach},
      {"scope", &TapRequests::scope},     {"unscope", &TapRequests::unscope}, {"faults", &TapRequests::faults},
  };
  const auto* found =
      std::find_if(std::begin(verbs), std::end(verbs), [&](const Row& row) { return row.name == verb; });
  return found == std::end(verbs) ? nullptr : found;
}

void TapRequests::perform(std::string_view line) {
  try {
    request_ = parse_json<Json>(line, most_members);
    if (!request_.is_object()) throw std::runtime_error("a request is an object, as {\"id\":1,\"verb\":\"status\"}");
    if (request_.contains("id")) {
      const Json& id = request_["id"];
      if (!id.is_number_integer() && !(id.is_string() && id.get_ref<const std::string&>().size() <= 64))
        throw std::runtime_error("\"id\" is a whole number, or a text of 64 bytes at most");
      id_ = id;
    }
    verb_ = request_.contains("actions") && !request_.contains("verb") ? "act" : string_in(request_, "verb");
    const Row* row = find(verb_);
    if (row == nullptr)
      throw std::runtime_error(
          "unknown verb \"" + verb_.substr(0, 64) +
          "\": hello, list, records, read, watch, unwatch, set, override, release, inject, clear, "
          "tune, checkpoint, act, "
          "events, status, pause, resume, step, stop, await, unawait, lease, detach, scope, unscope or faults");
    (this->*row->verb)();
  } catch (const JsonError& error) {
    refuse(std::string("not understood as JSON: ") + error.what());
  } catch (const Json::exception& error) {  // a member that is of another kind than its verb takes
    refuse("a value of this request is not of the kind that \"" + verb_.substr(0, 64) + "\" takes");
  } catch (const std::runtime_error& error) {
    refuse(error.what());
  }
}

void TapRequests::refuse(const std::string& why) {
  Json answer;
  if (!id_.is_null()) answer["id"] = id_;
  answer["ok"] = false;
  answer["error"] = why;
  session_.put(answer);
}

void TapRequests::reply(Json fields) {
  Json answer;
  if (!id_.is_null()) answer["id"] = id_;
  answer["ok"] = true;
  answer.update(fields);
  session_.put(answer);
}

/// Answered when the plant has taken them.
void TapRequests::send(std::span<TapCommand> commands, Json fields) {
  // Not before: connections that do nothing need none of the few places.
  const std::uint16_t author = desk_.end.author(session_.name_);
  for (TapCommand& command : commands) command.author = author;
  desk_.end.send(commands,
                 [session = session_.weak_from_this(), id = id_, fields = std::move(fields)](const TapAnswer& answer) {
                   const auto alive = session.lock();
                   if (!alive) return;
                   Json line;
                   if (!id.is_null()) line["id"] = id;
                   const std::string refusal = refusal_text(answer);
                   line["ok"] = refusal.empty();
                   if (!refusal.empty()) line["error"] = refusal;
                   line.update(fields);
                   line["effective_ns"] = answer.time_ns;
                   line["effective_s"] = static_cast<double>(answer.time_ns) / 1e9;
                   alive->put(line);
                 });
}

std::string TapRequests::text_of(const char* key, const std::string& otherwise) const {
  return request_.contains(key) ? string_in(request_, key) : otherwise;
}

std::uint64_t TapRequests::number_of(const char* key, std::uint64_t otherwise) const {
  if (!request_.contains(key)) return otherwise;
  const Json& value = request_[key];
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0)
    throw std::runtime_error(std::string("\"") + key + "\" is a whole number, not below 0");
  return value.get<std::uint64_t>();
}

void TapRequests::hello() {
  const std::string name = text_of("name", "");
  const bool printable =
      std::all_of(name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) >= 32; });
  if (!printable) throw std::runtime_error("a name has no control characters");
  if (!name.empty()) session_.name_ = name;
  const TapHeader& header = desk_.segment.header;
  Json cpus = Json::array();
  for (std::uint32_t k = 0; k < std::min<std::uint32_t>(header.cpu_count, TapHeader::most_cpus); ++k)
    cpus.push_back(header.cpus[k]);
  reply({{"tap", TapHeader::the_version},
         {"plant", desk_.plant.name},
         {"hash", desk_.plant.input_hash},
         {"generator", desk_.plant.generator},
         {"process", header.process},
         {"macro_step_ns", header.macro_step_ns},
         {"macro_steps", header.macro_steps},
         {"paced", header.paced},
         {"cpus", cpus},
         {"rows", desk_.plant.table.size()},
         {"name", session_.name_}});
}

std::vector<Action> TapRequests::actions() const {
  std::vector<Action> actions;
  if (!request_.contains("actions")) {
    add_actions(request_, actions);
    return actions;
  }
  for (const Json& entry : list_in(request_, "actions")) {
    if (!entry.is_object()) throw std::runtime_error("\"actions\" is a list of objects");
    add_actions(entry, actions);
  }
  return actions;
}

void TapRequests::refuse_mixed(std::span<const Action> actions) {
  const auto tunings =
      std::count_if(actions.begin(), actions.end(), [](const Action& action) { return is_tuning(action.verb); });
  if (tunings > 0 && tunings < static_cast<std::ptrdiff_t>(actions.size()))
    throw std::runtime_error(
        "tuning and faults of elements take effect later than the rest: give them in a request of their own");
}

void TapRequests::act() {
  const std::vector<Action> wanted = actions();
  refuse_mixed(wanted);
  std::vector<TapCommand> commands;
  const std::uint32_t owner = owner_of(wanted);
  for (const Action& action : wanted)
    commands.push_back({.kind = TapCommand::Kind::act, .owner = owner, .action = action});
  send(commands, Json::object());
}

void TapRequests::events() {
  const std::uint64_t since = number_of("since", 0);
  const bool follow = request_.contains("follow") && request_["follow"] == true;
  Json found = Json::array();
  for (const TapDesk::Event& event : desk_.events)
    if (event.number > since) found.push_back(event_line(event));
  session_.follows_ = follow;
  session_.told_ = desk_.event_count;
  reply({{"events", std::move(found)}});
}

void TapRequests::status() {
  constexpr auto any = std::memory_order_relaxed;
  const TapStatus& now = desk_.segment.status;
  const std::int64_t time = now.time_ns.load(any);
  const double simulated =
      static_cast<double>(now.macro_steps.load(any)) * static_cast<double>(desk_.plant.macro_step_ns);
  const double busy = static_cast<double>(now.busy_ns.load(any));
  reply({{"phase", phase_name(now.phase.load(any))},
         {"time_ns", time},
         {"time_s", static_cast<double>(time) / 1e9},
         {"macro_steps", now.macro_steps.load(any)},
         {"busy_s", busy * 1e-9},
         {"rtf", simulated > 0.0 ? busy / simulated : 0.0},
         {"overruns", now.overruns.load(any)},
         {"deadline_misses", now.overruns.load(any) - std::min(now.overruns.load(any), now.inner_late.load(any))},
         {"verdicts", now.verdicts.load(any)},
         {"ledger_alarms", now.ledger_alarms.load(any)},
         {"rows", now.rows.load(any)},
         {"samples", now.samples.load(any)},
         {"samples_dropped", now.samples_dropped.load(any)},
         {"answers_dropped", now.answers_dropped.load(any)},
         {"events_dropped", now.events_dropped.load(any)},
         {"commands", now.commands.load(any)},
         {"services", desk_.segment.services.generation.load(any)},
         {"clients_refused", desk_.segment.services.clients_refused.load(any)},
         {"clients_gave_way", desk_.segment.services.clients_gave_way.load(any)},
         {"events", desk_.event_count},
         {"buses", buses_of(desk_.segment)}});
}

void TapRequests::control() {
  using Kind = TapCommand::Kind;
  TapCommand command{.kind = verb_ == "pause"    ? Kind::pause
                             : verb_ == "resume" ? Kind::resume
                             : verb_ == "step"   ? Kind::step
                                                 : Kind::stop};
  if (command.kind == Kind::step) {
    command.period_ns = static_cast<std::int64_t>(number_of("count", 1));
    if (command.period_ns < 1) throw std::runtime_error("\"count\" is 1 or more");
  }
  send({&command, 1}, Json::object());
}

}  // namespace takt
