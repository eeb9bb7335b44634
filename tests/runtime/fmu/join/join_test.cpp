// Joined storages against exact solutions, and against the same storage as one.

#include <catch2/catch.hpp>
#include <cstdlib>
#include <new>

#include "runtime/fmu/join/prediction.hpp"
#include "tests/runtime/fmu/join/storages.hpp"

using namespace takt::fmu;
using namespace takt::fmu::join;
using Catch::Contains;

namespace {

std::size_t allocations = 0;

}  // namespace

[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* memory = std::malloc(size)) return memory;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace {

Constraint between(std::string name, std::size_t a, std::size_t b) { return {std::move(name), {a}, {b}}; }

/// Two bodies of 2 and 3 kg, friction 0.1 m, 10 sin(3 t) N on the first: v = 2 sin(3 t)/... , force on the second 6
/// sin.
struct Pair {
  Storage one{2.0}, two{3.0};
  Pair() {
    one.d = 0.2, two.d = 0.3, one.drive = [](double t) { return 10.0 * std::sin(3.0 * t); };
  }
};

struct Errors {
  Fault fault;
  std::string text;
  double v = 0.0, force = 0.0, apart = 0.0, unclosed = 0.0, given = 0.0;
  std::uint64_t evaluations = 0;
  Found found;
};

Errors run(Pair& pair, Settings settings, double until = 2.0) {
  Group group({&pair.one, &pair.two}, {between("shaft", 0, 1)}, settings);
  Errors errors;
  errors.fault = group.start(0.0);
  const auto steps = std::lround(until / settings.step);
  bool terminate = false;
  const std::size_t before = allocations;
  for (long k = 0; k < steps && errors.fault.none(); ++k) {
    const double t = static_cast<double>(k + 1) * settings.step;
    errors.fault = group.advance(static_cast<double>(k) * settings.step, t, terminate);
    const Ledger& ledger = group.ledger(0);
    errors.v = std::max(errors.v, std::abs(pair.two.v(group.states(1)[0]) - driven(2.0, 3.0, 0.1, t)));
    errors.apart = std::max(errors.apart, std::abs(ledger.violation));
    if (t > 0.5) errors.force = std::max(errors.force, std::abs(ledger.through - 6.0 * std::sin(3.0 * t)));
    errors.unclosed = std::max(errors.unclosed, std::abs(ledger.unclosed()));
    errors.given = std::max(errors.given, std::abs(ledger.given));
  }
  CHECK(allocations == before);
  const std::vector<std::string> names{"fmu.one", "fmu.two"};
  errors.text = describe(errors.fault, group, names);
  errors.evaluations = group.counts().evaluations, errors.found = group.found();
  return errors;
}

}  // namespace

TEST_CASE("index reduction follows the exact solution at 10 ms to 1e-9, and the force to rounding") {
  for (const bool partial : {false, true})
    for (const bool momentum : {false, true}) {
      Pair pair;
      pair.one.partial = pair.two.partial = partial;
      pair.one.as_momentum = momentum;
      const Errors errors = run(pair, {.way = Way::index, .step = 0.01});
      CAPTURE(partial, momentum, errors.text);
      CHECK(errors.v < 1e-9);
      CHECK(errors.v > 1e-12);  // order 4 leaves something
      CHECK(errors.force < 1e-11);
      CHECK(errors.apart < 1e-14);
      CHECK(errors.unclosed < 1e-13 * errors.given);
      // Five places, each f (and, without partials, f for the column); f once more at the end.
      const double per_step = static_cast<double>(errors.evaluations) / 200.0 / 2.0;
      CHECK(per_step == Approx(partial ? 6.0 : 11.0).margin(0.05));
    }
}

TEST_CASE("each way converges with its order") {
  const auto ratio = [](Settings settings, double fine) {
    Pair first, second;
    const double coarse = settings.step;
    const Errors a = run(first, settings);
    settings.step = fine;
    const Errors b = run(second, settings);
    CAPTURE(a.text, b.text);
    REQUIRE(a.fault.none());
    REQUIRE(b.fault.none());
    return std::log(a.v / b.v) / std::log(coarse / fine);
  };
  CHECK(ratio({.way = Way::index, .step = 0.04}, 0.02) == Approx(4.0).margin(0.2));
  CHECK(ratio({.way = Way::index, .method = find_tableau("heun"), .step = 0.02}, 0.01) == Approx(2.0).margin(0.1));
  CHECK(ratio({.way = Way::implicit, .step = 0.01}, 0.005) == Approx(1.0).margin(0.05));
  CHECK(ratio({.way = Way::loop, .method = find_tableau("euler"), .step = 0.002}, 0.001) == Approx(1.0).margin(0.05));
  // The spring that is proposed is as stiff as the step allows: its own error goes with the square of the step.
  CHECK(ratio({.way = Way::spring, .step = 0.002}, 0.001) == Approx(2.0).margin(0.3));
}

TEST_CASE("implicit Euler: one iteration is exact where f is affine; violation and ledger at rounding") {
  Pair first, second;
  const Errors one = run(first, {.way = Way::implicit, .step = 0.01, .iterations = 1});
  const Errors three = run(second, {.way = Way::implicit, .step = 0.01, .iterations = 3});
  CHECK(one.fault.none());
  CHECK(one.v == Approx(three.v).epsilon(1e-6));
  CHECK(one.v == Approx(1.1e-2).epsilon(0.1));  // as measured by hand with another importer
  CHECK(one.apart < 1e-12);
  CHECK(one.force < 1e-6);
  CHECK(one.unclosed < 1e-12 * one.given);
}

TEST_CASE("the spring's largest stable step is where it was predicted") {
  for (const char* method : {"euler", "heun", "rk3", "rk4"})
    for (const double damper : {0.0, 300.0, 2000.0}) {
      const Tableau* tableau = find_tableau(method);
      const double limit = largest_stable_step(*tableau, {1e5, damper}, 1.0 / 2.0 + 1.0 / 3.0);
      CAPTURE(method, damper, limit);
      if (limit == 0.0) {
        CHECK((damper == 0.0 && tableau->order <= 2));  // the imaginary axis is outside
        continue;
      }
      for (const double part : {0.97, 1.03}) {
        Pair pair;
        pair.one.d = pair.two.d = 0.0;
        const Errors errors = run(pair,
                                  {.way = Way::spring,
                                   .method = tableau,
                                   .step = part * limit,
                                   .stiffness = 1e5,
                                   .damper = damper,
                                   .limit = 1e3,
                                   .judged = false},
                                  2000 * limit);
        CAPTURE(part, errors.text);
        CHECK(errors.fault.none() == (part < 1.0));
      }
    }
  // Undamped, method of order 4: h sqrt(c (1/m1 + 1/m2)) < 2.83 (Hairer, Wanner II, IV.2).
  CHECK(largest_stable_step(*find_tableau("rk4"), {1e7, 0.0}, 1.0 / 2.0 + 1.0 / 3.0) ==
        Approx(2.8284 / 2886.75).epsilon(1e-3));
  Pair pair;
  const Errors refused = run(pair, {.way = Way::spring, .step = 1e-3, .stiffness = 1e7, .damper = 0.0});
  CHECK(refused.fault.what == Fault::What::step);
  CHECK_THAT(refused.text, Contains("join.shaft") && Contains("largest stable step is 0.0009798 s"));
}

TEST_CASE("the spring closes its ledger by what it stores and loses") {
  Pair coarse, fine;
  const Errors a = run(coarse, {.way = Way::spring, .step = 1e-3, .stiffness = 1e5, .damper = 100.0});
  const Errors b = run(fine, {.way = Way::spring, .step = 5e-4, .stiffness = 1e5, .damper = 100.0});
  CHECK(a.fault.none());
  CHECK(a.unclosed < 1e-6 * a.given);
  CHECK(b.unclosed < a.unclosed / 8.0);
}

TEST_CASE("the loop: its gain is measured, and beyond 2/(1/m1 + 1/m2) it diverges, foretold and seen") {
  Pair best;
  const Errors proposed = run(best, {.way = Way::loop, .method = find_tableau("euler"), .step = 1e-3});
  CHECK(proposed.fault.none());
  CHECK(proposed.found.gains[0] == Approx(1.2));
  CHECK(proposed.found.radius == Approx(0.0).margin(1e-12));
  CHECK(proposed.v == Approx(1.1e-3).epsilon(0.1));
  CHECK(proposed.apart < 1e-13);
  Pair slow;
  const Errors half = run(slow, {.way = Way::loop, .method = find_tableau("euler"), .step = 1e-3, .gain = 0.5});
  CHECK(half.fault.none());
  CHECK(half.apart == Approx(2.3e-5).epsilon(0.1));  // (1 - 0.5/1.2)^5 of what it begins with, at both ends of a step
  for (const bool judged : {true, false}) {
    Pair wild;
    const Errors errors =
        run(wild, {.way = Way::loop, .method = find_tableau("euler"), .step = 1e-3, .gain = 2.5, .judged = judged});
    CHECK(errors.fault.what == (judged ? Fault::What::gain : Fault::What::apart));
    CHECK_THAT(errors.text, Contains("join.shaft"));
    if (judged) CHECK_THAT(errors.text, Contains("is 2.083, and must be below 2: at most 2.4, best 1.2"));
  }
}

TEST_CASE("friction that is not linear, across values that are no states: as one storage") {
  // Reference: m1 + m2 in one, integrated with steps 50 times as fine.
  const auto whole = [](double t_end) {
    double v = 1.0;
    const double h = 2e-4;
    const auto rate = [](double t, double speed) {
      return (10.0 * std::sin(3.0 * t) - 0.5 * speed - 0.7 * speed * std::abs(speed)) / 5.0;
    };
    for (long k = 0; k < std::lround(t_end / h); ++k) {
      const double t = static_cast<double>(k) * h, k1 = rate(t, v), k2 = rate(t + h / 2, v + h / 2 * k1);
      const double k3 = rate(t + h / 2, v + h / 2 * k2), k4 = rate(t + h, v + h * k3);
      v += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
    return v;
  };
  struct Case {
    Way way;
    double step, allowed;
    const char* method = "rk4";
  };
  for (const bool cube : {false, true})
    for (const Case& one : {Case{Way::index, 0.01, 1e-7},
                            {Way::implicit, 1e-3, 3e-3},
                            {Way::spring, 1e-3, 1e-4},
                            {Way::loop, 0.01, 1e-7}}) {
      Pair pair;
      pair.one.start_v = pair.two.start_v = 1.0;
      pair.one.e = 0.7, pair.two.as_cube = cube;
      const double until = 1.0;  // v stays away from 0, where a cube root has no slope
      Group group({&pair.one, &pair.two}, {between("shaft", 0, 1)}, {.way = one.way, .step = one.step});
      Fault fault = group.start(0.0);
      bool terminate = false;
      for (long k = 0; k < std::lround(until / one.step) && fault.none(); ++k)
        fault = group.advance(static_cast<double>(k) * one.step, static_cast<double>(k + 1) * one.step, terminate);
      const std::vector<std::string> names{"fmu.one", "fmu.two"};
      CAPTURE(cube, name_of(one.way), describe(fault, group, names));
      CHECK(fault.none());
      CHECK(std::abs(pair.two.v(group.states(1)[0]) - whole(until)) < one.allowed);
      CHECK(std::abs(group.ledger(0).unclosed()) < 1e-4 * std::abs(group.ledger(0).given));
    }
}

TEST_CASE("index reduction drifts where the across value bends, and is projected each step") {
  Pair pair;
  pair.one.start_v = pair.two.start_v = 1.0, pair.two.as_cube = true;
  Group group({&pair.one, &pair.two}, {between("shaft", 0, 1)}, {.way = Way::index, .step = 0.05});
  REQUIRE(group.start(0.0).none());
  bool terminate = false;
  double worst = 0.0;
  for (int k = 0; k < 20; ++k) {
    REQUIRE(group.advance(k * 0.05, (k + 1) * 0.05, terminate).none());
    worst = std::max(worst, std::abs(group.ledger(0).violation));
  }
  CHECK(group.ledger(0).drift > 1e-9);
  CHECK(worst < 1e-4 * group.ledger(0).drift);  // Newton's method: what is left goes with the square
}

TEST_CASE("a chain of three with two constraints: both forces") {
  for (const Way way : {Way::index, Way::loop, Way::implicit, Way::spring}) {
    Storage one{2.0}, two{3.0}, three{5.0};
    one.d = 0.2, two.d = 0.3, three.d = 0.5, one.drive = [](double t) { return 10.0 * std::sin(3.0 * t); };
    two.throughs = 2;
    const double h = way == Way::implicit || way == Way::spring ? 1e-3 : 0.01;
    Group group({&one, &two, &three}, {between("left", 0, 1), {"right", {1, 0, 1}, {2}}},
                {.way = way, .step = h, .iterations = way == Way::loop ? 60 : 0});
    Fault fault = group.start(0.0);
    bool terminate = false;
    double worst = 0.0, left = 0.0, right = 0.0;
    for (long k = 0; k < std::lround(1.0 / h) && fault.none(); ++k) {
      const double t = static_cast<double>(k + 1) * h;
      fault = group.advance(static_cast<double>(k) * h, t, terminate);
      worst = std::max(worst, std::abs(group.states(2)[0] - driven(1.0, 3.0, 0.1, t)));
      left = std::max(left, std::abs(group.ledger(0).through - 8.0 * std::sin(3.0 * t)));
      right = std::max(right, std::abs(group.ledger(1).through - 5.0 * std::sin(3.0 * t)));
    }
    const std::vector<std::string> names{"fmu.one", "fmu.two", "fmu.three"};
    CAPTURE(name_of(way), describe(fault, group, names));
    CHECK(fault.none());
    const bool exact = way == Way::index || way == Way::loop;
    CHECK(worst < (exact ? 1e-8 : 1e-3));
    CHECK(left < (exact ? 1e-5 : way == Way::implicit ? 1e-3 : 0.2));
    CHECK(right < (exact ? 1e-5 : way == Way::implicit ? 1e-3 : 0.2));
  }
}

TEST_CASE("what cannot be joined is named") {
  const auto start = [](std::vector<Body*> bodies, std::vector<Constraint> constraints) {
    Group group(std::move(bodies), std::move(constraints), {.way = Way::index, .step = 1e-3});
    const Fault fault = group.start(0.0);
    const std::vector<std::string> names{"fmu.one", "fmu.two", "fmu.three", "fmu.four"};
    return describe(fault, group, names);
  };
  Storage one{2.0}, two{3.0}, three{1e3}, four{1.0};
  CHECK_THAT(start({&one, &two, &three, &four},
                   {between("ab", 0, 1), between("ad", 0, 3), between("bc", 1, 2), between("ac", 0, 2)}),
             Contains("join.ab, join.bc, join.ac: these constraints follow from each other"));
  Storage position{2.0}, other{3.0};
  position.shows_position = other.shows_position = true;
  CHECK_THAT(start({&position, &other}, {between("rod", 0, 1)}),
             Contains("join.rod: its force does not move what it joins"));
  Storage direct{2.0};
  direct.direct = true;
  CHECK_THAT(start({&direct, &two}, {between("shaft", 0, 1)}),
             Contains("join.shaft: a value that is joined follows its force at once"));
  Storage fast{2.0};
  fast.start_v = 1.0;
  CHECK_THAT(start({&fast, &two}, {between("shaft", 0, 1)}), Contains("join.shaft: the two sides start 1 apart"));
  Storage hot{2.0};
  hot.drive = [](double t) { return t > 0.5 ? NAN : 0.0; };
  Group group({&two, &hot}, {between("shaft", 0, 1)}, {.way = Way::index, .step = 1e-3});
  CHECK(group.start(0.0).none());
  bool terminate = false;
  const Fault fault = group.advance(0.5, 0.6, terminate);
  CHECK(fault.what == Fault::What::not_finite);
  const std::vector<std::string> names{"fmu.two", "fmu.hot"};
  CHECK_THAT(describe(fault, group, names), Contains("fmu.hot: a rate or a value that is joined is not finite"));
  CHECK_THROWS_WITH(start({&one, &two}, {between("shaft", 0, 2)}), Contains("join.shaft names what its body has not"));
}

TEST_CASE("f that is not affine in the force: found, iterated, and reported where that is not enough") {
  for (const int iterations : {0, 1}) {
    Pair pair;
    pair.two.bend = [](double force) { return force + 0.01 * force * force * force; };
    const Errors errors =
        run(pair, {.way = Way::index, .method = find_tableau("euler"), .step = 0.01, .iterations = iterations});
    CAPTURE(errors.text);
    CHECK_FALSE(errors.found.affine);
    CHECK(errors.fault.none() == (iterations == 0));
    if (iterations == 1) CHECK_THAT(errors.text, Contains("join.shaft: its force was not found"));
  }
}

TEST_CASE("an event that changes a state moves both bodies by an impulse; its energy is in the ledger") {
  Storage one{2.0}, two{3.0};
  one.start_v = two.start_v = 1.0, one.kick_at = 0.0125, one.kick = 1.0;
  Group group({&one, &two}, {between("shaft", 0, 1)}, {.way = Way::index, .step = 0.01});
  REQUIRE(group.start(0.0).none());
  bool terminate = false;
  for (int k = 0; k < 3; ++k) REQUIRE(group.advance(k * 0.01, (k + 1) * 0.01, terminate).none());
  CHECK(group.states(0)[0] == Approx(1.4).epsilon(1e-12));  // momentum 2*2 + 3*1 of 5 kg
  CHECK(group.states(1)[0] == Approx(1.4).epsilon(1e-12));
  CHECK(group.states(1)[1] == Approx(0.0125 + 1.4 * 0.0175).epsilon(1e-9));
  CHECK(group.ledger(0).received == Approx(0.5 * 3.0 * (1.4 * 1.4 - 1.0)).epsilon(1e-12));
  CHECK(group.counts().time_events == 1);
}

TEST_CASE("a state event is located, and the rest of the step computed with what it has changed") {
  for (const Way way : {Way::index, Way::loop}) {
    Storage one{2.0}, two{3.0};
    one.drive = [](double) { return 5.0; };  // v = t, x = t^2/2 until x = 0.5 at 1 s
    two.trip = 0.5;
    one.trip = 0.5;
    Group group({&one, &two}, {between("shaft", 0, 1)}, {.way = way, .step = 0.3});
    REQUIRE(group.start(0.0).none());
    bool terminate = false;
    for (int k = 0; k < 5; ++k) REQUIRE(group.advance(k * 0.3, (k + 1) * 0.3, terminate).none());
    CAPTURE(name_of(way));
    CHECK(group.counts().state_events == 2);
    CHECK(group.states(0)[0] == Approx(1.0).epsilon(1e-9));
    CHECK(group.states(1)[1] == Approx(1.0).epsilon(1e-9));
  }
}

TEST_CASE("small matrices") {
  const std::vector<double> m{4.0, 1.0, 2.0, 1e-6, 3e-6, 1e-6, 1.0, 1.0, 3.0}, b{1.0, 2e-6, 3.0};
  Dense dense(3);
  REQUIRE(dense.factor(m));
  std::vector<double> x(3);
  dense.solve(b, x);
  for (std::size_t row = 0; row < 3; ++row)
    CHECK(m[row * 3] * x[0] + m[row * 3 + 1] * x[1] + m[row * 3 + 2] * x[2] == Approx(b[row]).epsilon(1e-12));
  CHECK(spectral_radius(std::vector<double>{2.0, 1.0, 1.0, 2.0}, 2) == Approx(3.0).epsilon(1e-6));
  Dense lost(3);
  CHECK_FALSE(lost.factor(std::vector<double>{1.0, 0.0, 1.0, 0.0, 5.0, 0.0, 1.0, 0.0, 1.0}));
  CHECK(lost.undetermined() == std::vector<std::size_t>{0, 2});
}
