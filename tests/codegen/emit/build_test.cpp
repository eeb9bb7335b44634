// Builds the sample plant with CMake against the runtime of this build tree and runs the executable.

#include "codegen/emit/build/build.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "codegen/emit/build/build_failure.hpp"
#include "codegen/emit/build/executable_store.hpp"
#include "codegen/emit/build/process.hpp"
#include "codegen/emit/build/target.hpp"
#include "codegen/emit/build/toolchain.hpp"
#include "codegen/partition/make_plan.hpp"
#include "tests/codegen/emit/sample_plant.hpp"
#include "tests/runtime/support/places.hpp"

using namespace takt::codegen;
namespace fs = std::filesystem;

namespace {

fs::path work() { return takt::test::build_folder() / "tests/codegen/emit/build_test"; }

Sources sources_of(const sample::Plant& plant) {
  Diagnostics diagnostics;
  const Plan plan = make_plan(plant.network, plant.dae, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  return emit_sources(plant.network, plant.dae, plan, {.generator = "test", .rig = false});
}

BuildOptions options_for(const std::string& folder) {
  BuildOptions options;
  options.name = "sample";
  options.directory = work() / folder;
  options.cmake_package = (takt::test::build_folder() / TAKT_PACKAGE_DIR).string();
  // Without it ccache may take the headers of another tree.
  options.identity = runtime_identity(options.cmake_package, takt::test::build_folder());
  fs::remove_all(options.directory);
  return options;
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
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
  CHECK(again.executable == first.executable);

  plant.network.parameters[0].value *= 2;
  const BuildResult changed = build_sources(sources_of(plant), options);
  CHECK(changed.ok);
  CHECK(changed.built);
  CHECK(changed.executable != first.executable);
  CHECK(fs::exists(first.executable));
  CHECK(fs::exists(options.directory / "notes.txt"));
  CHECK_FALSE(fs::exists(options.directory / "stale.cpp"));
}

TEST_CASE("a folder that is named gets sources and bin/NAME of the last build, and an old one is not compiled again") {
  BuildOptions options = options_for("published");
  options.publish = true;
  sample::Plant plant = sample::make_plant();
  const BuildResult first = build_sources(sources_of(plant), options);
  INFO(first.log);
  REQUIRE(first.ok);
  CHECK(first.executable == options.directory / "bin" / "sample");
  const std::string before = content(first.executable);
  plant.network.parameters[0].value *= 2;
  CHECK(build_sources(sources_of(plant), options).built);
  CHECK(content(first.executable) != before);
  plant.network.parameters[0].value /= 2;
  CHECK_FALSE(build_sources(sources_of(plant), options).built);
  CHECK(content(first.executable) == before);
}

TEST_CASE("what a killed build left is not taken for done, and everything that goes in is part of the key") {
  BuildOptions options = options_for("killed");
  const sample::Plant plant = sample::make_plant();
  REQUIRE(build_sources(sources_of(plant), options).ok);
  std::ofstream(options.directory / "unfinished");
  for (const auto& each : fs::recursive_directory_iterator(options.directory / "build"))
    if (each.path().extension() == ".o") fs::resize_file(each.path(), fs::file_size(each.path()) / 2);
  options.identity = "another runtime";
  const BuildResult result = build_sources(sources_of(plant), options);
  INFO(result.log);
  CHECK(result.ok);
  CHECK(result.built);
  CHECK_FALSE(fs::exists(options.directory / "unfinished"));
}

TEST_CASE("what the compiler says is handed on") {
  const BuildOptions options = options_for("broken");
  Sources sources = sources_of(sample::make_plant());
  sources.push_back({"broken.cpp", SourceText("int broken = this_is_not_declared;\n")});
  const BuildResult result = build_sources(sources, options);
  CHECK_FALSE(result.ok);
  CHECK(result.ours);
  CHECK(result.log.find("this_is_not_declared") != std::string::npos);
}

TEST_CASE("a source that would need quoting is refused") {
  Sources sources = sources_of(sample::make_plant());
  sources.push_back({"$(touch CANARY).cpp", SourceText()});
  CHECK_THROWS_AS(build_sources(sources, options_for("quoting")), std::logic_error);
}

/// A new program in `folder`, which a store takes away.
fs::path program_in(const fs::path& folder) {
  const fs::path built = folder / "built";
  std::ofstream(built) << "#!/bin/sh\n";
  fs::permissions(built, fs::perms::owner_all);
  return built;
}

TEST_CASE("executables that are used or young stay, others go") {
  const fs::path folder = work() / "store";
  fs::remove_all(folder);
  fs::create_directories(folder);
  const ExecutableStore store(folder / "bin", "plant", 32);
  const StoredExecutable used = store.add("used", "c", program_in(folder));
  for (int k = 0; k < 40; ++k) (void)store.add("k" + std::to_string(k), "c", program_in(folder));
  CHECK_FALSE(fs::exists(folder / "built"));
  CHECK(store.find("used", "c"));
  CHECK(store.find("k39", "c"));
  CHECK(store.find("k39", ""));  // no compiler: whichever it was built by
  CHECK_FALSE(store.find("k39", "other"));
  CHECK_FALSE(store.find("k0", "c"));
}

TEST_CASE("what has changed since it was stored, and what others may write, is not given out") {
  const fs::path folder = work() / "changed";
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::string told;
  const ExecutableStore store(folder / "bin", "plant", 32, [&](const std::string& line) { told += line + "\n"; });
  const fs::path kept = store.add("key", "c", program_in(folder)).path;
  REQUIRE(store.find("key", "c"));
  CHECK(told.empty());
  std::ofstream(kept, std::ios::app) << "echo stranger\n";
  CHECK_FALSE(store.find("key", "c"));
  CHECK(told.find("plant is not what was stored there") != std::string::npos);
  CHECK(content(store.add("key", "c", program_in(folder)).path) == "#!/bin/sh\n");
  fs::remove(kept.string() + ".sha256");
  CHECK_FALSE(store.find("key", "c"));
  (void)store.add("key", "c", program_in(folder));
  for (const fs::path& open : {kept, kept.parent_path(), folder / "bin", folder}) {
    const fs::perms before = fs::status(open).permissions();
    fs::permissions(open, fs::perms::others_write, fs::perm_options::add);
    told.clear();
    CHECK_FALSE(store.find("key", "c"));
    CHECK(told.find(open.string() + " may be written by everybody") != std::string::npos);
    CHECK_FALSE(why_not_built_in(folder).empty());
    fs::permissions(open, before);
    CHECK(store.find("key", "c"));
  }
}

TEST_CASE("a folder is kept as a whole, with its links") {
  const fs::path folder = work() / "folders";
  fs::remove_all(folder);
  const auto make = [&] {
    fs::create_directories(folder / "built/lib");
    std::ofstream(folder / "built/lib/a") << "text";
    fs::create_symlink("a", folder / "built/lib/b");
    return folder / "built";
  };
  const ExecutableStore store(folder / "bin", "runtime", 1);
  (void)store.add("old", "c", make());
  const StoredExecutable added = store.add("key", "c", make());
  CHECK_FALSE(fs::exists(folder / "built"));
  const auto found = store.find("key", "c");
  REQUIRE(found);
  CHECK(found->path == added.path);
  CHECK(content(found->path / "lib/a") == "text");
  CHECK(fs::read_symlink(found->path / "lib/b") == "a");
  CHECK_FALSE(store.find("old", "c"));
}

TEST_CASE("an instruction set belongs to its target") {
  const auto wrong = [](const char* target, const char* march) { return wrong_march(*find_target(target), march); };
  CHECK(wrong("linux-aarch64", "armv8.2-a+crc").empty());
  CHECK(wrong("linux-aarch64", "").empty());
  CHECK(wrong("linux-x86_64", "x86-64-v3").empty());
  CHECK(wrong("linux-x86_64", "skylake").empty());
  CHECK(wrong("linux-aarch64", "x86-64-v3").find("armv8") != std::string::npos);
  CHECK(wrong("linux-x86_64", "armv8-a").find("x86-64") != std::string::npos);
  CHECK(wrong("linux-x86_64-v3", "x86-64-v3").find("leave --march out") != std::string::npos);
  const char* other = this_machine() == "aarch64" ? "linux-x86_64" : "linux-aarch64";
  CHECK(wrong(other, "native").find("another") != std::string::npos);
  CHECK_FALSE(find_target("linux-riscv64"));
  CHECK(baseline("aarch64") == "armv8-a");
  CHECK(baseline("riscv64").empty());
}

TEST_CASE("failures of tools are named") {
  const auto cause = [](const std::string& said, BuildStep step = BuildStep::compile, int code = 1) {
    return explain_failure(step, {code, said});
  };
  CHECK(cause("x.cpp:1: error: a\ncc1plus: fatal error: error writing to /tmp/a.s: No space left on device\n").cause ==
        "the disk is full");
  CHECK(cause("FAILED: a.o\ng++ -march=foo\ncc1plus: error: bad value ('foo') for '-march=' switch\ncc1plus: note: "
              "valid arguments to '-march=' switch are: nocona\n")
            .said ==
        "cc1plus: error: bad value ('foo') for '-march=' switch\n    cc1plus: note: valid arguments to '-march=' "
        "switch are: nocona");
  CHECK(cause("g++: fatal error: Killed signal terminated program cc1plus\n").cause.find("killed") !=
        std::string::npos);
  CHECK(cause("CMake Error at CMakeLists.txt:2: CMake 3.25 or higher is required. You are running version 3.18\n",
              BuildStep::configure)
            .cause == "this CMake is too old");
  CHECK(cause("/usr/bin/ld: cannot find -lz: No such file or directory\n").remedy == "install the package zlib1g-dev");
  CHECK(cause("ninja: error: '/usr/lib/x86_64-linux-gnu/libsundials_arkode.a', needed by 'rc', missing and no known "
              "rule to make it\n")
            .remedy == "install the packages libsundials-dev and libsuitesparse-dev");
  CHECK(cause("", BuildStep::compile, 128 + 9).cause == "cmake was ended by signal 9");
  CHECK(cause("a.cpp:1:2: error: 'x' was not declared\n").ours);
  CHECK_FALSE(cause("a.cpp:1:2: error: 'x' was not declared\n", BuildStep::configure).ours);
}

TEST_CASE("a program's exit code and output come back") {
  CHECK(run_process({"sh", "-c", "echo out; echo err >&2; exit 3"}).exit_code == 3);
  CHECK(run_process({"sh", "-c", "echo out; echo err >&2"}).output == "out\nerr\n");
  CHECK(run_process({"sh", "-c", "kill -9 $$"}).exit_code == 128 + 9);
  CHECK(run_process({"no-such-program-of-takt"}).exit_code == 127);
  CHECK(find_program("sh").filename() == "sh");
  CHECK(find_program("no-such-program-of-takt").empty());
}
