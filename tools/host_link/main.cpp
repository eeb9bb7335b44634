// takt-host-link FD DOMAIN INTERFACE SESSION: carries the messages of a plant to other hosts and back, over DDS.
// Started by plants on several hosts (runtime/hosts/link_process.cpp); FD is their shared memory.

#include <sys/mman.h>
#include <sys/stat.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>

#include "tools/host_link/dds_link.hpp"

int main(int argc, char** argv) {
  using namespace takt::hosts;
  struct stat file {};
  if (argc != 5 || fstat(std::atoi(argv[1]), &file) != 0 || file.st_size < static_cast<off_t>(sizeof(LinkMemory))) {
    std::fputs("takt-host-link is started by plants on several hosts\n", stderr);
    return 2;
  }
  void* mapped = mmap(nullptr, sizeof(LinkMemory), PROT_READ | PROT_WRITE, MAP_SHARED, std::atoi(argv[1]), 0);
  if (mapped == MAP_FAILED) return 1;
  auto& memory = *static_cast<LinkMemory*>(mapped);
  try {
    if (memory.version != LinkMemory::layout)
      throw std::runtime_error("takt-host-link is of another version than the plant: build the plant again");
    DdsLink link(memory, {.domain = std::atoi(argv[2]), .interface = argv[3], .session = argv[4]});
    memory.state.store(LinkMemory::State::open, std::memory_order_release);
    link.carry();
  } catch (const std::exception& error) {
    std::strncpy(memory.problem.data(), error.what(), memory.problem.size() - 1);
    memory.state.store(LinkMemory::State::failed, std::memory_order_release);
    return 1;
  }
  return 0;
}
