// Whether a scenario in real time was one with the ECUs that it is about.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "runtime/io/record/bus_results.hpp"
#include "runtime/program/run.hpp"
#include "runtime/program/verdicts.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace {

/// Why a message that came was not taken; empty: nothing came of it.
std::string why_not_taken(const BusMessage& message) {
  if (message.too_short > 0)
    return std::to_string(message.too_short) + " frames of " + message.name +
           " came with less data than the database gives it, and none was taken";
  if (message.wrong_checksum > 0)
    return std::to_string(message.wrong_checksum) + " frames of " + message.name +
           " came with a wrong checksum, and none was taken: compare [bus.NAME.protect] with its sender";
  if (message.before_start > 0)
    return message.name + " came before time 0 alone: its sender gave up before the run began";
  return {};
}

}  // namespace

/// A scenario in real time that no ECU took part in has tested nothing.
void Run::judge_senders() {
  if (!scenario_ || !io_) return;
  std::set<std::string> absent;
  for (const BusResult& bus : bus_results(results_.io_statistics_json)) {
    std::string missing, refused;
    std::uint64_t count = 0;
    for (const BusMessage& message : bus.messages) {
      // What is sent once may have come before time 0; what is sent again and again then times out.
      const bool came = message.frames > message.before_start || (message.frames > 0 && message.timeouts == 0);
      if (message.sent || came || !needs(bus.name, message.name)) continue;
      ++count;
      absent.insert(bus.name + "." + message.name);
      if (const std::string why = why_not_taken(message); !why.empty())
        refused += "; " + why;
      else
        missing += (missing.empty() ? "" : ", ") + message.name;
    }
    if (!missing.empty()) missing = "; nothing came of " + missing + ": is its sender on the bus?";
    if (count > 0)
      add_verdict(results_,
                  {.code = "X044",
                   .where = "bus " + bus.name,
                   .text = "not tested" + refused + missing,
                   .count = count,
                   .weight = Verdict::Weight::incomplete},
                  options_.tolerate);
  }
  judge_silences(absent);
}

/// What held while its message stayed away held for the values of no ECU.
void Run::judge_silences(const std::set<std::string>& absent) {
  std::map<std::string, Verdict> found;
  for (const Silence& silence : io_->silences()) {
    const std::string message = silence.bus + "." + silence.message;
    if (absent.contains(message)) continue;  // it never came, which has been said
    if (!needs(silence.bus, silence.message) || is_disturbed(silence)) continue;
    const double from = silence.from.seconds(), to = silence.to.seconds();
    for (const ExpectationResult& each : results_.scenario.expectations) {
      // At a boundary it is judged before what has come is taken.
      if (each.verdict != ExpectationResult::Verdict::passed || each.time_s <= from || each.since_s > to) continue;
      const auto [place, is_first] = found.try_emplace(message);
      Verdict& verdict = place->second;
      verdict.count += is_first ? 0 : 1;
      if (!is_first) continue;
      verdict.code = "X046", verdict.where = "bus " + silence.bus, verdict.weight = Verdict::Weight::incomplete;
      verdict.text = "not tested: " + silence.message + " stayed away from " + formatted("%g s", from) + " to " +
                     formatted("%g s", to) + ", and \"" + (each.name.empty() ? each.text : each.name) + "\" (" +
                     each.place + ") held meanwhile";
    }
  }
  for (auto& [message, verdict] : found) {
    if (verdict.count > 1) verdict.text += "; in all " + std::to_string(verdict.count) + " cases of this kind";
    add_verdict(results_, std::move(verdict), options_.tolerate);
  }
}

bool Run::needs(const std::string& bus, const std::string& message) const {
  const auto& needs = scenario_->needs();
  return !needs || std::find(needs->begin(), needs->end(), bus + "." + message) != needs->end();
}

/// Somebody has kept it from the plant by then: its own fault, or one of a node, a gateway or the whole bus.
bool Run::is_disturbed(const Silence& silence) const {
  const auto keeps_away = [&](std::string_view path) {
    if (!path.starts_with(silence.bus + ".")) return false;
    path.remove_prefix(silence.bus.size() + 1);
    return path == "receive." + silence.message || !(path.starts_with("send.") || path.starts_with("receive."));
  };
  return std::any_of(outside_.begin(), outside_.end(), [&](const OutsideFault& fault) {
    if (!keeps_away(fault.path)) return false;
    return std::any_of(options_.bus.begin(), options_.bus.end(),
                       [&](const auto& setting) { return setting.first == fault.path; }) ||
           std::any_of(results_.actions.begin(), results_.actions.end(), [&](const ActionResult& action) {
             return action.refused.empty() && action.time_s <= silence.to.seconds() &&
                    action.text.starts_with("inject " + fault.path + " ");
           });
  });
}

}  // namespace takt
