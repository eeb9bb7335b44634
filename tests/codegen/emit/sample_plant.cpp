#include "tests/codegen/emit/sample_plant.hpp"

namespace takt::codegen::sample {
namespace {

AlgebraicStep assign(SymbolId symbol, Expr value) {
  AlgebraicStep step;
  step.assignment = {symbol, value};
  return step;
}

SymbolId parameter(Network& network, const std::string& path, const std::string& unit, double value) {
  Parameter added;
  added.symbol = network.graph().make_symbol(path, unit);
  added.value = value;
  added.unit_text = unit;
  network.parameters.push_back(added);
  return added.symbol;
}

void finish(Surrogate& s, Graph& g) {
  for (const AlgebraicStep& step : s.algebra) {
    if (step.kind == AlgebraicStep::Kind::assignment) s.algebra_outputs.push_back(step.assignment.symbol);
    for (const SymbolId unknown : step.newton.unknowns) s.algebra_outputs.push_back(unknown);
  }
  s.equations = s.algebra.size() + s.states.size();
  (void)g;
}

EnergyBalance no_energy(Graph& g) { return {g.zero(), g.zero(), g.zero(), g.zero(), true}; }

}  // namespace

Plant make_plant() {
  Plant plant;
  Network& n = plant.network;
  Graph& g = n.graph();
  n.name = "sample";
  n.title = "RC circuit that heats a wall";
  n.time = g.make_symbol("time", "s");
  const Expr r = g.use(parameter(n, "r", "Ohm", resistance)), c = g.use(parameter(n, "c", "F", capacitance));
  const Expr alpha = g.use(parameter(n, "alpha", "1/K", 0.0)), cth = g.use(parameter(n, "cth", "J/K", heat_capacity));
  const Expr t_max = g.use(parameter(n, "t_max", "K", 1000.0));
  PlantInput input;
  input.symbol = g.make_symbol("v_in", "V");
  input.start = v_in;
  n.inputs.push_back(input);
  const SymbolId q = g.make_symbol("electric.c.q", "C"), v = g.make_symbol("electric.c.v", "V");
  const SymbolId i = g.make_symbol("electric.r.i", "A"), loss = g.make_symbol("electric.r.loss", "W");
  const SymbolId e = g.make_symbol("solid.wall.e", "J"), t = g.make_symbol("solid.wall.t", "K");
  const SymbolId h = g.make_symbol("solid.heat.h", "W");
  const SymbolId drive = g.make_symbol("control.drive", "V"), count = g.make_symbol("control.count", "1");

  Surrogate electric;
  electric.name = "electric";
  electric.domain = CircuitDomain::electric;
  const Expr drop = g.sub(g.use(drive), g.use(v));
  const Expr hot = g.mul(r, g.add(g.one(), g.mul(alpha, g.sub(g.use(t), g.constant(300.0)))));
  electric.algebra = {assign(v, g.div(g.use(q), c)), assign(i, g.div(drop, hot)), assign(loss, g.mul(drop, g.use(i)))};
  electric.states = {{q, g.use(i), g.zero()}};
  const Expr stored = g.mul(g.constant(0.5), g.mul(g.use(q), g.use(v)));
  electric.energy = {g.mul(g.use(drive), g.use(i)), g.zero(), g.neg(g.use(loss)), stored, true};
  finish(electric, g);

  Surrogate solid;
  solid.name = "solid";
  solid.domain = CircuitDomain::solid;
  solid.algebra = {assign(t, g.div(g.use(e), cth))};
  solid.states = {{e, g.use(h), g.mul(cth, g.constant(start_t))}};
  solid.energy = {g.zero(), g.zero(), g.use(h), g.use(e), true};
  finish(solid, g);

  Surrogate control;
  control.name = "control.1ms";
  control.domain = CircuitDomain::control;
  control.algebra = {assign(drive, g.select(g.binary(Op::less, g.use(t), t_max), g.use(input.symbol), g.zero()))};
  control.states = {{count, g.zero(), g.zero()}};
  control.kind = ControlTask{.period_ns = 1'000'000, .updates = {{count, g.add(g.use(count), g.one())}}};
  control.energy = no_energy(g);
  finish(control, g);

  plant.dae.subsystems = {electric, solid, control};
  plant.dae.fluxes = {{loss, h}};
  SyncSetting sync;
  sync.name = "all";
  sync.members = {"electric", "solid", "control"};
  sync.period_ns = 1'000'000;
  n.sync.push_back(sync);
  n.solve.push_back({.pattern = "electric",
                     .step_ns = 100'000,
                     .method = "heun",
                     .stages = {},
                     .newton_iterations = {},
                     .edges = {},
                     .network = {},
                     .where = {}});
  n.record.push_back({.period_ns = 10'000'000, .patterns = {"electric.*", "control.drive"}, .where = {}});
  n.faults = {{"electric.r",
               "hot",
               "twice its temperature coefficient, a \"tenth\" more resistance",
               {{0, 0.0, 0, 1.1}, {2, 0.004, std::nullopt, 1.0}}},
              {"solid.wall", "limit_lost", "never too hot", {{4, 1e9, std::nullopt, 1.0}}}};
  return plant;
}

Plant make_newton_plant() {
  Plant plant;
  Network& n = plant.network;
  Graph& g = n.graph();
  n.name = "cubic";
  n.time = g.make_symbol("time", "s");
  PlantInput input;
  input.symbol = g.make_symbol("v_in", "V");
  input.start = 10.0;
  n.inputs.push_back(input);
  const SymbolId i = g.make_symbol("electric.d.i", "A");
  AlgebraicStep step;
  step.kind = AlgebraicStep::Kind::newton;
  const Expr x = g.use(i), square = g.mul(x, x);
  const Expr residual = g.sub(g.add(x, g.mul(x, square)), g.use(input.symbol));
  step.newton.unknowns = {i};
  step.newton.guesses = {g.one()};
  step.newton.residuals = {residual};
  step.newton.steps = {g.div(residual, g.add(g.one(), g.mul(g.constant(3.0), square)))};
  Surrogate electric;
  electric.name = "electric";
  electric.domain = CircuitDomain::electric;
  electric.algebra = {step};
  electric.energy = no_energy(g);
  finish(electric, g);
  plant.dae.subsystems = {electric};
  return plant;
}

Plant make_ladder_plant(std::size_t sections) {
  Plant plant;
  Network& n = plant.network;
  Graph& g = n.graph();
  n.name = "ladder";
  n.time = g.make_symbol("time", "s");
  const Expr r = g.use(parameter(n, "r", "Ohm", 1.0)), c = g.use(parameter(n, "c", "F", 0.01));
  Surrogate electric;
  electric.name = "electric";
  electric.domain = CircuitDomain::electric;
  std::vector<SymbolId> q, v, i;
  for (std::size_t section = 0; section < sections; ++section) {
    const std::string path = "electric.section[" + std::to_string(section) + "].";
    q.push_back(g.make_symbol(path + "c.q", "C"));
    v.push_back(g.make_symbol(path + "c.v", "V"));
    i.push_back(g.make_symbol(path + "r.i", "A"));
  }
  for (std::size_t section = 0; section < q.size(); ++section)
    electric.algebra.push_back(assign(v[section], g.div(g.use(q[section]), c)));
  for (std::size_t section = 0; section < q.size(); ++section) {
    const Expr before = section == 0 ? g.one() : g.use(v[section - 1]);
    electric.algebra.push_back(assign(i[section], g.div(g.sub(before, g.use(v[section])), r)));
  }
  for (std::size_t section = 0; section < q.size(); ++section) {
    const Expr next = section + 1 < q.size() ? g.use(i[section + 1]) : g.zero();
    electric.states.push_back({q[section], g.sub(g.use(i[section]), next), g.zero()});
  }
  electric.energy = no_energy(g);
  finish(electric, g);
  plant.dae.subsystems = {electric};
  return plant;
}

}  // namespace takt::codegen::sample
