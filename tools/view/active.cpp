#include "tools/view/active.hpp"

#include <algorithm>

namespace takt::view {

/// release ends set and override; clear ends a distortion, or of an element the fault it names.
void Active::end(const std::string& verb, const std::string& path, const std::string& value) {
  std::erase_if(entries_, [&](const Entry& entry) {
    if (entry.path != path) return false;
    if (verb == "release") return entry.verb == "set" || entry.verb == "override";
    return entry.verb == "inject" && (!entry.of_element || entry.value == value);
  });
}

bool Active::note(const Json& event) {
  if (!any_ && event.contains("number")) {
    any_ = true;
    is_whole_ = event["number"] == 1;
  }
  const auto found = event.find("action");
  if (found == event.end() || !found->is_object()) return false;
  const Json& action = *found;
  const std::string verb = action.value("verb", ""), path = action.value("path", ""), value = action.value("value", "");
  if (verb == "release" || verb == "clear") {
    end(verb, path, value);
    return true;
  }
  if (verb != "set" && verb != "override" && verb != "inject" && verb != "tune") return false;
  const bool of_element = action.value("element", false);
  std::erase_if(entries_, [&](const Entry& entry) {
    return entry.verb == verb && entry.path == path && (!of_element || entry.value == value);
  });
  entries_.push_back({.verb = verb,
                      .path = path,
                      .value = value,
                      .author = action.value("author", ""),
                      .time_ns = event.value("time_ns", std::int64_t{0}),
                      .of_element = of_element});
  return true;
}

Active::Json Active::list() const {
  Json found = Json::array();
  for (const Entry& entry : entries_)
    found.push_back({{"verb", entry.verb},
                     {"path", entry.path},
                     {"value", entry.value},
                     {"author", entry.author},
                     {"element", entry.of_element},
                     {"time_ns", entry.time_ns}});
  return found;
}

std::vector<Active::Json> Active::release_all() const {
  std::vector<Json> requests;
  for (const bool of_elements : {false, true}) {
    Json actions = Json::array();
    const auto close = [&] {
      if (!actions.empty()) requests.push_back({{"actions", std::move(actions)}});
      actions = Json::array();
    };
    for (const Entry& entry : entries_) {
      if (entry.of_element != of_elements || entry.verb == "tune") continue;
      if (entry.verb == "inject" && entry.of_element)
        actions.push_back({{"verb", "clear"}, {"path", entry.path}, {"value", entry.value}});
      else
        actions.push_back({{"verb", entry.verb == "inject" ? "clear" : "release"}, {"path", entry.path}});
      if (actions.size() == most_in_request) close();
    }
    close();
  }
  return requests;
}

}  // namespace takt::view
