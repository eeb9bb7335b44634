#pragma once

#include <filesystem>
#include <string>

namespace takt::tools {

/// A file that is gone when this is.
class TemporaryFile {
 public:
  /// @throws std::system_error
  explicit TemporaryFile(const std::string& text);
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// A folder that is gone, with all in it, when this is.
class TemporaryFolder {
 public:
  /// @throws std::system_error
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace takt::tools
