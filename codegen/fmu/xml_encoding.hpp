#pragma once
// The encodings of XML files of FMUs, brought to UTF-8.

#include <optional>
#include <string>
#include <string_view>

#include "codegen/text/diagnostics.hpp"

namespace takt::codegen {

/// @return the text as UTF-8 without mark, or nothing: an encoding that is not served, bytes that
/// are none of it (Y013)
std::optional<std::string> to_utf8(std::string_view bytes, FileName file, Diagnostics& diagnostics);

}  // namespace takt::codegen
