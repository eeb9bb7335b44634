#pragma once
// The one place at which commands call ssh.

#include <string>
#include <vector>

namespace takt::tools {

/// @param option  where the address stands, "--on"
/// @throws UsageError  where it is no machine: ssh would take "-V" for an option
void check_address(const std::string& address, const std::string& option);

/// What to start here so that something runs on another machine. TAKT_SSH names another command in place of ssh; `--`
/// stands before the address, whoever has checked it.
/// @param script  for the shell there
/// @param before  for the shell here, before ssh: "exec ", or "tar -c \"$3\" | "
/// @param words   $3, $4 ... of `before`
[[nodiscard]] std::vector<std::string> over_ssh(const std::string& address, const std::string& script,
                                                const std::string& before, const std::vector<std::string>& words = {});

}  // namespace takt::tools
