// CVODE, ARKODE and fixed steps on z' = f(t, z).

#include <arkode/arkode_erkstep.h>
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "codegen/reference/integrator.hpp"
#include "codegen/reference/sparse_solver.hpp"
#include "codegen/reference/state_rates.hpp"

namespace takt::codegen {
namespace {

/// What CVODE and ARKODE share: the vectors, and the right side as they call it.
class StateIntegrator : public Integrator {
 public:
  StateIntegrator(NumericSystem& system, const IntegrationOptions& options)
      : rates_(system),
        options_(options),
        states_(make_vector(rates_.size(), context_)),
        tolerance_(make_vector(rates_.size(), context_)) {
    if (rates_.size() == 0)
      throw std::runtime_error("the plant has nothing to integrate; method ida solves it");
    for (std::size_t k = 0; k < rates_.size(); ++k)
      data(tolerance_)[k] = options.absolute * rates_.nominal(k);
  }

 protected:
  static double* data(const Vector& vector) { return N_VGetArrayPointer(vector.get()); }

  /// 1: try a smaller step
  static int right_side(double time, N_Vector states, N_Vector result, void* self) {
    try {
      static_cast<StateIntegrator*>(self)->rates_.evaluate(time, N_VGetArrayPointer(states),
                                                           N_VGetArrayPointer(result));
    } catch (const std::runtime_error&) {
      return 1;
    }
    return 0;
  }

  static void check(int code, double time, const char* name) {
    if (code < 0)
      throw std::runtime_error(
          fmt::format("{} ended at {:.9g} s with code {}: the solution jumps or ends here, or the "
                      "tolerance is below what the equations allow",
                      name, time, code));
  }

  SundialsContext context_;
  StateRates rates_;
  IntegrationOptions options_;
  Vector states_, tolerance_;
  IntegrationCounts total_;
};

class CvodeIntegrator final : public StateIntegrator {
 public:
  CvodeIntegrator(NumericSystem& system, const IntegrationOptions& options)
      : StateIntegrator(system, options),
        matrix_(SUNDenseMatrix(static_cast<sunindextype>(rates_.size()),
                               static_cast<sunindextype>(rates_.size()), context_.value)),
        passing_(make_vector(rates_.size(), context_)),
        solver_(SUNLinSol_Dense(states_.get(), matrix_.get(), context_.value)),
        memory_(CVodeCreate(CV_BDF, context_.value)) {}
  ~CvodeIntegrator() override { CVodeFree(&memory_); }
  CvodeIntegrator(const CvodeIntegrator&) = delete;
  CvodeIntegrator& operator=(const CvodeIntegrator&) = delete;

  void restart(double time, const Values& y) override {
    add(total_);
    rates_.take(y, data(states_));
    check(begun_ ? CVodeReInit(memory_, time, states_.get())
                 : CVodeInit(memory_, &right_side, time, states_.get()),
          time, "CVODE");
    if (!begun_) {
      CVodeSetUserData(memory_, static_cast<StateIntegrator*>(this));
      CVodeSVtolerances(memory_, options_.relative, tolerance_.get());
      CVodeSetLinearSolver(memory_, solver_.get(), matrix_.get());
      CVodeSetMaxNumSteps(memory_, -1);
      CVodeSetMaxErrTestFails(memory_, 100);
      CVodeSetMaxConvFails(memory_, 100);
      CVodeSetErrFile(memory_, nullptr);
      if (options_.largest_step > 0) CVodeSetMaxStep(memory_, options_.largest_step);
    }
    begun_ = true;
    ++total_.restarts;
  }

  double step(double stop) override {
    double reached = 0.0;
    CVodeSetStopTime(memory_, stop);
    check(CVode(memory_, stop, states_.get(), &reached, CV_ONE_STEP), reached, "CVODE");
    return reached;
  }

  void at(double time, Values& y) override {
    check(CVodeGetDky(memory_, time, 0, passing_.get()), time, "CVODE");
    rates_.give(time, data(passing_), y);
  }
  [[nodiscard]] bool interpolates() const override { return true; }

  [[nodiscard]] IntegrationCounts counts() const override {
    IntegrationCounts result = total_;
    add(result);
    result.evaluations = rates_.evaluations();
    return result;
  }

 private:
  void add(IntegrationCounts& counts) const {
    if (!begun_) return;
    long steps = 0, setups = 0, failed = 0;
    CVodeGetNumSteps(memory_, &steps);
    CVodeGetNumLinSolvSetups(memory_, &setups);
    CVodeGetNumErrTestFails(memory_, &failed);
    counts.steps += steps, counts.factorisations += setups, counts.failed_tests += failed;
  }

  Matrix matrix_;
  Vector passing_;
  LinearSolver solver_;
  void* memory_;
  bool begun_ = false;
};

class ArkIntegrator final : public StateIntegrator {
 public:
  using StateIntegrator::StateIntegrator;
  ~ArkIntegrator() override { ERKStepFree(&memory_); }
  ArkIntegrator(const ArkIntegrator&) = delete;
  ArkIntegrator& operator=(const ArkIntegrator&) = delete;

  void restart(double time, const Values& y) override {
    add(total_);
    rates_.take(y, data(states_));
    if (memory_ == nullptr) {
      memory_ = ERKStepCreate(&right_side, time, states_.get(), context_.value);
      if (memory_ == nullptr) throw std::bad_alloc();
      ERKStepSetUserData(memory_, static_cast<StateIntegrator*>(this));
      ERKStepSetOrder(memory_, 5);
      ERKStepSVtolerances(memory_, options_.relative, tolerance_.get());
      ERKStepSetMaxNumSteps(memory_, -1);
      ERKStepSetMaxErrTestFails(memory_, 100);
      ERKStepSetErrFile(memory_, nullptr);
      if (options_.largest_step > 0) ERKStepSetMaxStep(memory_, options_.largest_step);
    } else {
      check(ERKStepReInit(memory_, &right_side, time, states_.get()), time, "ARKODE");
      ERKStepSetInitStep(memory_, 0.0);  // its own choice
    }
    ++total_.restarts;
    reached_ = time;
  }

  double step(double stop) override {
    begin_ = reached_;
    begin_states_.assign(data(states_), data(states_) + rates_.size());
    ERKStepSetStopTime(memory_, stop);
    check(ERKStepEvolve(memory_, stop, states_.get(), &reached_, ARK_ONE_STEP), reached_, "ARKODE");
    return reached_;
  }

  /// Integrated anew up to there: ARKODE's interpolation is of a lower order than its method.
  void at(double time, Values& y) override {
    if (time != reached_) {
      add(total_);
      std::copy(begin_states_.begin(), begin_states_.end(), data(states_));
      check(ERKStepReInit(memory_, &right_side, begin_, states_.get()), begin_, "ARKODE");
      ERKStepSetInitStep(memory_, time - begin_);
      ERKStepSetStopTime(memory_, time);
      check(ERKStepEvolve(memory_, time, states_.get(), &reached_, ARK_NORMAL), begin_, "ARKODE");
    }
    rates_.give(time, data(states_), y);
  }
  [[nodiscard]] bool interpolates() const override { return false; }

  [[nodiscard]] IntegrationCounts counts() const override {
    IntegrationCounts result = total_;
    add(result);
    result.evaluations = rates_.evaluations();
    return result;
  }

 private:
  void add(IntegrationCounts& counts) const {
    if (memory_ == nullptr) return;
    long steps = 0, failed = 0;
    ERKStepGetNumSteps(memory_, &steps);
    ERKStepGetNumErrTestFails(memory_, &failed);
    counts.steps += steps, counts.failed_tests += failed;
  }

  void* memory_ = nullptr;
  double begin_ = 0.0, reached_ = 0.0;  // of the last step, s
  std::vector<double> begin_states_;
};

/// k1 = f(t, z), k2 = f(t + h/2, z + h/2 k1), k3 = f(t + h/2, z + h/2 k2), k4 = f(t + h, z + h k3),
/// z += h/6 (k1 + 2 k2
/// + 2 k3 + k4)
class FixedIntegrator final : public Integrator {
 public:
  FixedIntegrator(NumericSystem& system, const IntegrationOptions& options)
      : rates_(system), step_(options.step), states_(rates_.size()) {}

  void restart(double time, const Values& y) override {
    time_ = time;
    rates_.take(y, states_.data());
    ++total_.restarts;
  }

  double step(double stop) override {
    begin_ = time_;
    begin_states_ = states_;
    const double steps = std::max(1.0, std::ceil((stop - time_) / step_ - 1e-6));
    time_ = steps > 1.0 ? begin_ + (stop - begin_) / steps : stop;
    take_step(begin_, time_ - begin_);
    return time_;
  }

  /// Inside of a step: by one that ends there.
  void at(double time, Values& y) override {
    if (time != time_) {
      states_ = begin_states_;
      take_step(begin_, time - begin_);
      time_ = time;
    }
    rates_.give(time, states_.data(), y);
  }
  [[nodiscard]] bool interpolates() const override { return false; }

  [[nodiscard]] IntegrationCounts counts() const override {
    IntegrationCounts result = total_;
    result.evaluations = rates_.evaluations();
    return result;
  }

 private:
  void take_step(double time, double h) {
    const std::size_t n = states_.size();
    std::vector<double> rate(n), sum(n, 0.0), stage(states_);
    constexpr double weight[] = {1.0, 2.0, 2.0, 1.0}, place[] = {0.0, 0.5, 0.5, 1.0};
    for (std::size_t s = 0; s < 4; ++s) {
      for (std::size_t k = 0; s > 0 && k < n; ++k) stage[k] = states_[k] + place[s] * h * rate[k];
      rates_.evaluate(time + place[s] * h, stage.data(), rate.data());
      for (std::size_t k = 0; k < n; ++k) sum[k] += weight[s] * rate[k];
    }
    for (std::size_t k = 0; k < n; ++k) states_[k] += h / 6.0 * sum[k];
    ++total_.steps;
  }

  StateRates rates_;
  double step_, begin_ = 0.0, time_ = 0.0;
  std::vector<double> states_, begin_states_;
  IntegrationCounts total_;
};

}  // namespace

std::unique_ptr<Integrator> make_cvode(NumericSystem& system, const IntegrationOptions& options) {
  return std::make_unique<CvodeIntegrator>(system, options);
}
std::unique_ptr<Integrator> make_ark(NumericSystem& system, const IntegrationOptions& options) {
  return std::make_unique<ArkIntegrator>(system, options);
}
std::unique_ptr<Integrator> make_fixed(NumericSystem& system, const IntegrationOptions& options) {
  return std::make_unique<FixedIntegrator>(system, options);
}

}  // namespace takt::codegen
