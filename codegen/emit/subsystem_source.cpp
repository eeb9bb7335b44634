#include "codegen/emit/subsystem_source.hpp"

#include <algorithm>

#include "codegen/emit/banner.hpp"
#include "codegen/emit/event_functions.hpp"
#include "codegen/emit/exact_functions.hpp"
#include "codegen/emit/flow_blocks.hpp"
#include "codegen/emit/foreign_functions.hpp"
#include "codegen/emit/function_body.hpp"
#include "codegen/emit/implicit_functions.hpp"
#include "codegen/emit/instant_functions.hpp"
#include "codegen/emit/kind_code.hpp"
#include "codegen/emit/line_functions.hpp"
#include "codegen/emit/prepare_function.hpp"
#include "codegen/emit/sparse_blocks.hpp"
#include "codegen/emit/struct_members.hpp"
#include "codegen/emit/switched_functions.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t longest_law = 100;
constexpr std::size_t listed_elements = 200;  // a comment of thousands of lines helps nobody

std::string law_text(const SubsystemView& view, const Branch& branch) {
  const Graph& graph = view.graph();
  const auto name = [&](SymbolId symbol) { return graph.symbol(symbol).path; };
  const bool across_storage = branch.kind == BranchKind::across_storage;
  switch (branch.form) {
    case LawForm::across_of:
      return name(branch.across) + " = " + graph.text(branch.law);
    case LawForm::through_of:
      return name(branch.through) + " = " + graph.text(branch.law);
    case LawForm::stored_of:
      return branch.stored ? name(*branch.stored) + " = " + graph.text(branch.law) : "";
    case LawForm::from_stored:
      return name(across_storage ? branch.across : branch.through) + " = " + graph.text(branch.law);
    case LawForm::implicit:
      return "0 = " + graph.text(branch.law);
    case LawForm::none:
      return "";
  }
  return "";
}

void write_elements(Writer& text, const SubsystemView& view) {
  const auto& elements = view.surrogate.elements;
  for (std::size_t index = 0; index < elements.size() && index < listed_elements; ++index) {
    const Element& element = view.network.elements[static_cast<std::size_t>(elements[index])];
    text.comment("  " + element.path + " (" + element.type + ")");
    for (const BranchId id : element.branches) {
      const Branch& branch = view.network.branches[static_cast<std::size_t>(id)];
      const std::string law = law_text(view, branch);
      if (branch.domain == element.home && !law.empty() && law.size() <= longest_law)
        text.comment("      " + law);
    }
  }
  if (elements.size() > listed_elements)
    text.comment("  ... and " + std::to_string(elements.size() - listed_elements) + " more");
}

void write_functions(Writer& text, const SubsystemView& view, const SubsystemFunctions& functions) {
  text.line("/// Coefficients from the parameters. Before initialize().");
  text.line("void prepare(const double* parameters) noexcept;");
  text.line("/// States from start values and inputs, then outputs and signals.");
  text.line("void initialize() noexcept;");
  text.line("/// States at time t, s seconds into the window, from start values and inputs.");
  text.line("void start(double t, double s) noexcept;");
  text.line("/// One window.  Real-time: bounded, no heap, no system call.");
  text.line("void run(const takt::Window& window) noexcept;");
  write_line_declarations(text, view);
  for (const char* line : kind_code(view).declarations) text.line(line);
  write_instant_members(text, view);
  write_event_declarations(text, view);
  if (view.plan.jacobian) write_implicit_members(text, view);
  if (view.plan.linear) write_exact_members(text, view);
  if (functions.declarations.empty()) return;
  text.blank();
  text.line("// Pieces of functions too large for one.");
  for (const std::string& declaration : functions.declarations) text.line(declaration);
}

/// Banner and elements.
void write_head(Writer& text, const SubsystemView& view, const EmitOptions& options) {
  text.line("#pragma once");
  write_banner(text, view.network, options, "Subsystem " + view.surrogate.name);
  text.comment(
      std::to_string(view.surrogate.equations) + " equations, " +
      std::to_string(view.surrogate.states.size()) + " states, method " +
      std::string(view.plan.method->name) +
      (view.plan.stages > 0 ? " with " + std::to_string(view.plan.stages) + " stages" : "") +
      ", step " + duration_text(view.plan.step_ns) + ", window " +
      duration_text(view.plan.period_ns));
  write_elements(text, view);
}

void write_header_includes(Writer& text, const SubsystemView& view) {
  for (const char* header : {"<array>", "<cstddef>", "<cstdint>"})
    text.line(std::string("#include ") + header);
  text.blank();
  text.line("#include \"runtime/plant/window.hpp\"");
  if (view.plan.linear) text.line("#include \"runtime/math/affine_map.hpp\"");
  if (!flow_blocks(view).empty()) text.line("#include \"runtime/solver/flow_network.hpp\"");
  if (has_lines(view)) text.line("#include \"runtime/solver/travel_delay.hpp\"");
  if (reads_inside(view) || knows_instants(view))
    text.line("#include \"runtime/solver/time_instants.hpp\"");
  if (has_events(view)) text.line("#include \"runtime/solver/state_events.hpp\"");
  for (const char* header : kind_code(view).headers)
    text.line("#include \"runtime/" + std::string(header) + ".hpp\"");
}

void write_struct(Writer& text, const SubsystemView& view, const SubsystemFunctions& functions) {
  text.open_of("struct ", view.type, "");
  write_sizes(text, view);
  text.blank();
  write_members({text, view}, functions.coefficients);
  text.blank();
  by_kind(
      view.surrogate.kind, [](const SmoothCircuit&) {},
      [&](const SwitchedCircuit&) { write_switched_members(text, view, functions); },
      [](const ControlTask&) {},
      [&](const ForeignTask& task) { write_foreign_members(text, view, task); });
  write_functions(text, view, functions);
  text.close("};");
}

void write_source_includes(Writer& text, const SubsystemView& view,
                           const SubsystemFunctions& functions) {
  text.line("#include <limits>");
  if (functions.has_vectors) text.line("#include <vector>");
  text.blank();
  text.line("#include \"runtime/math/elementary.hpp\"");
  if (functions.calls_each) text.line("#include \"runtime/math/side_by_side.hpp\"");
  if (view.plan.method->is_offline())
    text.line("#include \"runtime/offline/integrate.hpp\"");
  else if (is_circuit(view.surrogate.kind))
    text.line("#include \"runtime/solver/" + std::string(view.plan.method->header) + "\"");
  if (!view.surrogate.start_laws.empty()) text.line("#include \"runtime/solver/law_inverse.hpp\"");
  if (view.newton_blocks > 0) text.line("#include \"runtime/solver/newton.hpp\"");
  if (!sparse_blocks(view).empty()) text.line("#include \"runtime/math/sparse_lu.hpp\"");
  if (!view.surrogate.checks.empty()) text.line("#include \"runtime/solver/equation_check.hpp\"");
  text.line("#include \"tables.hpp\"");
}

void open_namespace(Writer& text) {
  text.blank();
  text.line("namespace takt_plant {");
}

void close_namespace(Writer& text) {
  text.blank();
  text.line("}  // namespace takt_plant");
}

/// Lines of a source up to its functions.
Writer source_head(const SubsystemView& view, const SubsystemFunctions& functions,
                   const EmitOptions& options) {
  Writer text;
  write_banner(text, view.network, options, "Subsystem " + view.surrogate.name);
  text.line("#include \"" + view.file + ".hpp\"");
  text.blank();
  write_source_includes(text, view, functions);
  open_namespace(text);
  return text;
}

}  // namespace

SubsystemFiles subsystem_files(const SubsystemView& view, const SubsystemFunctions& functions,
                               const EmitOptions& options) {
  Writer own(functions.names), header, source = source_head(view, functions, options),
                                       checks(functions.names);
  write_struct(own, view, functions);
  write_head(header, view, options);
  header.blank();
  write_header_includes(header, view);
  open_namespace(header);
  header.blank();
  header.lines(own);
  close_namespace(header);
  if (const std::string_view demands = view.plan.method->demands; !demands.empty()) {
    checks.blank();
    checks.line_of("static_assert(" + std::string(demands) + "<", view.type, ">);");
  }
  source.lines(checks);
  source.lines(functions.text);
  source.lines(functions.prepare);
  close_namespace(source);
  SubsystemFiles files{{view.file + ".hpp", header.page()},
                       {view.file + ".cpp", source.page(), view.plan.method->is_offline()},
                       {},
                       {}};
  if (!functions.names || view.plan.method->is_offline()) return files;
  Writer includes(functions.names);
  write_source_includes(includes, view, functions);
  files.key = own.key() + includes.key() + checks.key() + functions.text.key();
  files.prepare_key = functions.prepare.key();
  return files;
}

SubsystemFiles derived_files(const SubsystemView& view, const SubsystemView& first,
                             const SubsystemFunctions& functions, const EmitOptions& options) {
  Writer header, source = source_head(view, functions, options);
  write_head(header, view, options);
  header.comment("Computed by the code of " + first.surrogate.name +
                 ": only names and constants of prepare() differ.");
  header.blank();
  header.line("#include \"" + first.file + ".hpp\"");
  open_namespace(header);
  header.blank();
  header.open("struct " + view.type + " : " + first.type);
  header.line("/// Coefficients from the parameters. Before initialize().");
  header.line("void prepare(const double* parameters) noexcept;");
  header.close("};");
  close_namespace(header);
  source.blank();
  if (functions.prepare_code) write_prepare_of(view, first, *functions.prepare_code, source);
  close_namespace(source);
  return {{view.file + ".hpp", header.page()},
          {view.file + ".cpp", source.page(), view.plan.method->is_offline()},
          {},
          {}};
}

}  // namespace takt::codegen
