#pragma once
// One hash for names of folders and keys of builds.

#include <string>
#include <string_view>

namespace takt::codegen {

/// FNV-1a of 64 bits, as 16 hexadecimal digits.
[[nodiscard]] std::string hash_text(std::string_view text);

}  // namespace takt::codegen
