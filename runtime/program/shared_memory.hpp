#pragma once
// Memory that processes share which are forked later, at the same addresses in all of them.

#include <cstddef>
#include <deque>
#include <memory_resource>

#include "runtime/io/shared_array.hpp"

namespace takt {

/// Grows by mappings of its own; nothing is given back before its end. Allocate before the fork: what is mapped later
/// belongs to one process. Not for several threads at once.
class SharedMemory final : public std::pmr::memory_resource {
 public:
  SharedMemory() = default;
  ~SharedMemory() override = default;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

 private:
  /// @throw std::system_error
  void* do_allocate(std::size_t bytes, std::size_t alignment) override;
  void do_deallocate(void*, std::size_t, std::size_t) override {}
  [[nodiscard]] bool do_is_equal(const memory_resource& other) const noexcept override { return this == &other; }

  std::deque<SharedArray<std::byte>> mappings_;
  std::byte* next_ = nullptr;
  std::size_t left_ = 0;
};

/// What containers of std::pmr take their memory from while this lives.
class MemoryForNow {
 public:
  explicit MemoryForNow(std::pmr::memory_resource* memory) : before_(std::pmr::set_default_resource(memory)) {}
  ~MemoryForNow() { std::pmr::set_default_resource(before_); }
  MemoryForNow(const MemoryForNow&) = delete;
  MemoryForNow& operator=(const MemoryForNow&) = delete;

 private:
  std::pmr::memory_resource* before_;
};

}  // namespace takt
