#include "tools/takt/fmu_documentation.hpp"

#include <algorithm>

#include "codegen/text/quantity.hpp"
#include "runtime/io/record/svg_plot.hpp"
#include "tools/takt/show.hpp"

namespace takt::tools {
namespace {

using namespace takt::codegen;
using Use = ExportedVariable::Use;

std::string table(const ExportedFmu& fmu, const char* title, std::initializer_list<Use> uses) {
  std::string rows;
  for (const ExportedVariable& variable : fmu.variables) {
    if (std::find(uses.begin(), uses.end(), variable.use) == uses.end()) continue;
    rows += "<tr><td>" + escaped(variable.name) + "</td><td>" + escaped(variable.unit) + "</td><td>" +
            (variable.start ? number_text(*variable.start) : "") + "</td><td>" + escaped(variable.description) +
            "</td></tr>\n";
  }
  if (rows.empty()) return {};
  return std::string("<h2>") + title + "</h2>\n<table>\n<tr><th>name</th><th>unit</th><th>start</th><th></th></tr>\n" +
         rows + "</table>\n";
}

std::string how_to_step(const ExportedFmu& fmu) {
  if (fmu.how.kind == FmuKind::model_exchange)
    return "The importer integrates it: all equations as one system. Where control blocks or gates read an input, it "
           "may "
           "change at events only.";
  return "A communication step must be a multiple of the macro-step, " + escaped(duration_text(fmu.step_ns)) +
         ". Inputs are held over a communication step. Simulated time begins at 0 s.";
}

/// Before the reduced equations of the circuits.
std::string what_is_solved(const ExportedFmu& fmu) {
  if (fmu.how.kind == FmuKind::co_simulation) return {};
  return "<p>The FMU solves the laws of the elements and Kirchhoff's equations as they stand. These are the same after "
         "the reduction by which <code>takt run</code> solves them.</p>\n";
}

}  // namespace

std::string fmu_documentation(const Checked& checked, const ExportedFmu& fmu) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>" + escaped(fmu.identifier) +
         "</title>\n<style>body{font-family:sans-serif;margin:2em}td,th{text-align:left;padding:0 1em 0 0}</style>\n"
         "</head>\n<body>\n<h1>" +
         escaped(fmu.title.empty() ? fmu.identifier : fmu.title) + "</h1>\n<p>A plant of takt " +
         escaped(fmu.how.generator) + " for FMI " + std::to_string(fmu.how.version) + ". All values are SI. " +
         how_to_step(fmu) + "</p>\n" + table(fmu, "Parameters", {Use::tunable, Use::fixed, Use::constant}) +
         table(fmu, "Inputs", {Use::input}) + table(fmu, "Outputs", {Use::output}) + "<h2>Elements</h2>\n<pre>" +
         escaped(network_text(checked.network)) + "</pre>\n<h2>Equations</h2>\n" + what_is_solved(fmu) + "<pre>" +
         escaped(dae_text(checked.network, checked.dae)) + "</pre>\n</body>\n</html>\n";
}

}  // namespace takt::tools
