#include "runtime/tap/session.hpp"

#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>

#include "runtime/tap/requests.hpp"
#include "runtime/tap/texts.hpp"

namespace takt {
namespace {

using Json = nlohmann::ordered_json;

void add_number(std::string& out, double value) {
  if (!std::isfinite(value)) {
    out += "null";
    return;
  }
  std::array<char, 32> text{};
  out.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
}

}  // namespace

bool TapDesk::poll() {
  const TapServices& services = segment.services;
  const std::uint32_t count = services.event_count.load(std::memory_order_acquire);
  for (; service_events < count && service_events < TapServices::most_events; ++service_events)
    add({.time_ns = services.events[service_events].time_ns, .text = services.events[service_events].text.data()});
  return end.poll([this](const TapEvent& event) { add(described(event)); });
}

const ScenarioNames& TapDesk::names() { return names_ ? *names_ : names_.emplace(plant); }

TapDesk::Event TapDesk::described(const TapEvent& event) const {
  Event found{.time_ns = event.time_ns, .text = event_text(plant, segment, event)};
  if (event.kind != TapEvent::Kind::action && event.kind != TapEvent::Kind::undone) return found;
  found.action = action_words(plant, event.action);
  found.author = author_of(segment, event.author);
  found.of_element = event.action.verb == Action::Verb::fault || event.action.verb == Action::Verb::mend;
  return found;
}

void TapDesk::add(Event event) {
  event.number = ++event_count;
  events.push_back(std::move(event));
  if (events.size() > most_events) events.pop_front();
}

Session::Session(TapDesk& desk, std::string peer) : desk_(desk), name_(std::move(peer)) {}

Session::~Session() {
  for (const auto& [number, watch] : watches_) desk_.end.unsubscribe(watch.slot);
  for (const auto& [number, id] : awaits_) desk_.end.unawait(id);
  if (owner_ != 0) desk_.end.lost(owner_);
  if (scope_) desk_.end.unsubscribe(scope_->slot);
}

void Session::put(const Json& line) {
  output += line.dump(-1, ' ', false, Json::error_handler_t::replace);
  output += '\n';
}

void Session::tell_problem(const std::string& text) { put({{"ok", false}, {"error", text}}); }

void Session::tell_end() {
  tell_events();
  const TapStatus& status = desk_.segment.status;
  if (scope_) scope_->tell(pieces_), scope_.reset();  // what there is of it
  for (; !pieces_.empty(); pieces_.pop_front()) output += pieces_.front();
  put({{"event", "the run has ended"},
       {"time_ns", status.time_ns.load(std::memory_order_relaxed)},
       {"macro_steps", status.macro_steps.load(std::memory_order_relaxed)},
       {"phase", phase_name(status.phase.load(std::memory_order_relaxed))},
       {"ended", true}});
}

void Session::take(std::string_view line) {
  if (line.find_first_not_of(" \t\r") == std::string_view::npos) return;
  TapRequests(*this).perform(line);
}

void Session::put_row(std::uint64_t number, const Sample& sample) {
  Watch& watch = watches_.at(number);
  if (output.size() > most_waiting) {
    ++watch.dropped;
    return;
  }
  output += "{\"watch\":" + std::to_string(number) + ",\"time_ns\":" + std::to_string(sample.time_ns);
  if (watch.dropped > 0) output += ",\"dropped\":" + std::to_string(watch.dropped);
  if (watch.as_doubles) return put_doubles(sample.values);
  output += ",\"values\":[";
  for (std::size_t k = 0; k < sample.values.size(); ++k) {
    if (k > 0) output += ',';
    add_number(output, sample.values[k]);
  }
  output += "]}\n";
}

/// Behind their line, as they lie in memory: of 500 values text takes the service ten times as long.
void Session::put_doubles(std::span<const double> values) {
  static_assert(std::endian::native == std::endian::little);
  output += ",\"bytes\":" + std::to_string(values.size_bytes()) + "}\n";
  output.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
}

void Session::take_block(const Sample& sample) {
  if (!scope_) return;
  scope_->take(sample);
  if (!scope_->is_complete()) return;
  desk_.end.unsubscribe(scope_->slot);
  scope_->tell(pieces_);
  scope_.reset();
  tell_pieces();
}

void Session::tell_pieces() {
  for (; !pieces_.empty() && output.size() <= most_waiting; pieces_.pop_front()) output += pieces_.front();
}

void Session::tell_events() {
  if (!follows_ || told_ == desk_.event_count) return;
  for (const TapDesk::Event& event : desk_.events) {
    if (event.number <= told_) continue;
    if (output.size() > most_waiting) {
      ++events_dropped_;
      continue;
    }
    Json line = event_line(event);
    if (events_dropped_ > 0) line["dropped"] = events_dropped_;
    put(line);
  }
  told_ = desk_.event_count;
}

}  // namespace takt
