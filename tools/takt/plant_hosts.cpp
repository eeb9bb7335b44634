#include "tools/takt/plant_hosts.hpp"

#include <sys/prctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>

#include "tools/takt/build_plant.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/over_ssh.hpp"

namespace takt::tools {

bool lay_out_hosts(const codegen::Rig& rig, const std::filesystem::path& directory) {
  namespace fs = std::filesystem;
  if (rig.hosts.empty()) return true;
  const fs::path link = find_home().prefix / "bin" / "takt-host-link", folder = directory / "hosts";
  try {
    fs::create_directories(folder);
    fs::copy_file(link, folder / "takt-host-link.part", fs::copy_options::overwrite_existing);
    fs::rename(folder / "takt-host-link.part", folder / "takt-host-link");
  } catch (const fs::filesystem_error& error) {
    std::fprintf(stderr, "takt: cannot lay out what the hosts of the plant need: %s\n", error.what());
    return false;
  }
  return true;
}

namespace {

/// $3 folder of the build, $4 executable below it.
constexpr const char* packed =
    "cd \"$3\" && parts=\"$4 hosts\" && { [ ! -d fmu ] || parts=\"$parts fmu\"; } && tar -cf - $parts | ";

/// @param there  folder there; like the names of plants and hosts it needs no quotes
std::string unpacked(const std::string& there, const std::string& executable, const std::string& host) {
  return "mkdir -p " + there + " && tar -C " + there + " -oxf - && exec " + there + "/" + executable + " --host " +
         host + " --quiet";
}

/// In a process that ends with this one.
bool start(const std::vector<std::string>& words) {
  const pid_t parent = ::getpid();
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) {
    std::fprintf(stderr, "takt run: cannot make a process: %s\n", std::strerror(errno));
    return false;
  }
  if (child > 0) return true;
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(1);
  std::vector<char*> raw;
  for (const std::string& word : words) raw.push_back(const_cast<char*>(word.c_str()));
  raw.push_back(nullptr);
  ::execvp(raw[0], raw.data());
  std::fprintf(stderr, "takt run: cannot start %s: %s\n", raw[0], std::strerror(errno));
  ::_exit(1);
}

}  // namespace

bool start_hosts(const codegen::Rig& rig, const BuiltPlant& plant, const std::vector<std::string>& extras) {
  const auto says = [&](const char* word) {
    return std::any_of(extras.begin(), extras.end(), [&](const std::string& extra) {
      return extra == word || extra.starts_with(std::string(word) + "=");
    });
  };
  for (const char* alone :
       {"--host", "--one-host", "--help", "-h", "--list", "--list-faults", "--list-recorded", "--propose-hosts"})
    if (says(alone)) return true;
  for (std::size_t i = 1; i < rig.hosts.size(); ++i) {
    const codegen::HostMap& host = rig.hosts[i];
    std::error_code unknown;
    const auto directory = std::filesystem::absolute(plant.directory, unknown);
    const auto below = std::filesystem::proximate(plant.executable, plant.directory, unknown);
    const std::string there = ".cache/takt/hosts/" + plant.checked.network.name;
    const bool started = host.ssh.empty() ? start({plant.executable.string(), "--host", host.name, "--quiet"})
                                          : start(over_ssh(host.ssh, unpacked(there, below.string(), host.name), packed,
                                                           {directory.string(), below.string()}));
    if (!started) return false;
  }
  return true;
}

}  // namespace takt::tools
