#include "tools/takt/temporary_file.hpp"

#include <unistd.h>

#include <cstdlib>
#include <system_error>

#include "runtime/io/record/text_file.hpp"

namespace takt::tools {

namespace {

std::string name_to_fill() { return (std::filesystem::temp_directory_path() / "takt-XXXXXX").string(); }

}  // namespace

TemporaryFile::TemporaryFile(const std::string& text) {
  std::string name = name_to_fill();
  const int fd = mkstemp(name.data());
  if (fd < 0) throw std::system_error(errno, std::generic_category(), name);
  close(fd);
  path_ = name;
  write_whole(path_, text);
}

TemporaryFile::~TemporaryFile() {
  std::error_code ignored;
  std::filesystem::remove(path_, ignored);
}

TemporaryFolder::TemporaryFolder() {
  std::string name = name_to_fill();
  if (mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), name);
  path_ = name;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace takt::tools
