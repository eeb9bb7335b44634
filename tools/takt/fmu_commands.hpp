#pragma once
// The sub-commands of `takt fmu` that call an FMU.

#include <memory>

namespace CLI {
class App;
}

namespace takt::tools {

struct FmuRunArguments;
struct FmuTestArguments;

/// takt fmu run FILE: one run of an FMU, recorded.
class FmuRunCommand {
 public:
  explicit FmuRunCommand(CLI::App& app);
  ~FmuRunCommand();
  [[nodiscard]] bool parsed() const;
  /// @return ExitCode
  int run() const;

 private:
  CLI::App* app_;
  std::unique_ptr<FmuRunArguments> arguments_;
};

/// takt fmu test FILE: is an FMU fit for real time?
class FmuTestCommand {
 public:
  explicit FmuTestCommand(CLI::App& app);
  ~FmuTestCommand();
  [[nodiscard]] bool parsed() const;
  /// @return exit_ok: fit, exit_failed: not
  int run() const;

 private:
  CLI::App* app_;
  std::unique_ptr<FmuTestArguments> arguments_;
};

}  // namespace takt::tools
