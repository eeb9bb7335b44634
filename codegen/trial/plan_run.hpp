#pragma once
// A plan run inside the generator: windows in the order and on the groups of the plan, values
// through the same cells as in a built plant. What a window computes is the model's matter: linear
// (coupled_stability.cpp).

#include <cstdint>
#include <memory>
#include <vector>

#include "codegen/plan/plan.hpp"
#include "runtime/coupling/cell.hpp"

namespace takt::codegen {

/// One subsystem.
class WindowModel {
 public:
  WindowModel() = default;
  WindowModel(const WindowModel&) = delete;
  WindowModel& operator=(const WindowModel&) = delete;
  virtual ~WindowModel() = default;
  /// One window from `start_ns` on, inputs by their polynomials; then outputs are those at its end,
  /// `sent` their integrals over it.
  virtual void run(std::int64_t start_ns) = 0;

  std::vector<InputPolynomial> inputs;  ///< parallel to PlanSubsystem::inputs
  std::vector<double> outputs,
      sent;  ///< parallel to PlanSubsystem::outputs; empty: nobody reads them
};

/// Cells are linear in what crosses, whatever it is.
class PlanRun {
 public:
  /// @param models  parallel to Plan::subsystems, outputs as they are at the start; nullptr: is
  /// left out, with what it exchanges
  PlanRun(const Plan& plan, std::vector<std::unique_ptr<WindowModel>> models);

  void macro_step();
  [[nodiscard]] const WindowModel& model(std::size_t subsystem) const {
    return *models_[subsystem];
  }

 private:
  struct Link {
    std::size_t producer = 0, consumer = 0, output = 0, input = 0;
    bool flux = false;
    std::int64_t period_ns = 0;
    PotentialCell potential;
    FluxCell cell;
    InputPolynomial open;
  };

  void group(std::size_t own, std::size_t begin, std::size_t end, std::int64_t start_ns);
  void window(std::size_t index, std::int64_t start_ns);

  const Plan& plan_;
  std::vector<std::unique_ptr<WindowModel>> models_;
  std::vector<Link> links_;
  std::vector<std::vector<std::size_t>> read_, written_;  // links by consumer, by producer
  std::int64_t now_ns_ = 0;
};

}  // namespace takt::codegen
