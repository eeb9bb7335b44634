// Faults in words.

#include <array>
#include <cstdio>

#include "runtime/fmu/join/joint.hpp"

namespace takt::fmu::join {
namespace {

std::string number(double value) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.4g", value);
  return text.data();
}

std::string name_of_join(const Joint& joint, std::size_t constraint) {
  return "join." + joint.constraints()[constraint].name;
}

std::string list(const Joint& joint, const std::vector<std::size_t>& constraints) {
  std::string text;
  for (const std::size_t c : constraints) text += (text.empty() ? "" : ", ") + name_of_join(joint, c);
  return text;
}

std::string singular(const Joint& joint) {
  const std::vector<std::size_t> involved = joint.undetermined();
  if (involved.size() == 1)
    return list(joint, involved) +
           ": its force does not move what it joins (d(dv/dt)/dL = 0): join velocities, voltages or speeds, not what "
           "is their integral, and storages, not what is driven";
  return list(joint, involved) +
         ": these constraints follow from each other, so that their forces are not determined: leave one out";
}

std::string gain(const Fault& fault, const Joint& joint) {
  const Found& found = joint.found();
  if (found.gains.size() == 1)
    return name_of_join(joint, 0) + ": the loop diverges: gain " + number(found.gains[0]) +
           " times (1/m_a + 1/m_b) = " + number(found.inverse_masses[0]) + ", measured, is " +
           number(found.gains[0] * found.inverse_masses[0]) + ", and must be below 2: at most " +
           number(2.0 / found.inverse_masses[0]) + ", best " + number(1.0 / found.inverse_masses[0]);
  return "the loops of " + name_of_join(joint, 0) +
         " and those joined to it diverge: the spectral radius of 1 - M K is " + number(fault.value) +
         ", and must be below 1: leave `gain` out, it is proposed from what is measured";
}

std::string turned(const Fault& fault, const Joint& joint, std::span<const std::string> bodies) {
  const Constraint& constraint = joint.constraints()[fault.index];
  const bool is_b = fault.value != 0.0;
  const std::size_t body = (is_b ? constraint.b : constraint.a).body;
  return name_of_join(joint, fault.index) + ": the across value of side " + (is_b ? "b" : "a") + " (" +
         (body < bodies.size() ? bodies[body] : std::string("a body")) +
         ") falls when its through value rises, as a negative mass would: turn the `sign` of that side (where it is "
         "right, of a co-simulation, the step is too long for what the FMU holds)";
}

}  // namespace

std::string describe(const Fault& fault, const Joint& joint, std::span<const std::string> bodies) {
  const auto body = [&] { return fault.index < bodies.size() ? bodies[fault.index] : std::string("a body"); };
  switch (fault.what) {
    case Fault::What::none:
      return {};
    case Fault::What::body:
      return body() + ": " + fault.result.function + ": " + name_of(fault.result.status) +
             (*fault.result.reason != '\0' ? std::string(": ") + fault.result.reason : std::string());
    case Fault::What::singular:
      return singular(joint);
    case Fault::What::apart:
      return name_of_join(joint, fault.index) + ": the two sides are " + number(fault.value) +
             " apart, which is beyond the limit: take a shorter step, or way = \"index\"";
    case Fault::What::start_apart:
      return name_of_join(joint, fault.index) + ": the two sides start " + number(fault.value) +
             " apart: give both the same start value";
    case Fault::What::unsolved:
      return name_of_join(joint, fault.index) + ": its force was not found: " + number(fault.value) +
             " is left after " + std::to_string(joint.found().iterations) +
             " iterations: take more iterations or a shorter step";
    case Fault::What::not_finite:
      return body() + ": a rate or a value that is joined is not finite";
    case Fault::What::feedthrough:
      return name_of_join(joint, fault.index) +
             ": a value that is joined follows its force at once: there is no storage to be joined there";
    case Fault::What::turned:
      return turned(fault, joint, bodies);
    case Fault::What::gain:
      return gain(fault, joint);
    case Fault::What::step:
      return name_of_join(joint, 0) + ": the spring of " + number(joint.found().stiffness) + " with a damper of " +
             number(joint.found().damper) + " diverges with steps of " + number(joint.settings().step) +
             " s: the largest stable step is " + number(fault.value) + " s: take softer ones, or leave them out";
    case Fault::What::events:
      return "more than " + std::to_string(most_events) + " events in one step";
  }
  return {};
}

}  // namespace takt::fmu::join
