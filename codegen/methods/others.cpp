// Methods that are no steps of a smooth circuit: switched circuits, control blocks, solvers that
// choose their steps.

#include <complex>

#include "codegen/methods/method.hpp"

namespace takt::codegen::methods {

constinit const Method trapezoidal{
    .name = "trapezoidal",
    .words =
        "circuits with switches: linearly implicit trapezoidal rule, steps cut at edges, backward "
        "Euler after them",
    .source = "Dommel, IEEE Trans. PAS-88 (1969); Lin, Marti, IEEE Trans. Power Systems 5 (1990)",
    .kind = Method::Kind::switched,
    .order = 2,
    .header = "switched.hpp",
    .demands = "takt::SwitchedCircuit",
    .stability = {stability_of<[](std::complex<double> z) { return (2.0 + z) / (2.0 - z); }>},
    .evaluations = [](int) { return 2; }};
constinit const Method discrete{.name = "discrete",
                                .words = "control blocks, sampled",
                                .source = "",
                                .kind = Method::Kind::sampled};
constinit const Method foreign{.name = "fmu",
                               .words = "Functional Mock-up Units, by their own code",
                               .source = "FMI 2.0.4, FMI 3.0.2",
                               .kind = Method::Kind::foreign,
                               .order = 2};
constinit const Method adaptive{
    .name = "adaptive",
    .words = "ARKODE (explicit) chooses the steps: free runs of `whole`",
    .source = "SUNDIALS",
    .kind = Method::Kind::offline,
    .order = 5,
    .for_whole = true};
constinit const Method bdf{.name = "bdf",
                           .words = "CVODE (implicit) chooses the steps: free runs of `whole`",
                           .source = "SUNDIALS",
                           .kind = Method::Kind::offline,
                           .order = 5,
                           .for_whole = true};

}  // namespace takt::codegen::methods
