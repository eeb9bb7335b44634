#include "codegen/methods/runge_kutta.hpp"

namespace takt::codegen::methods {

constexpr std::string_view hairer =
    "Hairer, Norsett, Wanner, Solving Ordinary Differential Equations I, tables II.1.1 and II.1.2";

constinit const Method euler =
    runge_kutta<Euler>({.name = "euler",
                        .words = "explicit Euler",
                        .source = hairer,
                        .call = "takt::run<takt::Euler>",
                        .stability_name = "takt::explicit_stability<takt::Euler>",
                        .reported = true,
                        .for_whole = true});
constinit const Method heun =
    runge_kutta<Heun>({.name = "heun",
                       .words = "Heun's explicit trapezoidal rule",
                       .source = hairer,
                       .call = "takt::run<takt::Heun>",
                       .stability_name = "takt::explicit_stability<takt::Heun>",
                       .proposed = true,
                       .reported = true,
                       .for_whole = true});
constinit const Method rk3 =
    runge_kutta<Rk3>({.name = "rk3",
                      .words = "Kutta's explicit method",
                      .source = "W. Kutta, Z. Math. Phys. 46 (1901)",
                      .call = "takt::run<takt::Rk3>",
                      .stability_name = "takt::explicit_stability<takt::Rk3>",
                      .proposed = true,
                      .reported = true,
                      .for_whole = true});
constinit const Method rk4 =
    runge_kutta<Rk4>({.name = "rk4",
                      .words = "the classical Runge-Kutta method",
                      .source = hairer,
                      .call = "takt::run<takt::Rk4>",
                      .stability_name = "takt::explicit_stability<takt::Rk4>",
                      .proposed = true,
                      .reported = true,
                      .for_whole = true});

}  // namespace takt::codegen::methods
