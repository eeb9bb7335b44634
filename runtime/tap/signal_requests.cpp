// Verbs that look at values: which there are, one reading, readings again and again.

#include <algorithm>
#include <stdexcept>

#include "runtime/plant/outside_fault.hpp"
#include "runtime/plant/quantity.hpp"
#include "runtime/tap/requests.hpp"
#include "runtime/tap/texts.hpp"

namespace takt {

using Json = nlohmann::ordered_json;

namespace {

void add_input(const PlantDescription& plant, const MemoryEntry& entry, Json& row) {
  for (const PlantInputDescription& input : plant.plant_inputs)
    if (std::string_view(input.path) == entry.path) row["start"] = input.start, row["safe"] = input.safe;
}

}  // namespace

void TapRequests::list() {
  const std::string pattern = text_of("pattern", "");
  const std::uint64_t from = number_of("from", 0), limit = std::clamp<std::uint64_t>(number_of("limit", 1000), 1, 1000);
  Json found = Json::array();
  std::uint64_t row = std::min<std::uint64_t>(from, desk_.plant.table.size());
  for (; row < desk_.plant.table.size() && found.size() < limit; ++row) {
    const MemoryEntry& entry = desk_.plant.table[row];
    if (!matches(pattern, entry.path)) continue;
    found.push_back({{"path", entry.path}, {"unit", entry.unit}, {"role", role_text(entry.role)}});
    if (entry.role == Role::plant_input) add_input(desk_.plant, entry, found.back());
  }
  Json answer{{"rows", std::move(found)}};
  if (row < desk_.plant.table.size()) answer["next"] = row;
  reply(std::move(answer));
}

/// What may be injected beside distortions of any value.
void TapRequests::faults() {
  Json found = Json::array();
  for (const FaultDescription& fault : desk_.plant.faults)
    found.push_back({{"path", fault.element}, {"value", fault.name}, {"text", fault.text}});
  Json outside = Json::array();
  for (const OutsideFault& fault : outside_faults(desk_.plant))
    outside.push_back({{"path", fault.path}, {"kinds", fault.kinds}});
  reply({{"faults", std::move(found)}, {"outside", std::move(outside)}});
}

/// By "path" or "paths"; a path with '*' stands for all it matches.
std::vector<std::uint32_t> TapRequests::rows() const {
  const Json paths =
      request_.contains("paths") ? Json(list_in(request_, "paths")) : Json::array({string_in(request_, "path")});
  constexpr int most_patterns = 64;
  std::vector<std::uint32_t> rows;
  int patterns = 0;
  for (const Json& entry : paths) {
    if (!entry.is_string()) throw std::runtime_error("\"paths\" is a list of texts");
    const auto& path = entry.get_ref<const std::string&>();
    if (path.find('*') == std::string::npos) {
      rows.push_back(row_of(desk_.plant, path));
      continue;
    }
    if (++patterns > most_patterns) throw std::runtime_error("more than 64 patterns in one request");
    const std::size_t before = rows.size();
    for (std::uint32_t row = 0; row < desk_.plant.table.size(); ++row)
      if (matches(path, desk_.plant.table[row].path)) rows.push_back(row);
    if (rows.size() == before) throw std::runtime_error("no path of the plant matches \"" + path.substr(0, 200) + "\"");
  }
  if (rows.size() > TapSegment::most_rows)
    throw std::runtime_error(std::to_string(rows.size()) + " values at once: " + std::to_string(TapSegment::most_rows) +
                             " at most");
  return rows;
}

Json TapRequests::described(std::span<const std::uint32_t> rows) const {
  Json paths = Json::array(), units = Json::array();
  for (const std::uint32_t row : rows)
    paths.push_back(desk_.plant.table[row].path), units.push_back(desk_.plant.table[row].unit);
  return {{"paths", std::move(paths)}, {"units", std::move(units)}};
}

void TapRequests::records() {
  Json found = Json::array();
  for (const RecordPlan& record : desk_.plant.records) {
    Json entry{{"every_ns", record.period_ns}};
    entry.update(described(record.entries));
    found.push_back(std::move(entry));
  }
  reply({{"records", std::move(found)}});
}

void TapRequests::read() {
  const std::vector<std::uint32_t> wanted = rows();
  const auto refuse = [session = session_.weak_from_this(), id = id_](const TapAnswer& answer) {
    const auto alive = session.lock();
    if (!alive || answer.result == TapAnswer::Result::done) return;
    Json line{{"ok", false}, {"error", refusal_text(answer)}};
    if (!id.is_null()) line["id"] = id;
    alive->put(line);
  };
  (void)desk_.end.subscribe(
      wanted, 0, refuse,
      [session = session_.weak_from_this(), id = id_, fields = described(wanted)](const Sample& sample) {
        const auto alive = session.lock();
        if (!alive) return;
        Json line;
        if (!id.is_null()) line["id"] = id;
        line["ok"] = true;
        line["time_ns"] = sample.time_ns;
        line["time_s"] = static_cast<double>(sample.time_ns) / 1e9;
        line.update(fields);
        line["values"] = sample.values;  // what is not finite: null
        alive->put(line);
      });
}

void TapRequests::watch() {
  const std::vector<std::uint32_t> wanted = rows();
  std::int64_t every = desk_.plant.macro_step_ns;
  if (request_.contains("every_ns"))
    every = static_cast<std::int64_t>(number_of("every_ns", 0));
  else if (request_.contains("every"))
    every = parse_duration(string_in(request_, "every"));
  if (every <= 0) throw std::runtime_error("\"every_ns\" is more than 0");
  const std::string as = text_of("as", "text");
  if (as != "text" && as != "doubles") throw std::runtime_error("\"as\" is \"text\" or \"doubles\"");
  const std::uint64_t number = desk_.next_watch++;
  const auto begun = [session = session_.weak_from_this(), id = id_, number, every, as,
                      fields = described(wanted)](const TapAnswer& answer) {
    const auto alive = session.lock();
    if (!alive) return;
    const std::string refusal = refusal_text(answer);
    if (!refusal.empty()) alive->watches_.erase(number);
    Json line;
    if (!id.is_null()) line["id"] = id;
    line["ok"] = refusal.empty();
    if (!refusal.empty()) line["error"] = refusal;
    line["watch"] = number;
    line["every_ns"] = answer.period_ns;
    line["rounded"] = answer.period_ns != every;
    line["from_ns"] = answer.time_ns;
    line["as"] = as;
    line.update(fields);
    alive->put(line);
  };
  const std::size_t slot =
      desk_.end.subscribe(wanted, every, begun, [session = session_.weak_from_this(), number](const Sample& sample) {
        if (const auto alive = session.lock()) alive->put_row(number, sample);
      });
  session_.watches_[number] = {.slot = slot, .as_doubles = as == "doubles"};
}

void TapRequests::unwatch() {
  const auto found = session_.watches_.find(number_of("watch", 0));
  if (found == session_.watches_.end()) throw std::runtime_error("\"watch\" is none of yours");
  desk_.end.unsubscribe(found->second.slot);
  Json fields{{"watch", found->first}, {"dropped", found->second.dropped}};
  session_.watches_.erase(found);
  reply(std::move(fields));
}

}  // namespace takt
