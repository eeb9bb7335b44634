#include "tools/view/http.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace takt::view {
namespace {

using Json = nlohmann::ordered_json;

/// Of a page that loads nothing from elsewhere and stands in no frame of others.
constexpr const char* page_policy =
    "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; connect-src 'self'; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'none'";
/// A report has its script within it: it is kept apart from this page, as if it came from another site.
constexpr const char* report_policy =
    "sandbox allow-scripts allow-downloads; default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; "
    "frame-ancestors 'none'";

Answer with(unsigned status, std::string type, std::string body) {
  return {.status = status,
          .type = std::move(type),
          .body = std::move(body),
          .headers = {{"Cache-Control", "no-store"},
                      {"X-Content-Type-Options", "nosniff"},
                      {"X-Frame-Options", "DENY"},
                      {"Referrer-Policy", "no-referrer"},
                      {"Cross-Origin-Resource-Policy", "same-origin"},
                      {"Cross-Origin-Opener-Policy", "same-origin"}}};
}

Answer list_of(Runs& runs, Right right) {
  Json found = Json::array();
  for (const Run& run : runs.now())
    found.push_back({{"run", run.directory.string()},
                     {"name", run.directory.filename().string()},
                     {"open", run.is_open},
                     {"report", run.has_report}});
  const Json list{{"right", right == Right::steer ? "steer" : "look"}, {"runs", std::move(found)}};
  return with(200, "application/json", list.dump(-1, ' ', false, Json::error_handler_t::replace));
}

/// report.html, network.html
Answer page_of_run(Runs& runs, std::string_view query, const std::string& what) {
  const std::string wanted = query_value(query, "run");
  const std::optional<Run> run = wanted.empty() ? std::nullopt : runs.find(wanted);
  std::optional<std::string> text = run ? file_of_run(run->directory, (what + ".html").c_str()) : std::nullopt;
  if (!text) return refusal(404, "this run has no " + what + " yet");
  Answer answer = with(200, "text/html; charset=utf-8", std::move(*text));
  answer.headers.emplace_back("Content-Security-Policy", report_policy);
  return answer;
}

/// The token goes into a cookie, and out of the address: addresses are shown, kept and sent on.
Answer welcome(std::string_view token) {
  Answer answer = with(303, "text/plain; charset=utf-8", "");
  answer.headers.emplace_back("Location", "/");
  answer.headers.emplace_back("Set-Cookie", std::string(token_cookie) + "=" + std::string(token) +
                                                "; Path=/; HttpOnly; SameSite=Strict; Max-Age=31536000");
  return answer;
}

}  // namespace

Answer refusal(unsigned status, const std::string& why) {
  return with(status, "text/plain; charset=utf-8", "takt view: " + why + "\n");
}

Target split(std::string_view target) {
  const std::size_t mark = std::min(target.find('?'), target.size());
  return {target.substr(0, mark), target.substr(std::min(mark + 1, target.size()))};
}

Answer answer(const Door& door, Runs& runs, const Request& request) {
  const auto [path, query] = split(request.target);
  Caller caller = request.caller;
  caller.query = query;
  const Entry entry = entry_of(door, caller);
  if (entry.right == Right::none) return refusal(403, entry.why);
  if (request.method != "GET" && request.method != "HEAD") return refusal(405, "only GET is served here");
  if (path == "/api/runs") return list_of(runs, entry.right);
  if (path == "/report" || path == "/network") return page_of_run(runs, query, std::string(path.substr(1)));
  const std::string token = query_value(query, "token");
  if (path == "/" && !token.empty() && (token == door.steer_token || token == door.look_token)) return welcome(token);
  const std::string_view wanted = path == "/" ? "/index.html" : path;
  const auto files = page_files();
  const auto file = std::find_if(files.begin(), files.end(), [&](const PageFile& one) { return one.path == wanted; });
  if (file == files.end()) return refusal(404, "there is no such page");
  Answer found = with(200, std::string(file->type), std::string(file->text));
  found.headers.emplace_back("Content-Security-Policy", page_policy);
  return found;
}

}  // namespace takt::view
