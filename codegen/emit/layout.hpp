#pragma once
// Lines of emitted files that fit the page.

#include <string>

namespace takt::codegen {

/// The text with lines of at most 120 columns: a comment behind a line stands above it where both are too long, the
/// line is broken where its operands hang together least, and goes on four columns further in.
[[nodiscard]] std::string with_short_lines(const std::string& file);

}  // namespace takt::codegen
