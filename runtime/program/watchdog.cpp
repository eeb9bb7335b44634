#include "runtime/program/watchdog.hpp"

#include <fcntl.h>
#include <linux/watchdog.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <stdexcept>

namespace takt {
namespace {

/// /dev/watchdog, which is a device of kind "misc"; all have one of kind "watchdog" besides.
constexpr unsigned misc_major = 10, watchdog_minor = 130;

bool is_watchdog(dev_t number) {
  if (major(number) == misc_major) return minor(number) == watchdog_minor;
  const std::string place =
      "/sys/dev/char/" + std::to_string(major(number)) + ":" + std::to_string(minor(number)) + "/subsystem";
  std::error_code none;
  return std::filesystem::read_symlink(place, none).filename() == "watchdog";
}

[[noreturn]] void refuse(const std::string& device, const std::string& why) {
  throw std::runtime_error(device + " is no watchdog: " + why +
                           "; name one, such as /dev/watchdog ([supervisor] watchdog)");
}

[[noreturn]] void fail(const std::string& device, int error) {
  throw std::runtime_error("cannot open the watchdog " + device + ": " + std::strerror(error) +
                           " ([supervisor] watchdog)");
}

/// To open a watchdog starts it, and to open another device may do anything: what it is, is looked at without opening,
/// and what has been looked at is opened.
int opened(const std::string& device) {
  const int place = ::open(device.c_str(), O_PATH | O_CLOEXEC);
  struct stat found {};
  if (place < 0) fail(device, errno);
  const bool seen = ::fstat(place, &found) == 0;
  const bool is_one = seen && S_ISCHR(found.st_mode) && is_watchdog(found.st_rdev);
  const std::string path = "/proc/self/fd/" + std::to_string(place);
  const int file = is_one ? ::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY) : -1;
  const int error = errno;
  ::close(place);
  if (!seen || !S_ISCHR(found.st_mode)) refuse(device, "it is not a character device");
  if (!is_one) refuse(device, "its device number is that of something else");
  if (file < 0) fail(device, error);
  return file;
}

}  // namespace

Watchdog::Watchdog(const std::string& device, int timeout_s) : interval_(std::int64_t{timeout_s} * 250'000'000) {
  if (device.empty()) return;
  device_ = opened(device);
  watchdog_info info{};
  if (::ioctl(device_, WDIOC_GETSUPPORT, &info) != 0) {
    const std::string why = std::strerror(errno);
    ::close(device_);  // nothing is written: who knows what that does
    refuse(device, "it does not answer as one: " + why);
  }
  int granted = timeout_s;
  const bool taken = ::ioctl(device_, WDIOC_SETTIMEOUT, &granted) == 0;
  const std::string reason = taken ? "it grants " + std::to_string(granted) + " s" : std::strerror(errno);
  if (taken && granted == timeout_s) return;
  disarm();
  throw std::runtime_error("the watchdog " + device + " does not take a time-out of " + std::to_string(timeout_s) +
                           " s: " + reason + " ([supervisor] watchdog_timeout)");
}

Watchdog::~Watchdog() {
  if (fed_ == WallTime{})
    disarm();  // nobody relies on it yet
  else if (device_ >= 0)
    ::close(device_);
}

void Watchdog::feed(WallTime now) noexcept {
  if (device_ < 0 || now - fed_ < interval_) return;
  fed_ = now;
  (void)!::write(device_, "\0", 1);
}

void Watchdog::disarm() noexcept {
  if (device_ < 0) return;
  (void)!::write(device_, "V", 1);  // the magic close
  ::close(device_);
  device_ = -1;
}

}  // namespace takt
