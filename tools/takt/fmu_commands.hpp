#pragma once
// The sub-commands of `takt fmu` that call an FMU.

#include <memory>

namespace takt::command_line {
class App;
}

namespace takt::tools {

struct FmuRunArguments;
struct FmuTestArguments;

/// takt fmu run FILE: one run of an FMU, recorded.
class FmuRunCommand {
 public:
  explicit FmuRunCommand(command_line::App& app);
  ~FmuRunCommand();
  [[nodiscard]] bool parsed() const;
  /// @return ExitCode
  int run() const;

 private:
  command_line::App* app_;
  std::unique_ptr<FmuRunArguments> arguments_;
};

/// takt fmu test FILE: is an FMU fit for real time?
class FmuTestCommand {
 public:
  explicit FmuTestCommand(command_line::App& app);
  ~FmuTestCommand();
  [[nodiscard]] bool parsed() const;
  /// @return exit_ok: fit, exit_failed: not
  int run() const;

 private:
  command_line::App* app_;
  std::unique_ptr<FmuTestArguments> arguments_;
};

}  // namespace takt::tools
