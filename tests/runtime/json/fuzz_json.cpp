// libFuzzer entry of JSON from outside: what is taken nests no deeper than the limit says, as counted in what was
// parsed; what is refused is refused in words.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "runtime/json/parse_json.hpp"

namespace {

using Json = nlohmann::ordered_json;

std::size_t levels(const Json& value) {
  std::size_t deepest = 0;
  for (const Json& member : value) deepest = std::max(deepest, member.is_structured() ? levels(member) : 0);
  return deepest + 1;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  constexpr std::size_t most_members = 20;
  try {
    const auto value = takt::parse_json<Json>(text, most_members);
    if (value.is_structured() && levels(value) > takt::most_json_levels) std::abort();
    if (value.is_object() && value.size() > most_members) std::abort();
    (void)value.dump(-1, ' ', false, Json::error_handler_t::replace);
  } catch (const takt::JsonError& error) {
    if (std::string_view(error.what()).find("json.exception") != std::string_view::npos) std::abort();
  }
  (void)takt::json_or_none<Json>(text);
  return 0;
}
