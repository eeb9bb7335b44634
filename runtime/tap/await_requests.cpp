// Verbs that wait for a condition: it is read here, judged in the plant.

#include <algorithm>
#include <stdexcept>

#include "runtime/plant/quantity.hpp"
#include "runtime/scenario/parse_expression.hpp"
#include "runtime/tap/requests.hpp"
#include "runtime/tap/texts.hpp"

namespace takt {
namespace {

using Json = nlohmann::ordered_json;
using Result = TapAnswer::Result;

constexpr std::size_t longest_condition = 500;  // bytes: the search for the nearest name takes long for long ones

const char* why_not_held(Result result) {
  return result == Result::not_held ? "time" : result == Result::ended ? "the run has ended" : "given up";
}

/// Where the values of a condition stand among its nodes.
using Places = std::vector<std::pair<std::string, std::size_t>>;

Places places_of(const Expression& condition, const PlantDescription& plant) {
  Places places;
  for (const std::uint32_t row : condition.rows) {
    const MemoryEntry& entry = plant.table[row];
    const auto node = std::find_if(condition.nodes.begin(), condition.nodes.end(), [&](const ExpressionNode& each) {
      return each.kind == ExpressionNode::Kind::value && each.offset == entry.offset;
    });
    places.emplace_back(entry.path, static_cast<std::size_t>(node - condition.nodes.begin()));
  }
  return places;
}

/// Of what has come true, or has not: a line that answers no request.
Json outcome_of(std::uint64_t number, const TapAnswer& answer, std::int64_t macro_step_ns) {
  const bool held = answer.result == Result::done || answer.result == Result::full || answer.result == Result::partly;
  const std::int64_t time = held ? answer.period_ns : answer.time_ns;
  Json line{{"await", number},
            {"held", held},
            {"time_ns", time},
            {"time_s", static_cast<double>(time) / 1e9},
            {"step", time / macro_step_ns}};
  if (!held) return line["because"] = why_not_held(answer.result), line;
  line["effective_ns"] = answer.time_ns;
  line["effective_s"] = static_cast<double>(answer.time_ns) / 1e9;
  line["done"] = answer.count;
  if (answer.result != Result::done) line["error"] = refusal_text(answer);
  return line;
}

}  // namespace

/// What is done where the condition holds.
std::vector<TapCommand> TapRequests::then_commands() const {
  std::vector<TapCommand> commands;
  if (!request_.contains("then")) return commands;
  std::vector<Action> actions;
  for (const Json& entry : list_in(request_, "then")) {
    if (!entry.is_object()) throw std::runtime_error("\"then\" is a list of objects");
    const std::string verb = string_in(entry, "verb");
    if (verb == "pause" && desk_.segment.header.paced)
      throw std::runtime_error(refusal_text({.result = Result::paced}));
    if (verb == "pause" || verb == "stop") {
      commands.push_back({.kind = verb == "pause" ? TapCommand::Kind::pause : TapCommand::Kind::stop});
      continue;
    }
    if (const Row* row = find(verb); row == nullptr || row->verb != &TapRequests::act || verb == "act")
      throw std::runtime_error("\"" + verb.substr(0, 64) +
                               "\" is not done where a condition holds: set, override, release, inject, clear, tune, "
                               "checkpoint, pause or stop are");
    const std::size_t before = actions.size();
    add_actions(entry, actions);
    for (std::size_t k = before; k < actions.size(); ++k)
      commands.push_back({.kind = TapCommand::Kind::act, .action = actions[k]});
  }
  refuse_mixed(actions);
  const std::uint32_t owner = owner_of(actions);
  for (TapCommand& command : commands)
    if (command.kind == TapCommand::Kind::act) command.owner = owner;
  if (commands.size() > TapSegment::most_then)
    throw std::runtime_error("more than " + std::to_string(TapSegment::most_then) + " actions in \"then\"");
  return commands;
}

std::int64_t TapRequests::within_ns() const {
  const std::int64_t within = request_.contains("within_ns") ? static_cast<std::int64_t>(number_of("within_ns", 0))
                                                             : parse_duration(string_in(request_, "within"));
  constexpr std::int64_t longest = INT64_MAX / 4;  // 70 years
  if (within <= 0 || within > longest) throw std::runtime_error("\"within\" is more than 0, and 70 years at most");
  return within;
}

void TapRequests::await() {
  const std::string text = string_in(request_, "condition");
  if (text.size() > longest_condition)
    throw std::runtime_error("a condition of " + std::to_string(text.size()) +
                             " bytes: " + std::to_string(longest_condition) + " at most");
  const Expression condition = parse_condition(text, {.file = "condition", .at = {1, 1}}, desk_.names());
  if (condition.nodes.size() > StagedAwait::most_nodes)
    throw std::runtime_error("a condition of " + std::to_string(condition.nodes.size()) +
                             " values and operators: " + std::to_string(StagedAwait::most_nodes) + " at most");
  const std::int64_t within = within_ns();
  const std::vector<TapCommand> then = then_commands();
  const std::uint64_t number = desk_.next_watch++;
  const auto on = [session = session_.weak_from_this(), id = id_, number, step = desk_.plant.macro_step_ns,
                   places = places_of(condition, desk_.plant)](const TapAnswer& answer, const StagedAwait& staged) {
    const auto alive = session.lock();
    if (!alive) return;
    if (answer.result != Result::begun) alive->awaits_.erase(number);
    if (answer.result != Result::begun && answer.result != Result::wrong) {
      Json line = outcome_of(number, answer, step);
      if (line["held"])
        for (const auto& [path, node] : places) line["values"][path] = staged.held[node];
      return alive->put(line);
    }
    Json line;
    if (!id.is_null()) line["id"] = id;
    line["ok"] = answer.result == Result::begun;
    if (answer.result == Result::wrong) line["error"] = refusal_text(answer);
    line.update({{"await", number}, {"from_ns", answer.time_ns}, {"until_ns", answer.period_ns}});
    alive->put(line);
  };
  session_.awaits_[number] = desk_.end.await({.nodes = condition.nodes,
                                              .observes = condition.observes,
                                              .text = condition.text,
                                              .within_ns = within,
                                              .then = then},
                                             desk_.end.author(session_.name_), on);
}

void TapRequests::unawait() {
  const auto found = session_.awaits_.find(number_of("await", 0));
  if (found == session_.awaits_.end()) throw std::runtime_error("\"await\" is none of yours, or has come to its end");
  desk_.end.unawait(found->second);
  reply({{"await", found->first}});
}

}  // namespace takt
