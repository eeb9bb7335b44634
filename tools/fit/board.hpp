#pragma once
// A board that is measured: this machine, or another one over ssh.

#include <filesystem>
#include <optional>
#include <string>

namespace takt::tools {

class MeasuredBoard {
 public:
  /// @param address  "ssh://user@board:port" of --on; none: this machine
  /// @throws UsageError  it is no machine
  explicit MeasuredBoard(const std::optional<std::string>& address);

  /// As it calls itself: "aarch64".
  /// @throws std::runtime_error  why it cannot be asked, and how to mend it
  [[nodiscard]] std::string machine() const;

  /// Carries a pack there, measures, and brings its results into the pack. What was carried there is gone afterwards,
  /// also when the connection is lost. Progress goes to stderr.
  /// @throws std::runtime_error  what went wrong, and how to mend it
  void measure(const std::filesystem::path& pack) const;

 private:
  [[nodiscard]] std::string name() const;
  /// Why what ran there ended so, and how to mend it.
  [[nodiscard]] std::string cause(int code, const std::string& said) const;

  std::string address_;
};

}  // namespace takt::tools
