#include "runtime/io/record/formats/jsonl/jsonl_sink.hpp"

#include <bit>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "runtime/io/record/formats/jsonl/jsonl_reader.hpp"
#include "runtime/json/parse_json.hpp"

namespace takt {

extern const RecordFormat jsonl_format;
const RecordFormat jsonl_format{.word = "jsonl",
                                .file = "signals.jsonl",
                                .title = "JSON Lines",
                                .make = make_record_sink<JsonlSink>,
                                .is_one = is_jsonl,
                                .read = read_jsonl};

namespace {

using Json = nlohmann::ordered_json;

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

/// To the last bit. Always with a point or an exponent, else a reader takes it for a whole number, which has no -0;
/// what is no number in JSON is a text, which float() of Python takes.
void append_value(std::string& text, double value) {
  char digits[32];
  const std::string_view number{digits, std::to_chars(digits, digits + sizeof digits, value).ptr};
  if (!std::isfinite(value)) {
    text += '"';
    text += number;
    text += '"';
    return;
  }
  text += number;
  if (number.find_first_of(".e") == std::string_view::npos) text += ".0";
}

Json properties_json(const std::vector<RecordProperty>& properties) {
  Json json = Json::object();
  for (const RecordProperty& property : properties) json[property.name] = property.value;
  return json;
}

Json rate_json(const RecordRate& rate) {
  Json columns = Json::array();
  for (const RecordColumn& column : rate.columns) columns.push_back({{"path", column.path}, {"unit", column.unit}});
  return {{"period_ns", rate.period.ns()}, {"columns", std::move(columns)}};
}

double seconds(SimTime time) { return static_cast<double>(time.ns()) / 1e9; }

}  // namespace

void JsonlSink::open(const std::filesystem::path& path, const RecordHead& head) {
  file_.open(path);
  Json rates = Json::array();
  for (const RecordRate& rate : head.rates) {
    rates.push_back(rate_json(rate));
    std::vector<std::string>& keys = keys_.emplace_back();
    for (const RecordColumn& column : rate.columns)
      keys.push_back("," + line_of(jsonl_key(column.path, column.unit)) + ":");
  }
  const Json takt{{"signals", 1},
                  {"title", head.title},
                  {"properties", properties_json(head.properties)},
                  {"rates", std::move(rates)}};
  write_note(line_of({{"takt", takt}}));
}

void JsonlSink::begin_at(std::int64_t utc_ns, int tai_ahead_s) {
  Json begin{{"utc_ns", utc_ns}};
  if (tai_ahead_s != 0) begin["tai_minus_utc_s"] = tai_ahead_s;
  write_note(line_of({{"begin", begin}}));
}

void JsonlSink::add(const RecordedRow& row) {
  if (row.time != time_) {
    write_row();
    time_ = row.time;
    row_ = "{\"time [s]\":";
    append_value(row_, seconds(row.time));
  }
  const std::vector<std::string>& keys = keys_[row.plan];
  for (std::size_t i = 0; i < row.values.size(); ++i) {
    row_ += keys[i];
    append_value(row_, std::bit_cast<double>(row.values[i]));
  }
}

void JsonlSink::write_row() {
  if (!time_) return;
  file_.add(row_);
  file_.add("}\n");
  file_.flush_if_large();
  time_.reset();
}

void JsonlSink::add_event(const RecordEvent& event) {
  Json json{{"time [s]", seconds(event.time)}, {"event", event.text}};
  if (event.kind == RecordEvent::Kind::trigger)
    json["trigger"] = {{"before_s", event.before.seconds()}, {"after_s", event.after.seconds()}};
  write_note(line_of(json));
}

/// By itself, so that what is lost of a full disk is known to be this line or rows.
void JsonlSink::write_note(const std::string& line) {
  file_.flush();
  const std::uint64_t before = file_.lines_lost();
  file_.add(line);
  file_.add('\n');
  file_.flush();
  notes_lost_ += file_.lines_lost() - before;
}

void JsonlSink::finish() {
  write_row();
  file_.flush();
}

void JsonlSink::conclude(const RecordEnd& end) {
  for (const RecordEvent& event : end.events) add_event(event);
  write_note(line_of({{"end", properties_json(end.properties)}, {"summary", parse_json<Json>(end.summary.text)}}));
  try {
    file_.close();
  } catch (const std::runtime_error&) {
    return;  // it is kept
  }
}

}  // namespace takt
