#include "codegen/emit/lane_source.hpp"

#include <map>
#include <string_view>

#include "codegen/code/lanes.hpp"
#include "codegen/code/print.hpp"
#include "codegen/emit/banner.hpp"
#include "codegen/emit/event_functions.hpp"
#include "codegen/emit/flow_blocks.hpp"
#include "codegen/emit/instant_functions.hpp"
#include "codegen/emit/range_checks.hpp"
#include "codegen/emit/run_function.hpp"
#include "codegen/emit/sparse_blocks.hpp"
#include "codegen/emit/struct_members.hpp"
#include "codegen/emit/write_function.hpp"
#include "codegen/source/writer.hpp"

namespace takt::codegen {
namespace {

/// Operations in a window for each double that it reads: below, what is gained is lost by the way
/// into lanes and back (measured: README.md).
constexpr std::size_t least_operations = 2;

bool pays(const SubsystemView& view, const LaneCode& code) {
  const PlanSubsystem& plan = view.plan;
  const auto steps = static_cast<std::size_t>(plan.period_ns / plan.step_ns);
  const auto evaluations =
      static_cast<std::size_t>(plan.method->evaluations_of(plan.stages)) * steps;
  const std::size_t doubles = view.surrogate.states.size() + view.quadratures() +
                              4 * plan.inputs.size() + plan.outputs.size() + plan.sent.size() +
                              plan.received.size() + view.coefficients.size();
  return operations_in(code.evaluate.values, code.evaluate.body) * evaluations +
             operations_in(code.finish.values, code.finish.body) >=
         least_operations * doubles;
}

void write_places(Writer& text, const SubsystemView& view) {
  const auto place = [&](const char* name, const std::string& value) {
    text.line("static constexpr std::size_t " + std::string(name) + " = " + value + ";");
  };
  const auto offset = [&](const char* member) {
    return "offsetof(" + view.type + ", " + member + ") / sizeof(double)";
  };
  const std::string read =
      view.signals.empty() ? "sizeof(" + view.type + ") / sizeof(double)" : offset("signals");
  place("read", read);
  place("written", view.coefficients.empty() ? read : offset("k"));
  const bool has_inputs = !view.plan.inputs.empty();
  place("inputs_begin", has_inputs ? offset("inputs") : "0");
  place("inputs_end",
        has_inputs ? "inputs_begin + " + std::to_string(4 * view.plan.inputs.size()) : "0");
}

void write_evaluations(Writer& text) {
  for (const char* arguments : {"const takt::Lanes* z, takt::Lanes* dz, takt::Lanes* dq", ""}) {
    const bool evaluates = *arguments != '\0';
    const std::string name = evaluates ? "evaluate" : "finish",
                      more = evaluates ? std::string(", ") + arguments : "";
    text.line("void " + name + "(takt::Lanes t, takt::Lanes s" + more + ") noexcept;");
    text.open("void " + name + "(double t, double s" + more + ") noexcept");
    text.line(name + "(takt::in_lanes(t), takt::in_lanes(s)" + (evaluates ? ", z, dz, dq" : "") +
              ");");
    text.close();
  }
}

/// What run() does now and then is done one by one.
void write_look(Writer& text, const SubsystemView& view) {
  if (look_every(view) == 0) return;
  code::Values values;
  code::Block block;
  define_window_end(values, block);
  look_now_and_then(view, "self.", values, block);
  text.open("static void look(" + view.type + "& self, const takt::Window& window) noexcept");
  code::print(text, values, {block.statements()});
  text.close();
}

void write_struct(Writer& text, const SubsystemView& view) {
  const std::string lanes = view.type + "Lanes";
  text.doc("Members as in " + view.type + ", of all copies.");
  text.open("struct alignas(64) " + lanes);
  text.line("using Number = takt::Lanes;");
  write_places(text, view);
  text.blank();
  write_sizes(text, view);
  std::vector<SubsystemFunctions::Member> coefficients;
  for (const std::string& name : view.coefficients) coefficients.push_back({name, ""});
  write_members({text, view, true}, coefficients);
  text.line("bool gives_up;");
  text.blank();
  write_evaluations(text);
  text.line("[[nodiscard]] bool run(const takt::Window& window) noexcept;");
  write_look(text, view);
  text.close("};");
}

std::optional<SourceFile> lane_source(const SubsystemView& view, LaneCode& code,
                                      const EmitOptions& options) {
  if (!pays(view, code)) return std::nullopt;
  const std::string lanes = view.type + "Lanes";
  Writer text;
  write_banner(text, view.network, options,
               "Copies of subsystem " + view.surrogate.name + " side by side");
  for (const std::string& own : {"\"" + view.file + ".hpp\"", std::string("<limits>")}) {
    text.line("#include " + own);
    text.blank();
  }
  text.line("#include \"runtime/solver/newton_lanes.hpp\"");
  text.line("#include \"runtime/solver/side_by_side.hpp\"");
  text.line("#include \"runtime/solver/" + std::string(view.plan.method->header) + "\"");
  text.line("#include \"tables.hpp\"");
  text.blank();
  text.line("namespace takt_plant {");
  text.line("namespace {");
  text.blank();
  write_struct(text, view);
  const auto function = [&](const FunctionHead& head, const code::Values& values,
                            const code::Block& body) {
    const std::string parameters =
        list_of(head.parameters, code::UsedNames(values, {body.statements()}));
    text.blank();
    text.open("inline " + head.result + " " + lanes + "::" + head.name + "(" + parameters +
              ") noexcept");
    code::print(text, values, {body.statements()});
    text.close();
  };
  const Arguments times{{"takt::Lanes", "t"}, {"takt::Lanes", "s"}};
  Arguments of_stage = times;
  of_stage.insert(of_stage.end(),
                  {{"const takt::Lanes*", "z"}, {"takt::Lanes*", "dz"}, {"takt::Lanes*", "dq"}});
  const code::Block evaluate = in_lanes(code.evaluate.values, std::move(code.evaluate.body)),
                    finish = in_lanes(code.finish.values, std::move(code.finish.body));
  function({"evaluate", of_stage}, code.evaluate.values, evaluate);
  function({"finish", times}, code.finish.values, finish);
  code::Values of_run;
  const code::Block run = run_in_lanes(view, of_run);
  function({"run", {{"const takt::Window&", "window"}}, "bool"}, of_run, run);
  text.blank();
  text.line("}  // namespace");
  text.blank();
  text.open(together_head(view));
  text.line("takt::run_side_by_side<" + view.type + ", " + lanes + ">(own, copies, window);");
  text.close();
  text.blank();
  text.line("}  // namespace takt_plant");
  return SourceFile{view.file + "_lanes.cpp", text.page()};
}

}  // namespace

std::string together_head(const SubsystemView& view) {
  return "void together_" + view.code +
         "(std::byte* const* own, std::size_t copies, const takt::Window& window) noexcept";
}

bool may_be_in_lanes(const SubsystemView& view) {
  return std::holds_alternative<SmoothCircuit>(view.surrogate.kind) && view.plan.method->in_lanes &&
         !reads_inside(view) && !has_events(view) && view.arriving.empty() &&
         view.leaving.empty() && sparse_blocks(view).empty() && flow_blocks(view).empty();
}

void add_lanes(std::vector<SubsystemView>& views, LaneCodes& codes, Sources& sources,
               const EmitOptions& options) {
  std::map<std::string, std::vector<SubsystemView*>> of_code;
  for (SubsystemView& view : views) of_code[view.code].push_back(&view);
  for (auto& [name, alike] : of_code) {
    const auto code = codes.find(name);
    if (alike.size() < 2 || code == codes.end()) continue;
    const SubsystemView& first = *alike.front();
    std::optional<SourceFile> lanes = lane_source(first, code->second, options);
    if (!lanes) continue;
    for (SubsystemView* view : alike) view->in_lanes = true;
    sources.push_back(std::move(*lanes));
  }
}

}  // namespace takt::codegen
