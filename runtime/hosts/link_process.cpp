#include "runtime/hosts/link_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>

#include "runtime/foreign/block.hpp"
#include "runtime/trust/ours.hpp"

namespace takt::hosts {
namespace {

constexpr int most_seconds_to_join = 10;

[[noreturn]] void fail_system(const std::string& what) { throw std::runtime_error(what + ": " + std::strerror(errno)); }

/// FOLDER/bin/NAME and FOLDER/bin/KEY/NAME have it in FOLDER/hosts.
std::filesystem::path find_program() {
  const auto bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const auto& folder : {bin.parent_path(), bin.parent_path().parent_path()})
    if (auto program = folder / "hosts" / "takt-host-link"; std::filesystem::exists(program)) {
      const std::string stranger = why_not_ours(program);
      if (stranger.empty()) return program;
      throw std::runtime_error(program.string() + " is not run: " + stranger +
                               "; only you and root may be able to write it: build the plant again in a folder of "
                               "your own");
    }
  throw std::runtime_error((bin.parent_path() / "hosts" / "takt-host-link").string() +
                           " is missing: a plant on several hosts needs the folder hosts beside the folder of its "
                           "executable; build it again with its rig, by a takt that was built with Cyclone DDS");
}

}  // namespace

LinkProcess::LinkProcess(const Settings& settings) {
  const auto program = find_program();
  const int shared = ::memfd_create("takt-hosts", 0);
  if (shared < 0 || ::ftruncate(shared, sizeof(LinkMemory)) != 0) fail_system("cannot make memory for other hosts");
  void* mapped = ::mmap(nullptr, sizeof(LinkMemory), PROT_READ | PROT_WRITE, MAP_SHARED, shared, 0);
  if (mapped == MAP_FAILED) fail_system("cannot map memory for other hosts");
  memory_ = new (mapped) LinkMemory;
  writer_ = std::make_unique<MessageWriter>(memory_->sent);
  reader_ = std::make_unique<MessageReader>(memory_->received);
  try {
    start(settings, program, shared);
    wait_until_open();
  } catch (...) {
    end();
    throw;
  }
}

LinkProcess::~LinkProcess() { end(); }

void LinkProcess::start(const Settings& settings, const std::filesystem::path& program, int shared) {
  const std::string fd = std::to_string(shared), domain = std::to_string(settings.domain);
  const std::array<const char*, 6> words{
      "takt-host-link", fd.c_str(), domain.c_str(), settings.interface.c_str(), settings.session.c_str(), nullptr};
  const pid_t parent = ::getpid();
  process_ = ::fork();
  if (process_ < 0) fail_system("cannot make a process for the network");
  if (process_ == 0) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(1);
    if (settings.priority > 0) {
      const sched_param of{.sched_priority = settings.priority};
      (void)::sched_setscheduler(0, SCHED_FIFO, &of);
    }
    for (const int signal : {SIGINT, SIGHUP}) (void)std::signal(signal, SIG_IGN);
    if (shared > 3) ::syscall(SYS_close_range, 3U, static_cast<unsigned>(shared) - 1U, 0U);
    ::syscall(SYS_close_range, static_cast<unsigned>(shared) + 1U, ~0U, 0U);
    ::execv(program.c_str(), const_cast<char* const*>(words.data()));
    ::_exit(127);
  }
  ::close(shared);
  handle_ = static_cast<int>(::syscall(SYS_pidfd_open, process_, 0U));
  if (handle_ < 0) fail_system("cannot watch the process of the network");
}

void LinkProcess::wait_until_open() {
  for (int tenths = 0; tenths < 10 * most_seconds_to_join; ++tenths) {
    if (memory_->state.load(std::memory_order_acquire) == LinkMemory::State::open) return;
    if (const std::string wrong = problem(); !wrong.empty()) throw std::runtime_error(wrong);
    pollfd ended{handle_, POLLIN, 0};
    (void)::poll(&ended, 1, 100);
  }
  throw std::runtime_error("takt-host-link does not come up");
}

bool LinkProcess::has_ended() const noexcept {
  pollfd ended{handle_, POLLIN, 0};
  return ::poll(&ended, 1, 0) > 0;
}

std::string LinkProcess::problem() const {
  if (memory_->state.load(std::memory_order_acquire) == LinkMemory::State::failed) return memory_->problem.data();
  return has_ended() ? "takt-host-link, which carries messages to other hosts, has ended" : "";
}

bool LinkProcess::try_send(std::span<const std::byte> message) {
  if (!writer_->try_put(message)) return false;
  memory_->sent_bell.fetch_add(1, std::memory_order_release);
  foreign::wake(memory_->sent_bell);
  return true;
}

bool LinkProcess::try_receive(std::vector<std::byte>& message) { return reader_->try_take(message); }

void LinkProcess::wait(std::int64_t at_most_ns) {
  const std::uint32_t seen = memory_->received_bell.load(std::memory_order_acquire);
  if (memory_->received.written.load(std::memory_order_acquire) !=
      memory_->received.read.load(std::memory_order_relaxed))
    return;
  foreign::wait_while(memory_->received_bell, seen, at_most_ns);
}

void LinkProcess::end() noexcept {
  if (process_ > 0) {
    memory_->ends.store(true);
    memory_->sent_bell.fetch_add(1, std::memory_order_release);
    foreign::wake(memory_->sent_bell);
    pollfd ended{handle_, POLLIN, 0};
    if (handle_ < 0 || ::poll(&ended, 1, 3000) <= 0) ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  if (handle_ >= 0) ::close(handle_);
  if (memory_ != nullptr) ::munmap(memory_, sizeof(LinkMemory));
}

}  // namespace takt::hosts
