#include "tools/takt/wait_line.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <utility>

#include "runtime/io/record/standard_streams.hpp"

namespace takt::tools {
namespace {

using namespace std::chrono_literals;

/// A line that is broken could not be rewritten.
std::string cut_to_terminal(std::string line) {
  winsize terminal{};
  if (ioctl(STDERR_FILENO, TIOCGWINSZ, &terminal) != 0 || terminal.ws_col == 0) return line;
  const std::size_t most = terminal.ws_col - 1U;
  if (line.size() <= most) return line;
  line.resize(most);
  while (!line.empty() && (static_cast<unsigned char>(line.back()) & 0x80U) != 0) line.pop_back();  // half a letter
  return line;
}

/// Signals are for the threads that were there before.
std::thread without_signals(const std::function<void()>& work) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  std::thread thread(work);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return thread;
}

}  // namespace

std::mutex WaitLine::mutex_;
std::vector<const WaitLine*> WaitLine::living_;
bool WaitLine::is_silent_ = false;
bool WaitLine::is_shown_ = false;

WaitLine::WaitLine(std::string what, std::function<std::string()> how_far)
    : what_(std::move(what)), how_far_(std::move(how_far)) {
  const std::scoped_lock lock(mutex_);
  if (is_silent_ || isatty(STDERR_FILENO) != 1) return;
  living_.push_back(this);
  thread_ = without_signals([this] { work(); });
}

WaitLine::~WaitLine() {
  {
    const std::scoped_lock lock(mutex_);
    is_over_ = true;
    std::erase(living_, this);
    erase();
  }
  over_.notify_one();
  if (thread_.joinable()) thread_.join();
}

void WaitLine::now(std::string what) {
  const std::scoped_lock lock(mutex_);
  what_ = std::move(what);
}

void WaitLine::say(const std::string& text) {
  const std::scoped_lock lock(mutex_);
  erase();
  std::fputs(text.c_str(), stderr);
}

void WaitLine::silence() {
  const std::scoped_lock lock(mutex_);
  is_silent_ = true;
}

void WaitLine::work() {
  std::unique_lock lock(mutex_);
  auto due = begun_ + 2s;
  while (!over_.wait_until(lock, due, [this] { return is_over_; })) {
    due = std::chrono::steady_clock::now() + 500ms;
    if (living_.back() != this) continue;
    is_shown_ = true;
    if (!tell("\r\033[K" + cut_to_terminal(text()))) return;  // nobody will ever read it
  }
}

std::string WaitLine::text() const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - begun_);
  const std::string far = how_far_ ? how_far_() : std::string();
  return fmt::format("takt: {}{}{} ({} s so far)", what_, far.empty() ? "" : ", ", far, seconds.count());
}

void WaitLine::erase() {
  if (std::exchange(is_shown_, false)) tell("\r\033[K");
}

}  // namespace takt::tools
