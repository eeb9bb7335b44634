#pragma once
// Random plants shared out over hosts of one process, and on one.

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "runtime/executive/executive.hpp"
#include "runtime/hosts/host_plan.hpp"
#include "tests/runtime/support/random_network.hpp"

namespace takt::test {

struct HostCase {
  RandomNetwork::Options shape;
  Placement placement{};
  std::size_t hosts = 2;
  std::uint64_t macro_steps = 60;
  InputScript script{};
  std::vector<std::pair<std::size_t, double>> poison{};  ///< subsystem, from when on (s)
  std::int64_t silence_ns = 5'000'000'000;

  [[nodiscard]] hosts::HostPlan plan(std::size_t own) const {
    hosts::HostPlan plan{.names = {}, .placement = placement, .own = own};
    for (std::size_t host = 0; host < hosts; ++host) plan.names.emplace_back("h").append(std::to_string(host));
    return plan;
  }
  [[nodiscard]] std::vector<std::uint64_t> identities() const {
    std::vector<std::uint64_t> identities(hosts);
    for (std::size_t host = 0; host < hosts; ++host) identities[host] = 100 + host;
    return identities;
  }
  void prepare(RandomNetwork& network) const {
    for (const auto& [subsystem, from_s] : poison) network.poison_too(subsystem, from_s);
    network.reset();
  }
};

inline RunResults run_on_one(const HostCase& of) {
  RandomNetwork network(of.shape);
  of.prepare(network);
  SystemClock clock;
  Executive executive(network.description(), {.macro_steps = of.macro_steps}, {.clock = clock, .script = of.script});
  (void)executive.prepare();
  executive.run();
  RunResults results;
  executive.report(results);
  return results;
}

}  // namespace takt::test
