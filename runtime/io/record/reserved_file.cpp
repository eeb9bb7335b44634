#include "runtime/io/record/reserved_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "runtime/trust/new_file.hpp"

namespace takt {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error) {
  throw std::runtime_error(what + path.string() + ": " + std::strerror(error));
}

}  // namespace

ReservedFile::ReservedFile(std::filesystem::path path, std::size_t bytes)
    : path_(std::move(path)), part_(path_.string() + ".part") {
  descriptor_ = open_new_file(part_, O_WRONLY);
  if (descriptor_ < 0) fail("cannot write ", part_, errno);
  if (fallocate(descriptor_, FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(bytes)) == 0) return;
  const int error = errno;
  if (error != ENOSPC && error != EDQUOT) return;  // not every file system can
  close();
  fail("no room for the results: cannot reserve ", path_, error);
}

ReservedFile::~ReservedFile() {
  if (descriptor_ >= 0) close();
}

void ReservedFile::close() {
  ::close(descriptor_);
  descriptor_ = -1;
  unlink(part_.c_str());
}

void ReservedFile::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor_, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail("cannot write ", path_, errno);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (ftruncate(descriptor_, lseek(descriptor_, 0, SEEK_CUR)) != 0)
    fail("cannot write ", path_, errno);  // gives back what was not needed
  if (rename(part_.c_str(), path_.c_str()) != 0) fail("cannot write ", path_, errno);
  ::close(descriptor_);
  descriptor_ = -1;
}

}  // namespace takt
