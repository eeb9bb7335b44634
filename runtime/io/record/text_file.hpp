#pragma once
// Buffered text output to one file, numbers in their shortest exact form.

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "runtime/plant/time.hpp"

namespace takt {

/// Errors are kept, not thrown, until close(): a full disk must not end a run. The file then ends with its last whole
/// line.
class TextFile {
 public:
  TextFile() = default;
  ~TextFile();
  TextFile(const TextFile&) = delete;
  TextFile& operator=(const TextFile&) = delete;

  /// A new file, in place of what has its name.
  /// @throw std::runtime_error  with path and cause
  void open(const std::filesystem::path& path);
  void add(std::string_view text);
  void add(char c) { buffer_.push_back(c); }
  void add(double value);
  void add(std::uint64_t value);
  /// Whole nanoseconds as seconds with as many decimals as needed: exact.
  void add_seconds(SimTime time);
  /// Hands everything to the system, so that it survives the end of this process.
  void flush();
  void flush_if_large() {
    if (buffer_.size() > 60'000) flush();
  }
  /// Lines that are not in the file, because of an error.
  [[nodiscard]] std::uint64_t lines_lost() const { return lines_lost_; }
  /// The first error since open(), with path and cause; empty: none.
  [[nodiscard]] std::string problem() const;
  /// @throw std::runtime_error  the first error since open()
  void close();

 private:
  void keep_whole_lines(std::size_t written);
  std::filesystem::path path_;
  std::string buffer_;
  std::uint64_t size_ = 0, lines_lost_ = 0;
  int descriptor_ = -1;
  int error_ = 0;
};

/// Writes the whole text to a temporary file beside `path` and renames it: readers see all of it or nothing.
/// @throw std::runtime_error
void write_whole(const std::filesystem::path& path, std::string_view text);

}  // namespace takt
