#pragma once
// Where this process computes: not where the plant does.

#include <span>
#include <string>

namespace takt::dds {

/// Ordinary priority, and for all threads that there are no CPU of these, where there are others.
/// @return what is to be said; empty: nothing
std::string keep_off(std::span<const int> cpus);

}  // namespace takt::dds
