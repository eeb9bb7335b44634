#include "tools/view/runs.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

#include "runtime/tap/server.hpp"

namespace takt::view {
namespace {

namespace fs = std::filesystem;
constexpr std::chrono::seconds looks_again{1};
constexpr std::size_t most_runs = 200;
constexpr off_t largest_file = off_t{64} << 20U;

/// The services of taps have the directory of their run as their own.
std::vector<fs::path> served_directories() {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& process : fs::directory_iterator("/proc", error)) {
    struct stat state {};
    const fs::path& folder = process.path();
    if (folder.filename().string().find_first_not_of("0123456789") != std::string::npos) continue;
    if (::stat(folder.c_str(), &state) != 0 || state.st_uid != ::getuid()) continue;
    std::string name;
    std::getline(std::ifstream(folder / "comm"), name);
    if (name != "takt-tap") continue;
    const fs::path directory = fs::read_symlink(folder / "cwd", error);
    if (!error && fs::is_directory(directory, error)) found.push_back(directory);
  }
  return found;
}

}  // namespace

void Runs::add(const fs::path& directory, bool named) {
  std::error_code error;
  const fs::path whole = fs::canonical(directory, error);
  if (error) return;
  const auto found = std::find_if(runs_.begin(), runs_.end(), [&](const Run& run) { return run.directory == whole; });
  const bool is_open = fs::is_socket(whole / tap_socket_name, error);
  if (found != runs_.end())
    found->is_open = is_open;
  else if ((is_open || named) && runs_.size() < most_runs)
    runs_.push_back({.directory = whole, .is_named = named, .is_open = is_open});
}

void Runs::look() {
  std::error_code error;
  for (Run& run : runs_) run.is_open = fs::is_socket(run.directory / tap_socket_name, error);
  for (const fs::path& directory : named_) add(directory, true);
  for (const fs::directory_entry& entry : fs::directory_iterator("runs", error))
    if (entry.is_directory(error)) add(entry.path(), false);
  for (const fs::path& directory : served_directories()) add(directory, false);
  for (Run& run : runs_) run.has_report = fs::is_regular_file(run.directory / "report.html", error);
  std::stable_sort(runs_.begin(), runs_.end(), [](const Run& one, const Run& other) {
    if (one.is_open != other.is_open) return one.is_open;
    return one.is_named != other.is_named ? one.is_named : one.directory < other.directory;
  });
}

const std::vector<Run>& Runs::now() {
  const auto time = std::chrono::steady_clock::now();
  if (looked_ == std::chrono::steady_clock::time_point{} || time - looked_ >= looks_again) look(), looked_ = time;
  return runs_;
}

std::optional<Run> Runs::find(std::string_view directory) {
  const auto among = [&](const std::vector<Run>& runs) -> std::optional<Run> {
    for (const Run& run : runs)
      if (directory.empty() ? run.is_open : run.directory.string() == directory) return run;
    return std::nullopt;
  };
  if (std::optional<Run> found = among(now())) return found;
  look();  // it may have begun since
  return among(runs_);
}

std::optional<std::string> file_of_run(const fs::path& directory, const char* name) {
  const int file = ::open((directory / name).c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  struct stat state {};
  std::string text;
  bool good = ::fstat(file, &state) == 0 && S_ISREG(state.st_mode) && state.st_size <= largest_file;
  if (good) {
    text.resize(static_cast<std::size_t>(state.st_size));
    std::size_t read = 0;
    for (ssize_t size = 1; read < text.size() && size > 0; read += static_cast<std::size_t>(std::max<ssize_t>(size, 0)))
      size = ::read(file, text.data() + read, text.size() - read);
    good = read == text.size();
  }
  ::close(file);
  return good ? std::optional(std::move(text)) : std::nullopt;
}

}  // namespace takt::view
