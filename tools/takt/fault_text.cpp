#include "tools/takt/fault_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "runtime/steering/action.hpp"
#include "tools/takt/printed_text.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

struct DistortionRow {
  Distortion::Kind kind;
  std::string_view written, what;
};

/// As an action writes it; v the true value, s the seconds since it was injected.
constexpr std::array distortions = std::to_array<DistortionRow>({
    {Distortion::Kind::stuck, "stuck", "v as it was when this was injected"},
    {Distortion::Kind::offset, "offset 2 K", "v + amount"},
    {Distortion::Kind::gain, "gain 1.1", "v*amount"},
    {Distortion::Kind::drift, "drift 0.1 K/s", "v + amount*s"},
    {Distortion::Kind::noise, "noise 0.5 K [seed 3]",
     "v + amount*z, z of a normal distribution, drawn anew in every window"},
    {Distortion::Kind::delay, "delay 20 ms", "v as it was that long ago"},
    {Distortion::Kind::open, "open [0 V]", "what the input pulls an open wire to"},
});

/// Every kind but the first, which `override` is for, stands in its place: one added to the runtime is missed here.
constexpr bool complete() {
  for (std::size_t row = 0; row < distortions.size(); ++row)
    if (static_cast<std::size_t>(distortions[row].kind) != row + 1) return false;
  return distortions.size() == static_cast<std::size_t>(Distortion::Kind::open);
}
static_assert(complete());

std::string change_text(const Network& network, const ElementFault::Change& change) {
  const auto symbol = [&](std::size_t parameter) -> const Symbol& {
    return network.graph().symbol(network.parameters[parameter].symbol);
  };
  const Symbol& changed = symbol(change.parameter);
  const std::string unit = changed.unit == "1" ? "" : " " + changed.unit;
  if (!change.of) return fmt::format("{} = {}{}", changed.path, change.value, unit);
  return fmt::format("{} = {}{}", changed.path, change.factor == 1.0 ? "" : fmt::format("{}*", change.factor),
                     symbol(*change.of).path);
}

}  // namespace

std::string changes_text(const FaultDefinition& fault) {
  std::string text;
  for (const FaultDefinition::Change& change : fault.changes)
    text += (text.empty() ? "" : ", ") + change.parameter + " = " + change.text;
  return text;
}

std::string all_faults_text(const Library& library) {
  Text text;
  text.print(
      "What sampled readers and buses see of a signal: inject PATH DISTORTION, clear PATH.\n"
      "v is the true value, s the time since the injection in seconds.\n\n");
  for (const DistortionRow& row : distortions) text.print("  {:<24} {}\n", row.written, row.what);
  text.print(
      "\nWhat happens to elements: inject ELEMENT FAULT, clear ELEMENT FAULT. While it lasts the parameters have other "
      "values;\ncharges, flux linkages, momenta and masses stay. Which of them a plant can have: `takt check PLANT "
      "--show "
      "faults`,\nor the built plant with --list-faults.\n");
  for (const ElementDefinition* element : library.all()) {
    if (!element->faults.empty()) text.print("\n{}\n", element->full_name());
    for (const FaultDefinition& fault : element->faults)
      text.print("  {:<16} {:<34} {}\n", fault.name, changes_text(fault), fault.doc);
  }
  text.print("\nany sampled control block that [plant] faults names\n  {:<16} {:<34} {}\n", "frozen", "frozen = 1",
             "outputs and states stay what they are");
  return text.take();
}

std::string plant_faults_text(const Network& network) {
  Text text;
  for (const ElementFault& fault : network.faults) {
    std::string changes;
    for (const ElementFault::Change& change : fault.changes)
      changes += (changes.empty() ? "" : ", ") + change_text(network, change);
    text.print("{} {}  [{}]  {}\n", fault.element, fault.name, changes, fault.text);
  }
  if (!network.absent_faults.empty()) text.print("{}not available:\n", network.faults.empty() ? "" : "\n");
  for (const AbsentFault& fault : network.absent_faults)
    text.print("{} {}: {}\n", fault.element, fault.name, fault.why);
  if (network.faults.empty() && network.absent_faults.empty())
    text.print("no element of the plant has faults: `takt explain faults` lists those of the library\n");
  return text.take();
}

}  // namespace takt::tools
