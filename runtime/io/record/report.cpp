#include "runtime/io/record/report.hpp"

#include "runtime/io/record/html.hpp"
#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/io/record/report_parts.hpp"
#include "runtime/io/record/run_verdict.hpp"
#include "runtime/stats/format.hpp"

namespace takt {
namespace report {
namespace {

using html::escaped;

std::string verdict(const RunResults& r) {
  const RunVerdict found = run_verdict(r);
  constexpr const char* kinds[] = {"good", "warning", "bad"};
  constexpr const char* signs[] = {"\xe2\x9c\x93", "!", "\xe2\x9c\x97"};  // check mark, ballot X
  const auto level = static_cast<std::size_t>(found.level);
  std::string out = std::string("<div class=\"verdict ") + kinds[level] + "\"><p class=\"headline\">" + signs[level] +
                    " " + escaped(found.headline) + "</p>";
  if (!found.reasons.empty()) out += "<ul>";
  for (const std::string& why : found.reasons) out += "<li>" + html::prose(why) + "</li>";
  return out + (found.reasons.empty() ? "" : "</ul>") + "</div>\n";
}

std::string tile(const std::string& value, const std::string& what, const std::string& more) {
  return "<li><b>" + escaped(value) + "</b>" + escaped(what) + "<br/><small>" + escaped(more) + "</small></li>";
}

std::string share(double value) { return formatted(value < 0.1 ? "%.2f" : "%.1f", value * 100.0) + " %"; }

std::string tiles(const RunResults& r) {
  const OverrunLog& log = r.overruns;
  std::string out = "<ul class=\"tiles\">";
  if (r.paced) {
    out += tile(std::to_string(log.deadline_misses()), "deadline misses", "of " + counted(r.macro_steps, "macro-step"));
    out += tile(std::to_string(log.inner_late), "late within macro-steps", "apart from the misses");
    const WallDuration worst = std::max(log.worst_miss, log.worst_inner);
    out += tile(worst > WallDuration{} ? short_duration(worst.seconds()) : "-", "worst lateness", "after its deadline");
  }
  out += tile(short_number(r.rtf.mean), "real-time factor, mean",
              "computing takes " + share(r.rtf.mean) + " of real time");
  out += tile(short_number(r.rtf.max), "real-time factor, worst",
              r.paced ? "of one macro-step; above 1 it is too late" : "of one macro-step; above 1 it would be late");
  if (r.paced)
    out += tile(short_duration(r.release_us.max * 1e-6), "latest start", "of work after its release");
  else
    out += tile(short_duration(r.wall_s), "wall time", "for " + short_duration(r.simulated_s) + " simulated");
  return out + "</ul>\n";
}

void fact(std::string& out, const char* name, const std::string& value, bool is_long = false) {
  if (value.empty()) return;
  out += std::string("<dt>") + name + "</dt><dd" + (is_long ? " class=\"long\">" : ">") + escaped(value) + "</dd>";
}

std::string facts(const RunResults& r) {
  const RunOrigin& o = r.origin;
  std::string out = "<dl class=\"facts\">";
  fact(out, "Plant", r.model + (r.input_hash.empty() ? "" : ", hash of its model " + r.input_hash));
  fact(out, "Rig", o.rig.empty() ? "none" : o.rig);
  fact(out, "Started", o.started);
  fact(out, "Host", o.host);
  fact(out, "CPU", o.cpu_model + (r.cpu >= 0 ? ", plant on CPU " + std::to_string(r.cpu) : ""));
  fact(out, "Kernel", o.kernel);
  fact(out, "Simulated", short_duration(r.simulated_s) + " in macro-steps of " + short_duration(r.macro_step_s));
  fact(out, "Took", short_duration(r.wall_s) + " of wall time");
  fact(out, "Pace", std::string(r.paced ? "real" : "free") + (r.scheduling.empty() ? "" : ", " + r.scheduling));
  fact(out, "Equations", std::to_string(r.equations) + " in " + counted(r.subsystems.size(), "subsystem"));
  fact(out, "Digest",
       (r.digest.empty() ? "of the leading host" : r.digest) +
           (r.digest_void ? std::string(": does not stand, ") + r.void_because()
                          : ": stands, a replay has to give the same"));
  fact(out, "Takt", r.generator);
  std::string set;
  for (const auto& [name, value] : r.parameters_set) set += (set.empty() ? "" : ", ") + name + " = " + value;
  fact(out, "Parameters set", set, true);
  if (!o.command.empty()) out += "<dt>Command</dt><dd class=\"long\"><code>" + escaped(o.command) + "</code></dd>";
  return out + "</dl>\n";
}

}  // namespace

std::string head(const RunResults& r) {
  return "<header><p class=\"kind\">Report of a run</p><h1>" + escaped(r.title.empty() ? r.model : r.title) +
         "</h1>\n" + verdict(r) + tiles(r) + facts(r) + "</header>\n";
}

}  // namespace report

std::string report_html(const RunResults& r, const std::string& network) {
  return html::page(r.title.empty() ? r.model : r.title,
                    report::head(r) + report::scenario(r) + report::actions(r) + report::overruns(r) +
                        report::signals(r) + (network.empty() ? "" : html::section("Network", network)) +
                        report::buses(r) + report::load(r) + report::schedule(r) + report::accounts(r));
}

}  // namespace takt
