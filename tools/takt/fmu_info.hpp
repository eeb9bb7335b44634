#pragma once
// `takt fmu info` and `takt fmu check`: what an FMU says of itself, and whether it keeps the rules. Nothing of it is
// loaded.

#include <string>
#include <vector>

#include "runtime/command_line/command_line.hpp"

namespace takt::tools {

class FmuInfoCommand {
 public:
  /// Adds itself to `takt fmu`.
  explicit FmuInfoCommand(command_line::App& app);
  FmuInfoCommand(const FmuInfoCommand&) = delete;
  FmuInfoCommand& operator=(const FmuInfoCommand&) = delete;
  [[nodiscard]] bool parsed() const { return app_->parsed(); }
  /// @return exit code.  Throws UsageError.
  [[nodiscard]] int run() const;

 private:
  command_line::App* app_;
  std::string file_;
  bool json_ = false;
};

class FmuCheckCommand {
 public:
  explicit FmuCheckCommand(command_line::App& app);
  FmuCheckCommand(const FmuCheckCommand&) = delete;
  FmuCheckCommand& operator=(const FmuCheckCommand&) = delete;
  [[nodiscard]] bool parsed() const { return app_->parsed(); }
  [[nodiscard]] int run() const;

 private:
  command_line::App* app_;
  std::vector<std::string> files_;
  bool strict_ = false;
};

}  // namespace takt::tools
