#pragma once
// Memory that a process and the children it forks see alike.

#include <sys/mman.h>

#include <cerrno>
#include <cstddef>
#include <memory>
#include <span>
#include <system_error>
#include <type_traits>

namespace takt {

/// `count` values of T in shared anonymous memory, each made by T(). It stands until the last process that has it ends.
template <class T>
class SharedArray {
  static_assert(std::is_trivially_destructible_v<T>, "nobody knows which process is the last");

 public:
  /// Throws std::system_error.
  explicit SharedArray(std::size_t count) : count_(count) {
    if (count == 0) return;
    void* memory = ::mmap(nullptr, bytes(), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "cannot share memory");
    first_ = static_cast<T*>(memory);
    std::uninitialized_value_construct_n(first_, count);
  }
  ~SharedArray() {
    if (first_ != nullptr) ::munmap(first_, bytes());
  }
  SharedArray(const SharedArray&) = delete;
  SharedArray& operator=(const SharedArray&) = delete;

  [[nodiscard]] T& operator[](std::size_t index) const noexcept { return first_[index]; }
  [[nodiscard]] std::span<T> all() const noexcept { return {first_, count_}; }

 private:
  [[nodiscard]] std::size_t bytes() const noexcept { return count_ * sizeof(T); }
  T* first_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace takt
