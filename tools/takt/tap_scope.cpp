#include "tools/takt/tap_scope.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <optional>

#include "codegen/text/quantity.hpp"
#include "runtime/csv/csv.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/stats/format.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/tap_client.hpp"

namespace takt::tools {
namespace {

using Json = TapClient::Json;

std::int64_t duration_ns(const char* option, const std::string& text) {
  const auto ns = codegen::parse_duration_ns(text);
  if (!ns) throw UsageError(std::string(option) + ": " + ns.error());
  return *ns;
}

Json request_of(const ScopeOptions& options) {
  Json request{{"verb", "scope"},
               {"paths", options.paths},
               {"pre_ns", duration_ns("--pre", options.pre)},
               {"post_ns", duration_ns("--post", options.post)}};
  if (!options.every.empty()) request["every_ns"] = duration_ns("--every", options.every);
  if (!options.trigger.empty()) request["trigger"] = options.trigger;
  return request;
}

std::string heading(const Json& begun, std::size_t columns) {
  const bool pairs = columns > 1 + begun["paths"].size();
  std::string line = "time [s]";
  for (std::size_t k = 0; k < begun["paths"].size(); ++k) {
    const std::string path = begun["paths"][k].get<std::string>(), unit = begun["units"][k].get<std::string>();
    for (const char* of : pairs ? std::vector{" (min)", " (max)"} : std::vector{""})
      line += "," + csv_head(path + of, unit);
  }
  return line + "\n";
}

std::string rows_of(const Json& piece, std::size_t columns) {
  const auto& bytes = piece["data"].get_binary();
  std::vector<double> values(bytes.size() / sizeof(double));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(double));
  std::string text;
  for (std::size_t k = 0; k < values.size(); ++k) {
    text += k % columns == 0 ? fmt::format("{:.9f}", values[k]) : fmt::format(",{}", values[k]);
    if (k % columns == columns - 1) text += "\n";
  }
  return text;
}

/// What is to be known of rows beside them.
void tell(const Json& head) {
  if (const auto lost = head["lost"].get<std::uint64_t>(); lost > 0)
    fmt::print(stderr, "takt tap: {} macro-steps are missing: they came faster than they were computed again\n", lost);
  constexpr double rounding = 1e-6;
  if (const auto deviation = head["deviation"].get<double>(); deviation > rounding)
    fmt::print(stderr, "takt tap: computed again, states are off by up to {:.1e} of the largest that they were\n",
               deviation);
  if (!head["complete"].get<bool>()) fmt::print(stderr, "takt tap: the run has ended before the scope was complete\n");
}

}  // namespace

int tap_scope(const std::string& run, const ScopeOptions& options, const volatile sig_atomic_t& stop) {
  const Json request = request_of(options);
  TapClient client(run);
  const Json begun = client.ask(request);
  std::optional<Json> head;
  std::string text;
  for (std::size_t left = 1; left > 0 && stop == 0;) {
    const std::optional<Json> line = client.next(200);
    if (!line && client.has_ended()) break;
    if (!line || line->value("scope", Json()) != begun["scope"]) continue;
    if (!head) {
      head = line;
      left = (*head)["rows"].get<std::size_t>();
      text = heading(begun, (*head)["columns"].get<std::size_t>());
    } else {
      left -= (*line)["rows"].get<std::size_t>();
      text += rows_of(*line, (*head)["columns"].get<std::size_t>());
    }
  }
  if (!head) return exit_failed;
  tell(*head);
  if (options.out.empty())
    fmt::print("{}", text);
  else
    write_whole(options.out, text);
  return (*head)["complete"].get<bool>() ? exit_ok : exit_failed;
}

}  // namespace takt::tools
