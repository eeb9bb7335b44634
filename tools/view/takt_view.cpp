// takt view: a page for browsers on the runs of this machine.

#include <fmt/format.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>

#include "runtime/command_line/command_line.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/tap_socket.hpp"
#include "tools/takt/view_command.hpp"
#include "tools/view/token_file.hpp"
#include "tools/view/view_server.hpp"

namespace takt::tools {
namespace {

struct Options {
  std::vector<std::string> runs;
  std::string listen = "127.0.0.1:8800", token_file;
  view::Door door;
  bool always_token = false, look_only = false;
  int beside = 0;
};

/// "127.0.0.1:8800", "[::1]:8800", "8800"
void place_of(const std::string& text, view::ServerSettings& settings) {
  const std::size_t colon = text.rfind(':');
  std::string address = colon == std::string::npos ? settings.address : text.substr(0, colon);
  if (address.starts_with('[') && address.ends_with(']')) address = address.substr(1, address.size() - 2);
  if (address == "localhost") address = "127.0.0.1";
  const std::string port = text.substr(colon == std::string::npos ? 0 : colon + 1);
  char* end = nullptr;
  const long number = std::strtol(port.c_str(), &end, 10);
  if (port.empty() || *end != '\0' || number < 0 || number > 65535)
    throw UsageError("--listen " + text + ": expected ADDRESS:PORT, as 127.0.0.1:8800");
  settings.address = address;
  settings.port = static_cast<std::uint16_t>(number);
}

bool is_loopback(const std::string& address) { return address.starts_with("127.") || address == "::1"; }

std::string user_name() {
  const char* user = std::getenv("USER");
  return (user != nullptr && user[0] != '\0' ? std::string(user).substr(0, 40) : std::string("somebody")) +
         " (takt view)";
}

/// What a browser is to be given.
void print_addresses(const view::ServerSettings& settings, std::uint16_t port) {
  const bool everywhere = settings.address == "0.0.0.0" || settings.address == "::";
  const std::string host = everywhere ? "THIS_MACHINE" : settings.address;
  const std::string place =
      fmt::format("http://{}:{}/", host.find(':') == std::string::npos ? host : "[" + host + "]", port);
  if (settings.door.steer_token.empty()) {
    fmt::print("{} (for processes of this user on this machine)\n", place);
  } else {
    fmt::print("{}?token={}    looks and steers\n", place, settings.door.steer_token);
    fmt::print("{}?token={}    looks only\n", place, settings.door.look_token);
  }
  std::fflush(stdout);
}

view::ServerSettings settings_of(const Options& options) {
  view::ServerSettings settings;
  settings.door = options.door;
  settings.name = user_name();
  settings.beside = options.beside;
  place_of(options.listen, settings);
  for (const std::string& run : options.runs) settings.runs.push_back(run_directory(run));
  const bool needs_token = !is_loopback(settings.address) || options.always_token;
  if (needs_token || !options.token_file.empty()) {
    const view::Tokens tokens = options.token_file.empty() ? view::new_tokens() : view::tokens_of(options.token_file);
    settings.door.steer_token = tokens.steer, settings.door.look_token = tokens.look;
  }
  settings.door.own_user = options.always_token ? view::Right::none
                           : options.look_only  ? view::Right::look
                                                : view::Right::steer;
  if (options.look_only) settings.door.steer_token.clear();
  return settings;
}

void declare(command_line::App& app, Options& options) {
  app.add_option("run", options.runs,
                 "directories of runs, or their names under ./runs; those that are under way here are found without");
  app.add_option("--listen", options.listen,
                 "ADDRESS:PORT (default: 127.0.0.1:8800; port 0: a free one). Any address but 127.0.0.1 needs a token, "
                 "which is printed");
  app.add_option("--host", options.door.hosts, "a name by which browsers ask for this machine");
  app.add_option("--origin", options.door.origins,
                 "a page of somebody else that may come in, as https://app.foxglove.dev");
  app.add_option("--token-file", options.token_file,
                 "two lines: the token for steering, that for looking. Made where it is not there");
  app.add_flag("--always-token", options.always_token, "processes of this user need a token, too");
  app.add_flag("--look-only", options.look_only, "nobody steers");
  app.add_option("--beside", options.beside, "end a minute after this process")->group("");
  app.example(
      "takt view\n"
      "takt view runs/ev-1\n"
      "takt view --listen 0.0.0.0:8800 --token-file ~/takt_tokens\n"
      "takt run config/plants/ev --pace real --view");
  app.footer(
      "From another machine: ssh -L 8800:127.0.0.1:8800 MACHINE, then open http://127.0.0.1:8800/ there. Who sees the "
      "page can do "
      "what `takt tap` can; all of it stands in actions.csv of the run.");
}

}  // namespace

int view_command(int argc, char** argv) {
  command_line::App app{"A page in the browser on the runs of this machine: shows, plots and steers them.",
                        "takt view"};
  Options options;
  declare(app, options);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  const view::ServerSettings settings = settings_of(options);
  (void)::setpriority(PRIO_PROCESS, 0, 5);
  const view::Counts counts = view::serve(settings, [&](std::uint16_t port) { print_addresses(settings, port); });
  if (counts.gave_way + counts.refused + counts.too_slow > 0)
    fmt::print(stderr, "takt view: {} clients refused, {} closed that read nothing, {} that asked nothing\n",
               counts.refused, counts.too_slow, counts.gave_way);
  return exit_ok;
}

}  // namespace takt::tools
