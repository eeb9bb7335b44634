#pragma once
// A plant written by hand, with a closed solution: two bodies exchange heat through a conductance that belongs to the
// first, which reads the other's temperature and sends the heat; the second has a heater, the only plant input.
//   C1 T1' = -Q,  C2 T2' = Q + u,  Q = k (T1 - T2)
// For u = 0 the difference decays, T1 - T2 = D0 exp(-k (1/C1 + 1/C2) t), and C1 T1 + C2 T2 stays.

#include <cmath>
#include <cstddef>
#include <vector>

#include "runtime/plant/description.hpp"
#include "runtime/solver/explicit_rk.hpp"

namespace takt::test {

struct BodyState {
  double x[1];
  double q[2];
};

/// First body in memory, then what its evaluate() needs.
struct TwoBodiesMemory {
  double capacity1 = 2.0, capacity2 = 1.0, conductance = 3.0;  // parameters: J/K, J/K, W/K
  double heater = 0.0;                                         // plant input: W
  double t1_start = 400.0, t2_start = 300.0;                   // K
  BodyState first{}, second{};
  InputPolynomial first_inputs[1];  // T2
  double first_outputs[2];          // T1, Q
  double first_sent[1];             // J
  double first_energy[5], first_newton[2];
  InputPolynomial second_inputs[2];  // Q, heater
  double second_outputs[1];          // T2
  double second_received[1];         // J
  double second_energy[5], second_newton[2];
  double warm_windows, cold_windows;  // counters: second body above 320 K, below 200 K
};

struct FirstBody {
  static constexpr std::size_t state_count = 1, quadrature_count = 1;
  TwoBodiesMemory& m;
  double (&x)[1];
  double (&q)[2];
  explicit FirstBody(TwoBodiesMemory& memory) : m(memory), x(m.first.x), q(m.first.q) {}
  void evaluate(double, double s, const double* state, double* dx, double* dq) noexcept {
    dq[0] = m.conductance * (state[0] - m.first_inputs[0].at(s));
    dx[0] = -dq[0] / m.capacity1;
  }
  void outputs(double s) noexcept {
    m.first_outputs[0] = x[0];
    m.first_outputs[1] = m.conductance * (x[0] - m.first_inputs[0].at(s));
    m.first_energy[3] = m.capacity1 * x[0];
  }
};

struct SecondBody {
  static constexpr std::size_t state_count = 1, quadrature_count = 2;
  TwoBodiesMemory& m;
  double (&x)[1];
  double (&q)[2];
  explicit SecondBody(TwoBodiesMemory& memory) : m(memory), x(m.second.x), q(m.second.q) {}
  void evaluate(double, double s, const double*, double* dx, double* dq) noexcept {
    dq[0] = m.second_inputs[0].at(s);
    dq[1] = m.second_inputs[1].at(s);
    dx[0] = (dq[0] + dq[1]) / m.capacity2;
  }
  void outputs() noexcept {
    m.second_outputs[0] = x[0];
    m.second_energy[3] = m.capacity2 * x[0];
  }
};

inline TwoBodiesMemory& memory_of(std::byte* memory) noexcept { return *reinterpret_cast<TwoBodiesMemory*>(memory); }

inline void no_coefficients(std::byte*, const double*) noexcept {}
inline void initialize_first(std::byte* memory) noexcept {
  FirstBody body(memory_of(memory));
  body.x[0] = body.m.t1_start;
  for (double& energy : body.m.first_energy) energy = 0.0;
  body.outputs(0.0);
}
inline void initialize_second(std::byte* memory) noexcept {
  SecondBody body(memory_of(memory));
  body.x[0] = body.m.t2_start;
  for (double& energy : body.m.second_energy) energy = 0.0;
  body.outputs();
}
inline void rates_first(std::byte* memory, double* rates) noexcept {
  FirstBody body(memory_of(memory));
  double dq[FirstBody::quadrature_count];
  body.evaluate(0.0, 0.0, body.x, rates, dq);
  body.outputs(0.0);
}
inline void rates_second(std::byte* memory, double* rates) noexcept {
  SecondBody body(memory_of(memory));
  double dq[SecondBody::quadrature_count];
  body.evaluate(0.0, 0.0, body.x, rates, dq);
  body.outputs();
}
template <class Method>
void run_first(std::byte* memory, const Window& w) noexcept {
  FirstBody body(memory_of(memory));
  run<Method>(body, w);
  body.outputs(static_cast<double>(w.step_ns * w.steps) * 1e-9);
  body.m.first_sent[0] = body.q[0];
  body.m.first_energy[2] -= body.q[0];
}
template <class Method>
void run_second(std::byte* memory, const Window& w) noexcept {
  SecondBody body(memory_of(memory));
  run<Method>(body, w);
  body.outputs();
  body.m.second_received[0] = body.q[0];
  body.m.second_energy[0] += body.q[1];
  body.m.second_energy[2] += body.q[0];
  body.m.warm_windows += body.x[0] > 320.0 ? 1.0 : 0.0;
  body.m.cold_windows += body.x[0] < 200.0 ? 1.0 : 0.0;
}

struct TwoBodiesOptions {
  std::int64_t window_ns = 1'000'000, step_ns = 250'000;
  std::uint8_t order = 1;
  bool first_runs_first = true;  ///< else the second body runs first and takes the heat of the window before
};

/// Owns memory and plan; not copyable, because the description points into it.
template <class Method = Heun>
class TwoBodies {
 public:
  explicit TwoBodies(TwoBodiesOptions options = {}) : options_(options) {
    const std::int64_t h = options.window_ns, step = options.step_ns;
    subsystems_ = {{.name = "first",
                    .domain = "solid",
                    .method = "rk",
                    .step_ns = step,
                    .period_ns = h,
                    .equations = 2,
                    .states = 1,
                    .inputs = 1,
                    .outputs = 2,
                    .fluxes_out = 1,
                    .fluxes_in = 0,
                    .newton_blocks = 0,
                    .states_offset = offsetof(TwoBodiesMemory, first.x),
                    .inputs_offset = offsetof(TwoBodiesMemory, first_inputs),
                    .outputs_offset = offsetof(TwoBodiesMemory, first_outputs),
                    .sent_offset = offsetof(TwoBodiesMemory, first_sent),
                    .received_offset = 0,
                    .energy_offset = offsetof(TwoBodiesMemory, first_energy),
                    .newton_offset = offsetof(TwoBodiesMemory, first_newton),
                    .prepare = no_coefficients,
                    .initialize = initialize_first,
                    .run = run_first<Method>,
                    .events = {},
                    .rates = rates_first},
                   {.name = "second",
                    .domain = "solid",
                    .method = "rk",
                    .step_ns = step,
                    .period_ns = h,
                    .equations = 1,
                    .states = 1,
                    .inputs = 2,
                    .outputs = 1,
                    .fluxes_out = 0,
                    .fluxes_in = 1,
                    .newton_blocks = 0,
                    .states_offset = offsetof(TwoBodiesMemory, second.x),
                    .inputs_offset = offsetof(TwoBodiesMemory, second_inputs),
                    .outputs_offset = offsetof(TwoBodiesMemory, second_outputs),
                    .sent_offset = 0,
                    .received_offset = offsetof(TwoBodiesMemory, second_received),
                    .energy_offset = offsetof(TwoBodiesMemory, second_energy),
                    .newton_offset = offsetof(TwoBodiesMemory, second_newton),
                    .prepare = no_coefficients,
                    .initialize = initialize_second,
                    .run = run_second<Method>,
                    .events = events_,
                    .rates = rates_second}};
    const std::uint8_t first_lag = options.first_runs_first ? 1 : 0;
    exchanges_ = {{.from = "second.t",
                   .to = "first.t2",
                   .quantity = "K",
                   .kind = CouplingKind::potential,
                   .producer = 1,
                   .output = 0,
                   .consumer = 0,
                   .input = 0,
                   .received = 0,
                   .flux_value = 0,
                   .lag = first_lag,
                   .order = options.order},
                  {.from = "first.heat",
                   .to = "second.heat",
                   .quantity = "J",
                   .kind = CouplingKind::flux,
                   .producer = 0,
                   .output = 0,
                   .consumer = 1,
                   .input = 0,
                   .received = 0,
                   .flux_value = 1,
                   .lag = static_cast<std::uint8_t>(1 - first_lag),
                   .order = options.order}};
    const std::uint16_t lead = options.first_runs_first ? 0 : 1;
    windows_ = {{.subsystem = lead, .core = 0, .period_ns = h, .offset_ns = 0},
                {.subsystem = static_cast<std::uint16_t>(1 - lead), .core = 0, .period_ns = h, .offset_ns = 0}};
    table_ = {{"first.heat", "W", Role::output, 0, offsetof(TwoBodiesMemory, first_outputs[1])},
              {"first.t", "K", Role::state, 0, offsetof(TwoBodiesMemory, first.x)},
              {"heater", "W", Role::plant_input, 0xffff, offsetof(TwoBodiesMemory, heater)},
              {"k", "W/K", Role::parameter, 0xffff, offsetof(TwoBodiesMemory, conductance)},
              {"second.t", "K", Role::state, 1, offsetof(TwoBodiesMemory, second.x)}};
    recorded_ = {1, 4, 0};
    records_ = {{.period_ns = h, .entries = recorded_}};
  }
  TwoBodies(const TwoBodies&) = delete;
  TwoBodies& operator=(const TwoBodies&) = delete;

  [[nodiscard]] PlantDescription description() {
    return {.name = "two_bodies",
            .title = "Two bodies",
            .generator = "test",
            .input_hash = "0",
            .equations = 3,
            .macro_step_ns = options_.window_ns,
            .default_duration_ns = 1'000'000'000,
            .memory = reinterpret_cast<std::byte*>(&memory),
            .memory_size = sizeof memory,
            .parameters_offset = offsetof(TwoBodiesMemory, capacity1),
            .inputs_offset = offsetof(TwoBodiesMemory, heater),
            .table = table_,
            .plant_inputs = inputs_,
            .subsystems = subsystems_,
            .windows = windows_,
            .exchanges = exchanges_,
            .input_routes = routes_,
            .records = records_};
  }
  /// T1 for heater = 0
  [[nodiscard]] double exact_t1(double t) const {
    const double c1 = memory.capacity1, c2 = memory.capacity2;
    const double mean = (c1 * memory.t1_start + c2 * memory.t2_start) / (c1 + c2);
    const double difference =
        (memory.t1_start - memory.t2_start) * std::exp(-memory.conductance * (1 / c1 + 1 / c2) * t);
    return mean + difference * c2 / (c1 + c2);
  }

  TwoBodiesMemory memory{};

 private:
  TwoBodiesOptions options_;
  std::vector<SubsystemDescription> subsystems_;
  std::vector<EventDescription> events_{
      {.code = "W001", .text = "second is warm", .offset = offsetof(TwoBodiesMemory, warm_windows)},
      {.code = "W002", .text = "second is cold", .offset = offsetof(TwoBodiesMemory, cold_windows)}};
  std::vector<ExchangePlan> exchanges_;
  std::vector<WindowPlan> windows_;
  std::vector<InputRoute> routes_{{.plant_input = 0, .consumer = 1, .input = 1}};
  std::vector<PlantInputDescription> inputs_{{.path = "heater", .unit = "W", .start = 0.0, .safe = 0.0}};
  std::vector<MemoryEntry> table_;
  std::vector<std::uint32_t> recorded_;
  std::vector<RecordPlan> records_;
};

}  // namespace takt::test
