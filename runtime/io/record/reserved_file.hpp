#pragma once
// A file whose room on the disk is taken before its content is known.

#include <cstddef>
#include <filesystem>
#include <string_view>

namespace takt {

/// Stands beside its later place as NAME.part, empty, until it is written; goes away unwritten. Where the file system
/// cannot reserve room it is written like any other.
class ReservedFile {
 public:
  /// @throw std::runtime_error  there is no room, or the place is not writable
  ReservedFile(std::filesystem::path path, std::size_t bytes);
  ~ReservedFile();
  ReservedFile(const ReservedFile&) = delete;
  ReservedFile& operator=(const ReservedFile&) = delete;

  /// The whole content, once; readers see all of it or nothing.
  /// @throw std::runtime_error
  void write(std::string_view text);

 private:
  void close();
  std::filesystem::path path_, part_;
  int descriptor_ = -1;
};

}  // namespace takt
