// What an element of a domain where mass flows says about enthalpy: streams through it and contents
// of its node; media.

#include <algorithm>

#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {
namespace {

class ConvectionReader {
 public:
  ConvectionReader(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics)
      : element_(element), table_(table), diagnostics_(diagnostics) {}

  void read() {
    const TomlEntry* stream = table_.find("stream");
    const TomlEntry* content = table_.find("content");
    for (const TomlEntry* entry : {stream, content}) {
      if (entry == nullptr || is_convective(domain_of(element_.section).value_or(Domain::electric)))
        continue;
      diagnostics_.error("L016", entry->where,
                         "'" + entry->key + "' belongs to elements of the sections fluid and gas");
      return;
    }
    if (stream != nullptr) read_streams(stream->value);
    if (content != nullptr) read_content(*content);
  }

 private:
  void read_streams(const TomlValue& streams) {
    if (!expect_kind(streams, TomlValue::Kind::table, "'stream'", diagnostics_)) return;
    if (streams.get("q") != nullptr || streams.get("at") != nullptr)
      return read_stream("", streams);
    for (const TomlEntry& entry : streams.entries) {
      if (!valid_name(entry, diagnostics_) ||
          !expect_kind(entry.value, TomlValue::Kind::table, "stream '" + entry.key + "'",
                       diagnostics_))
        continue;
      read_stream(entry.key, entry.value);
    }
  }

  void read_stream(const std::string& name, const TomlValue& table) {
    check_keys(table, {"at", "q", "t", "x"}, "L003", "a stream", diagnostics_);
    StreamDefinition stream;
    stream.name = name;
    stream.where = table.where;
    stream.flow = required_expression({name, table.where, table}, "q", diagnostics_);
    if (const TomlValue* t = table.get("t")) stream.temperature = read_expression(*t, diagnostics_);
    if (const TomlValue* x = table.get("x")) stream.fraction = read_expression(*x, diagnostics_);
    if (!read_ends(table, stream)) return;
    if (stream.to.empty() == stream.temperature.has_value() &&
        (stream.to.empty() || !stream.fraction)) {
      element_.streams.push_back(std::move(stream));
      return;
    }
    diagnostics_.error("L016", table.where,
                       "a stream from one terminal to the world outside needs 't', the temperature "
                       "of what comes in, "
                       "and may have 'x', its fraction; one between two has none");
  }

  [[nodiscard]] bool read_ends(const TomlValue& table, StreamDefinition& stream) {
    std::vector<std::string> ends;
    const TomlValue* at = table.get("at");
    if (at == nullptr) {
      for (const auto& terminal : element_.terminals) ends.push_back(terminal.name);
    } else {
      for (const auto& [text, place] : read_strings(*at, "'at'", diagnostics_))
        ends.push_back(text);
    }
    for (const std::string& end : ends) {
      const auto same = [&](const TerminalDefinition& node) {
        return node.name == end && is_convective(node.domain);
      };
      if ((element_.self_node && end == "self") ||
          std::any_of(element_.terminals.begin(), element_.terminals.end(), same))
        continue;
      diagnostics_.error("L007", at != nullptr ? at->where : table.where,
                         "'" + end + "' is no terminal that mass flows through");
      return false;
    }
    if (ends.empty() || ends.size() > 2) {
      diagnostics_.error("L007", table.where, "a stream has one end or two; 'at' names them");
      return false;
    }
    stream.from = ends.front();
    if (ends.size() == 2) stream.to = ends.back();
    return true;
  }

  void read_content(const TomlEntry& entry) {
    if (!expect_kind(entry.value, TomlValue::Kind::table, "'content'", diagnostics_)) return;
    check_keys(entry.value, {"t", "x", "mass", "start"}, "L003", "'content'", diagnostics_);
    ContentDefinition content;
    content.where = entry.where;
    if (const TomlValue* t = entry.value.get("t"))
      content.temperature = read_expression(*t, diagnostics_);
    if (const TomlValue* x = entry.value.get("x"))
      content.fraction = read_expression(*x, diagnostics_);
    if (const TomlValue* mass = entry.value.get("mass"))
      content.mass = read_expression(*mass, diagnostics_);
    if (const TomlValue* start = entry.value.get("start"))
      content.start = read_expression(*start, diagnostics_);
    if (element_.self_node && content.temperature.has_value() != content.mass.has_value() &&
        (content.temperature || !content.fraction)) {
      element_.content = std::move(content);
      return;
    }
    diagnostics_.error("L016", entry.where,
                       "'content' belongs to an element that is a node, and gives either its "
                       "temperature t (with its fraction x) or the mass that stores energy");
  }

  ElementDefinition& element_;
  const TomlValue& table_;
  Diagnostics& diagnostics_;
};

}  // namespace

void read_convection(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics) {
  ConvectionReader(element, table, diagnostics).read();
}

MediumDefinition read_medium(const TomlEntry& entry, Diagnostics& diagnostics) {
  MediumDefinition medium;
  medium.name = entry.key;
  medium.where = entry.where;
  if (!expect_kind(entry.value, TomlValue::Kind::table, "medium '" + entry.key + "'", diagnostics))
    return medium;
  check_keys(
      entry.value,
      {"doc", "source", "cp", "rho", "r", "mu", "lambda", "p_vap", "t_min", "t_max", "fraction"},
      "L003", "a medium", diagnostics);
  if (const auto* doc = entry.value.get("doc"))
    medium.doc = read_string(*doc, "'doc'", diagnostics);
  if (const auto* source = entry.value.get("source"))
    medium.source = read_string(*source, "'source'", diagnostics);
  if (const auto* fraction = entry.value.get("fraction"))
    medium.fraction = read_string(*fraction, "'fraction'", diagnostics);
  medium.cp = required_expression(entry, "cp", diagnostics);
  for (auto [key, place] : {std::pair{"rho", &medium.rho},
                            {"r", &medium.r},
                            {"mu", &medium.mu},
                            {"lambda", &medium.lambda},
                            {"p_vap", &medium.p_vap},
                            {"t_min", &medium.t_min},
                            {"t_max", &medium.t_max}})
    if (const TomlValue* value = entry.value.get(key))
      *place = read_expression(*value, diagnostics);
  if (medium.rho.has_value() == medium.r.has_value())
    diagnostics.error(
        "L016", entry.where,
        "medium '" + entry.key +
            "' needs either a density rho (a liquid) or a gas constant r (an ideal gas)");
  return medium;
}

}  // namespace takt::codegen
