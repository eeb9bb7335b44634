#pragma once
// Names in functions that nothing reads.

#include <string>

namespace takt::codegen {

/// The text of a file in which what is marked [[maybe_unused]] is either used, without the mark, or left out: of a
/// parameter its name, of a local its line.
[[nodiscard]] std::string without_unused_marks(const std::string& file);

}  // namespace takt::codegen
