#include "runtime/solver/ssprk43.hpp"

#include "codegen/methods/runge_kutta.hpp"

namespace takt::codegen::methods {

extern const Method ssprk43;
constinit const Method ssprk43 = runge_kutta<Ssprk43>(
    {.name = "ssprk43",
     .words = "explicit, strong stability preserving, 4 stages: contents and fronts that must not "
              "overshoot",
     .source = "Kraaijevanger, BIT 31 (1991); Ruuth, Spiteri, J. Sci. Comput. 17 (2002)",
     .header = "ssprk43.hpp",
     .call = "takt::run<takt::Ssprk43>",
     .stability_name = "takt::explicit_stability<takt::Ssprk43>",
     .for_whole = true});

}  // namespace takt::codegen::methods
