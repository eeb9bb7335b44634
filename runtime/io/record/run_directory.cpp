#include "runtime/io/record/run_directory.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <stdexcept>
#include <utility>

#include "runtime/io/record/run_files.hpp"
#include "runtime/trust/ours.hpp"

namespace takt {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, const std::error_code& error) {
  throw std::runtime_error("cannot create " + path.string() + ": " + error.message());
}

/// By what is open, which nobody can exchange. Only into a file that is a lock of ours and nothing else besides.
void write_process(const FileLock& claim, const fs::path& file) {
  struct stat found {};
  if (::fstat(claim.descriptor(), &found) != 0 || found.st_nlink != 1 || !is_one_of_us(found.st_uid))
    throw std::runtime_error(file.string() + " is there already, of " + user_text(found.st_uid) +
                             (found.st_nlink != 1 ? ", and has other names, too" : "") +
                             ": take it away, or give --out another directory");
  const std::string process = std::to_string(getpid()) + "\n";  // for people
  (void)!::ftruncate(claim.descriptor(), 0);
  (void)!::pwrite(claim.descriptor(), process.data(), process.size(), 0);
}

/// Not held where another run has it.
FileLock claimed(const fs::path& directory) {
  const fs::path file = directory / ".lock";
  FileLock claim = FileLock::attempt(file, FileLock::Kind::exclusive);
  if (claim.held()) write_process(claim, file);
  return claim;
}

/// Others may not write it, whatever the umask says.
void make(const fs::path& directory) {
  std::error_code error;
  const KeptFromOthers kept;
  fs::create_directories(directory, error);
  if (error) fail(directory, error);
}

void refuse_strangers(const fs::path& directory) {
  if (const std::string why = why_not_for_results(directory); !why.empty())
    throw std::runtime_error("nothing is written to " + directory.string() + ": " + why +
                             ", and could lead it elsewhere: give --out a directory of your own");
}

/// A lock that stayed behind would say that what the user has there is of a run.
void begin(const fs::path& directory, bool had_run) {
  try {
    begin_run_files(directory, had_run);
  } catch (...) {
    std::error_code ignored;
    if (!had_run) fs::remove(directory / ".lock", ignored);
    throw;
  }
}

RunDirectory claim_given(const fs::path& directory) {
  make_results_folder(directory);
  std::error_code ignored;
  const bool had_run = fs::exists(fs::symlink_status(directory / ".lock", ignored));
  RunDirectory run{directory, claimed(directory)};
  if (run.claim.held()) {
    begin(directory, had_run);
    return run;
  }
  std::string process;
  std::ifstream(directory / ".lock") >> process;
  throw std::runtime_error(directory.string() + " belongs to a run that is under way" +
                           (process.empty() ? "" : " (process " + process + ")") +
                           ": wait for its end, or give --out another directory");
}

RunDirectory claim_next(const std::string& model) {
  std::error_code error;
  make_results_folder("runs");
  const KeptFromOthers kept;
  for (int n = 1;; ++n) {
    const fs::path directory = fs::path("runs") / (model + "-" + std::to_string(n));
    const bool created = fs::create_directory(directory, error);  // atomic: two runs at once get two numbers
    if (error && error != std::errc::file_exists) fail(directory, error);
    if (!created) continue;
    refuse_strangers(directory);
    if (FileLock claim = claimed(directory); claim.held()) {
      begin_run_files(directory, false);
      return {directory, std::move(claim)};
    }
  }
}

}  // namespace

void make_results_folder(const fs::path& folder) {
  refuse_strangers(folder);
  make(folder);
  refuse_strangers(folder);  // in a folder that all may write, as /tmp is, somebody may have been quicker
}

RunDirectory make_run_directory(const fs::path& wanted, const std::string& model) {
  return wanted.empty() ? claim_next(model) : claim_given(wanted);
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
