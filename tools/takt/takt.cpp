// The takt command: finds the command named by the first argument and hands over.

#include <malloc.h>
#include <pthread.h>
#include <sys/prctl.h>

#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/command_line/failure_text.hpp"
#include "runtime/command_line/wrapped.hpp"
#include "runtime/io/record/standard_streams.hpp"
#include "runtime/units/nearest.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command_table.hpp"

namespace {

using namespace takt::tools;

void print_usage(std::FILE* to) {
  constexpr const char* head =
      "takt " TAKT_VERSION " - turns a model of a multi-physical network into a plant that runs in real time";
  const std::size_t width = takt::command_line::help_width();
  std::fprintf(to, "%s\n\nusage: takt COMMAND [ARGUMENTS]\n\ncommands:\n",
               takt::command_line::wrapped(head, 0, width).c_str());
  constexpr std::size_t column = 13;
  for (const CommandEntry& entry : all_commands()) {
    std::string row = takt::command_line::wrapped(entry.summary, column, width);
    row.replace(2, entry.name.size(), entry.name);
    std::fprintf(to, "%s\n", row.c_str());
  }
  std::fputs(
      "\n`takt COMMAND --help` tells more, with an example.\n"
      "exit code: 0 ok, 1 the model or the run failed, 2 usage\n",
      to);
}

int dispatch(const CommandEntry& entry, int argc, char** argv) {
  std::string name = "takt " + std::string(entry.name);
  std::vector<char*> arguments(argv + 1, argv + argc);
  arguments.front() = name.data();
  arguments.push_back(nullptr);
  try {
    return entry.run(argc - 1, arguments.data());
  } catch (const UsageError& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), takt::command_line::failure_text(error).c_str());
    return exit_usage;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), takt::command_line::failure_text(error).c_str());
    return exit_failed;
  }
}

int run(int argc, char** argv) {
  const std::string_view wanted = argc > 1 ? argv[1] : "";
  if (wanted == "--help" || wanted == "-h" || wanted == "help") return print_usage(stdout), exit_ok;
  if (wanted == "--version") return std::puts("takt " TAKT_VERSION), exit_ok;
  for (const CommandEntry& entry : all_commands())
    if (entry.name == wanted) return dispatch(entry, argc, argv);
  if (!wanted.empty()) {
    std::vector<std::string> names{"--help", "--version"};
    for (const CommandEntry& entry : all_commands()) names.emplace_back(entry.name);
    const std::string nearest = takt::did_you_mean(wanted, names);
    std::fprintf(stderr, "takt: unknown %s '%s'%s%s\n\n", wanted.starts_with("-") ? "option" : "command", argv[1],
                 nearest.empty() ? "" : "; ", nearest.c_str());
  }
  print_usage(stderr);
  return exit_usage;
}

/// Expressions nest as deeply as a plant chains its parameters, and functions over them call themselves: on a stack of
/// 1 GB, of which the kernel gives what is used. A plant that is run is another process.
int run_on_large_stack(int argc, char** argv) {
  struct Call {
    int argc = 0;
    char** argv = nullptr;
    int code = exit_failed;
    int death_signal = 0;
  } call{argc, argv};
  (void)prctl(PR_GET_PDEATHSIG, &call.death_signal);
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, std::size_t{1} << 30);
  pthread_t thread{};
  const auto body = [](void* given) -> void* {
    auto& own = *static_cast<Call*>(given);
    // A new thread has none, and a plant that takes the place of this process would outlive who must not be outlived.
    (void)prctl(PR_SET_PDEATHSIG, own.death_signal);
    own.code = run(own.argc, own.argv);
    return nullptr;
  };
  const bool begun = pthread_create(&thread, &large, body, &call) == 0;
  pthread_attr_destroy(&large);
  if (!begun) return run(argc, argv);
  pthread_join(thread, nullptr);
  return call.code;
}

}  // namespace

/// What could not be printed was not done.
int main(int argc, char** argv) {
  takt::open_standard_streams();
  // Bins of small pieces are swept at every large allocation: a sixth of the time of large plants.
  mallopt(M_MXFAST, 0);
  const int code = run_on_large_stack(argc, argv);
  const std::string problem = takt::finish_standard_output();
  if (problem.empty() || code != exit_ok) return code;
  std::fprintf(stderr, "takt: cannot write to standard output: %s\n", problem.c_str());
  return exit_failed;
}
