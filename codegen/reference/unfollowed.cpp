#include "codegen/reference/unfollowed.hpp"

namespace takt::codegen {

void refuse_unfollowed(const Network& network, Diagnostics& diagnostics) {
  const Graph& graph = network.graph();
  for (const OperatingPoint& point : network.points)
    diagnostics.error("F001", point.where,
                      "a reference run does not follow " + graph.symbol(point.symbol).path +
                          ", the point an element is linearised about",
                      "put a piecewise linear element in its place, such as electric.diode");
  for (const TravelDelay& delay : network.delays)
    diagnostics.error("F001", delay.where,
                      "one system of differential equations has no past, and " +
                          network.elements[static_cast<std::size_t>(delay.element)].path +
                          " delays what passes it",
                      "compare with a shorter step, or with inductors and capacitors (pipes and "
                      "elastic volumes) in many sections in its place");
}

}  // namespace takt::codegen
