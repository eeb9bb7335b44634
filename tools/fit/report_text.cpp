// The report as text for people.

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "runtime/io/record/svg_plot.hpp"
#include "tools/fit/report.hpp"
#include "tools/takt/element_text.hpp"
#include "tools/takt/plot_page.hpp"

namespace takt::tools {
namespace {

using Json = nlohmann::ordered_json;

std::string percent(double part) { return fmt::format("{:.{}f} %", part * 100.0, std::abs(part) < 0.1 ? 1 : 0); }

/// Of a plan that lags behind for good it says nothing by how much.
std::string margin_text(double margin) { return margin < -1.0 ? std::string("none") : percent(margin); }

std::string time_text(double seconds) {
  return seconds < 1e-3 ? fmt::format("{:g} us", seconds * 1e6) : fmt::format("{:g} ms", seconds * 1e3);
}

std::string late_text(const Json& held) {
  if (held.contains("failure")) return held.at("failure");
  return fmt::format("{} of {} windows late", held.at("late").get<std::uint64_t>(),
                     held.at("windows").get<std::uint64_t>());
}

std::string causes_text(const Json& causes) {
  std::string text;
  for (const auto& [cause, count] : causes.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.get<std::uint64_t>(), cause);
  return text;
}

std::string verdict_text(const Json& report) {
  const Json& verdict = report.at("verdict");
  const bool holds = verdict.at("holds");
  std::string text = fmt::format("{}: {} in {:g} s", holds ? "HOLDS" : "DOES NOT HOLD", late_text(verdict),
                                 verdict.at("seconds").get<double>());
  if (verdict.contains("failure")) return text + "\n";
  text += fmt::format(", margin {}", margin_text(verdict.at("margin")));
  if (report.at("late").get<double>() > 0.0)
    text += fmt::format(" ({:g} of them may be late)", report.at("late").get<double>());
  if (verdict.at("worst_miss_us").get<double>() > 0.0)
    text += fmt::format("; the latest by {}", time_text(verdict.at("worst_miss_us").get<double>() * 1e-6));
  if (const std::string causes = causes_text(verdict.at("causes")); !causes.empty())
    text += fmt::format("\n  causes: {}", causes);
  if (verdict.contains("cut_window")) {
    const Json& cut = verdict.at("cut_window");
    text += fmt::format(
        "\n  in the margin: the window at {:g} s, whose steps functions of the time cut {} times: {} "
        "more than any that ran here",
        cut.at("at_s").get<double>(), cut.at("cuts").get<int>(), time_text(cut.at("more_us").get<double>() * 1e-6));
  }
  text += fmt::format("\n  it computes for {} of the time, {}\n", percent(verdict.at("computing")),
                      verdict.at("scheduling").get<std::string>());
  for (const Json& sentence : report.at("advice")) text += wrapped(sentence.get<std::string>(), 2) + "\n";
  return text;
}

std::string wake_up_text(const Json& wake_up) {
  std::string text = "wake-up    ";
  if (wake_up.contains("cyclictest"))
    text += fmt::format("cyclictest: {:g} us on average, {:g} us at most; ",
                        wake_up.at("cyclictest").at("mean_us").get<double>(),
                        wake_up.at("cyclictest").at("max_us").get<double>());
  if (wake_up.contains("plant_us"))
    text += fmt::format("the plant's thread: {:.0f} us usually, p99.9 {:.0f} us, {:.0f} us at most",
                        wake_up.at("plant_us").at("p50").get<double>(), wake_up.at("plant_us").at("p999").get<double>(),
                        wake_up.at("plant_us").at("max").get<double>());
  return text + "\n";
}

std::string finest_text(const char* name, const Json& finest) {
  std::string text = fmt::format("{:<10} ", name);
  if (finest.at("held_s").is_null()) return text + "not even the plan's holds\n";
  text += fmt::format("{} holds", time_text(finest.at("held_s")));
  if (!finest.at("not_held_s").is_null()) text += fmt::format(", {} does not", time_text(finest.at("not_held_s")));
  if (finest.at("tried") == 0) text += "; no shorter one was tried";
  if (finest.contains("failure")) text += fmt::format(" ({})", finest.at("failure").get<std::string>());
  return text + "\n";
}

std::string cores_text(const Json& cores) {
  std::string text;
  for (const Json& row : cores)
    text += fmt::format(
        "{:<10} {}: {}, margin {}{}\n", text.empty() ? "cores" : "", row.at("cores").get<int>(),
        row.at("holds").get<bool>() ? "holds" : "does not hold (" + late_text(row) + ")", margin_text(row.at("margin")),
        row.at("cores") == 1 || row.at("faster_free") == 0.0
            ? ""
            : fmt::format(", {:.2f} times as fast where it need not wait", row.at("faster_free").get<double>()));
  return text;
}

std::string copies_text(const Json& copies, std::size_t cpus) {
  if (copies.is_null()) return {};
  std::string text = fmt::format("copies     {} on one core hold", copies.at("held").get<int>());
  if (!copies.at("not_held").is_null()) text += fmt::format(", {} do not", copies.at("not_held").get<int>());
  if (!copies.at("predicted").is_null())
    text += fmt::format("; predicted from 1, 2, 4 ...: {}", copies.at("predicted").get<int>());
  if (!copies.at("on_all_cores").is_null())
    text += fmt::format("; on all {} cores at once, {} on each", cpus, copies.at("on_all_cores").get<int>());
  else if (copies.contains("on_all_cores_not"))
    text += fmt::format("; on all {} cores at once, fewer than {} on each, or none", cpus,
                        copies.at("on_all_cores_not").get<int>());
  text += "\n";
  if (!copies.at("runs").front().contains("used"))
    text += "           (what waking up takes is not known here, so the prediction is too high)\n";
  for (const Json& run : copies.at("runs"))
    text += fmt::format("           {:>3}: computing {} of the core{}, margin {}{}\n", run.at("count").get<int>(),
                        percent(run.at("computing")),
                        run.contains("used") ? ", with waking up " + percent(run.at("used")) : std::string(),
                        margin_text(run.at("margin")), run.at("holds").get<bool>() ? "" : ", " + late_text(run));
  return text;
}

std::string rows_text(const Json& time) {
  std::string text;
  std::size_t shown = 0;
  for (const Json& row : time)
    if ((shown < 8 || &row == &time.back()) && row.at("share").get<double>() >= 1e-4)
      text += fmt::format("{:<10} {:>7} {}\n", shown++ == 0 ? "time" : "", percent(row.at("share")),
                          row.at("what").get<std::string>());
  return text;
}

std::string machine_text(const Json& machine) {
  std::string text;
  for (const Json& row : machine)
    text +=
        fmt::format("{:<10} {}: {}\n{}\n", text.empty() ? "machine" : "", row.at("item").get<std::string>(),
                    row.at("value").get<std::string>(), wrapped("mend: " + row.at("remedy").get<std::string>(), 11));
  return text;
}

std::string board_text(const Json& board) {
  return fmt::format("{} ({}, {} CPUs, {})", board.at("name").get<std::string>(), board.at("cpu").get<std::string>(),
                     board.at("cpus").get<int>(), board.at("kernel").get<std::string>());
}

/// "-", where nothing was measured.
std::string copies_cell(const Json& copies, const char* what) {
  return copies.is_null() || copies.at(what).is_null() ? "-" : std::to_string(copies.at(what).get<int>());
}

std::string finest_cell(const Json& finest) {
  return finest.at("held_s").is_null() ? "-" : time_text(finest.at("held_s"));
}

}  // namespace

std::string fit_text(const Json& report) {
  return fmt::format("{} on {}\n", report.at("plant").get<std::string>(), board_text(report.at("board"))) +
         verdict_text(report) + wake_up_text(report.at("wake_up")) + finest_text("period", report.at("period")) +
         finest_text("step", report.at("step")) + cores_text(report.at("cores")) +
         copies_text(report.at("copies"), report.at("board").at("cpus")) + rows_text(report.at("time")) +
         machine_text(report.at("machine"));
}

std::string comparison_text(std::span<const Json> reports) {
  std::string text =
      "| board | plant | holds | margin | computing | wake-up at most | shortest period | shortest step | copies, one "
      "core | predicted |\n| --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n";
  for (const Json& report : reports) {
    const Json& verdict = report.at("verdict");
    const Json& wake_up = report.at("wake_up");
    text += fmt::format(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", board_text(report.at("board")),
        report.at("plant").get<std::string>(), verdict.at("holds").get<bool>() ? "yes" : "no",
        margin_text(verdict.at("margin")), percent(verdict.at("computing")),
        wake_up.contains("plant_us") ? fmt::format("{:.0f} us", wake_up.at("plant_us").at("max").get<double>()) : "-",
        finest_cell(report.at("period")), finest_cell(report.at("step")), copies_cell(report.at("copies"), "held"),
        copies_cell(report.at("copies"), "predicted"));
  }
  return text;
}

std::string comparison_page(std::span<const Json> reports) {
  Plot plot;
  plot.title = "Copies on one core", plot.x_label = "copies", plot.y_label = "of the core that they compute";
  plot.marks = true;
  plot.limit = PlotLimit{1.0, "all of it"};
  for (const Json& report : reports) {
    if (report.at("copies").is_null()) continue;
    PlotLine line;
    line.label = report.at("board").at("name").get<std::string>() + ": " + report.at("plant").get<std::string>();
    for (const Json& run : report.at("copies").at("runs")) {
      line.x.push_back(run.at("count"));
      line.low.push_back(run.at("computing"));
    }
    line.high = line.low;
    plot.lines.push_back(std::move(line));
  }
  return plot_page("Boards compared", "<pre>" + escaped(comparison_text(reports)) + "</pre>\n" +
                                          (plot.lines.empty() ? std::string() : line_plot(plot)));
}

}  // namespace takt::tools
