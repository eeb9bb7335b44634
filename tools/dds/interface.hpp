#pragma once
// The network interface that DDS is limited to, and the settings of Cyclone DDS that limit it.

#include <string>

namespace takt::dds {

struct Interface {
  std::string name, address;  ///< IPv4
  bool multicast = false;
  int mtu = 1500;  ///< bytes
};

/// @throw tools::UsageError  there is none of this name, or it is of no use; says which there are
[[nodiscard]] Interface find_interface(const std::string& name);
/// Settings for dds_create_domain(): no other interface, and no environment variable.
/// @param config  a file with more; empty: none  @throw tools::UsageError  it is missing, or names interfaces, too
[[nodiscard]] std::string domain_settings(const Interface& interface, const std::string& config);

}  // namespace takt::dds
