#include "runtime/tap/segment.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <system_error>

namespace takt {
namespace {

template <std::size_t size>
void put(std::array<char, size>& to, std::string_view text) noexcept {
  const std::size_t length = std::min(text.size(), size - 1);
  std::copy_n(text.begin(), length, to.begin());
  to[length] = '\0';
}

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

}  // namespace

TapMemory::TapMemory(const PlantDescription& plant, const TapRun& run) {
  const int file = ::memfd_create("takt-tap", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0) fail("no memory for the tap: memfd_create");
  void* memory = MAP_FAILED;
  if (::ftruncate(file, sizeof(TapSegment)) == 0 &&
      ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0)
    memory = ::mmap(nullptr, sizeof(TapSegment), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  const int error = errno;
  ::close(file);
  errno = error;
  if (memory == MAP_FAILED) fail("no memory for the tap");
  segment_ = ::new (memory) TapSegment;  // not value-initialised: the file is zero, and most of it need not be touched
  TapHeader& header = segment_->header;
  header.process = ::getpid();
  put(header.plant, plant.name);
  put(header.hash, plant.input_hash);
  header.macro_step_ns = plant.macro_step_ns;
  header.macro_steps = run.macro_steps;
  header.paced = run.paced;
  header.cpu_count = static_cast<std::uint32_t>(std::min(run.cpus.size(), TapHeader::most_cpus));
  std::copy_n(run.cpus.begin(), header.cpu_count, header.cpus.begin());
  for (std::size_t k = 0; k < run.elsewhere.size() && k < header.elsewhere.size(); ++k)
    header.elsewhere[k] = run.elsewhere[k];
  put(segment_->authors[0], "a client of the tap");
}

TapMemory::~TapMemory() { ::munmap(segment_, sizeof(TapSegment)); }

std::string_view author_of(const TapSegment& segment, std::uint16_t author) noexcept {
  const auto& text = segment.authors[author < TapSegment::most_authors ? author : 0];
  return {text.data(), ::strnlen(text.data(), text.size())};
}

void add_service_event(TapSegment& segment, std::string_view text) noexcept {
  TapServices& services = segment.services;
  const std::uint32_t at = services.event_count.load(std::memory_order_relaxed);
  if (at >= TapServices::most_events) return;
  services.events[at].time_ns = segment.status.time_ns.load(std::memory_order_relaxed);
  put(services.events[at].text, text);
  services.event_count.store(at + 1, std::memory_order_release);
}

}  // namespace takt
