#include "tools/takt/temporary_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "runtime/io/record/text_file.hpp"

namespace takt::tools {

namespace {

std::string unnamed() { return (std::filesystem::temp_directory_path() / "takt-XXXXXX").string(); }

std::filesystem::path new_file() {
  std::string name = unnamed();
  const int fd = mkstemp(name.data());
  if (fd < 0) throw std::system_error(errno, std::generic_category(), name);
  close(fd);
  return name;
}

std::filesystem::path new_folder() {
  std::string name = unnamed();
  if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  return name;
}

}  // namespace

TemporaryPath::~TemporaryPath() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

TemporaryFile::TemporaryFile(const std::string& text) : TemporaryPath(new_file()) { write_whole(path(), text); }

TemporaryFolder::TemporaryFolder() : TemporaryPath(new_folder()) {}

}  // namespace takt::tools
