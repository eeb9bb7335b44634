#pragma once
// rtnetlink (rtnetlink(7), linux/rtnetlink.h): one request, one answer. Not real-time.

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace takt::can {

/// The kernel refuses, or there is no such interface. The text says why, in the kernel's words where it has some.
class LinkError : public std::runtime_error {
 public:
  LinkError(const std::string& text, int number) : std::runtime_error(text), errno_(number) {}
  /// errno of the system call; 0: none.
  [[nodiscard]] int error() const noexcept { return errno_; }

 private:
  int errno_;
};

/// A message about one interface (struct ifinfomsg) with attributes, nested ones too.
class NetlinkRequest {
 public:
  /// @param type  RTM_GETLINK, RTM_NEWLINK  @param interface  its index; 0: by an IFLA_IFNAME
  NetlinkRequest(std::uint16_t type, int interface);
  /// The flags of `mask` become those of `flags` (IFF_UP).
  void change_flags(unsigned flags, unsigned mask);
  /// Throws std::length_error where the message becomes longer than 1024 bytes.
  void add(std::uint16_t type, std::span<const std::byte> data);
  template <class T>
  void add(std::uint16_t type, const T& value) {
    add(type, std::as_bytes(std::span(&value, 1)));
  }
  void add_text(std::uint16_t type, const std::string& text);
  /// @return what end() takes: attributes between the two are inside of this one
  [[nodiscard]] std::size_t begin(std::uint16_t type);
  void end(std::size_t nested);
  [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return {buffer_.data(), size_}; }

 private:
  alignas(8) std::array<std::byte, 1024> buffer_{};
  std::size_t size_ = 0;
};

/// Attributes of a message, or inside of one. What is cut short is passed over.
class NetlinkAttributes {
 public:
  explicit NetlinkAttributes(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}
  /// Its data; none: empty.
  [[nodiscard]] std::span<const std::byte> find(std::uint16_t type) const noexcept;
  [[nodiscard]] NetlinkAttributes inside(std::uint16_t type) const noexcept { return NetlinkAttributes(find(type)); }
  /// Kernels add members at the end of structures: a shorter one is filled with zeros.
  template <class T>
  [[nodiscard]] std::optional<T> value(std::uint16_t type) const noexcept {
    const auto data = find(type);
    if (data.empty()) return std::nullopt;
    T result{};
    std::memcpy(&result, data.data(), data.size() < sizeof result ? data.size() : sizeof result);
    return result;
  }
  [[nodiscard]] std::string text(std::uint16_t type) const;

 private:
  std::span<const std::byte> bytes_;
};

/// Sends a request and waits for its answer, a second at most.
/// @return the payload of the answer behind its nlmsghdr; of an acknowledgement nothing
/// Throws LinkError.
std::vector<std::byte> ask_kernel(const NetlinkRequest& request);

}  // namespace takt::can
