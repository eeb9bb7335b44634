#include "codegen/ssp/ssp_pins.hpp"

#include <fmt/format.h>

#include <vector>

#include "codegen/fmu/archive_rules.hpp"
#include "codegen/text/nearest.hpp"

namespace takt::codegen {
namespace {

enum class Role : std::uint8_t { none, source, sink };

class SystemConnector {
 public:
  SystemConnector(const SspElement& system, const SspKinds& kinds, Diagnostics& diagnostics)
      : system_(system), kinds_(kinds), diagnostics_(diagnostics) {}

  std::map<SspPin, SspFeed> connect() {
    for (const SspConnection& each : system_.connections) {
      const SspPin start = pin(each.start_element, each.start_connector, each),
                   end = pin(each.end_element, each.end_connector, each);
      if (start.element == nullptr || end.element == nullptr) continue;
      join(start, end, each);
    }
    return std::move(feeds_);
  }

 private:
  SspPin pin(const std::string& element, const std::string& connector,
             const SspConnection& connection) {
    const SspElement* found = element.empty() ? &system_ : nullptr;
    std::vector<std::string> names;
    for (const SspElement& each : system_.elements) {
      names.push_back(each.name);
      if (!element.empty() && each.name == element) found = &each;
    }
    if (found == nullptr) {
      error("Y205", connection,
            fmt::format("there is no '{}' in '{}'", printable(element), printable(system_.name)),
            hint_of(element, names, "an element of a connection stands in the same system"));
      return {};
    }
    const SspPin made{found, connector};
    if (!kinds_(made).empty()) return made;
    names.clear();
    for (const SspConnector& each : found->connectors) names.push_back(each.name);
    error("Y205", connection,
          fmt::format("'{}' has no connector '{}'", printable(found->name), printable(connector)),
          hint_of(connector, names, "list it under its Connectors"));
    return {};
  }

  static std::string hint_of(const std::string& name, const std::vector<std::string>& names,
                             const char* otherwise) {
    const std::string near = did_you_mean(name.substr(0, 60), names);
    return near.empty() ? otherwise : near;
  }

  /// Within the system, its own inputs give, its outputs take; with its elements it is the other
  /// way round.
  [[nodiscard]] Role role(const SspPin& pin) const {
    const std::string kind = kinds_(pin);
    const bool own = pin.element == &system_;
    if (kind == "input" || kind == "parameter" || kind == "structuralParameter")
      return own ? Role::source : Role::sink;
    if (kind == "output" || kind == "calculatedParameter") return own ? Role::sink : Role::source;
    return Role::none;
  }

  void join(SspPin start, SspPin end, const SspConnection& connection) {
    const Role from = role(start), to = role(end);
    if (from == Role::none || to == Role::none || from == to)
      return error(
          "Y206", connection,
          fmt::format("'{}' ({}) and '{}' ({}) cannot be connected", printable(start.connector),
                      kinds_(start), printable(end.connector), kinds_(end)),
          "a connection leads from an output to an input, or from a connector of the system to one "
          "of its kind");
    if (from == Role::sink) {  // start and end do not say which way it flows
      if (connection.transformation)
        return error("Y207", connection,
                     "a transformation from the start to the end, where the end is what gives",
                     "exchange start and end");
      std::swap(start, end);
    }
    if (is_array(start) || is_array(end))
      return error("Y206", connection, fmt::format("'{}' is an array", printable(end.connector)),
                   "connect its elements by connectors of their own");
    const auto [other, is_new] = feeds_.try_emplace(end, SspFeed{start, &connection});
    if (!is_new)
      error(
          "Y206", connection,
          fmt::format("'{}' of '{}' is connected twice, first in line {}", printable(end.connector),
                      printable(end.element->name), other->second.connection->where.line),
          "an input takes one output");
  }

  static bool is_array(const SspPin& pin) {
    const SspConnector* found = pin.element->connector(pin.connector);
    return found != nullptr && found->is_array;
  }

  void error(std::string_view code, const SspConnection& connection, const std::string& message,
             const std::string& hint) {
    diagnostics_.error(code, connection.where, message, hint);
  }

  const SspElement& system_;
  const SspKinds& kinds_;
  Diagnostics& diagnostics_;
  std::map<SspPin, SspFeed> feeds_;
};

void connect_all(const SspElement& system, const SspKinds& kinds,
                 std::pair<SspFeeds*, Diagnostics*> to) {
  (*to.first)[&system] = SystemConnector(system, kinds, *to.second).connect();
  for (const SspElement& each : system.elements)
    if (each.is_system) connect_all(each, kinds, to);
}

}  // namespace

SspFeeds connect(const SspElement& root, const SspKinds& kinds, Diagnostics& diagnostics) {
  SspFeeds feeds;
  connect_all(root, kinds, {&feeds, &diagnostics});
  return feeds;
}

}  // namespace takt::codegen
