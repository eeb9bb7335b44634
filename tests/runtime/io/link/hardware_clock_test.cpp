#include "runtime/io/can/link/hardware_clock.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <random>
#include <vector>

using takt::WallTime;
using takt::can::HardwareClock;

namespace {

constexpr std::int64_t ms = 1'000'000, second = 1'000'000'000;

/// A controller whose clock runs by `drift` too fast; its frames arrive after 100 us and an exponential wait.
struct Controller {
  double drift;
  std::mt19937_64 random{7};
  std::int64_t offset = 123 * second;
  [[nodiscard]] std::int64_t clock(std::int64_t time) const {
    return offset + time + static_cast<std::int64_t>(drift * static_cast<double>(time));
  }
  std::int64_t wait() {
    return 100'000 + static_cast<std::int64_t>(std::exponential_distribution<>(1.0 / 300'000.0)(random));
  }
};

/// Errors of what is made of the stamps, after `warm`, in ns.
std::vector<double> errors(Controller controller, std::int64_t begin, std::int64_t end, std::int64_t warm) {
  HardwareClock clock;
  std::vector<double> errors;
  std::int64_t last_arrival = 0;
  for (std::int64_t time = begin; time < end; time += 10 * ms) {
    last_arrival = std::max(last_arrival, time + controller.wait());
    const WallTime found = clock.at(controller.clock(time), WallTime{last_arrival});
    CHECK(found.ns() <= last_arrival);
    if (time - begin >= warm) errors.push_back(static_cast<double>(found.ns() - time - 100'000));
  }
  CHECK(clock.jumps() == 0);
  return errors;
}

double worst(const std::vector<double>& errors) {
  double most = 0.0;
  for (const double error : errors) most = std::max(most, std::abs(error));
  return most;
}

}  // namespace

TEST_CASE("stamps of a controller become wall time, whatever its drift") {
  for (const double drift : {-100e-6, -20e-6, 0.0, 50e-6, 100e-6}) {
    INFO(drift);
    // The shortest wait of 50 frames a bucket lies 300 us / 50 above the least of all; the kernel's own stamps are off
    // by 300 us on average, and by more than 2 ms at times.
    CHECK(worst(errors({.drift = drift}, 5 * second, 65 * second, 6 * second)) < 60'000.0);
  }
}

TEST_CASE("from the first frame on a stamp is no later than its arrival, and not far off") {
  CHECK(worst(errors({.drift = 100e-6}, 0, 6 * second, 0)) < 1'500'000.0);
}

TEST_CASE("frames out of their order are no jump") {
  HardwareClock clock;
  for (std::int64_t time = second; time < 4 * second; time += 100 * ms) {
    CHECK(clock.at(time, WallTime{time + 50 * second}) == WallTime{time + 50 * second});
    CHECK(clock.at(time - 20'000, WallTime{time + 50 * second + 1'000}) == WallTime{time + 50 * second - 20'000});
  }
  CHECK(clock.jumps() == 0);
}

TEST_CASE("a clock that jumps begins anew") {
  HardwareClock clock;
  CHECK(clock.at(5 * second, WallTime{100 * second}) == WallTime{100 * second});
  CHECK(clock.at(6 * second, WallTime{101 * second + ms}) == WallTime{101 * second});
  CHECK(clock.jumps() == 0);
  CHECK(clock.at(ms, WallTime{102 * second}) == WallTime{102 * second});  // reset
  CHECK(clock.jumps() == 1);
  CHECK(clock.at(2 * ms, WallTime{102 * second + 3 * ms}) == WallTime{102 * second + ms});
  CHECK(clock.at(20 * second, WallTime{103 * second}) == WallTime{103 * second});  // set ahead
  CHECK(clock.jumps() == 2);
}
