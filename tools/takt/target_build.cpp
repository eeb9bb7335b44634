#include "tools/takt/target_build.hpp"

#include <algorithm>
#include <cstdio>

#include "codegen/emit/build/build_failure.hpp"
#include "codegen/emit/build/target_runtime.hpp"
#include "codegen/emit/build/toolchain.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/build_plant.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {

using namespace takt::codegen;

bool TargetBuild::is_foreign() const { return target_ && target_->machine != this_machine(); }

bool TargetBuild::can_build(const Checked& checked) const {
  if (!is_foreign()) return true;
  const std::string machine(target_->machine);
  std::string why;
  if (!checked.network.foreign.empty())
    why =
        "it contains FMUs, and the process that computes them is there for this machine only; build the plant on "
        "the board";
  if (checked.rig && !checked.rig->hosts.empty())
    why =
        "its rig names several hosts, and the process between them is there for this machine only; build the plant "
        "on the board";
  for (const PlanSubsystem& subsystem : checked.plan.subsystems)
    if (subsystem.method->is_offline())
      why = "'" + subsystem.name + "' is solved by '" + std::string(subsystem.method->name) +
            "', which needs SUNDIALS; Takt links that for this machine only. Choose another method: `takt explain "
            "methods`";
  if (why.empty()) return true;
  std::fprintf(stderr, "takt: cannot build %s for %s: %s\n", checked.network.name.c_str(), machine.c_str(),
               why.c_str());
  return false;
}

static BuildResult runtime_waiting(const std::string& machine, const std::filesystem::path& cache) {
  WaitLine line("building the runtime for " + machine);
  const auto progress = [&](const std::string& what) {
    WaitLine::say("takt: for " + machine + ": " + what + "\n");
    line.now("for " + machine + ": " + what);
  };
  return built_or_failed([&] {
    return target_runtime({.machine = machine, .sources = find_home().runtime, .cache = cache, .progress = progress});
  });
}

bool TargetBuild::prepare(BuildOptions& options) {
  if (!target_) return true;
  if (options.march.empty()) options.march = target_->march;
  if (!is_foreign()) return true;
  const std::string machine(target_->machine);
  const std::filesystem::path cache = runtime_cache();
  const BuildResult runtime = runtime_waiting(machine, cache);
  if (!runtime.ok) {
    std::fprintf(stderr,
                 "takt: cannot build the runtime for %s in %s: %s\n  (another place for it: environment variable "
                 "XDG_CACHE_HOME)\n",
                 machine.c_str(), cache.c_str(), (runtime.ours ? runtime.log : runtime.failure).c_str());
    return false;
  }
  options.machine = machine;
  options.cmake_package = runtime.executable / "lib/cmake/takt";
  options.identity += " " + runtime.executable.parent_path().filename().string();
  runtime_ = runtime.kept;
  return true;
}

void declare_target(command_line::App& app, std::string& name) {
  std::vector<std::string> names;
  for (const Target& target : all_targets()) names.emplace_back(target.name);
  app.add_option("--target", name,
                 "compile for this platform, where it is another by Debian's cross compiler (default: this machine)")
      ->one_of(names);
}

std::optional<Target> checked_target(const std::string& name, const std::string& march) {
  if (name.empty()) return std::nullopt;
  const std::optional<Target> target = find_target(name);
  if (const std::string wrong = wrong_march(*target, march); !wrong.empty()) throw UsageError(wrong);
  return target;
}

}  // namespace takt::tools
