#include <algorithm>
#include <catch2/catch.hpp>

#include "codegen/partition/make_plan.hpp"
#include "codegen/plan/evaluation_order.hpp"
#include "codegen/plan/groups.hpp"
#include "codegen/plan/plan.hpp"
#include "codegen/stability/divisors.hpp"
#include "tests/codegen/emit/sample_plant.hpp"

using namespace takt::codegen;

namespace {

std::size_t place_of(const Plan& plan, const std::string& name) {
  for (std::size_t place = 0; place < plan.order.size(); ++place) {
    if (plan.subsystems[plan.order[place]].name == name) return place;
  }
  FAIL("not in the order: " << name);
  return 0;
}

const PlanCoupling& coupling(const Plan& plan, const Network& network, const std::string& from,
                             const std::string& consumer) {
  for (const PlanCoupling& c : plan.couplings) {
    if (network.graph().symbol(c.from).path == from && plan.subsystems[c.consumer].name == consumer) return c;
  }
  FAIL("no coupling " << from << " -> " << consumer);
  return plan.couplings.front();
}

std::vector<std::string> codes_of(sample::Plant& plant) {
  Diagnostics diagnostics;
  (void)make_plan(plant.network, plant.dae, diagnostics);
  std::vector<std::string> codes;
  for (const Diagnostic& d : diagnostics.all()) codes.push_back(d.code);
  return codes;
}

}  // namespace

TEST_CASE("control runs first, the slow temperature is extrapolated, the heat is integrated over its own window") {
  const sample::Plant plant = sample::make_plant();
  Diagnostics diagnostics;
  const Plan plan = make_plan(plant.network, plant.dae, diagnostics);
  REQUIRE(diagnostics.all().empty());
  CHECK(place_of(plan, "control.1ms") == 0);
  CHECK(place_of(plan, "electric") == 1);
  CHECK(place_of(plan, "solid") == 2);
  const PlanCoupling& heat = coupling(plan, plant.network, "electric.r.loss", "solid");
  CHECK(heat.kind == takt::CouplingKind::flux);
  CHECK(heat.lag == 0);
  const PlanCoupling& temperature = coupling(plan, plant.network, "solid.wall.t", "electric");
  CHECK(temperature.lag == 1);
  CHECK(temperature.order == 1);
  CHECK_FALSE(temperature.reason.empty());
  const PlanCoupling& drive = coupling(plan, plant.network, "control.drive", "electric");
  CHECK(drive.lag == 0);
  CHECK(drive.order == 0);
  REQUIRE(plan.routes.size() == 1);
  CHECK(plan.subsystems[plan.routes[0].consumer].name == "control.1ms");
  CHECK(plan.subsystems[0].step_ns == 100'000);
  CHECK(plan.subsystems[1].step_ns == 1'000'000);
  CHECK(plan.subsystems[1].reason == "method proposed, step proposed");
}

TEST_CASE(
    "of a long duration the times that are proposed are a part of it, unless somebody looks or acts within them") {
  constexpr std::int64_t ms = 1'000'000, s = 1000 * ms;
  DaeResult wall;
  wall.subsystems.resize(1);
  const auto usual = [&](std::int64_t duration_ns) {
    Network network;
    network.default_duration_ns = duration_ns;
    return usual_period_ns(network, wall);
  };
  CHECK(usual_period_ns(Network(), wall) == ms);
  CHECK(usual(500 * s) == ms);
  CHECK(usual(501 * s) == 2 * ms);
  CHECK(usual(1'000'000 * s) == 2 * s);
  CHECK(usual(31'536'000 * s) == 100 * s);
  Network driven;
  driven.default_duration_ns = 1'000'000 * s;
  DaeResult controlled = wall;
  controlled.subsystems.resize(2);
  controlled.subsystems[1].kind = ControlTask{.period_ns = 20 * ms, .updates = {}};
  CHECK(usual_period_ns(driven, controlled) == 20 * ms);
  controlled.subsystems[1].kind = ControlTask{.period_ns = 3 * s, .updates = {}};
  CHECK(usual_period_ns(driven, controlled) == 1500 * ms);
  controlled.subsystems[1].kind = ControlTask{.period_ns = ms / 2, .updates = {}};
  CHECK(usual_period_ns(driven, controlled) == ms);
  driven.inputs.resize(1);
  CHECK(usual_period_ns(driven, wall) == ms);
}

TEST_CASE("a step that does not divide the synchronisation time is refused with the nearest ones") {
  sample::Plant plant = sample::make_plant();
  plant.network.solve[0].step_ns = 300'000;
  Diagnostics diagnostics;
  (void)make_plan(plant.network, plant.dae, diagnostics);
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == "S001");
  CHECK(diagnostics.all()[0].message.find("300 us") != std::string::npos);
  CHECK(diagnostics.all()[0].message.find("1 ms") != std::string::npos);
  CHECK(diagnostics.all()[0].hint.find("250 us or 500 us") != std::string::npos);
}

TEST_CASE("mistakes in settings are reported with their codes, all at once") {
  sample::Plant plant = sample::make_plant();
  plant.network.solve[0].method = "bdf";
  plant.network.solve.push_back({.pattern = "elektric",
                                 .step_ns = {},
                                 .method = {},
                                 .stages = {},
                                 .newton_iterations = {},
                                 .edges = {},
                                 .network = {},
                                 .where = {}});
  plant.network.sync[0].members.push_back("fluid");
  plant.network.sync[0].order = 3;
  plant.network.sync[0].history = 2;
  plant.network.record.push_back({.period_ns = 1'500'000, .patterns = {"electric.*"}, .where = {}});
  plant.network.record.push_back({.period_ns = 1'000'000, .patterns = {"electric.c.w"}, .where = {}});
  std::vector<std::string> codes = codes_of(plant);
  std::sort(codes.begin(), codes.end());
  CHECK(codes == std::vector<std::string>{"S002", "S003", "S005", "S008", "S009", "S031"});
}

TEST_CASE("nested groups exchange at the time of the innermost that holds both") {
  sample::Plant plant = sample::make_plant();  // electric, solid, control.500us
  const SyncSetting whole = plant.network.sync[0];
  plant.network.sync = {whole, whole};
  plant.network.sync[0].name = "plant", plant.network.sync[0].members = {"fast", "solid"};
  plant.network.sync[0].period_ns = 4'000'000, plant.network.sync[0].scheme = Scheme::slow_first;
  plant.network.sync[1].name = "fast", plant.network.sync[1].members = {"electric", "control"};
  plant.network.record.clear();
  for (const Scheme scheme : {Scheme::slow_first, Scheme::fast_first, Scheme::decoupled, Scheme::jacobi}) {
    plant.network.sync[0].scheme = scheme;
    Diagnostics diagnostics;
    const Plan plan = make_plan(plant.network, plant.dae, diagnostics);
    REQUIRE_FALSE(diagnostics.has_errors());
    REQUIRE(plan.groups.size() == 2);
    CHECK(plan.groups[1].parent == std::size_t{0});
    CHECK(plan.macro_step_ns == 4'000'000);
    CHECK(plan.subsystems[0].period_ns == 1'000'000);
    CHECK(plan.subsystems[1].period_ns == 4'000'000);
    if (scheme != Scheme::jacobi) CHECK((plan.order.front() == 1) == (scheme == Scheme::slow_first));
    for (const PlanCoupling& coupling : plan.couplings) {
      const bool solid = coupling.producer == 1 || coupling.consumer == 1;
      CHECK(coupling.group == (solid ? 0U : 1U));
      if (!solid) continue;
      const bool both_late = scheme == Scheme::decoupled || scheme == Scheme::jacobi;
      const bool late = both_late || (coupling.producer == 1) == (scheme == Scheme::fast_first);
      CHECK(coupling.lag == (late ? 1 : 0));
    }
  }
}

TEST_CASE("a sequence decides before scheme and dependencies") {
  sample::Plant plant = sample::make_plant();
  for (const std::vector<std::string>& wanted :
       {std::vector<std::string>{"solid", "control"}, {"control", "electric"}}) {
    plant.network.sync[0].sequence = wanted;
    Diagnostics diagnostics;
    const Plan plan = make_plan(plant.network, plant.dae, diagnostics);
    REQUIRE_FALSE(diagnostics.has_errors());
    CHECK(plan.subsystems[plan.order[0]].name.starts_with(wanted[0]));
    CHECK(plan.subsystems[plan.order[1]].name.starts_with(wanted[1]));
  }
}

TEST_CASE("control periods are multiples or divisors of the synchronisation time") {
  sample::Plant plant = sample::make_plant();
  for (const std::int64_t good : {250'000, 500'000, 1'000'000, 5'000'000}) {
    std::get<ControlTask>(plant.dae.subsystems[2].kind).period_ns = good;
    CHECK(codes_of(plant) == (good < 1'000'000 ? std::vector<std::string>{"S033"} : std::vector<std::string>{}));
  }
  for (const std::int64_t bad : {300'000, 1'500'000}) {
    std::get<ControlTask>(plant.dae.subsystems[2].kind).period_ns = bad;
    const std::vector<std::string> codes = codes_of(plant);
    CHECK(std::find(codes.begin(), codes.end(), "S004") != codes.end());
  }
}

TEST_CASE("a synchronisation time that is proposed suits the periods of control") {
  sample::Plant plant = sample::make_plant();
  plant.network.sync.clear(), plant.network.solve.clear();
  plant.network.record = {{.period_ns = 5'000'000, .patterns = {"electric.*"}, .where = {}}};
  const auto proposed = [&](std::int64_t control_ns) {
    std::get<ControlTask>(plant.dae.subsystems[2].kind).period_ns = control_ns;
    Diagnostics diagnostics;
    const Plan plan = make_plan(plant.network, plant.dae, diagnostics);
    CHECK_FALSE(diagnostics.has_errors());
    return plan.macro_step_ns;
  };
  CHECK(proposed(5'000'000) == 1'000'000);
  CHECK(proposed(2'500'000) == 625'000);
  CHECK(proposed(300'000) == 100'000);
}

TEST_CASE("a cycle of couplings without storage is refused and named") {
  // Two circuits, each a pure function of the other's output.
  sample::Plant plant;
  Network& n = plant.network;
  n.time = n.graph().make_symbol("time", "s");
  const SymbolId a = n.graph().make_symbol("electric.r.v", "V"), b = n.graph().make_symbol("solid.r.t", "K");
  const auto circuit = [&](const char* name, SymbolId out, SymbolId in) {
    Surrogate s;
    s.name = name;
    AlgebraicStep step;
    step.assignment = {out, n.graph().mul(n.graph().constant(0.5), n.graph().use(in))};
    s.algebra = {step};
    s.algebra_outputs = {out};
    s.energy = {n.graph().zero(), n.graph().zero(), n.graph().zero(), n.graph().zero(), true};
    return s;
  };
  plant.dae.subsystems = {circuit("electric", a, b), circuit("solid", b, a)};
  Diagnostics diagnostics;
  (void)make_plan(n, plant.dae, diagnostics);
  REQUIRE(diagnostics.error_count() == 1);
  CHECK(diagnostics.all()[0].code == "S011");
  CHECK(diagnostics.all()[0].message.find("electric.r.v into solid") != std::string::npos);
  CHECK(diagnostics.all()[0].message.find("solid.r.t into electric") != std::string::npos);
}

TEST_CASE("evaluation order puts producers first and breaks loops at the cheapest place") {
  // 0 -> 1 -> 2 -> 1 (a loop, cheapest to extrapolate 2 -> 1), 2 -> 3
  const std::vector<Dependency> edges{{0, 1, 5.0}, {1, 2, 9.0}, {2, 1, 1.0}, {2, 3, 1.0}};
  const EvaluationOrder order = evaluation_order(4, edges);
  CHECK(order.order == std::vector<std::size_t>{0, 1, 2, 3});
  REQUIRE(order.loops.size() == 1);
  CHECK(order.loops[0] == std::vector<std::size_t>{1, 2});
  const std::vector<Dependency> reversed{{0, 1, 5.0}, {1, 2, 1.0}, {2, 1, 9.0}, {2, 3, 1.0}};
  CHECK(evaluation_order(4, reversed).order == std::vector<std::size_t>{0, 2, 1, 3});
  CHECK(evaluation_order(0, {}).order.empty());
}

TEST_CASE("the divisors of a synchronisation time next to a step are found") {
  CHECK(nearest_divisors(1'000'000, 300'000).below == 250'000);
  CHECK(nearest_divisors(1'000'000, 300'000).above == 500'000);
  CHECK(nearest_divisors(1'000'000, 7'000'000).below == 1'000'000);
}

TEST_CASE("the same network gives the same plan") {
  const sample::Plant first = sample::make_plant(), second = sample::make_plant();
  Diagnostics diagnostics;
  const std::string text_1 = text(make_plan(first.network, first.dae, diagnostics), first.network);
  CHECK(text_1 == text(make_plan(second.network, second.dae, diagnostics), second.network));
  CHECK(text_1.find("evaluation order") != std::string::npos);
}
