#include "runtime/program/watchdog.hpp"

#include <fcntl.h>
#include <linux/watchdog.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace takt {

Watchdog::Watchdog(const std::string& device, int timeout_s) : interval_(std::int64_t{timeout_s} * 250'000'000) {
  if (device.empty()) return;
  device_ = ::open(device.c_str(), O_WRONLY | O_CLOEXEC);
  if (device_ < 0)
    throw std::runtime_error("cannot open the watchdog " + device + ": " + std::strerror(errno) +
                             " ([supervisor] watchdog)");
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
