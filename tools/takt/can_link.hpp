#pragma once
// `takt can setup | state | restart`: SocketCAN interfaces.

#include <functional>
#include <string>
#include <vector>

#include "runtime/command_line/command_line.hpp"
#include "runtime/io/can/link/settings.hpp"

namespace takt::tools {

class CanLinkCommands {
 public:
  /// Adds the three to `takt can`.
  explicit CanLinkCommands(command_line::App& app);
  CanLinkCommands(const CanLinkCommands&) = delete;
  CanLinkCommands& operator=(const CanLinkCommands&) = delete;
  /// @return whether it was one of them
  [[nodiscard]] bool parsed() const;
  /// @return exit code.  Throws UsageError.
  [[nodiscard]] int run() const;

 private:
  void add_setup(command_line::App& app);
  [[nodiscard]] int set_up() const;
  [[nodiscard]] int set_up_for_rig() const;
  [[nodiscard]] int print_state() const;
  [[nodiscard]] int restart() const;

  command_line::App *setup_ = nullptr, *state_ = nullptr, *restart_ = nullptr;
  std::vector<std::string> interfaces_;
  std::string rig_, restart_after_;
  can::LinkSettings settings_;
  double sample_point_ = 0.0, data_sample_point_ = 0.0;
  bool listen_only_ = false, one_shot_ = false, json_ = false;
};

}  // namespace takt::tools
