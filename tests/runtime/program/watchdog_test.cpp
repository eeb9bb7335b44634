// What is no watchdog is left as it is. Watchdogs themselves are tested in a guest (tests/targets/watchdog_test.py).

#include "runtime/program/watchdog.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <iterator>

using takt::Watchdog;
namespace fs = std::filesystem;

TEST_CASE("a file, a link to one, a pipe, a folder and other devices are refused by name, and nothing is written") {
  const fs::path folder = fs::temp_directory_path() / "takt_watchdog_test";
  fs::remove_all(folder);
  fs::create_directories(folder);
  std::ofstream(folder / "victim") << "precious";
  const auto before = fs::last_write_time(folder / "victim");
  fs::create_symlink("victim", folder / "link");
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);  // to open it would wait for a reader
  for (const fs::path& device : {folder / "victim", folder / "link", folder / "pipe", folder, fs::path("/dev/null"),
                                 fs::path("/dev/zero"), fs::path("/dev/tty"), fs::path("/dev/full")})
    CHECK_THROWS_WITH(Watchdog(device.string(), 15), Catch::Contains(device.string() + " is no watchdog"));
  CHECK_THROWS_WITH(Watchdog("/dev/no_such_watchdog", 15),
                    Catch::Contains("cannot open the watchdog /dev/no_such_watchdog"));
  std::ifstream in(folder / "victim");
  CHECK(std::string{std::istreambuf_iterator<char>(in), {}} == "precious");
  CHECK(fs::last_write_time(folder / "victim") == before);
}
