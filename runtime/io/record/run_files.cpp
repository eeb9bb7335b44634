#include "runtime/io/record/run_files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <set>
#include <stdexcept>

#include "runtime/io/record/record_formats.hpp"
#include "runtime/io/record/text_file.hpp"
#include "runtime/trust/new_file.hpp"
#include "runtime/trust/ours.hpp"

namespace takt {
namespace {

namespace fs = std::filesystem;

constexpr const char* list_name = ".files";
constexpr const char* other_place = ": take it away, or give --out another directory";

/// What a run, or `takt reference`, calls its results, beside the recorded signals. Runs before there was a list left
/// these, too.
constexpr std::array<std::string_view, 9> usual{"summary.json", "report.html",   "inputs.csv",
                                                "actions.csv",  "events.csv",    "trace.pftrace",
                                                "verify.json",  "placement.csv", "tap"};

bool is_checkpoint(const std::string& name) { return name.starts_with("checkpoint-") && name.ends_with("s.takt"); }

bool is_recording(const std::string& name) {
  const std::vector<const RecordFormat*> formats = record_formats();
  return std::any_of(formats.begin(), formats.end(), [&](const RecordFormat* format) { return format->file == name; });
}

bool is_usual(const std::string& name) {
  return is_checkpoint(name) || is_recording(name) || std::find(usual.begin(), usual.end(), name) != usual.end();
}

bool is_there(const fs::path& path) {
  struct stat found {};
  return ::lstat(path.c_str(), &found) == 0;
}

/// Whose, and what it is, for who did not expect it.
std::string seen(const fs::path& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) return {};
  std::error_code ignored;
  if (S_ISLNK(found.st_mode))
    return " (a link to " + fs::read_symlink(path, ignored).string() + " by " + user_text(found.st_uid) + ")";
  return is_one_of_us(found.st_uid) ? std::string() : " (of " + user_text(found.st_uid) + ")";
}

[[noreturn]] void fail_writing(const fs::path& path, int error) {
  throw std::runtime_error("cannot write " + path.string() + ": " + std::strerror(error));
}

/// The list, or -1 where there is none.
int open_list(const fs::path& directory, int access) {
  const fs::path list = directory / list_name;
  const int file = ::open(list.c_str(), access | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0 && errno == ENOENT) return -1;
  struct stat found {};
  const bool read = file >= 0 && ::fstat(file, &found) == 0;
  if (read && S_ISREG(found.st_mode) && found.st_nlink == 1 && is_one_of_us(found.st_uid)) return file;
  const int error = errno;
  if (file >= 0) ::close(file);
  if (!read && error != ELOOP) fail_writing(list, error);
  throw std::runtime_error(list.string() + seen(list) + " is not the list of files that a run has left" + other_place);
}

/// Of one folder, and not what a folder has of itself.
bool is_plain(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name != list_name && name.find('/') == std::string::npos;
}

std::set<std::string> listed(const fs::path& directory) {
  const int file = open_list(directory, O_RDONLY);
  std::string text;
  std::array<char, 4096> part{};
  for (ssize_t got = 0; file >= 0 && (got = ::read(file, part.data(), part.size())) > 0;)
    text.append(part.data(), static_cast<std::size_t>(got));
  if (file >= 0) ::close(file);
  std::set<std::string> names;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1)
    if (std::string name = text.substr(begin, end - begin); is_plain(name)) names.insert(std::move(name));
  return names;
}

/// Also half written. Not a folder.
void take_away(const fs::path& directory, const std::string& name) {
  for (const fs::path& path : {directory / name, directory / (name + ".part")})
    if (::unlink(path.c_str()) != 0 && errno != ENOENT && errno != EISDIR && errno != EPERM) fail_writing(path, errno);
}

std::set<std::string> usual_there(const fs::path& directory) {
  std::set<std::string> names;
  std::error_code error;
  for (fs::directory_iterator each(directory, error), end; !error && each != end; each.increment(error))
    if (const std::string name = each->path().filename(); is_usual(name)) names.insert(name);
  return names;
}

}  // namespace

fs::path run_file(const fs::path& directory, const std::string& name) {
  fs::path path = directory / name;
  const int list = open_list(directory, O_WRONLY | O_APPEND);
  if (list < 0) return path;
  const bool taken = is_there(path) && !listed(directory).contains(name);
  const std::string line = name + "\n";
  const bool written = taken || ::write(list, line.data(), line.size()) == static_cast<ssize_t>(line.size());
  const int error = errno;
  ::close(list);
  if (taken)
    throw std::runtime_error(path.string() + seen(path) + " is there already, and no run has made it" + other_place);
  if (!written) fail_writing(directory / list_name, error);
  return path;
}

void write_run_file(const fs::path& directory, const std::string& name, std::string_view text) {
  write_whole(run_file(directory, name), text);
}

void begin_run_files(const fs::path& directory, bool had_run) {
  std::set<std::string> names = listed(directory);
  if (had_run) names.merge(usual_there(directory));
  for (const std::string& name : names) take_away(directory, name);
  for (const std::string& name : usual_there(directory))
    throw std::runtime_error((directory / name).string() + seen(directory / name) +
                             " is there already, and no run has made it" + other_place);
  const int list = open_new_file(directory / list_name, O_WRONLY);
  if (list < 0) fail_writing(directory / list_name, errno);
  ::close(list);
}

bool is_run_file(const fs::path& file) {
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  return is_there(folder / list_name) && listed(folder).contains(file.filename());
}

}  // namespace takt
