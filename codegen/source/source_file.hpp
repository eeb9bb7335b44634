#pragma once
// Finished sources of a plant.

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace takt::codegen {

/// What a file says. Whoever needs to know what is in it asks what it was emitted from: it is
/// compared, hashed, kept and written to files, and not looked into
/// (tests/house/emitted_text_test.py knows who takes the bytes).
class SourceText {
 public:
  SourceText() = default;
  /// @param hole  where something is filled in later
  explicit SourceText(std::string bytes, std::optional<std::size_t> hole = {})
      : bytes_(std::move(bytes)), hole_(hole) {}
  [[nodiscard]] const std::string& bytes() const { return bytes_; }
  /// @throws std::logic_error  where there is no hole, or it is filled
  void fill(std::string_view text) {
    if (!hole_)
      throw std::logic_error("a source without a hole was to be filled with " + std::string(text));
    bytes_.insert(*std::exchange(hole_, std::nullopt), text);
  }
  [[nodiscard]] bool operator==(const SourceText& other) const { return bytes_ == other.bytes_; }

 private:
  std::string bytes_;
  std::optional<std::size_t> hole_;
};

struct SourceFile {
  std::string name;  ///< file name without folder; *.cpp is compiled
  SourceText text;
  bool offline = false;  ///< needs what runtime/offline is linked with
};
using Sources = std::vector<SourceFile>;

}  // namespace takt::codegen
