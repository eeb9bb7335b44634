#include "codegen/emit/build/executable_store.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

#include "codegen/text/sha256.hpp"
#include "runtime/trust/ours.hpp"

namespace takt::codegen {
namespace {

namespace fs = std::filesystem;

fs::path hash_file(const fs::path& stored) { return stored.string() + ".sha256"; }

void add_file(Sha256& hash, const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::array<char, 1 << 16> buffer{};
  while (in.read(buffer.data(), buffer.size()) || in.gcount() > 0)
    hash.add({buffer.data(), static_cast<std::size_t>(in.gcount())});
}

/// Of a file; of a folder what its files are called, contain, and where its links lead.
std::string content_hash(const fs::path& what) {
  Sha256 hash;
  if (!fs::is_directory(what)) {
    add_file(hash, what);
    return hash.finish();
  }
  std::vector<fs::path> all;
  for (const auto& each : fs::recursive_directory_iterator(what)) all.push_back(each.path());
  std::sort(all.begin(), all.end());
  for (const fs::path& each : all) {
    const fs::file_status status = fs::symlink_status(each);
    const std::string size =
        fs::is_regular_file(status) ? std::to_string(fs::file_size(each)) : "-";
    const std::string target = fs::is_symlink(status) ? fs::read_symlink(each).string() : "";
    hash.add(each.lexically_relative(what).string() + "\n" + size + "\n" + target + "\n");
    if (fs::is_regular_file(status)) add_file(hash, each);
  }
  return hash.finish();
}

/// On the disk before it gets its name: what has the name is whole, also after a power failure.
void sync_file(const fs::path& file) {
  const int descriptor = open(file.c_str(), O_RDONLY | O_CLOEXEC);
  const bool written = descriptor >= 0 && fsync(descriptor) == 0;
  const int cause = errno;
  if (descriptor >= 0) close(descriptor);
  if (!written)
    throw std::system_error(cause, std::generic_category(), "cannot write " + file.string());
}

void sync_whole(const fs::path& written) {
  if (fs::is_directory(written))
    for (const auto& each : fs::recursive_directory_iterator(written)) sync_file(each.path());
  sync_file(written);
}

/// Moved, for a plant has 7 MB and is not wanted twice; what linked it makes it again when it is
/// asked to.
void move_into(const fs::path& built, const fs::path& place) {
  std::error_code error;
  fs::rename(built, place, error);
  if (!error) return;
  if (error != std::errc::cross_device_link)
    throw fs::filesystem_error("cannot move", built, place, error);
  fs::copy(built, place, fs::copy_options::recursive | fs::copy_options::copy_symlinks);
  fs::remove_all(built);
}

void write_hash(const fs::path& file, const std::string& hash) {
  std::ofstream out(file, std::ios::trunc);
  out << hash << "\n";
  out.close();
  if (!out)
    throw std::system_error(errno, std::generic_category(), "cannot write " + file.string());
  sync_file(file);
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  std::error_code ignored;
  for (fs::directory_iterator each(folder, ignored), end; each != end; each.increment(ignored))
    if (each->is_directory(ignored)) entries.push_back(each->path());
  return entries;
}

}  // namespace

bool ExecutableStore::is_as_stored(const fs::path& entry) const {
  std::string wanted;
  std::ifstream(hash_file(entry / name_)) >> wanted;
  try {
    if (!wanted.empty() && content_hash(entry / name_) == wanted) return true;
  } catch (const fs::filesystem_error&) {  // a part is gone or cannot be read
  }
  if (tell_)
    tell_((entry / name_).string() +
          " is not what was stored there, by its hash: it is made again");
  return false;
}

std::optional<StoredExecutable> ExecutableStore::take(const fs::path& entry) const {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(entry / name_, error))) return std::nullopt;
  std::string why = why_not_ours(entry / name_);
  if (why.empty()) why = why_not_ours_below(entry);
  if (!why.empty()) {
    if (tell_) tell_((entry / name_).string() + " is not used: " + why);
    return std::nullopt;
  }
  FileLock lock = FileLock::attempt(entry / in_use, FileLock::Kind::shared);
  if (!lock.held() || access((entry / name_).c_str(), X_OK) != 0 || !is_as_stored(entry))
    return std::nullopt;
  (void)futimens(lock.descriptor(), nullptr);  // the time stamp is of its last use
  lock.hand_on();
  return StoredExecutable{entry / name_, std::move(lock)};
}

std::optional<StoredExecutable> ExecutableStore::find(const std::string& key,
                                                      const std::string& compiler) const {
  if (!compiler.empty()) return take(folder_ / (key + "-" + compiler));
  for (const fs::path& entry : entries_of(folder_)) {
    if (!entry.filename().string().starts_with(key + "-")) continue;
    if (auto found = take(entry)) return found;
  }
  return std::nullopt;
}

StoredExecutable ExecutableStore::add(const std::string& key, const std::string& compiler,
                                      const fs::path& built) const {
  const KeptFromOthers kept;
  const fs::path entry = folder_ / (key + "-" + compiler), temporary = entry / (name_ + ".part");
  fs::create_directories(entry);
  (void)FileLock::wait(entry / in_use, FileLock::Kind::exclusive);  // makes the file
  fs::remove_all(temporary);
  move_into(built, temporary);
  sync_whole(temporary);
  const fs::path sum = hash_file(entry / name_);
  fs::remove(sum);
  write_hash(sum, content_hash(temporary));
  if (fs::is_directory(fs::symlink_status(entry / name_))) fs::remove_all(entry / name_);
  fs::rename(temporary, entry / name_);
  auto stored = take(entry);
  if (!stored)
    throw std::runtime_error(
        "cannot use " + (entry / name_).string() +
        ", just written: is something clearing this folder, or may others write it?");
  clean();
  return std::move(*stored);
}

void ExecutableStore::clean() const {
  std::vector<std::pair<fs::file_time_type, fs::path>> by_age;
  std::error_code error;
  for (const fs::path& entry : entries_of(folder_)) {
    const auto used = fs::last_write_time(entry / in_use, error);
    if (!error) by_age.emplace_back(used, entry);
  }
  if (by_age.size() <= kept_) return;
  std::sort(by_age.begin(), by_age.end());
  by_age.resize(by_age.size() - kept_);
  for (const auto& [used, entry] : by_age) {
    // Who has found it holds a shared lock, also while it runs; who comes later finds that it is
    // gone, and builds.
    if (const FileLock lock = FileLock::attempt(entry / in_use, FileLock::Kind::exclusive);
        lock.held())
      fs::remove_all(entry, error);
  }
}

}  // namespace takt::codegen
