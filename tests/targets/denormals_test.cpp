#include "denormals.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <thread>

namespace {

double halved_smallest() {
  volatile double smallest = std::numeric_limits<double>::min();
  volatile double half = smallest / 2.0;
  return half * 4.0;
}

}  // namespace

TEST_CASE("subnormals_are_zero_on_this_thread_and_those_it_starts_after_the_call") {
  CHECK(halved_smallest() > 0.0);
  takt::platform::flush_denormals();
  CHECK(halved_smallest() == 0.0);
  double elsewhere = 1.0;
  std::thread([&] { elsewhere = halved_smallest(); }).join();
  CHECK(elsewhere == 0.0);
}
