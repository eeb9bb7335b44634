#pragma once
// Whose process is at the other end of a connection within this machine.

#include <array>
#include <cstdint>

namespace takt::view {

struct LocalEnd {
  bool is_v6 = false;
  std::array<unsigned char, 16> address{};  ///< in network order; of version 4 the first four
  std::uint16_t port = 0;
};

/// @param theirs  the address of the client, of this machine
/// @return it belongs to this user or to root. False where the kernel knows no such connection: it comes from elsewhere
[[nodiscard]] bool is_of_own_user(const LocalEnd& theirs, const LocalEnd& ours);

}  // namespace takt::view
