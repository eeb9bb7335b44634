#pragma once
// An FMU that forks makes a copy of the process that calls it, with its memory and its place in the code. A copy that
// comes back from a call would go on as its original does and answer in its stead: it is ended there.

#include <atomic>
#include <cstdint>

namespace takt::fmu {

namespace own_process {
/// A page that the system clears in copies, whoever makes them. Null: nobody looks.
inline const std::uint32_t* mark = nullptr;
}  // namespace own_process

/// From now on.
/// @param came_back  counts copies that came back; in memory that copies share
/// @return false: this system cannot tell them apart
bool end_copies(std::atomic<std::uint32_t>& came_back) noexcept;

[[nodiscard]] inline bool is_copy() noexcept { return own_process::mark != nullptr && *own_process::mark == 0; }

[[noreturn]] void leave_as_copy() noexcept;

/// Whether copies came back. Where some were made since it was asked last, they are given a while to do so.
[[nodiscard]] bool copies_came_back() noexcept;

inline constexpr const char* about_copies =
    "the FMU copies the process it runs in (fork), and the copy came back from the call as if it were the original; it "
    "was ended, but what the FMU computes is not to be relied on";

}  // namespace takt::fmu
