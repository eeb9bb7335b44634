#include "codegen/emit/lane_source.hpp"

#include <algorithm>
#include <map>
#include <string_view>

#include "codegen/emit/banner.hpp"
#include "codegen/emit/instant_functions.hpp"
#include "codegen/emit/lane_lines.hpp"
#include "codegen/emit/writer.hpp"

namespace takt::codegen {
namespace {

/// Operations in a window for each double that it reads: below, what is gained is lost by the way into lanes and back
/// (measured: README.md).
constexpr std::size_t least_operations = 2;

std::string method_call_of(const SubsystemView& view) {
  const std::string_view call = view.plan.method->call;
  return std::string(call.substr(0, call.find('#')));
}

bool has_lane_method(const SubsystemView& view) {
  const std::string call = method_call_of(view);
  return std::holds_alternative<SmoothCircuit>(view.surrogate.kind) && !view.plan.method->is_offline() &&
         !reads_inside(view) && view.arriving.empty() && view.leaving.empty() &&
         (call.starts_with("takt::run<") || call.starts_with("takt::run_rkc<"));
}

/// What of the text is no plain function of members is left alone: pieces of large functions, index tables.
bool is_plain(const SourceFile& header, const SourceFile& source) {
  return header.text.find("// Pieces of functions") == std::string::npos &&
         header.text.find("#include \"runtime/solver/flow_network.hpp\"") == std::string::npos &&
         source.text.find("#include \"runtime/math/sparse_lu.hpp\"") == std::string::npos;
}

std::size_t operations_in(std::string_view text) {
  std::size_t count = 0;
  for (const std::string_view word : {" + ", " - ", " * ", " / ", " < ", "takt::math::"})
    for (std::size_t at = text.find(word); at != std::string_view::npos; at = text.find(word, at + word.size()))
      ++count;
  return count;
}

bool pays(const SubsystemView& view, std::string_view evaluate, std::string_view finish) {
  const PlanSubsystem& plan = view.plan;
  const auto steps = static_cast<std::size_t>(plan.period_ns / plan.step_ns);
  const auto evaluations = static_cast<std::size_t>(plan.method->evaluations_of(plan.stages)) * steps;
  const std::size_t doubles = view.surrogate.states.size() + view.quadratures() + 4 * plan.inputs.size() +
                              plan.outputs.size() + plan.sent.size() + plan.received.size() + view.coefficients.size();
  return operations_in(evaluate) * evaluations + operations_in(finish) >= least_operations * doubles;
}

/// The lines of a function of the subsystem, without head and end.
std::string body_of(const std::string& source, const SubsystemView& view, std::string_view name) {
  const std::size_t head = source.find("void " + view.type + "::" + std::string(name) + "(");
  if (head == std::string::npos) return {};
  const std::size_t begin = source.find('\n', head) + 1, end = source.find("\n}\n", head) + 1;
  return source.substr(begin, end - begin);
}

void write_places(Writer& text, const SubsystemView& view) {
  const auto place = [&](const char* name, const std::string& value) {
    text.line("static constexpr std::size_t " + std::string(name) + " = " + value + ";");
  };
  const auto offset = [&](const char* member) {
    return "offsetof(" + view.type + ", " + member + ") / sizeof(double)";
  };
  const std::string read = view.signals.empty() ? "sizeof(" + view.type + ") / sizeof(double)" : offset("signals");
  place("read", read);
  place("written", view.coefficients.empty() ? read : offset("k"));
  const bool has_inputs = !view.plan.inputs.empty();
  place("inputs_begin", has_inputs ? offset("inputs") : "0");
  place("inputs_end", has_inputs ? "inputs_begin + " + std::to_string(4 * view.plan.inputs.size()) : "0");
}

void write_struct(Writer& text, const SubsystemView& view, const SourceFile& header, const std::string& look) {
  const std::string lanes = view.type + "Lanes";
  text.doc("Members as in " + view.type + ", of all copies.");
  text.open("struct alignas(64) " + lanes);
  text.line("using Number = takt::Lanes;");
  write_places(text, view);
  text.blank();
  text.lines(lane_members(header.text, view.type));
  text.line("bool gives_up;");
  text.blank();
  for (const char* arguments : {"const takt::Lanes* z, takt::Lanes* dz, takt::Lanes* dq", ""}) {
    const bool evaluates = *arguments != '\0';
    const std::string name = evaluates ? "evaluate" : "finish", more = evaluates ? std::string(", ") + arguments : "";
    text.line("void " + name + "([[maybe_unused]] takt::Lanes t, [[maybe_unused]] takt::Lanes s" + more +
              ") noexcept;");
    text.open("void " + name + "(double t, double s" + more + ") noexcept");
    text.line(name + "(takt::in_lanes(t), takt::in_lanes(s)" + (evaluates ? ", z, dz, dq" : "") + ");");
    text.close();
  }
  text.line("[[nodiscard]] bool run(const takt::Window& window) noexcept;");
  if (!look.empty()) {
    text.open("static void look(" + view.type + "& self, const takt::Window& window) noexcept");
    text.line("const std::int64_t length_ns = window.steps * window.step_ns;");
    text.line(
        "const double end_s = static_cast<double>(window.start_ns + length_ns) / 1e9, length_s = "
        "static_cast<double>(length_ns) / 1e9;");
    text.line(look);
    text.close();
  }
  text.close("};");
}

/// The line of run() that looks at the subsystem now and then, of `self`; it is done one by one.
std::string look_of(const std::string& run) {
  const std::size_t begin = run.find("if ((unseen");
  if (begin == std::string::npos) return {};
  std::string line = run.substr(begin, run.find('\n', begin) - begin);
  for (const std::string word : {"unseen += ", "observe(", "unseen = "})
    if (const std::size_t at = line.find(word); at != std::string::npos) line.insert(at, "self.");
  return line;
}

std::string lane_source(const SubsystemView& view, const SourceFile& header, const SourceFile& source,
                        const EmitOptions& options) {
  if (!has_lane_method(view) || !is_plain(header, source)) return {};
  const std::string evaluate = body_of(source.text, view, "evaluate"), finish = body_of(source.text, view, "finish"),
                    run = body_of(source.text, view, "run");
  if (!pays(view, evaluate, finish)) return {};
  const std::string lanes = view.type + "Lanes";
  Writer text;
  write_banner(text, view.network, options, "Copies of subsystem " + view.surrogate.name + " side by side");
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
  write_struct(text, view, header, look_of(run));
  const auto function = [&](const std::string& head, const std::string& body) {
    text.blank();
    text.line(head + " noexcept {");
    text.lines(body);
    text.line("}");
  };
  const std::string times = "([[maybe_unused]] takt::Lanes t, [[maybe_unused]] takt::Lanes s";
  function("inline void " + lanes + "::evaluate" + times +
               ", [[maybe_unused]] const takt::Lanes* z, [[maybe_unused]] takt::Lanes* dz, [[maybe_unused]] "
               "takt::Lanes* dq)",
           in_lanes(evaluate));
  function("inline void " + lanes + "::finish" + times + ")", in_lanes(finish));
  function("inline bool " + lanes + "::run(const takt::Window& window)", run_in_lanes(run));
  text.blank();
  text.line("}  // namespace");
  text.blank();
  text.open(together_head(view));
  text.line("takt::run_side_by_side<" + view.type + ", " + lanes + ">(own, copies, window);");
  text.close();
  text.blank();
  text.line("}  // namespace takt_plant");
  return text.text();
}

}  // namespace

std::string together_head(const SubsystemView& view) {
  return "void together_" + view.code +
         "(std::byte* const* own, std::size_t copies, const takt::Window& window) noexcept";
}

void add_lanes(std::vector<SubsystemView>& views, Sources& sources, const EmitOptions& options) {
  std::map<std::string, std::vector<SubsystemView*>> of_code;
  for (SubsystemView& view : views) of_code[view.code].push_back(&view);
  const auto named = [&](const std::string& name) {
    return std::find_if(sources.begin(), sources.end(), [&](const SourceFile& file) { return file.name == name; });
  };
  Sources added;
  for (auto& [code, alike] : of_code) {
    const SubsystemView& first = *alike.front();
    if (alike.size() < 2) continue;
    const auto header = named(first.file + ".hpp"), source = named(first.file + ".cpp");
    if (header == sources.end() || source == sources.end()) continue;
    std::string text = lane_source(first, *header, *source, options);
    if (text.empty()) continue;
    for (SubsystemView* view : alike) view->in_lanes = true;
    added.push_back({first.file + "_lanes.cpp", std::move(text)});
  }
  sources.insert(sources.end(), added.begin(), added.end());
}

}  // namespace takt::codegen
