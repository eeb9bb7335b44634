// Builds the sample plant with CMake against the runtime of this build tree and runs the executable.

#include "codegen/emit/build.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "codegen/emit/process.hpp"
#include "tests/codegen/emit/sample_plant.hpp"

using namespace takt::codegen;
namespace fs = std::filesystem;

namespace {

Sources sources_of(const sample::Plant& plant) {
  Diagnostics diagnostics;
  const Plan plan = make_plan(plant.network, plant.dae, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  return emit_sources(plant.network, plant.dae, plan, {.generator = "test", .input_hash = "0", .rig = false});
}

BuildOptions options_for(const std::string& folder) {
  BuildOptions options;
  options.name = "sample";
  options.directory = fs::path(TAKT_TEST_WORK) / folder;
  options.cmake_package = TAKT_TEST_PACKAGE;
  fs::remove_all(options.directory);
  return options;
}

}  // namespace

TEST_CASE("an emitted plant is built once, runs, and is built again only when something changed") {
  const BuildOptions options = options_for("built");
  sample::Plant plant = sample::make_plant();
  const BuildResult first = build_sources(sources_of(plant), options);
  INFO(first.log);
  REQUIRE(first.ok);
  CHECK(first.built);

  const fs::path results = options.directory / "results";
  const ProcessResult run =
      run_process({first.executable, "--pace", "free", "--for", "20 ms", "--out", results, "--quiet"});
  INFO(run.output);
  CHECK(run.exit_code == 0);
  CHECK(fs::exists(results / "summary.json"));

  std::ofstream(options.directory / "notes.txt") << "not ours";
  std::ofstream(options.directory / "sources.txt", std::ios::app) << "stale.cpp\n";
  std::ofstream(options.directory / "stale.cpp") << "int stale;\n";
  const BuildResult again = build_sources(sources_of(plant), options);
  CHECK(again.ok);
  CHECK_FALSE(again.built);
  CHECK(fs::exists(options.directory / "notes.txt"));
  CHECK_FALSE(fs::exists(options.directory / "stale.cpp"));

  plant.network.parameters[0].value *= 2;
  const BuildResult changed = build_sources(sources_of(plant), options);
  CHECK(changed.ok);
  CHECK(changed.built);
}

TEST_CASE("what the compiler says is handed on") {
  const BuildOptions options = options_for("broken");
  Sources sources = sources_of(sample::make_plant());
  sources.push_back({"broken.cpp", "int broken = this_is_not_declared;\n"});
  const BuildResult result = build_sources(sources, options);
  CHECK_FALSE(result.ok);
  CHECK(result.log.find("this_is_not_declared") != std::string::npos);
}

TEST_CASE("a program's exit code and output come back") {
  CHECK(run_process({"sh", "-c", "echo out; echo err >&2; exit 3"}).exit_code == 3);
  CHECK(run_process({"sh", "-c", "echo out; echo err >&2"}).output == "out\nerr\n");
  CHECK(run_process({"sh", "-c", "kill -9 $$"}).exit_code == 128 + 9);
  CHECK(run_process({"no-such-program-of-takt"}).exit_code == 127);
  CHECK(find_program("sh").filename() == "sh");
  CHECK(find_program("no-such-program-of-takt").empty());
}
