#pragma once
// Bodies that are joined by constraints, advanced together with one fixed step by one of four ways.
//
//   Group -> start(t) -> [advance(t, end) | input_event(t)] ...
//
// start() may allocate: it measures (Coupling::measure), proposes what is not given (prediction.hpp) and refuses what
// would diverge. advance() is bounded and takes nothing from the heap: stages and iterations are fixed; at an event of
// a body the step is cut as in model_exchange.hpp, state events located by bisection, at most most_located of them.
//
// Cost of a step in evaluations of f by body with q through values, n states, s stages, i iterations:
//   spring s + 1;  loop (s + 1)(i + 1);  index (s + 1)(1 + q) i + 1, with partials (s + 1) i + 1 and q (s + 1) i
//   derivatives; implicit 1 + n + q + i, with partials 1 + i and n + q derivatives. The last one is the check of the
//   end.
//
// index: what remains of v_a - v_b after the step is taken away by an impulse on both sides, x += B p, M p = v_a - v_b
// (its work is in the ledger). implicit has none left, spring and loop are watched only. Beyond the limit: a fault.
// After an event that changes states the impulse is applied, too: joined bodies stay together. Not by spring.

#include "runtime/fmu/advance.hpp"
#include "runtime/fmu/join/coupling.hpp"
#include "runtime/fmu/join/dense.hpp"
#include "runtime/fmu/join/joint.hpp"

namespace takt::fmu::join {

class Group final : public Joint {
 public:
  /// May allocate. The bodies outlive this. @throw std::invalid_argument
  Group(std::vector<Body*> bodies, std::vector<Constraint> constraints, const Settings& settings);

  Fault start(double t) override;
  Fault advance(double t, double end, bool& terminate) noexcept override;
  Fault input_event(double t, bool& terminate) noexcept override;
  [[nodiscard]] std::vector<double> kept() const override;
  Fault resume(double t, std::span<const double> values) override;
  [[nodiscard]] const Ledger& ledger(std::size_t constraint) const noexcept override { return ledgers_[constraint]; }
  [[nodiscard]] std::span<const Constraint> constraints() const noexcept override { return coupling_.constraints(); }
  [[nodiscard]] const Found& found() const noexcept override { return found_; }
  [[nodiscard]] const Settings& settings() const noexcept override { return settings_; }
  [[nodiscard]] std::vector<std::size_t> undetermined() const override {
    return found_.involved.empty() ? solver_.undetermined() : found_.involved;
  }

  [[nodiscard]] std::span<const double> states(std::size_t body) const noexcept {
    return coupling_.part(body, std::span<const double>(x_));
  }
  [[nodiscard]] const Coupling& coupling() const noexcept { return coupling_; }
  [[nodiscard]] const AdvanceCounts& counts() const noexcept { return counts_; }
  static constexpr int most_located = 16;

 private:
  // ways.cpp
  Fault step(double t, double h) noexcept;  // from x0_ into x_
  Fault explicit_step(double t, double h) noexcept;
  Fault implicit_step(double t, double h) noexcept;
  Fault force(const Point& at, std::span<double> dx) noexcept;  // into l_
  Fault reduce(const Point& at, std::span<double> dx) noexcept;
  Fault loop(const Point& at, std::span<double> dx) noexcept;
  Fault spring(const Point& at, std::span<double> dx) noexcept;
  Fault finish(double t) noexcept;
  Fault check_end(const Point& at) noexcept;
  Fault newton_parts(const Point& at, double h) noexcept;
  Fault newton_update(const Point& at) noexcept;
  Fault check_newton(double h) noexcept;
  void residuals(double h) noexcept;
  Fault project(double t) noexcept;
  Fault within_limit(Fault::What what) noexcept;
  void keep_stage(std::size_t stage, double weight) noexcept;
  // group.cpp
  Fault settle_start(double t);
  Fault propose();
  Fault serve(double t, bool& terminate) noexcept;
  Fault locate(double t, double& h) noexcept;
  Fault read_indicators(std::span<double> z) noexcept;
  [[nodiscard]] bool crossed() const noexcept;
  [[nodiscard]] double next_time() const noexcept;
  void mark_events(double t, bool state) noexcept;
  Fault complete(bool& terminate) noexcept;
  void accept() noexcept;

  /// What a step adds to a ledger, of one constraint.
  struct Work {
    double given = 0.0, received = 0.0, lost = 0.0;
  };
  Settings settings_;
  Coupling coupling_;
  Found found_;
  Dense solver_;
  AdvanceCounts counts_;
  std::vector<Ledger> ledgers_;
  std::vector<double> x0_, x_, trial_, dx_, k_;  // k_: [stages x states]
  std::vector<double> l0_, l_, s0_, s_, s_trial_, ks_, dg_, dl_, gains_, stored0_;
  std::vector<Work> work_;
  // Implicit: by body, its matrix 1 - h df/dx, that factored; columns [states x states]; A^-1 B of each constraint.
  std::vector<Dense> matrices_;
  std::vector<double> matrix_, columns_, residual_, solved_, by_force_, schur_;
  // Events.
  std::vector<double> z0_, z_;
  std::vector<EventInfo> next_;
  std::vector<bool> event_, input_;
  std::vector<std::size_t> first_z_;
};

}  // namespace takt::fmu::join
