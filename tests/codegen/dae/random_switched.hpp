#pragma once
// Random switched circuits as plant text: a tree of random elements over the nodes, chords,
// and transformers or coupled inductors anywhere.

#include <random>
#include <string>

namespace takt::codegen::testing {

[[nodiscard]] std::string random_switched(std::mt19937_64& random, bool transformers);

}  // namespace takt::codegen::testing
