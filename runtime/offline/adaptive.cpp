#include <arkode/arkode_erkstep.h>

#include "runtime/offline/vectors.hpp"

namespace takt::offline {
namespace {

class Adaptive final : public SolverBase {
 public:
  using SolverBase::SolverBase;
  ~Adaptive() override { ERKStepFree(&memory_); }

  void advance(const Window& window, double* x, double* q) noexcept override {
    const double end = enter(window, x);
    bool ok = memory_ == nullptr ? create() : ERKStepReset(memory_, begin_s_, y_) == 0;
    double reached = 0.0;
    ok = ok && ERKStepSetStopTime(memory_, end) == 0 && ERKStepEvolve(memory_, end, y_, &reached, ARK_NORMAL) >= 0;
    leave(ok, x, q);
  }

 private:
  bool create() {
    constexpr int order = 5, most_failures = 100;
    memory_ = ERKStepCreate(&right_side, begin_s_, y_, context_);
    if (memory_ == nullptr) return false;
    ERKStepSetUserData(memory_, static_cast<SolverBase*>(this));
    ERKStepSetOrder(memory_, order);
    ERKStepWFtolerances(memory_, &weights);
    ERKStepSetMaxNumSteps(memory_, -1);
    ERKStepSetMaxErrTestFails(memory_, most_failures);
    if (tolerance_.largest_step_s > 0.0) ERKStepSetMaxStep(memory_, tolerance_.largest_step_s);
    return true;
  }

  void* memory_ = nullptr;
};

}  // namespace

std::unique_ptr<Integrator> make_adaptive(const System& system, const Tolerance& tolerance) {
  return std::make_unique<Adaptive>(system, tolerance);
}

}  // namespace takt::offline
