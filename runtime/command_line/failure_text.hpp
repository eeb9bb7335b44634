#pragma once
// What a program says when it fails for a reason that nobody has put into words: never the bare text of a library.

#include <exception>
#include <string>

namespace takt::command_line {

/// what() of errors that have words; of others - of the standard library, of JSON - what happened and what to do.
[[nodiscard]] std::string failure_text(const std::exception& error);

}  // namespace takt::command_line
