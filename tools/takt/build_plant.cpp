#include "tools/takt/build_plant.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "codegen/emit/build/build.hpp"
#include "codegen/emit/build/build_failure.hpp"
#include "codegen/emit/build/toolchain.hpp"
#include "codegen/text/quantity.hpp"
#include "runtime/trust/ours.hpp"
#include "tools/takt/check_waiting.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/plant_fmus.hpp"
#include "tools/takt/plant_hosts.hpp"
#include "tools/takt/target_build.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using namespace takt::codegen;
using Overrides = std::vector<std::pair<std::string, std::string>>;

/// @return nullopt after errors; findings printed where `report`
std::optional<Checked> checked_plant(const PlantBuild& request, const Overrides& overrides, bool report) {
  const CheckOptions options{.library = {find_home().library},
                             .overrides = overrides,
                             .rig = request.rig,
                             .solve = request.solve,
                             .part = request.part};
  Diagnostics diagnostics;
  std::optional<Checked> checked = check_waiting(request.plant, options, diagnostics);
  if (report && (!request.quiet || diagnostics.has_errors()))
    std::fputs(diagnostics.render(isatty(STDERR_FILENO) == 1).c_str(), stderr);
  if (diagnostics.has_errors()) checked.reset();
  return checked;
}

/// The parameter of this name if it can change without a rebuild.
const Parameter* find_tunable(const Network& network, const std::string& name) {
  for (const Parameter& parameter : network.parameters) {
    if (!parameter.structural && network.graph().symbol(parameter.symbol).path == name) return &parameter;
  }
  return nullptr;
}

}  // namespace

/// One folder per plant file, parametrisation and rig, so that a second build compiles only what changed.
fs::path build_directory(const PlantBuild& request, const std::string& name) {
  if (!request.directory.empty()) return request.directory;
  std::string key = fs::weakly_canonical(request.plant).string();
  if (request.solve) key += "\n" + fs::weakly_canonical(*request.solve).string();
  if (request.rig) key += "\n" + fs::weakly_canonical(*request.rig).string();
  std::string folder = name + "-" + hash_text(key).substr(0, 8);
  if (request.target) folder += "-" + std::string(request.target->name);
  return fs::path(".takt") / folder;
}

std::string build_identity() {
  const Home home = find_home();
  return "takt " TAKT_VERSION " " + runtime_identity(home.cmake_package, home.prefix);
}

/// Expressions are printed recursively, and a sum over a circuit of tens of thousands of elements is as deep as it is
/// long.
static void allow_deep_recursion() {
  constexpr rlim_t wanted = rlim_t{100} << 20U;  // below the gap of 128 MB that Linux leaves under every main stack
  rlimit stack{};
  if (getrlimit(RLIMIT_STACK, &stack) != 0 || stack.rlim_cur == RLIM_INFINITY || stack.rlim_cur >= wanted) return;
  stack.rlim_cur = std::min(wanted, stack.rlim_max);
  (void)setrlimit(RLIMIT_STACK, &stack);
}

/// The hash names what the sources say, which is what they were generated from and how.
Sources plant_sources(const Checked& checked) {
  allow_deep_recursion();
  const WaitLine line("generating the sources of " + checked.network.name);
  Sources sources = emit_sources(checked.network, checked.dae, checked.plan,
                                 {.generator = TAKT_VERSION, .rig = checked.rig.has_value(), .lanes = true});
  if (checked.rig)
    for (SourceFile& file : emit_rig(*checked.rig)) sources.push_back(std::move(file));
  std::string all;
  for (const SourceFile& file : sources) all += file.text.bytes();
  set_input_hash(sources, hash_text(all));
  return sources;
}

std::vector<TableRow> plant_table(const Checked& checked) {
  allow_deep_recursion();
  return emit_plant(checked.network, checked.dae, checked.plan, {.generator = TAKT_VERSION}).table;
}

bool is_accepted(const PlantBuild& request) { return checked_plant(request, request.overrides, false).has_value(); }

BuildResult built_or_failed(const std::function<BuildResult()>& build) {
  try {
    return build();
  } catch (const std::system_error& error) {
    BuildResult result;
    const ProcessResult said{.exit_code = 1, .output = std::string("takt: ") + error.what()};
    result.failure = failure_text(explain_failure(BuildStep::write, said));
    return result;
  }
}

static std::string failure_message(const BuildResult& built, const BuildOptions& options) {
  if (!built.ours) return "takt: cannot build " + options.name + ": " + built.failure + "\n";
  return built.log + "\ntakt: internal error: the generated sources in " + options.directory.string() +
         " do not compile; please report this with the plant file\n";
}

std::optional<Checked> checked_for_build(const PlantBuild& request) {
  std::optional<Checked> checked = checked_plant(request, request.overrides, true);
  if (checked) allow_deep_recursion();
  return checked;
}

static BuildResult built_waiting(const Sources& sources, BuildOptions options) {
  WaitLine line("building " + options.name);
  options.progress = [&line, say = options.progress](const std::string& what) {
    if (say) say(what);
    line.now(what);
  };
  options.how_far = [&](const std::string& done) { line.now("compiling " + options.name + ", " + done); };
  return built_or_failed([&] { return build_sources(sources, options); });
}

std::optional<BuildResult> built_or_told(const Sources& sources, const BuildOptions& options) {
  BuildResult built = built_waiting(sources, options);
  if (built.ok) return built;
  std::fputs(failure_message(built, options).c_str(), stderr);
  return std::nullopt;
}

std::optional<BuiltPlant> build_plant(const PlantBuild& request) {
  std::optional<Checked> checked = checked_plant(request, request.overrides, true);
  if (!checked) return std::nullopt;
  PlantBuild own = request;
  std::vector<std::pair<std::string, std::string>> tunable;
  if (request.keep_tunable) {
    own.overrides.clear();
    for (const auto& [name, value] : request.overrides) {
      if (const Parameter* parameter = find_tunable(checked->network, name)) {
        tunable.emplace_back(name, number_text(parameter->value));  // SI: the executable knows no prefixes
      } else {
        own.overrides.emplace_back(name, value);
      }
    }
    if (!tunable.empty()) checked = checked_plant(own, own.overrides, false);
    if (!checked) return std::nullopt;
  }
  const KeptFromOthers kept;
  const std::string name = checked->network.name;
  BuildOptions options{.name = name,
                       .directory = build_directory(request, name),
                       .cmake_package = find_home().cmake_package,
                       .identity = build_identity(),
                       .march = request.march,
                       .publish = request.publish,
                       .progress = [](const std::string& line) { WaitLine::say("takt: " + line + "\n"); }};
  // Before anything is laid out beside it.
  if (const std::string why = why_not_built_in(options.directory); !why.empty()) {
    std::fprintf(stderr, "takt: cannot build %s: %s\n", name.c_str(), why.c_str());
    return std::nullopt;
  }
  TargetBuild target{request.target};
  if (!target.can_build(*checked) || !target.prepare(options)) return std::nullopt;
  if (!lay_out_fmus(checked->network, options.directory)) return std::nullopt;
  if (checked->rig && !lay_out_hosts(*checked->rig, options.directory)) return std::nullopt;
  const std::optional<BuildResult> built = built_or_told(plant_sources(*checked), options);
  if (!built) return std::nullopt;
  return BuiltPlant{.request = std::move(own),
                    .checked = std::move(*checked),
                    .directory = options.directory,
                    .executable = built->executable,
                    .built = built->built,
                    .kept = built->kept,
                    .tunable = std::move(tunable)};
}

}  // namespace takt::tools
