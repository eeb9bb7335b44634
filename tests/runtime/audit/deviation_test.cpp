#include "runtime/audit/deviation.hpp"

#include <catch2/catch.hpp>
#include <cmath>

namespace {

using takt::Deviation;

/// Square waves of 0 and 1 that change every `half` samples, the second one sample late.
Deviation late_square(int samples, int half) {
  Deviation deviation;
  for (int k = 0; k < samples; ++k) deviation.add(1e-3 * k, k / half % 2, (k + 1) / half % 2);
  deviation.end();
  return deviation;
}

/// Sines of 100 Hz over 1 s, one of `pull` higher frequency and a phase that is `lag` late from 0.1 s on.
Deviation two_sines(double pull, double lag) {
  constexpr double pi = 3.141592653589793;
  Deviation deviation;
  for (int k = 0; k < 10000; ++k) {
    const double t = 1e-4 * k, other = std::sin(2.0 * pi * 100.0 * (1.0 + pull) * t - (t > 0.1 ? lag : 0.0));
    deviation.own.add(other, 0.0, 0.2);
    deviation.finer.add(std::sin(2.0 * pi * 100.0 * t), 0.0, 0.2);
    deviation.add(t, other, std::sin(2.0 * pi * 100.0 * t));
  }
  deviation.end();
  return deviation;
}

}  // namespace

TEST_CASE("a phase that drifts is none the worse, one that is late is wrong") {
  CHECK(is_drift_of_phase(two_sines(1e-4, 0.0), 2.0, 1e-2, false));
  CHECK(is_drift_of_phase(two_sines(1e-3, 0.0), 2.0, 2e-2, false));
  CHECK_FALSE(is_drift_of_phase(two_sines(0.0, 0.1), 2.0, 1e-2, false));
  CHECK(is_drift_of_phase(two_sines(0.0, 0.1), 2.0, 1e-2, true));  // nothing keeps time
}

TEST_CASE("a jump that one plant has just before a sample and the other just after it does not count") {
  CHECK(late_square(950, 100).rms() == 0.0);
}

TEST_CASE("a square wave of few samples that is late by one does count") { CHECK(late_square(1000, 2).rms() > 0.6); }

TEST_CASE("a deviation that stays counts, and its average with it") {
  Deviation deviation;
  for (int k = 0; k < 100; ++k) deviation.add(1e-3 * k, 0.1 + k % 2, k % 2);
  deviation.end();
  CHECK(deviation.rms() == Approx(0.1));
  CHECK(deviation.rms_of_averages() == Approx(0.1));
}

TEST_CASE("what swings about the other's value has no average") {
  Deviation deviation;
  for (int k = 0; k < 128; ++k) deviation.add(1e-3 * k, k % 2 == 0 ? 0.1 : -0.1, 0.0);
  deviation.end();
  CHECK(deviation.rms() == Approx(0.1));
  CHECK(deviation.rms_of_averages() < 1e-9);
}

namespace {

using namespace takt;

/// A wave of 1 V, and beside it a small one of these amplitudes in the run and in the plan with finer times.
Judgement small_beside_large(double own, double finer, const char* unit = "kg") {
  PlantCopy copy{.macro_step = 0, .memory = std::vector<std::byte>(2 * sizeof(double)), .exchanges = {}};
  std::vector<Quantity> quantities(2);
  for (std::size_t k = 0; k < 2; ++k)
    quantities[k] = {.path = k == 0 ? "large" : "small", .unit = unit, .offset = k * sizeof(double)};
  Deviations deviations(quantities, std::span(&copy, 1));
  for (int k = 1; k <= 1000; ++k) {
    const double wave = std::sin(0.01 * k);
    deviations.compare(std::vector{wave, own * wave}, std::vector{wave, finer * wave}, 1e-3 * k);
  }
  deviations.end();
  return deviations.judged(1e-2, false);
}

}  // namespace

TEST_CASE("a small signal that the finer plan confirms is judged by its own range") {
  CHECK(small_beside_large(1.2e-4, 1e-4).error == Approx(0.06).epsilon(0.1));
  CHECK(small_beside_large(0.5e-4, 1e-4).error > 0.1);
  CHECK(small_beside_large(1.001e-4, 1e-4).error < 1e-3);
}

TEST_CASE("what shrinks as times do is what large signals are off, and judged beside them") {
  CHECK(small_beside_large(1e-4, 0.2e-4).error < 1e-2);      // of order 1
  CHECK(small_beside_large(1e-4, 1e-4 / 625).error < 1e-2);  // of order 4
}

TEST_CASE("what may be rounding of large signals is judged beside them") {
  CHECK(small_beside_large(1e-10, 2e-10).error < 1e-2);
  CHECK(small_beside_large(1e-8, 2e-8).error > 0.1);
  CHECK(small_beside_large(1e-10, 2e-10, "1").error > 0.1);  // without a unit they have nothing in common
  CHECK(small_beside_large(1e-13, 2e-13, "1").error < 1e-2);
}

namespace {

/// The recorded output of a control block, in the run and in the plan with finer times.
template <class Own, class Finer>
Judgement sampled_output(Own own, Finer finer) {
  PlantCopy low{.macro_step = 0, .memory = std::vector<std::byte>(sizeof(double)), .exchanges = {}}, high = low;
  *reinterpret_cast<double*>(high.memory.data()) = 1.0;
  const std::vector<PlantCopy> copies{low, high};
  const std::vector<Quantity> quantities{{.path = "control.out", .unit = "V", .offset = 0, .sampled = true}};
  Deviations deviations(quantities, copies);
  for (int k = 1; k <= 1000; ++k) deviations.compare(std::vector{own(k)}, std::vector{finer(k)}, 1e-3 * k);
  deviations.end();
  return deviations.judged(1e-2, false);
}

}  // namespace

TEST_CASE("the output of a regulator is judged, also one that decays from a leap") {
  const auto decay = [](double samples) {
    return [samples](int k) { return k < 100 ? 0.0 : std::exp((100 - k) / samples); };
  };
  CHECK(sampled_output(decay(2.5), decay(2.5)).error == 0.0);
  CHECK(sampled_output(decay(2.5), decay(4.0)).error > 1e-2);
  CHECK(sampled_output(decay(60), decay(80)).error > 1e-2);
}

TEST_CASE("the output of a relay is not judged: the circuit is, which it switches") {
  const auto relay = [](int late) { return [late](int k) { return static_cast<double>((k + late) / 100 % 2); }; };
  CHECK(sampled_output(relay(0), relay(3)).error == 0.0);
}
