#pragma once
// Lines of emitted files that fit the page.

#include <cstddef>
#include <optional>
#include <string>

#include "codegen/source/source_file.hpp"

namespace takt::codegen {

/// The text with lines of at most 120 columns: a comment behind a line stands above it where both
/// are too long, the line is broken where its operands hang together least, and goes on four
/// columns further in.
/// @param hole  in the text: SourceText::fill(); its line stays as it is
[[nodiscard]] SourceText with_short_lines(const std::string& file,
                                          std::optional<std::size_t> hole = {});

}  // namespace takt::codegen
