#pragma once
// Random switched circuits as plant text: a tree of random elements over the nodes, and chords.

#include <random>
#include <string>

namespace takt::codegen::testing {

[[nodiscard]] std::string random_switched(std::mt19937_64& random);

}  // namespace takt::codegen::testing
