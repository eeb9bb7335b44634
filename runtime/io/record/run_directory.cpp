#include "runtime/io/record/run_directory.hpp"

#include <stdexcept>

namespace takt {

std::filesystem::path make_run_directory(const std::filesystem::path& wanted, const std::string& model) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto fail = [&](const fs::path& path) {
    throw std::runtime_error("cannot create " + path.string() + ": " + error.message());
  };
  fs::path directory = wanted;
  if (wanted.empty()) {
    fs::create_directories("runs", error);
    if (error) fail("runs");
    bool created = false;
    for (int n = 1; !created; ++n) {
      directory = fs::path("runs") / (model + "-" + std::to_string(n));
      created = fs::create_directory(directory, error);  // atomic: two runs at once get two numbers
      if (error && error != std::errc::file_exists) fail(directory);
    }
  } else {
    fs::create_directories(directory, error);
    if (error) fail(directory);
  }
  for (const char* name : {"summary.json", "report.html"}) fs::remove(directory / name, error);
  return directory;
}

}  // namespace takt
