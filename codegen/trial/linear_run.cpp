#include "codegen/trial/linear_run.hpp"

#include <algorithm>

namespace takt::codegen {

LinearRun::LinearRun(const LinearBlock& block)
    : TrialSystem(block.states, block.outputs),
      inputs(block.inputs),
      block_(block),
      u_(block.inputs),
      jacobian_((block.states + block.outputs) * block.states) {
  const std::size_t n = block.states, height = n + block.outputs;
  std::vector<double> unit(n, 0.0), column(height);
  for (std::size_t k = 0; k < n; ++k) {
    unit[k] = 1.0;
    block.apply({0, height}, unit.data(), u_.data(), column.data());
    unit[k] = 0.0;
    for (std::size_t row = 0; row < height; ++row) jacobian_[row * n + k] = column[row];
  }
}

void LinearRun::take_inputs(double s) noexcept {
  for (std::size_t input = 0; input < u_.size(); ++input) u_[input] = inputs[input].at(s);
}

void LinearRun::evaluate(double, double s, const double* at, double* dx, double* dq) noexcept {
  take_inputs(s);
  block_.apply({0, block_.states}, at, u_.data(), dx);
  block_.apply({block_.states, block_.outputs}, at, u_.data(), dq);
}

void LinearRun::jacobian(double* rows) noexcept {
  std::copy(jacobian_.begin(), jacobian_.end(), rows);
}

void LinearRun::outputs(double s, double* y) {
  take_inputs(s);
  block_.apply({block_.states, block_.outputs}, x.data(), u_.data(), y);
}

void LinearRun::advance(const Method& method, int stages, const Window& window) {
  constexpr int fine_steps = 8;
  if (method.run != nullptr)
    method.run(*this, window, stages);
  else
    methods::rk4.run(*this,
                     {window.start_ns, std::max<std::int64_t>(1, window.step_ns / fine_steps),
                      window.steps * fine_steps},
                     0);
}

}  // namespace takt::codegen
