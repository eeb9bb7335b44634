#pragma once
// The plant that a command has started.

#include <sys/types.h>

#include <string>
#include <vector>

namespace takt::dds {

/// Goes on where this process ends.
class PlantProcess {
 public:
  /// @param command  executable and arguments; `--out run` is added
  /// @throw std::runtime_error  it cannot be started
  void start(const std::vector<std::string>& command, const std::string& run);
  /// @return how it has ended, as "code 1"; empty: it runs, or there is none
  [[nodiscard]] std::string end();
  [[nodiscard]] bool is_started() const noexcept { return process_ > 0; }

 private:
  pid_t process_ = 0;
};

}  // namespace takt::dds
