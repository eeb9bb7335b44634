#pragma once
// What users write, put into something that a program reads: the one place where text is kept from
// becoming code. (JSON: nlohmann-json. HTML: escaped() of runtime/io/record/svg_plot.hpp.)

#include <cstddef>
#include <string>
#include <string_view>

namespace takt::codegen {

/// For a // or /* */ comment of C++ or a # comment of CMake: one line that cannot end the comment
/// or go on in the next line.
[[nodiscard]] std::string comment_text(std::string_view text);

/// A literal of C++ that reads back as the same bytes.
[[nodiscard]] std::string string_literal(std::string_view text);

/// A quoted name or label of Graphviz; line ends stay line ends.
[[nodiscard]] std::string dot_literal(std::string_view text);

/// Bytes of the valid UTF-8 sequence in front; 0: there is none. Surrogates and overlong forms are
/// none.
[[nodiscard]] std::size_t utf8_length(std::string_view text);

/// Whether a file of this name needs no quoting anywhere: letters, digits, '_' and '.', not in
/// front.
[[nodiscard]] bool is_plain_file_name(std::string_view name);

}  // namespace takt::codegen
