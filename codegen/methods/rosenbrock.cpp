#include "runtime/solver/rosenbrock.hpp"

#include <complex>

#include "codegen/methods/method.hpp"

namespace takt::codegen::methods {

constexpr std::string_view verwer =
    "Hairer, Wanner, Solving Ordinary Differential Equations II, sec. IV.7; Verwer and others, "
    "SIAM J. Sci. Comput. 20 (1999)";

template <int order>
constexpr StepStability stability{stability_of<[](std::complex<double> z) -> std::complex<double> {
  constexpr double gamma = rosenbrock_gamma<order>;
  if constexpr (order == 1)
    return 1.0 / (1.0 - z);
  else
    return (1.0 + (1.0 - 2.0 * gamma) * z) / ((1.0 - gamma * z) * (1.0 - gamma * z));
}>};

template <int stages>
double cost(const StepSize& size, int) {
  return stages * size.evaluation + size.solution;
}

template <int order>
void run(TrialSystem& system, const Window& window, int) {
  run_rosenbrock<order>(system, window);
}

constinit const Method ros1{.name = "ros1",
                            .words = "linearly implicit Euler, L-stable: any step",
                            .source = verwer,
                            .order = 1,
                            .header = "rosenbrock.hpp",
                            .call = "takt::run_rosenbrock<1>",
                            .demands = "takt::LinearlyImplicit",
                            .stability = stability<1>,
                            .solves = true,
                            .reported = true,
                            .evaluations = [](int) { return 1; },
                            .cost = cost<1>,
                            .run = run<1>};
constinit const Method ros2{.name = "ros2",
                            .words = "linearly implicit, L-stable: any step, stiff circuits",
                            .source = verwer,
                            .order = 2,
                            .header = "rosenbrock.hpp",
                            .call = "takt::run_rosenbrock<2>",
                            .demands = "takt::LinearlyImplicit",
                            .stability = stability<2>,
                            .solves = true,
                            .proposed = true,
                            .reported = true,
                            .evaluations = [](int) { return 2; },
                            .cost = cost<2>,
                            .run = run<2>};

}  // namespace takt::codegen::methods
