#include "codegen/plan/gather_alike.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using takt::codegen::Dependency;
using takt::codegen::gather_alike;
using Nodes = std::vector<std::size_t>;

TEST_CASE("windows of copies stand together") {
  // Two copies of 0 -> 1 -> 2, one after the other.
  CHECK(gather_alike({0, 1, 2, 3, 4, 5}, {{0, 1, 0.0}, {1, 2, 0.0}, {3, 4, 0.0}, {4, 5, 0.0}}, {7, 8, 9, 7, 8, 9}) ==
        Nodes{0, 3, 1, 4, 2, 5});
}

TEST_CASE("coupled windows keep their order, whichever way they are coupled") {
  std::mt19937 random(1);
  for (int round = 0; round < 200; ++round) {
    const std::size_t count = 2 + random() % 12;
    Nodes order(count), kind(count);
    for (std::size_t k = 0; k < count; ++k) order[k] = k, kind[k] = random() % 3;
    std::shuffle(order.begin(), order.end(), random);
    std::vector<Dependency> dependencies;
    for (std::size_t k = 0; k < count; ++k) dependencies.push_back({random() % count, random() % count, 0.0});
    const Nodes gathered = gather_alike(order, dependencies, kind);
    REQUIRE(std::is_permutation(gathered.begin(), gathered.end(), order.begin(), order.end()));
    const auto before = [](const Nodes& in, std::size_t a, std::size_t b) {
      return std::find(in.begin(), in.end(), a) < std::find(in.begin(), in.end(), b);
    };
    for (const Dependency& d : dependencies)
      CHECK(before(gathered, d.producer, d.consumer) == before(order, d.producer, d.consumer));
  }
}
