// takt report RUN...: recorded runs on one page, over each other.

#include <fmt/format.h>

#include "codegen/text/quantity.hpp"
#include "runtime/command_line/command_line.hpp"
#include "runtime/io/record/text_file.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/run_overlay.hpp"

namespace takt::tools {

static double seconds_of(const std::string& text, const char* option) {
  const auto ns = codegen::parse_duration_ns(text);
  if (!ns) throw UsageError(std::string(option) + " " + text + ": " + ns.error());
  return static_cast<double>(*ns) / 1e9;
}

int report_command(int argc, char** argv) {
  command_line::App app{
      "Draw the recorded signals of one or more runs over each other, on a page that needs no server.", "takt report"};
  std::vector<std::string> runs;
  std::string out = "report.html";
  std::string from, to;
  OverlaySettings settings;
  app.add_option("runs", runs, "run directories, or files of recorded signals")->required();
  app.add_option("--out", out, "the page (default: report.html)");
  app.add_option("--only", settings.only, "signals to draw, * for any characters (may be repeated; default: all)");
  app.add_option("--from", from, "draw from this simulated time on, \"1.5 s\"");
  app.add_option("--to", to, "draw until this simulated time");
  app.example("takt report runs/drive runs/tight --only \"electric.*\" --out both.html");
  app.footer(
      "The page of a run itself, report.html in its directory, merges samples of long runs; with --from and --to each "
      "sample of a stretch is there. Of several runs, the signals that differ most from the first run come first.");
  if (const std::optional<int> code = app.parse(argc, argv)) return *code;
  settings.runs.assign(runs.begin(), runs.end());
  if (!from.empty()) settings.from_s = seconds_of(from, "--from");
  if (!to.empty()) settings.to_s = seconds_of(to, "--to");
  if (!to.empty() && settings.to_s <= settings.from_s) throw UsageError("--to lies before --from");
  write_whole(out, overlay_page(settings));
  fmt::print("{}\n", out);
  return exit_ok;
}

}  // namespace takt::tools
