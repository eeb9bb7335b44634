#pragma once
// Tokens: what lets a client in that is no process of this user.

#include <filesystem>
#include <string>

namespace takt::view {

struct Tokens {
  std::string steer, look;
};

/// Of the kernel's random numbers, 128 bits each.  @throw std::system_error
[[nodiscard]] Tokens new_tokens();

/// Two lines: the one for steering, the one for looking. A file that is not there is made, for this user alone.
/// @throw std::runtime_error  it is no such file, or others can read it
[[nodiscard]] Tokens tokens_of(const std::filesystem::path& file);

}  // namespace takt::view
