#pragma once
// Who is at the other end of a connection within this machine. Not real-time.

#include <sys/types.h>

#include <optional>

namespace takt::can {

/// The user whose socket it is; none where the kernel does not say.
[[nodiscard]] std::optional<uid_t> user_of_peer(int socket) noexcept;

}  // namespace takt::can
