#pragma once
// A run of a random network, on as many threads as it is placed on.

#include <thread>
#include <utility>
#include <vector>

#include "runtime/executive/executive.hpp"
#include "tests/runtime/support/random_network.hpp"

namespace takt::test {

inline RunResults run(RandomNetwork& network, Executive::Options options, InputScript script = {},
                      IoPort* io = nullptr) {
  network.reset();
  SystemClock clock;
  Executive executive(network.description(), std::move(options),
                      {.clock = clock, .io = io, .script = std::move(script)});
  (void)executive.prepare();
  std::vector<std::thread> helpers;
  for (std::size_t i = 1; i < executive.workers(); ++i) helpers.emplace_back([&executive, i] { executive.help(i); });
  executive.run();
  for (std::thread& helper : helpers) helper.join();
  RunResults results;
  executive.report(results);
  return results;
}

}  // namespace takt::test
