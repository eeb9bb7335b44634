#include "runtime/io/record/run_directory.hpp"

#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <utility>

namespace takt {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::error_code& error) {
  throw std::runtime_error("cannot create " + path.string() + ": " + error.message());
}

/// Not held where another run has it.
FileLock claimed(const fs::path& directory) {
  FileLock claim = FileLock::attempt(directory / ".lock", FileLock::Kind::exclusive);
  if (claim.held()) std::ofstream(directory / ".lock") << getpid() << "\n";  // for people
  return claim;
}

RunDirectory claim_given(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) fail(directory, error);
  RunDirectory run{directory, claimed(directory)};
  if (run.claim.held()) return run;
  std::string process;
  std::ifstream(directory / ".lock") >> process;
  throw std::runtime_error(directory.string() + " belongs to a run that is under way" +
                           (process.empty() ? "" : " (process " + process + ")") +
                           ": wait for its end, or give --out another directory");
}

RunDirectory claim_next(const std::string& model) {
  std::error_code error;
  fs::create_directories("runs", error);
  if (error) fail("runs", error);
  for (int n = 1;; ++n) {
    const fs::path directory = fs::path("runs") / (model + "-" + std::to_string(n));
    const bool created = fs::create_directory(directory, error);  // atomic: two runs at once get two numbers
    if (error && error != std::errc::file_exists) fail(directory, error);
    if (!created) continue;
    if (FileLock claim = claimed(directory); claim.held()) return {directory, std::move(claim)};
  }
}

}  // namespace

RunDirectory make_run_directory(const fs::path& wanted, const std::string& model) {
  RunDirectory run = wanted.empty() ? claim_next(model) : claim_given(wanted);
  std::error_code ignored;
  for (const char* name :
       {"summary.json", "report.html", "signals.csv", "signals.mf4", "trace.pftrace", "placement.csv"})
    fs::remove(run.path / name, ignored);
  return run;
}

std::string not_finished(const fs::path& log) {
  std::error_code none;
  const fs::path lock = (fs::is_directory(log, none) ? log : log.parent_path()) / ".lock";
  std::string text = "was not finished";
  try {
    if (fs::exists(lock, none) && !FileLock::attempt(lock, FileLock::Kind::shared).held())
      text += " (it is still under way)";
  } catch (const std::system_error&) {  // nobody may look: then it is not known
  }
  return text;
}

}  // namespace takt
