#pragma once
// Signs of other languages, and of paper, in expressions.

#include <string>
#include <string_view>

namespace takt {

/// How what `rest` begins with is written here; empty where it is not known.
[[nodiscard]] std::string sign_hint(std::string_view rest);

}  // namespace takt
