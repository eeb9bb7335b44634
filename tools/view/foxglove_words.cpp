#include "tools/view/foxglove_words.hpp"

#include <charconv>
#include <cmath>
#include <cstring>

namespace takt::view::foxglove {
namespace {

constexpr char message_data = 1, time_data = 2, service_answer = 3;

/// Little-endian, as this machine's own are (page_talk.cpp asserts it).
template <class Number>
void add(std::string& bytes, Number number) {
  std::array<char, sizeof number> raw{};
  std::memcpy(raw.data(), &number, sizeof number);
  bytes.append(raw.data(), raw.size());
}

std::uint32_t taken(std::string_view& bytes) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data(), sizeof number);
  bytes.remove_prefix(sizeof number);
  return number;
}

std::string schema(const Json& properties) { return Json{{"type", "object"}, {"properties", properties}}.dump(); }

Json described(const char* name, const std::string& text) {
  return {{"encoding", "json"}, {"schemaName", name}, {"schemaEncoding", "jsonschema"}, {"schema", text}};
}

}  // namespace

std::string language_of(std::string_view spoken) {
  for (const std::string_view language : languages)
    if (spoken.find(language) != std::string_view::npos) return std::string(language);
  return {};
}

std::string topic_of(std::string_view path) {
  std::string topic = "/";
  for (const char c : path) topic += c == '.' ? '/' : c;
  return topic;
}

Json channel(std::uint32_t id, std::string_view path, std::string_view unit) {
  const std::string in = unit.empty() ? std::string() : " [" + std::string(unit) + "]";
  return {{"id", id},
          {"topic", topic_of(path)},
          {"encoding", "json"},
          {"schemaName", "takt.Number" + in},
          {"schema", schema({{"value", {{"type", "number"}, {"description", std::string(unit)}}}})},
          {"schemaEncoding", "jsonschema"},
          {"metadata", {{"path", std::string(path)}, {"unit", std::string(unit)}}}};
}

Json service_list() {
  Json list = Json::array();
  std::uint32_t id = 0;
  const std::string answer = schema({{"effective_s", {{"type", "number"}}}});
  for (const Service& service : services) {
    Json properties = Json::object();
    if (service.has_path) properties["path"] = {{"type", "string"}};
    if (service.has_value) properties["value"] = {{"type", "string"}};
    const std::string asked = schema(properties);
    list.push_back({{"id", ++id},
                    {"name", std::string("/takt/") + service.verb},
                    {"type", std::string("takt.") + service.verb},
                    {"request", described("takt.Action", asked)},
                    {"response", described("takt.Done", answer)},
                    {"requestSchema", asked},
                    {"responseSchema", answer}});
  }
  return list;
}

std::string message(std::uint32_t subscription, std::int64_t time_ns, double value) {
  std::string bytes(1, message_data);
  add(bytes, subscription);
  add(bytes, static_cast<std::uint64_t>(time_ns));
  std::array<char, 40> text{};
  bytes += "{\"value\":";
  if (std::isfinite(value))
    bytes.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), value).ptr);
  else
    bytes += "null";
  return bytes + "}";
}

std::string time_message(std::int64_t time_ns) {
  std::string bytes(1, time_data);
  add(bytes, static_cast<std::uint64_t>(time_ns));
  return bytes;
}

std::string service_response(std::uint32_t service, std::uint32_t call, const std::string& json) {
  std::string bytes(1, service_answer);
  add(bytes, service);
  add(bytes, call);
  add(bytes, std::uint32_t{4});
  return bytes + "json" + json;
}

std::optional<ClientBytes> client_bytes(std::string_view bytes) {
  constexpr std::size_t word = sizeof(std::uint32_t);
  ClientBytes found;
  if (bytes.size() < 1 + word) return std::nullopt;
  found.kind = static_cast<std::uint8_t>(bytes.front());
  bytes.remove_prefix(1);
  found.id = taken(bytes);
  if (found.kind == 2) {
    if (bytes.size() < 2 * word) return std::nullopt;
    found.call = taken(bytes);
    const std::uint32_t length = taken(bytes);
    if (bytes.size() < length) return std::nullopt;
    found.encoding = bytes.substr(0, length);
    bytes.remove_prefix(length);
  }
  found.payload = bytes;
  return found;
}

}  // namespace takt::view::foxglove
