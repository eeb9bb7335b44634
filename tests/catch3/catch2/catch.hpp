#pragma once
// Catch2 3, as newer distributions have it, under the names of Catch2 2, which Debian 12 has.

#include <catch2/catch_all.hpp>
#include <string>
#include <utility>

namespace Catch {
inline Matchers::StringContainsMatcher Contains(const std::string& text) { return Matchers::ContainsSubstring(text); }
using Matchers::EndsWith;
using Matchers::StartsWith;
}  // namespace Catch

using Catch::Approx;
