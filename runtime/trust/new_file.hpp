#pragma once
// Files that this process makes, where others may have prepared something of the same name.

#include <filesystem>

namespace takt {

/// Makes the file and opens it. What had its name goes; a link, above all, is not followed, and a file with several
/// names keeps its content under the others. Devices (/dev/null) are opened as they are.
/// @param access  O_WRONLY or O_RDWR
/// @return its descriptor; -1: errno says why not
[[nodiscard]] int open_new_file(const std::filesystem::path& path, int access) noexcept;

}  // namespace takt
