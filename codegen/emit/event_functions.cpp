#include "codegen/emit/event_functions.hpp"

#include <string>
#include <vector>

#include "codegen/emit/function_body.hpp"
#include "codegen/emit/instant_functions.hpp"
#include "codegen/emit/write_function.hpp"
#include "runtime/solver/state_events.hpp"

namespace takt::codegen {
namespace {

const StateEvent& event_of(const SubsystemView& view, std::size_t index) {
  return view.network.events[view.surrogate.events[index]];
}

/// Where resets can lose energy that is accounted for.
bool keeps_energy(const SubsystemView& view) {
  return view.surrogate.energy.complete && !view.graph().is_constant(view.surrogate.energy.stored);
}

void emit_indicators(const SubsystemView& view, Coefficients& coefficients,
                     SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "z");
  std::vector<Expr> roots;
  for (std::size_t k = 0; k < view.surrogate.events.size(); ++k)
    roots.push_back(event_of(view, k).indicator);
  const std::vector<std::size_t> steps = needed_steps(view, roots, {});
  body.begin(steps, roots, true);
  body.algebra(steps);
  for (std::size_t k = 0; k < roots.size(); ++k)
    body.assign("e", k, roots[k], event_of(view, k).path + " occurs where > 0");
  write_function(functions, view,
                 {"indicators", time_and({{"const double*", "z"}, {"double*", "e"}})},
                 {body.statements(), in_stage(view, body.values())});
}

void emit_effects(const SubsystemView& view, Coefficients& coefficients,
                  SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "z");
  std::vector<Expr> roots;
  std::vector<std::string> comments;
  for (std::size_t k = 0; k < view.surrogate.events.size(); ++k)
    for (const StateEvent::Set& set : event_of(view, k).sets) {
      roots.push_back(set.value);
      comments.push_back(event_of(view, k).path + " sets " + view.label(set.symbol));
    }
  const std::vector<std::size_t> steps = needed_steps(view, roots, {});
  body.begin(steps, roots, true);
  body.algebra(steps);
  for (std::size_t k = 0; k < roots.size(); ++k) body.assign("to", k, roots[k], comments[k]);
  write_function(functions, view,
                 {"effects", time_and({{"const double*", "z"}, {"double*", "to"}})},
                 {body.statements(), in_stage(view, body.values())});
}

void emit_contents(const SubsystemView& view, Coefficients& coefficients,
                   SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "z");
  const std::vector<Expr> roots{view.surrogate.energy.stored};
  const std::vector<std::size_t> steps = needed_steps(view, roots, {});
  body.begin(steps, roots, true);
  body.algebra(steps);
  body.assign("stored", 0, roots.front(), "stored [J]");
  write_function(functions, view,
                 {"contents", time_and({{"const double*", "z"}, {"double*", "stored"}})},
                 {body.statements(), in_stage(view, body.values())});
}

}  // namespace

void write_event_sizes(Writer& text, const SubsystemView& view) {
  if (!has_events(view)) return;
  std::string sets, follows;
  std::size_t count = 0;
  for (std::size_t k = 0; k < view.surrogate.events.size(); ++k) {
    follows += std::string(k > 0 ? ", " : "") + (event_of(view, k).level ? "true" : "false");
    for (const StateEvent::Set& set : event_of(view, k).sets)
      sets += (count++ > 0 ? ", {" : "{") + std::to_string(k) + ", " +
              std::to_string(view.state.at(set.symbol)) + "}";
  }
  const std::string events = std::to_string(view.surrogate.events.size()),
                    all = std::to_string(count);
  text.line("static constexpr std::size_t event_count = " + events + ", set_count = " + all + ";");
  text.line("static constexpr int most_events = " + std::to_string(most_event_cuts) + ";");
  text.line("static constexpr std::array<takt::EventSet, " + all + "> event_sets{{" + sets + "}};");
  text.line("static constexpr std::array<bool, " + events + "> follows{" + follows + "};");
}

void write_event_members(const MemberWriter& to) {
  if (!has_events(to.view())) return;
  const std::string events = std::to_string(to.view().surrogate.events.size());
  to.array({"double",
            "armed",
            {},
            "Of each event: 1 it may occur, -1 it has, 2 just now, 0 not looked at yet.",
            events});
  to.array({"double",
            "watched",
            {},
            "What its indicator was where the last part of a step began.",
            events});
  to.array({"double", "occurred", {}, "How often it occurred since start.", events});
  to.array({"double",
            "crowded",
            {},
            "Steps in which it came true more often than they are cut, since start.",
            events});
  to.number("restless", "0.0", "Instants at which events did not come to rest, since start.");
}

void write_event_declarations(Writer& text, const SubsystemView& view) {
  if (!has_events(view)) return;
  text.line(
      "/// What has to come above zero for each event to occur, at states z and time t, s seconds "
      "into the window.");
  text.line("void indicators(double t, double s, const double* z, double* e) noexcept;");
  text.line("/// What each event sets, from the values just before.");
  text.line("void effects(double t, double s, const double* z, double* to) noexcept;");
  if (!keeps_energy(view)) return;
  text.line("/// Energy stored [J].");
  text.line("void contents(double t, double s, const double* z, double* stored) noexcept;");
}

void emit_events(const SubsystemView& view, Coefficients& coefficients,
                 SubsystemFunctions& functions) {
  if (!has_events(view)) return;
  emit_indicators(view, coefficients, functions);
  emit_effects(view, coefficients, functions);
  if (keeps_energy(view)) emit_contents(view, coefficients, functions);
}

}  // namespace takt::codegen
