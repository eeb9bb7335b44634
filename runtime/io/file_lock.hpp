#pragma once
// Locks between processes.

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace takt {

/// A lock on a file (flock). The system lifts it when the last process that has it ends, however it ends: nothing stale
/// stays.
class FileLock {
 public:
  enum class Kind { shared, exclusive };

  FileLock() = default;
  FileLock(FileLock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  FileLock& operator=(FileLock&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileLock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  /// A link is not followed, and what is no file is no lock: somebody else may have put it there.
  /// Never waits.  @return not held() where another process has the lock, or a shared one's file is gone
  /// @throw std::system_error  where the file cannot be opened or the file system knows no locks
  [[nodiscard]] static FileLock attempt(const std::filesystem::path& file, Kind kind) {
    return take(file, kind, LOCK_NB);
  }
  /// Waits until it is free.
  [[nodiscard]] static FileLock wait(const std::filesystem::path& file, Kind kind) { return take(file, kind, 0); }

  [[nodiscard]] bool held() const { return descriptor_ >= 0; }
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Programs that this process starts from now on have the lock too, and keep it until they end.
  void hand_on() const { (void)::fcntl(descriptor_, F_SETFD, 0); }

 private:
  explicit FileLock(int descriptor) : descriptor_(descriptor) {}

  static FileLock take(const std::filesystem::path& file, Kind kind, int no_wait) {
    const bool shared = kind == Kind::shared;
    for (;;) {
      constexpr int careful = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
      FileLock lock(::open(file.c_str(), careful | (shared ? O_RDONLY : O_RDWR | O_CREAT), 0644));
      if (!lock.held() && (shared ? errno == ENOENT : errno == ETXTBSY)) return {};
      if (!lock.held())
        throw std::system_error(errno, std::generic_category(), "cannot open " + file.string() + strange(file));
      if (!lock.is_file())
        throw std::system_error(EINVAL, std::generic_category(), "cannot lock " + file.string() + strange(file));
      if (::flock(lock.descriptor_, (shared ? LOCK_SH : LOCK_EX) | no_wait) != 0) {
        if (errno == EINTR) continue;
        if (errno == EWOULDBLOCK) return {};
        throw std::system_error(errno, std::generic_category(), "cannot lock " + file.string());
      }
      if (lock.is_still(file)) return lock;  // else it was removed or replaced meanwhile
    }
  }

  /// What a lock should not be, with the cure.
  static std::string strange(const std::filesystem::path& file) {
    struct stat there {};
    if (::lstat(file.c_str(), &there) != 0 || S_ISREG(there.st_mode)) return {};
    return std::string(S_ISLNK(there.st_mode) ? ", which is a link" : ", which is no file") +
           " (take it away, or use another folder)";
  }

  [[nodiscard]] bool is_file() const {
    struct stat held {};
    return ::fstat(descriptor_, &held) == 0 && S_ISREG(held.st_mode);
  }

  [[nodiscard]] bool is_still(const std::filesystem::path& file) const {
    struct stat held {
    }, there{};
    return ::fstat(descriptor_, &held) == 0 && ::lstat(file.c_str(), &there) == 0 && held.st_ino == there.st_ino &&
           held.st_dev == there.st_dev;
  }

  int descriptor_ = -1;
};

}  // namespace takt
