#include "runtime/program/shared_memory.hpp"

#include <algorithm>
#include <memory>

namespace takt {
namespace {

constexpr std::size_t least = std::size_t{1} << 20U;

}  // namespace

void* SharedMemory::do_allocate(std::size_t bytes, std::size_t alignment) {
  void* place = next_;
  if (next_ == nullptr || std::align(alignment, bytes, place, left_) == nullptr) {
    left_ = std::max(least, bytes);
    place = &mappings_.emplace_back(left_)[0];  // at the beginning of a page
  }
  next_ = static_cast<std::byte*>(place) + bytes;
  left_ -= bytes;
  return place;
}

}  // namespace takt
