#pragma once
// Values as bytes and back: what a host sends to another one that runs the same build.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace takt {

/// Appends to a list of bytes.
class ByteWriter {
 public:
  explicit ByteWriter(std::vector<std::byte>& to) : to_(to) {}

  void put_bytes(std::span<const std::byte> bytes) {
    const std::size_t before = to_.size();
    to_.resize(before + bytes.size());
    if (!bytes.empty()) std::memcpy(to_.data() + before, bytes.data(), bytes.size());
  }
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    put_bytes(std::as_bytes(std::span(&value, 1)));
  }
  void put_text(std::string_view text) {
    put(static_cast<std::uint32_t>(text.size()));
    put_bytes(std::as_bytes(std::span(text)));
  }

 private:
  std::vector<std::byte>& to_;
};

/// Reads what ByteWriter has written. Never beyond the end.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : left_(bytes) {}

  /// @throw std::runtime_error  there is less
  [[nodiscard]] std::span<const std::byte> take_bytes(std::size_t count) {
    if (count > left_.size()) throw std::runtime_error("a message of another host is cut short");
    const auto bytes = left_.first(count);
    left_ = left_.subspan(count);
    return bytes;
  }
  template <class T>
  [[nodiscard]] T take() {
    static_assert(std::is_trivially_copyable_v<T> && !std::is_pointer_v<T>);
    T value;
    std::memcpy(static_cast<void*>(&value), take_bytes(sizeof(T)).data(), sizeof(T));
    return value;
  }
  [[nodiscard]] std::string take_text() {
    const auto bytes = take_bytes(take<std::uint32_t>());
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
  [[nodiscard]] std::size_t left() const noexcept { return left_.size(); }

 private:
  std::span<const std::byte> left_;
};

}  // namespace takt
