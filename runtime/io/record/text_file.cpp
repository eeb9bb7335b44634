#include "runtime/io/record/text_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <stdexcept>

#include "runtime/trust/new_file.hpp"

namespace takt {
namespace {

template <class T>
void append_number(std::string& buffer, T value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  buffer.append(digits, end);
}

std::string cannot_write(const std::filesystem::path& path, int error) {
  return "cannot write " + path.string() + ": " + std::strerror(error);
}

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
  throw std::runtime_error(cannot_write(path, error));
}

}  // namespace

TextFile::~TextFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void TextFile::open(const std::filesystem::path& path) {
  path_ = path;
  descriptor_ = open_new_file(path, O_WRONLY);
  if (descriptor_ < 0) fail(path, errno);
  buffer_.reserve(1 << 16);
}

void TextFile::add(std::string_view text) { buffer_.append(text); }
void TextFile::add(double value) { append_number(buffer_, value); }
void TextFile::add(std::uint64_t value) { append_number(buffer_, value); }

void TextFile::add_seconds(SimTime time) {
  const std::int64_t ns = time.ns();
  append_number(buffer_, ns / 1'000'000'000);
  std::int64_t rest = ns % 1'000'000'000;
  if (rest == 0) return;
  char digits[] = ".000000000";
  for (std::size_t i = 9; i > 0; --i, rest /= 10) digits[i] = static_cast<char>('0' + rest % 10);
  std::size_t length = 10;
  while (digits[length - 1] == '0') --length;
  buffer_.append(digits, length);
}

void TextFile::flush() {
  const char* from = buffer_.data();
  std::size_t left = buffer_.size();
  while (left > 0 && error_ == 0) {
    const ssize_t written = ::write(descriptor_, from, left);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      error_ = errno;
      keep_whole_lines(buffer_.size() - left);
      break;
    }
    from += written;
    left -= static_cast<std::size_t>(written);
  }
  if (error_ != 0)
    lines_lost_ +=
        static_cast<std::uint64_t>(std::count(buffer_.end() - static_cast<std::ptrdiff_t>(left), buffer_.end(), '\n'));
  size_ += buffer_.size();
  buffer_.clear();
}

/// Of what the last flush got down: who reads the file finds no half numbers in it.
void TextFile::keep_whole_lines(std::size_t written) {
  const std::size_t end = std::string_view(buffer_).substr(0, written).rfind('\n');
  (void)!ftruncate(descriptor_, static_cast<off_t>(size_ + (end == std::string_view::npos ? 0 : end + 1)));
}

std::string TextFile::problem() const { return error_ == 0 ? "" : cannot_write(path_, error_); }

void TextFile::close() {
  if (descriptor_ < 0) return;
  flush();
  if (::close(descriptor_) != 0 && error_ == 0) error_ = errno;
  descriptor_ = -1;
  if (error_ != 0) fail(path_, error_);
}

void write_whole(const std::filesystem::path& path, std::string_view text) {
  const std::filesystem::path temporary = path.string() + ".part";
  std::error_code error, ignored;
  try {
    TextFile file;
    file.open(temporary);
    file.add(text);
    file.close();
  } catch (const std::runtime_error&) {
    std::filesystem::remove(temporary, ignored);  // on a full disk it would take the last room
    throw;
  }
  std::filesystem::rename(temporary, path, error);
  if (error) fail(path, error.value());
}

}  // namespace takt
