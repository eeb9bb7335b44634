#include "runtime/fmu/own_process.hpp"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ctime>

namespace takt::fmu {
namespace {

std::atomic<std::uint32_t>* returned = nullptr;
std::atomic<std::uint32_t> made{0};  // those of libc's fork()
std::uint32_t made_before = 0;

void note_copy() { made.fetch_add(1, std::memory_order_relaxed); }

}  // namespace

bool end_copies(std::atomic<std::uint32_t>& came_back) noexcept {
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  void* page = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED || madvise(page, size, MADV_WIPEONFORK) != 0) return false;
  *static_cast<std::uint32_t*>(page) = 1;
  returned = &came_back;
  own_process::mark = static_cast<const std::uint32_t*>(page);
  return pthread_atfork(nullptr, note_copy, nullptr) == 0;
}

void leave_as_copy() noexcept {
  returned->fetch_add(1);
  _exit(1);
}

bool copies_came_back() noexcept {
  if (returned == nullptr) return false;
  constexpr int most_naps = 100;
  const std::uint32_t now = made.load(std::memory_order_relaxed);
  for (int nap = 0; nap < most_naps && now != made_before && returned->load() == 0; ++nap) {
    const timespec little{0, 1'000'000};
    nanosleep(&little, nullptr);
  }
  made_before = now;
  return returned->load() != 0;
}

}  // namespace takt::fmu
