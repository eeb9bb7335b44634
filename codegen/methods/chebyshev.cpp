#include <algorithm>

#include "codegen/methods/method.hpp"
#include "runtime/solver/explicit_stability.hpp"
#include "runtime/solver/rkc.hpp"

namespace takt::codegen::methods {

constinit const Method rkc{
    .name = "rkc",
    .words =
        "explicit Runge-Kutta-Chebyshev with as many stages as the step needs (2 to 50): diffusion",
    .source = "Sommeijer, Shampine, Verwer, J. Comput. Appl. Math. 88 (1998)",
    .order = 2,
    .header = "rkc.hpp",
    .call = "takt::run_rkc<#>",
    .demands = "takt::Stepped",
    .stability = chebyshev_stability,
    .stability_name = "takt::chebyshev_stability",
    .chooses_stages = true,
    .proposed = true,
    .reported = true,
    .in_lanes = true,
    .evaluations = [](int stages) { return stages; },
    .cost = [](const StepSize& size,
               int stages) { return stages * (size.evaluation + 9.0 * size.states); },
    .run =
        [](TrialSystem& system, const Window& window, int stages) {
          const int count = std::clamp(stages, 2, most_stages);
          run_chebyshev(system, window, RkcCoefficients<most_stages>(count), count);
        }};

}  // namespace takt::codegen::methods
