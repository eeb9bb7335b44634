#pragma once
// What tests of FMU instances share: names of the variables of toy3.c, and runs of the FMUs made here.

#include <catch2/catch.hpp>
#include <cmath>
#include <limits>

#include "float_control.hpp"
#include "runtime/fmu/driver.hpp"
#include "tests/runtime/support/places.hpp"

namespace takt::instance_sample {

using namespace takt::fmu;
using Catch::Contains;

enum Ref3 : std::uint32_t {
  H = 1,
  V,
  DER_H,
  DER_V,
  E,
  GAINS,
  SCALED,
  TICKS,
  MARKED,
  SURFACE,
  NAME,
  SMALL,
  BIG,
  SINGLE
};

inline Table toy(Version version, Kind kind) {
  Table table;
  table.version = version, table.kind = kind;
  table.library =
      takt::test::build_folder() / "tests/runtime/fmu" / (version == Version::v2 ? "fmu_toy2.so" : "fmu_toy3.so");
  table.token = version == Version::v2 ? "{toy2}" : "{toy3}";
  table.states = version == Version::v2 ? 1 : 2, table.indicators = version == Version::v2 ? 0 : 1;
  table.can = {.get_and_set_state = true,
               .serialize_state = true,
               .directional_derivatives = true,
               .adjoint_derivatives = version == Version::v3,
               .has_event_mode = version == Version::v3,
               .may_return_early = version == Version::v3};
  return table;
}

struct NoInputs final : Inputs {
  Result continuous(Instance&, double) noexcept override { return {}; }
  Result all(Instance&, double) noexcept override { return {}; }
};

/// Through initialisation.
inline void begin(Instance& instance, bool event_mode = true) {
  REQUIRE(instance.instantiate({"test", false, event_mode, event_mode}).done());
  REQUIRE(instance.enter_initialization({}).done());
  REQUIRE(instance.exit_initialization().done());
}

inline double read(Instance& instance, const Row& row) {
  RowSet rows(instance.table().version, std::span(&row, 1));
  std::vector<double> values(row.count);
  REQUIRE(instance.get(rows, values).done());
  return values[0];
}

inline Result write(Instance& instance, const Row& row, double value) {
  RowSet rows(instance.table().version, std::span(&row, 1));
  return instance.set(rows, std::vector<double>(row.count, value));
}

inline constexpr Row x2{Type::float64, 0, 0, 1, Use::start_exact}, u2{Type::float64, 2, 0, 1, Use::input_continuous};
inline constexpr Row fault2{Type::enumeration, 1, 0, 1, Use::start_exact};

/// Times of impacts until `until`, s.
inline std::vector<double> impacts(double until) {
  std::vector<double> times;
  double t = std::sqrt(2.0 / 9.81), v = 9.81 * t;
  for (; t < until; t += 2 * v / 9.81) times.push_back(t), v *= 0.7;
  return times;
}

struct Seen final : EventWatch {
  std::vector<double> times;
  Result before(Instance&, double t) noexcept override { return times.push_back(t), Result{}; }
  Result after(Instance&, double) noexcept override { return {}; }
};

enum Stiff : std::uint32_t { P, A, B, S, DER_P, DER_A, DER_B, DER_S, L, MU, RELAY };

inline Table stiff(bool partials) {
  Table table = toy(Version::v2, Kind::model_exchange);
  table.library = takt::test::build_folder() / "tests/runtime/fmu/fmu_stiff2.so";
  table.states = 4, table.indicators = 1;
  table.can = {.directional_derivatives = partials};
  table.state_references = {P, A, B, S}, table.rate_references = {DER_P, DER_A, DER_B, DER_S};
  return table;
}

struct Parameters {
  double l = 1.0, mu = 1.0, relay = 0.0, a = 2.0, b = 0.0;
};

/// States at 1 s, or why it did not come there.
struct Reached {
  std::vector<double> x;
  std::string reason;
};
inline Reached run_stiff(const Parameters& of, const char* method, int steps, bool partials = true) {
  Instance instance(stiff(partials));
  REQUIRE(instance.instantiate({}).done());
  for (const auto& [reference, value] : {std::pair{L, of.l}, {MU, of.mu}, {RELAY, of.relay}, {A, of.a}, {B, of.b}})
    REQUIRE(write(instance, {Type::float64, reference, 0, 1, Use::start_exact}, value).done());
  REQUIRE(instance.enter_initialization({}).done());
  REQUIRE(instance.exit_initialization().done());
  NoInputs inputs;
  const bool chooses = method == automatic;
  ModelExchange model(instance, chooses ? *usual_method : *find_tableau(method), inputs);
  model.set_choosing(chooses);
  REQUIRE(model.start(0).result.done());
  for (int k = 0; k < steps; ++k)
    if (const Advanced done = model.advance(k / double(steps), (k + 1) / double(steps)); !done.result.done())
      return {{}, describe(done.result, instance)};
  return {{model.states().begin(), model.states().end()}, {}};
}

}  // namespace takt::instance_sample
