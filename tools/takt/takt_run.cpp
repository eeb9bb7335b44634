// takt run PLANT: builds the plant where needed and runs it; options the executable knows are handed on to it.

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <stdexcept>

#include "codegen/text/quantity.hpp"
#include "runtime/io/record/record_formats.hpp"
#include "runtime/io/record/text_file.hpp"
#include "tools/picture/picture.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/plan_for_error.hpp"
#include "tools/takt/plant_arguments.hpp"
#include "tools/takt/plant_hosts.hpp"
#include "tools/takt/plant_options.hpp"
#include "tools/takt/verify_run.hpp"
#include "tools/takt/view_beside.hpp"

namespace takt::tools {
namespace {

struct RunArguments : PlantArguments {
  VerifyOptions verify;
  command_line::Option* wanted = nullptr;
  bool view = false;
};

void declare(command_line::App& app, RunArguments& arguments) {
  declare_plant(app, arguments);
  declare_rig(app, arguments);
  declare_build(app, arguments);
  declare_error(app, arguments);
  arguments.wanted = app.add_option("--verify", arguments.verify.duration,
                                    "after PLANT: run it beside takt reference and beside itself at half its steps "
                                    "over this TIME (default: its duration); fails where they differ")
                         ->expected(0, 1)
                         ->type_name("[TIME]");
  app.add_option("--limit", arguments.verify.limit,
                 "with --verify: of the RMS error over the range of each recorded signal")
      ->positive()
      ->capture_default_str()
      ->needs(arguments.wanted);
  app.add_option("--at-most", arguments.verify.reference_s,
                 "with --verify: wall time for the reference, s; it is compared as far as it came")
      ->positive()
      ->capture_default_str()
      ->needs(arguments.wanted);
  app.add_flag("--view", arguments.view, "a page in the browser beside the run: see takt view");
  app.allow_extras();
  app.example(
      "takt run config/plants/rc --pace free --for 10ms --out results\n"
      "takt run config/plants/ev --rig config/rigs/ev.toml --pace real --for 60s\n"
      "takt run config/plants/buck --verify 5ms     # is its plan right? the error of each signal");
  app.footer(
      "All other options are the executable's own: --pace real|free, --for TIME, --out DIR, --replay INPUTS, "
      "--scenario FILE.toml ...; `takt build PLANT`, then the executable with --help, lists them.");
}

/// Of options for the executable: what the last one of this name says; empty: there is none.
std::string value_in(const std::vector<std::string>& extras, const std::string& name) {
  std::string value;
  for (std::size_t k = 0; k < extras.size(); ++k)
    if (extras[k] == name && k + 1 < extras.size())
      value = extras[k + 1];
    else if (extras[k].starts_with(name + "="))
      value = extras[k].substr(name.size() + 1);
  return value;
}

/// What the plant was built from then goes into the file.
bool records_attachments(const std::vector<std::string>& extras) {
  const std::vector<const RecordFormat*> formats = formats_named(value_in(extras, "--record"));
  return std::any_of(formats.begin(), formats.end(), [](const RecordFormat* format) { return format->attaches; });
}

/// Simulated in a run that does not wait for the clock, s; 0: it does, or nothing but a signal ends it.
double free_span_s(const std::vector<std::string>& extras, const codegen::Network& network) {
  if (value_in(extras, "--pace") != "free") return 0.0;
  if (const auto given_ns = codegen::parse_duration_ns(value_in(extras, "--for")))
    return static_cast<double>(*given_ns) * 1e-9;
  return static_cast<double>(network.default_duration_ns.value_or(0)) * 1e-9;
}

/// The network of the plant, a file beside the sources. Empty where nothing would show it, and where it cannot be
/// written: a run is not refused for want of a picture.
std::string picture_for_report(const BuiltPlant& plant, const std::vector<std::string>& extras) {
  constexpr std::size_t most_elements = 5000;  // reports are sent to others
  const bool is_wanted = std::none_of(extras.begin(), extras.end(), [](const std::string& option) {
    return option == "--no-results" || option == "--network" || option.starts_with("--network=");
  });
  if (!is_wanted || plant.checked.network.elements.size() > most_elements) return {};
  const std::filesystem::path file = plant.directory / "network.html";
  try {
    write_whole(file, picture::picture_fragment(picture::picture_of(plant.checked)));
  } catch (const std::runtime_error&) {
    return {};
  }
  return file.string();
}

/// Replaces this process, so that signals and the exit code are the plant's own.
int execute(const BuiltPlant& plant, const std::vector<std::string>& extras) {
  std::vector<std::string> arguments{plant.executable.string()};
  for (const auto& [name, value] : plant.tunable) {
    arguments.emplace_back("--set");
    arguments.push_back(name + "=" + value);
  }
  arguments.insert(arguments.end(), extras.begin(), extras.end());
  if (records_attachments(extras)) {
    std::error_code ignored;
    const std::filesystem::path plant_file = plant.request.plant;
    arguments.insert(arguments.end(), {"--attach", std::filesystem::is_directory(plant_file, ignored)
                                                       ? (plant_file / "plant.toml").string()
                                                       : plant_file.string()});
    if (plant.request.rig) arguments.insert(arguments.end(), {"--attach", plant.request.rig->string()});
    if (plant.request.solve) arguments.insert(arguments.end(), {"--attach", plant.request.solve->string()});
  }
  if (const std::string picture = picture_for_report(plant, extras); !picture.empty())
    arguments.insert(arguments.end(), {"--network", picture});
  if (plant.checked.rig && !start_hosts(*plant.checked.rig, plant, extras)) return exit_failed;
  std::vector<char*> raw;
  for (std::string& argument : arguments) raw.push_back(argument.data());
  raw.push_back(nullptr);
  std::fflush(nullptr);
  execv(raw[0], raw.data());
  std::fprintf(stderr, "takt run: cannot start %s: %s\n", raw[0], std::strerror(errno));
  return exit_failed;
}

}  // namespace

int run_command(int argc, char** argv) {
  command_line::App app{"Build a plant where needed, then run it.", "takt run"};
  RunArguments arguments;
  declare(app, arguments);
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  refuse_unknown_options(app.remaining());
  heed_quiet(app.remaining());
  if (arguments.wanted->count() > 0) {
    arguments.verify.extras = app.remaining();
    arguments.verify.json = std::erase(arguments.verify.extras, "--json") > 0;
    return verify_run(arguments, arguments.verify);
  }
  const std::optional<BuiltPlant> built = build_planned(plant_build(arguments, true));
  if (!built) return exit_failed;
  if (const std::string why = too_long(*built, free_span_s(app.remaining(), built->checked.network)); !why.empty()) {
    std::fputs(why.c_str(), stderr);
    return exit_failed;
  }
  if (arguments.view) {
    const std::string address = start_view_beside();
    std::fprintf(stderr, "%s\n", address.empty() ? "takt run: takt view could not be started" : address.c_str());
  }
  return execute(*built, app.remaining());
}

}  // namespace takt::tools
