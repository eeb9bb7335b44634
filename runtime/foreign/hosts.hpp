#pragma once
// The host processes of the FMUs of a plant.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "runtime/plant/description.hpp"

namespace takt::foreign {

/// Starts takt-fmu-host for each FMU, connects the ports (port.hpp); ends them with it.
class Hosts {
 public:
  /// @throw std::runtime_error  the files or the host are not there, or a host did not come up: cause and remedy
  explicit Hosts(std::span<const ForeignDescription> models);
  ~Hosts();
  Hosts(const Hosts&) = delete;
  Hosts& operator=(const Hosts&) = delete;

  /// What FMUs have said of their failures: "fmu.engine: DoStep: Error: ...".
  [[nodiscard]] std::vector<std::string> problems() const;

 private:
  void start(std::size_t number, const std::filesystem::path& fmus);
  std::span<const ForeignDescription> models_;
};

}  // namespace takt::foreign
