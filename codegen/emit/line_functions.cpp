#include "codegen/emit/line_functions.hpp"

#include <algorithm>

#include "codegen/emit/write_function.hpp"
#include "codegen/plan/couplings.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

std::string arriving_member(std::size_t number) { return "arriving_" + std::to_string(number); }
std::string leaving_member(std::size_t number) { return "leaving_" + std::to_string(number); }

std::size_t number_of(const std::vector<SubsystemView::Wave>& waves, std::size_t delay) {
  const auto found = std::find_if(waves.begin(), waves.end(), [&](const SubsystemView::Wave& wave) {
    return wave.delay == delay;
  });
  return static_cast<std::size_t>(found - waves.begin());
}

/// What leaves, into the outputs.
void emit_waves(const SubsystemView& view, Coefficients& coefficients,
                SubsystemFunctions& functions) {
  FunctionBody body(view, coefficients, "x");
  std::vector<SymbolId> leaving;
  for (const SubsystemView::Wave& wave : view.leaving) leaving.push_back(wave.symbol);
  const std::vector<std::size_t> steps = needed_steps(view, {}, leaving);
  body.begin(steps, {}, true);
  for (const SymbolId symbol : leaving) body.use_state(symbol);
  body.algebra(steps);
  for (const SubsystemView::Wave& wave : view.leaving)
    body.store("outputs", wave.place, body.own(wave.symbol), view.label(wave.symbol));
  write_function(functions, view, {"waves", time_parameters}, {body.statements()});
}

}  // namespace

std::string under_way_member(std::size_t number) { return "under_way_" + std::to_string(number); }

void assign_waves(const Plan& plan, std::vector<SubsystemView>& views) {
  for (const PlanCoupling& coupling : plan.couplings) {
    if (!coupling.delay) continue;
    const std::size_t input = index_in(plan.subsystems[coupling.consumer].inputs, coupling.to),
                      output = index_in(plan.subsystems[coupling.producer].outputs, coupling.from);
    views[coupling.consumer].arriving.push_back(
        {coupling.to, input, coupling.samples, *coupling.delay});
    views[coupling.producer].leaving.push_back(
        {coupling.from, output, coupling.samples, *coupling.delay});
  }
}

void write_line_members(Writer& text, const SubsystemView& view) {
  for (std::size_t k = 0; k < view.arriving.size(); ++k) {
    const SubsystemView::Wave& wave = view.arriving[k];
    text.doc("Arrives in this window: " + view.label(wave.symbol) +
             "; energy under way as it began [J].");
    text.line("takt::Arriving<" + std::to_string(wave.samples) + "> " + arriving_member(k) + "{};");
    text.line("double " + under_way_member(k) + " = 0.0;");
  }
  for (std::size_t k = 0; k < view.leaving.size(); ++k) {
    const SubsystemView::Wave& wave = view.leaving[k];
    text.doc("Leaves in this window: " + view.label(wave.symbol));
    text.line("takt::Leaving<" + std::to_string(wave.samples) + "> " + leaving_member(k) + "{};");
  }
}

void write_line_declarations(Writer& text, const SubsystemView& view) {
  if (!has_lines(view)) return;
  text.line("/// What arrives during a micro-step; what leaves at its end.");
  text.line("void step_begins(const takt::Window& window, std::int32_t step) noexcept;");
  text.line("void step_ended(const takt::Window& window, std::int32_t step) noexcept;");
  if (!view.leaving.empty()) text.line("void waves(double t, double s) noexcept;");
}

void emit_line_ends(const SubsystemView& view, Coefficients& coefficients,
                    SubsystemFunctions& functions) {
  if (!has_lines(view)) return;
  if (!view.leaving.empty()) emit_waves(view, coefficients, functions);
  Writer& text = functions.text;
  const auto open = [&](const char* name, bool used) {
    const Arguments parameters{{"const takt::Window&", "window"}, {"std::int32_t", "step"}};
    text.blank();
    text.open_of("void ", view.type,
                 std::string("::") + name + "(" + list_of(parameters, used) + ") noexcept");
  };
  const auto each_arriving = [&](const char* function) {
    for (std::size_t k = 0; k < view.arriving.size(); ++k)
      text.line(std::string("takt::") + function + "(" + at("inputs", view.arriving[k].place) +
                ", " + arriving_member(k) + ", window, step);");
  };
  open("step_begins", !view.arriving.empty());
  each_arriving("arrive");
  text.close();
  open("step_ended", true);
  each_arriving("arrived");
  if (!view.leaving.empty()) {
    std::string any;
    for (std::size_t k = 0; k < view.leaving.size(); ++k) {
      any +=
          (any.empty() ? "" : " && ") + ("!takt::leaves(" + leaving_member(k) + ", window, step)");
    }
    text.line("if (" + any + ") return;");
    text.line("const std::int64_t passed_ns = (step + 1) * window.step_ns;");
    text.line(
        "waves(static_cast<double>(window.start_ns + passed_ns) / 1e9, "
        "static_cast<double>(passed_ns) / 1e9);");
    for (std::size_t k = 0; k < view.leaving.size(); ++k)
      text.line("takt::leave(" + leaving_member(k) + ", " + at("outputs", view.leaving[k].place) +
                ", window, step);");
  }
  text.close();
}

void add_delay(Aggregate& row, const Network& network, const PlanCoupling& coupling,
               const std::vector<SubsystemView>& views) {
  if (!coupling.delay) return;
  const TravelDelay& delay = network.delays[*coupling.delay];
  const SubsystemView &producer = views[coupling.producer], &consumer = views[coupling.consumer];
  const std::size_t from = number_of(producer.leaving, *coupling.delay),
                    to = number_of(consumer.arriving, *coupling.delay);
  const auto place = [](const SubsystemView& view, const std::string& member) {
    return "offsetof(Plant, " + view.member + "." + member + ")";
  };
  Aggregate of;
  of.number("travel_s", delay.travel_s).number("start", delay.start).number("power", delay.power);
  of.number("samples", coupling.samples).code("leaving", place(producer, leaving_member(from)));
  of.code("arriving", place(consumer, arriving_member(to)))
      .code("under_way", place(consumer, under_way_member(to)));
  row.code("delay", of.code());
}

}  // namespace takt::codegen
