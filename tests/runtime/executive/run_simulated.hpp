#pragma once
// A run of the executive for tests.

#include <catch2/catch.hpp>
#include <filesystem>
#include <utility>

#include "runtime/executive/executive.hpp"
#include "tests/runtime/executive/simulated_clock.hpp"

namespace takt::test {

inline std::filesystem::path fresh_directory(const char* name) {
  const auto path = std::filesystem::temp_directory_path() / ("takt_executive_test_" + std::string(name));
  std::filesystem::remove_all(path);
  std::filesystem::create_directories(path);
  return path;
}

inline RunResults run(const PlantDescription& plant, Executive::Options options, Clock& clock, InputScript script = {},
                      Recorder* recorder = nullptr, IoPort* io = nullptr) {
  Executive executive(plant, std::move(options),
                      {.clock = clock, .io = io, .recorder = recorder, .script = std::move(script)});
  REQUIRE(executive.prepare().empty());
  executive.run();
  RunResults results;
  executive.report(results);
  return results;
}

}  // namespace takt::test
