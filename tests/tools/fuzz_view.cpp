// libFuzzer entry of takt view. The first byte says what follows: a request of HTTP, or messages of a client in one of
// the two languages, line by line, each to somebody who may look and to somebody who may steer. What is said is JSON;
// who may look asks nothing of the tap that does something.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>

#include "tests/tools/view_bench.hpp"
#include "tools/view/http.hpp"

namespace {

using namespace takt;

std::string_view line_of(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return line;
}

void request(std::string_view text) {
  static view::Runs runs({});
  const view::Door door{.hosts = {"rig"},
                        .steer_token = std::string(32, 's'),
                        .look_token = std::string(32, 'l'),
                        .own_user = view::Right::none};
  const std::string_view method = line_of(text), target = line_of(text);
  const view::Caller caller{.host = line_of(text), .origin = line_of(text), .cookies = line_of(text), .query = {}};
  const view::Answer answer = view::answer(door, runs, {method, target, caller});
  const bool has_token =
      view::query_value(view::split(target).query, "token").size() == 32 || caller.cookies.size() >= 32;
  if (answer.status != 403 && !has_token) std::abort();
  for (const auto& [name, value] : answer.headers)
    if (value.find_first_of("\r\n") != std::string::npos) std::abort();
}

bool only_looks(const nlohmann::ordered_json& asked) {
  constexpr std::array verbs{"hello",  "list",   "records", "read",  "watch",  "unwatch",
                             "events", "status", "faults",  "scope", "unscope"};
  return !asked.contains("actions") && asked.contains("verb") &&
         std::find(verbs.begin(), verbs.end(), asked["verb"]) != verbs.end();
}

void talk(test::ViewBench::Speak speak, view::Right right, std::string_view text) {
  test::ViewBench::desk().renew();
  test::ViewBench bench(speak, right);
  for (int lines = 0; !text.empty() && lines < 12; ++lines) {
    const std::string_view line = line_of(text);
    if (line.starts_with('\x01') || line.starts_with('\x02'))
      bench.talk->take_binary(line);
    else
      bench.talk->take(line);
    bench.settle();
  }
  for (const std::string& said : bench.texts)
    if (!nlohmann::json::accept(said)) std::abort();
  if (right == view::Right::look && !std::all_of(bench.asked.begin(), bench.asked.end(), only_looks)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view text(reinterpret_cast<const char*>(data) + 1, size - 1);
  switch (data[0]) {
    case 'h':
      request(text);
      break;
    case 'p':
      for (const auto right : {view::Right::look, view::Right::steer}) talk(view::page_talk, right, text);
      break;
    case 'f':
      for (const auto right : {view::Right::look, view::Right::steer}) talk(view::foxglove_talk, right, text);
      break;
    default:
      break;
  }
  return 0;
}
