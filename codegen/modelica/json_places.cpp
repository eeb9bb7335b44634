#include "codegen/modelica/json_places.hpp"

#include <algorithm>

namespace takt::codegen::modelica {

JsonPlaces::JsonPlaces(const Json& json, FileName file) : file_(file) {
  const auto beside = json.find("takt");
  if (beside == json.end() || !beside->contains("sources")) return;
  for (const Json& each : beside->at("sources"))
    sources_[each.at(0).get<std::uint64_t>()] = {FileName(each.at(1).get<std::string>()),
                                                 each.at(2).get<std::vector<std::size_t>>()};
}

Location JsonPlaces::of(const Json& part) const {
  for (const char* key : {"span", "source_span"}) {
    const auto span = part.find(key);
    if (span == part.end() || !span->is_object() || !span->contains("source")) continue;
    const auto found = sources_.find(span->at("source").get<std::uint64_t>());
    if (found == sources_.end()) continue;
    const auto at = span->at("start").get<std::size_t>();
    const std::vector<std::size_t>& ends = found->second.line_ends;
    const auto line = std::upper_bound(ends.begin(), ends.end(), at);
    const std::size_t begins = line == ends.begin() ? 0 : *std::prev(line);
    return {found->second.file, static_cast<std::uint32_t>(line - ends.begin()) + 1,
            static_cast<std::uint32_t>(at - begins) + 1};
  }
  return {file_};
}

}  // namespace takt::codegen::modelica
