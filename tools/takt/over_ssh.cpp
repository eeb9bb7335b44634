#include "tools/takt/over_ssh.hpp"

#include "codegen/rig/ssh_address.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {

void check_address(const std::string& address, const std::string& option) {
  if (!codegen::is_ssh_address(address))
    throw UsageError(option + " '" + address + "' is no machine: " + std::string(codegen::ssh_address_rule));
}

std::vector<std::string> over_ssh(const std::string& address, const std::string& script, const std::string& before,
                                  const std::vector<std::string>& words) {
  constexpr const char* ssh =
      "${TAKT_SSH:-ssh -o BatchMode=yes -o ConnectTimeout=10 -o ServerAliveInterval=5 -o ServerAliveCountMax=3} -- "
      "\"$1\" \"$2\"";
  std::vector<std::string> command{"sh", "-c", before + ssh, "takt", address, script};
  command.insert(command.end(), words.begin(), words.end());
  return command;
}

}  // namespace takt::tools
