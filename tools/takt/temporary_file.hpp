#pragma once

#include <filesystem>
#include <string>
#include <utility>

namespace takt::tools {

/// Gone, with all in it, when this is.
class TemporaryPath {
 public:
  TemporaryPath(const TemporaryPath&) = delete;
  TemporaryPath& operator=(const TemporaryPath&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 protected:
  explicit TemporaryPath(std::filesystem::path path) : path_(std::move(path)) {}
  ~TemporaryPath();

 private:
  std::filesystem::path path_;
};

class TemporaryFile : public TemporaryPath {
 public:
  /// @throws std::system_error
  explicit TemporaryFile(const std::string& text);
};

class TemporaryFolder : public TemporaryPath {
 public:
  /// @throws std::system_error
  TemporaryFolder();
};

}  // namespace takt::tools
