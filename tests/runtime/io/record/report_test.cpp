#include "runtime/io/record/report.hpp"

#include <algorithm>
#include <boost/property_tree/xml_parser.hpp>
#include <catch2/catch.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "runtime/io/record/bus_results.hpp"
#include "runtime/io/record/html.hpp"
#include "runtime/io/record/overrun_groups.hpp"
#include "runtime/io/record/run_verdict.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/io/record/unit_text.hpp"

using namespace takt;

namespace {

constexpr std::size_t largest_page = 500'000;
const std::string hostile =
    "</title></script><script>alert(1)</script><img src=x>\" onload=\"x' & \x01\x1b \xff\xc0\x80 \xe2\x80\xae";

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Throws where the page is not well-formed.
boost::property_tree::ptree parsed(const std::string& page) {
  std::istringstream in(page);
  boost::property_tree::ptree tree;
  boost::property_tree::read_xml(in, tree);
  return tree;
}

/// How often an element stands in it.
std::size_t count_of(const boost::property_tree::ptree& tree, const std::string& element) {
  std::size_t count = 0;
  for (const auto& [name, child] : tree) count += (name == element ? 1 : 0) + count_of(child, element);
  return count;
}

/// A paced run of 1000 macro-steps of 1 ms in order.
RunResults paced_run() {
  RunResults r;
  r.model = r.title = "plant";
  r.paced = true;
  r.macro_steps = 1000, r.macro_step_s = 1e-3, r.simulated_s = r.wall_s = 1.0;
  r.digest = "0123456789abcdef";
  r.subsystems.push_back({.name = "electric", .domain = "electric", .method = "heun", .sync_s = 1e-3});
  return r;
}

OverrunIncident incident_at(double seconds, OverrunCause cause, std::int64_t late_us) {
  OverrunIncident o;
  o.start = SimTime{static_cast<std::int64_t>(seconds * 1e9)};
  o.cause = cause;
  o.late = o.worst = WallDuration{late_us * 1000};
  o.evidence = "what was seen";
  return o;
}

void add(RunResults& r, const OverrunIncident& incident) {
  r.overruns.incidents.push_back(incident);
  r.overruns.overruns += incident.windows_late, r.overruns.inner_late += incident.inner_late;
  ++r.overruns.incident_count, ++r.overruns.by_cause[static_cast<std::size_t>(incident.cause)];
  WallDuration& worst = incident.windows_late > incident.inner_late ? r.overruns.worst_miss : r.overruns.worst_inner;
  worst = std::max(worst, incident.worst);
}

RecordedSignal signal_of(const std::string& path, const std::string& unit, double from, double to) {
  RecordedSignal signal{.path = path, .unit = unit};
  for (int i = 0; i <= 600; ++i) signal.series.add(i * 0.01, from + (to - from) * i / 600.0);
  return signal;
}

}  // namespace

TEST_CASE("a run in real time without overruns holds it, in the report and on the terminal") {
  const RunResults r = paced_run();
  const std::string page = report_html(r);
  CHECK_NOTHROW(parsed(page));
  CHECK(contains(page, "class=\"verdict good\""));
  CHECK(contains(page, "Holds real time: all 1000 deadlines were met"));
  CHECK(contains(page, "Deadline misses: none of 1000 macro-steps"));
  CHECK_FALSE(contains(page, "Incidents over simulated time"));
  CHECK(contains(summary_table(r), "verdict: Holds real time: all 1000 deadlines were met\n"));
}

TEST_CASE("what was late in the grace period only is not all deadlines met") {
  RunResults r = paced_run();
  r.overruns.overruns_in_grace = 2;
  CHECK(run_verdict(r).level == RunVerdict::Level::good);
  CHECK(run_verdict(r).headline == "Holds real time, but for the grace period at the start: late 2 times of 1000");
  r.overruns.dropped_periods = 7;
  CHECK(run_verdict(r).level == RunVerdict::Level::bad);
  CHECK(contains(run_verdict(r).headline, "Fell behind the wall clock"));
}

TEST_CASE("deadline misses and lateness within macro-steps are told apart") {
  RunResults r = paced_run();
  OverrunIncident inner = incident_at(0.2, OverrunCause::woken_late, 70);
  inner.windows_late = inner.inner_late = 3;
  add(r, inner);
  CHECK(r.overruns.deadline_misses() == 0);
  CHECK(run_verdict(r).level == RunVerdict::Level::warning);
  CHECK(run_verdict(r).headline ==
        "Held all 1000 deadlines, but was late 3 times within macro-steps, at worst by 70 us");
  CHECK(contains(report_html(r), "hollow: late within a macro-step only"));
  add(r, incident_at(0.5, OverrunCause::preempted, 2000));
  CHECK(run_verdict(r).level == RunVerdict::Level::bad);
  CHECK(run_verdict(r).headline == "Missed 1 of 1000 deadlines, the worst by 2 ms");
  CHECK(contains(summary_table(r),
                 "overruns: deadline missed 1 time, the worst by 2 ms; late within macro-steps 3 times, "
                 "the worst by 70 us; in 2 incidents: 1 woken late, 1 pre-empted\n"));
  const std::string page = report_html(r);
  CHECK_NOTHROW(parsed(page));
  CHECK(contains(page, "<b>Deadline misses: 1 of 1000 macro-steps, at worst 2 ms late.</b>"));
  CHECK(contains(page, "<b>Late within macro-steps: 3, at worst 70 us late.</b>"));
}

TEST_CASE("incidents are grouped by cause: number, worst, first and last") {
  RunResults r = paced_run();
  for (const double at : {0.3, 0.1, 0.7})
    add(r, incident_at(at, OverrunCause::computed_long, static_cast<int>(at * 1000)));
  add(r, incident_at(0.4, OverrunCause::blocked, 5));
  OverrunIncident grace = incident_at(0.0, OverrunCause::stopped, 9000);
  grace.in_grace = true;
  r.overruns.incidents.push_back(grace);
  const auto groups = overrun_groups(r);
  REQUIRE(groups.size() == 2);
  CHECK(groups[0].cause == OverrunCause::computed_long);
  CHECK(groups[0].incidents == 3);
  CHECK(groups[0].first.seconds() == Approx(0.1));
  CHECK(groups[0].last.seconds() == Approx(0.7));
  CHECK(groups[0].worst == WallDuration{700'000});
  CHECK(subsystem_name(r, groups[0].subsystem) == "electric");
  CHECK(contains(report_html(r), "pale: in the grace period"));
}

TEST_CASE("the cause named first is what made most deadlines missed, not what came most often") {
  RunResults r = paced_run();
  for (int i = 0; i < 3; ++i) add(r, incident_at(0.1 * i, OverrunCause::woken_late, 500));
  OverrunIncident stolen = incident_at(0.7, OverrunCause::stolen_by_host, 8000);
  stolen.windows_late = 9;
  add(r, stolen);
  REQUIRE(overrun_groups(r).size() == 2);
  CHECK(overrun_groups(r)[0].cause == OverrunCause::stolen_by_host);
  const RunVerdict verdict = run_verdict(r);
  REQUIRE_FALSE(verdict.reasons.empty());
  CHECK(verdict.reasons[0].starts_with("Cause of 9 of 12 misses (1 of 4 incidents): stolen by the host. "));
}

TEST_CASE("commands in advice are set as commands") {
  CHECK(html::prose("Run `takt host`, a`b") == "Run <code>takt host</code>, a`b");
  CHECK(html::prose("`<b>`") == "<code>&lt;b&gt;</code>");
}

TEST_CASE("numbers of a signal tell it from a constant, and what rounding leaves is 0") {
  RunResults r = paced_run();
  r.signals.push_back(signal_of("air.p", "Pa", 101'325.0, 101'333.0));
  r.signals.push_back(signal_of("rotor.w", "rad/s", -6e-72, 250.0));
  r.signals.push_back(signal_of("sum.w", "rad/s", 1e-15, 2e-15));
  const std::string page = report_html(r);
  CHECK(contains(page, "air.<wbr/>p</td><td>101.325</td><td>101.329</td><td>101.333</td><td>101.333</td>"));
  CHECK(contains(page, "rotor.<wbr/>w</td><td>0</td><td>125</td><td>250</td><td>250</td>"));
  CHECK(contains(page, "sum.<wbr/>w</td><td>1e-15</td>"));
}

TEST_CASE("rows in sight have their sparkline as long as the page has room for all") {
  RunResults r = paced_run();
  for (int i = 0; i < 12; ++i) r.signals.push_back(signal_of("part" + std::to_string(i) + ".t", "V", 0.0, 1.0 + i));
  for (int i = 0; i < 11; ++i) r.signals.push_back(signal_of("other.t", "unit" + std::to_string(i), 0.0, 1.0));
  const auto sparklines = [&] {
    const std::string page = report_html(r);
    std::size_t count = 0;
    for (std::size_t at = page.find("class=\"spark\""); at != std::string::npos;
         at = page.find("class=\"spark\"", at + 1))
      ++count;
    return count;
  };
  CHECK(sparklines() == 23);
}

TEST_CASE("a table of texts is stacked on a narrow screen, the style sheet is whole") {
  using Kind = html::Column::Kind;
  const std::vector<html::Column> texts(4, {"what", Kind::text}), numbers(4, {"what"});
  CHECK(contains(html::table(texts, {}), "class=\"stack\""));
  CHECK_FALSE(contains(html::table(numbers, {}), "class=\"stack\""));
  const std::string style = html::style();
  CHECK(std::count(style.begin(), style.end(), '{') == std::count(style.begin(), style.end(), '}'));
  CHECK(contains(style, "@media print{body{font-size:10pt;"));
  CHECK_FALSE(contains(style, "namespace"));
}

TEST_CASE("a hundred thousand incidents of all causes stay a small page") {
  RunResults r = paced_run();
  for (int i = 0; i < 100'000; ++i) {
    OverrunIncident o = incident_at(i * 1e-5, static_cast<OverrunCause>(i % 8), 1 + i % 5000);
    o.inner_late = i % 3 == 0 ? 1 : 0;
    add(r, o);
  }
  r.overruns.incident_count += 7, r.overruns.by_cause[0] += 7;
  const std::string page = report_html(r);
  CHECK(page.size() < largest_page);
  CHECK_NOTHROW(parsed(page));
  CHECK(contains(page, "... and 99900 more: summary.json."));
  CHECK(contains(page, "of 7 later ones the cause alone was counted"));
}

TEST_CASE("many signals stay a small page, one plot for each unit") {
  RunResults r = paced_run();
  for (int i = 0; i < 3000; ++i) {
    const std::string unit = std::string("u").append(std::to_string(i % 40));
    RecordedSignal signal{.path = "part[" + std::to_string(i) + "].quantity", .unit = unit};
    for (int k = 0; k < 512; ++k) signal.series.add(k, std::sin(k * 0.37 + i) * (1 + i));
    r.signals.push_back(std::move(signal));
  }
  const std::string page = report_html(r);
  CHECK(page.size() < largest_page);
  CHECK_NOTHROW(parsed(page));
  CHECK(count_of(parsed(page), "figcaption") == 40);
}

TEST_CASE("temperatures are in degrees Celsius, differences of temperatures in K") {
  RunResults r = paced_run();
  r.signals.push_back(signal_of("solid.chip.t", "K", 293.15, 373.15));
  r.signals.push_back(signal_of("solid.solder.t", "K", 0.0, 12.5));
  const std::string page = report_html(r);
  CHECK(contains(page,
                 "<figcaption>Temperature, \xc2\xb0"
                 "C: 1 signal</figcaption>"));
  CHECK(contains(page, "chip.<wbr/>t</td><td>20</td><td>60</td><td>100</td><td>100</td>"));
  CHECK(contains(page, "<figcaption>Temperature difference, K: 1 signal</figcaption>"));
  CHECK(contains(page, "solder.<wbr/>t</td><td>0</td><td>6.25</td><td>12.5</td><td>12.5</td>"));
}

TEST_CASE("units have the prefix that suits the numbers, where they take one") {
  CHECK(scaled_unit("Pa", 101325.0).text == "kPa");
  CHECK(scaled_unit("Pa", 101325.0).factor == 1e3);
  CHECK(scaled_unit("A", 2e-6).text ==
        "\xc2\xb5"
        "A");
  CHECK(scaled_unit("N*m", 120.0).text == "N\xc2\xb7m");
  CHECK(scaled_unit("m/s", 2e5).text == "m/s");
  CHECK(scaled_unit("A^2", 1e9).factor == 1.0);
  CHECK(scaled_unit("kg", 1e-5).text == "kg");
  CHECK(scaled_unit("1", 1e9).text.empty());
  CHECK(scaled_unit("V", 0.0).text == "V");
  CHECK(scaled_unit("kg/s/s", 1.0).text == "kg/s\xc2\xb2");
  CHECK(quantity_of("kg/s/s") == "Change of mass flow");
}

TEST_CASE("text of others stays text, and the page well-formed") {
  CHECK(html::escaped("a\x01"
                      "b\xff"
                      "c") ==
        "a\xef\xbf\xbd"
        "b\xef\xbf\xbd"
        "c");
  CHECK(html::escaped("\xc3\xbc\xe2\x82\xac") == "\xc3\xbc\xe2\x82\xac");  // UTF-8 as it was
  RunResults r = paced_run();
  r.model = r.title = r.generator = r.input_hash = r.digest = r.scheduling = r.stopped_because = hostile;
  r.origin = {hostile, hostile, hostile, hostile, hostile, hostile};
  r.subsystems[0].name = r.subsystems[0].method = hostile;
  r.subsystems[0].events = {{hostile, hostile, 3}};
  r.couplings.push_back({.from = hostile, .to = hostile, .kind = "flux", .quantity = hostile, .flux = true});
  r.parameters_set = {{hostile, hostile}};
  r.verdicts.push_back({.code = hostile, .where = hostile, .text = hostile});
  r.warnings = {hostile};
  r.host = {{.item = hostile, .value = hostile, .good = false, .cost = hostile, .remedy = hostile}};
  r.io_events = {{0.5, hostile}};
  r.io_statistics_json =
      R"({"buses":[{"name":"</td><script>x","bus":"<b>","received":[{"message":"<i>","frames":2}]}]})";
  r.start.steady = true;
  r.start.states.push_back({.path = hostile, .unit = hostile, .given = 1.0, .steady = 2.0, .moved = true});
  OverrunIncident incident = incident_at(0.5, OverrunCause::unexplained, 10);
  incident.evidence = hostile;
  add(r, incident);
  r.signals.push_back(signal_of(hostile, hostile, 0.0, 1.0));
  r.actions = {{.time_s = 0.5, .author = hostile, .text = hostile, .refused = hostile, .shown = hostile}};
  r.inputs_set = r.actions;
  const std::string page = report_html(r);
  boost::property_tree::ptree tree;
  REQUIRE_NOTHROW(tree = parsed(page));
  for (const char* element : {"script", "img", "link", "b<"}) CHECK(count_of(tree, element) == 0);
  for (const char c : {'\x01', '\x1b', '\xff'}) CHECK(page.find(c) == std::string::npos);
  CHECK_FALSE(contains(page, "\xe2\x80\xae"));
}

TEST_CASE("what the energy balance was not asked of is named, with its reason and what it leaves open") {
  RunResults r = paced_run();
  r.subsystems[0].energy = {.supplied = 500.0, .dissipated = 500.0, .throughput = 1000.0};
  CHECK(energy_left_out_text(r).empty());
  CHECK(contains(checked_text(r), "energy adds up (to 0e+00 of what passed through)"));
  r.subsystems.push_back({.name = "electric", .energy_left_out = "control.modulator.out sets what its storages hold"});
  CHECK(energy_left_out_text(r).empty());  // nothing has passed through it
  r.subsystems[1].energy = {.supplied = 543.7, .dissipated = 542.7, .throughput = 1086.4};
  const std::string left_out =
      "energy not judged in electric (control.modulator.out sets what its storages hold: 1 J of 1086 J not explained)";
  CHECK(energy_left_out_text(r) == left_out);
  CHECK(contains(checked_text(r), "of what passed through), " + left_out));
  CHECK(nlohmann::json::parse(summary_json(r))["subsystems"][1]["energy_left_out"] ==
        "control.modulator.out sets what its storages hold");
  CHECK(contains(report_html(r), left_out));
  for (int i = 0; i < 4; ++i) r.subsystems.push_back(r.subsystems[1]);
  CHECK(energy_left_out_text(r).ends_with(" and 2 more"));
}

TEST_CASE("a run that failed or cannot be trusted says so first") {
  RunResults r = paced_run();
  r.failed = true, r.stopped_because = "stopped at 3 s: a value is not finite [X007]";
  CHECK(run_verdict(r).headline == "The run failed: stopped at 3 s: a value is not finite [X007]");
  CHECK(contains(report_html(r), "class=\"verdict bad\""));
  r = paced_run();
  r.verdicts.push_back({.code = "X008", .where = "electric", .text = "energy does not add up"});
  r.failed = true;
  add(r, incident_at(0.5, OverrunCause::throttled, 10));
  const RunVerdict both = run_verdict(r);
  CHECK(both.headline == "The results are not to be trusted");
  CHECK(both.reasons[0] == "X008: electric: energy does not add up");
  CHECK(both.reasons[1] == "Missed 1 of 1000 deadlines, the worst by 10 us.");
  r = paced_run();
  r.verdicts.push_back({.code = "X008", .where = "electric", .text = "energy does not add up", .tolerated = true});
  CHECK(run_verdict(r).level == RunVerdict::Level::warning);
  r = paced_run();
  r.paced = false, r.wall_s = 0.01;
  CHECK(run_verdict(r).headline == "Ran to its end as fast as possible (pace free): 100 times as fast as real time");
  CHECK_FALSE(contains(report_html(r), "<h2>Overruns</h2>"));
}

TEST_CASE("buses: messages, time-outs, latencies; what cannot be read is said") {
  RunResults r = paced_run();
  r.io_statistics_json =
      R"({"buses":[{"name":"can0","bus":"virtual bus","frames_received":12,"frames_not_mapped":2,"frames_too_short":6,
    "dropped_receive_ring":0,"dropped_send_ring":3,"bus_errors":0,
    "receive_to_window":{"count":10,"p50_us":1.5,"p99_us":2,"p999_us":3,"max_us":4.25},
    "received":[{"message":"VCU_Torque","frames":10,"mean_cycle_us":12345.6,"timeouts":1,"not_numbers":0,"out_of_range":5,"too_short":6,"max_age_us":9000.0}],
    "sent":[{"message":"BMS_State","frames":100,"mean_cycle_us":null,"superseded":4,"failed":1,
      "saturated":2,"not_numbers":1,"out_of_range":4,"signals":[
        {"signal":"soc","saturated":2,"not_numbers":0,"out_of_range":0,"first_s":0.1,"least":101,"most":120},
        {"signal":"volt","saturated":0,"not_numbers":1,"out_of_range":4,"first_s":0.1,"least":-1,"most":500}]}]}]})";
  const auto buses = bus_results(r.io_statistics_json);
  REQUIRE(buses.size() == 1);
  CHECK((buses[0].received == 12 && buses[0].sent == 100 && buses[0].lost == 3 && buses[0].not_mapped == 2 &&
         buses[0].too_short == 6));
  const std::string labelled = report_html(r),
                    page = std::regex_replace(labelled, std::regex(" data-l=\"[^\"]*\""), "");
  CHECK_NOTHROW(parsed(labelled));
  CHECK(contains(page,
                 "VCU_Torque</td><td class=\"t\">received</td><td>10</td><td>12.35</td><td>9.0</td><td class=\"t\">1 "
                 "time-out, 6 frames with too little data, not taken, 5 values beyond the range of the database</td>"));
  CHECK(contains(page, "6 frames on bus can0 (VCU_Torque): less data than"));
  CHECK(contains(page, "5 values on bus can0 (VCU_Torque): beyond the range"));
  CHECK(contains(
      page,
      "BMS_State</td><td class=\"t\">sent</td><td>100</td><td>-</td><td>-</td><td class=\"t\">1 frame failed at "
      "the first try, 3 values that the signal does not hold, sent as another (soc: 2, volt: 1), 4 values beyond the "
      "range of the database (volt: 4), 4 frames replaced by newer values before leaving</td>"));
  CHECK(contains(page, "3 values on bus can0 (BMS_State): the signals do not hold them"));
  CHECK(contains(page, "4 values on bus can0 (BMS_State): beyond the range that the database gives; they were sent"));
  CHECK(contains(page, "1 time-out on bus can0 (VCU_Torque)"));
  CHECK(contains(page, "class=\"verdict warning\""));
  CHECK_FALSE(contains(page, "never began"));
  r.io_statistics_json =
      R"({"buses":[{"name":"can0","rest_start":{"waits_for":"can0.A.b > 1","began_after_s":0.5}},
                   {"name":"can1","rest_start":{"waits_for":"can1.A.b > 1","began_after_s":null}}]})";
  const auto verdict = run_verdict(r);
  CHECK(verdict.level == RunVerdict::Level::warning);
  const auto said = [&](const std::string& wanted) {
    return std::any_of(verdict.reasons.begin(), verdict.reasons.end(),
                       [&](const std::string& reason) { return contains(reason, wanted); });
  };
  CHECK(said("The rest bus of can1 never began: it waited for can1.A.b > 1."));
  CHECK_FALSE(said("of can0"));
  for (const char* text : {"", "null", "{\"buses\":[{\"rest_start\":1}]}",
                           "{\"buses\":[{\"rest_start\":{\"began_after_s\":null,\"waits_for\":2}}]}", "[]", "{",
                           "{\"buses\":1}", "{\"buses\":[1,\"x\"]}", "{\"buses\":[{\"sent\":{}}]}",
                           "{\"buses\":[{\"received\":[{\"frames\":-1,\"message\":5}],\"receive_to_window\":7}]}"})
    CHECK_NOTHROW(bus_results(text));
  r.io_statistics_json = "no JSON";
  CHECK(contains(report_html(r), "cannot be read as those of buses"));
}

TEST_CASE("the verdict of a scenario comes first, the end that it gave the run is not before its time") {
  RunResults r;
  r.paced = false;
  r.simulated_s = 2.0;
  r.stopped_because = "the scenario has ended at 2 s";
  r.scenario.verdict = ScenarioResult::Verdict::failed;
  r.scenario.file = "weld.toml";
  r.scenario.expectations = {
      {.verdict = ExpectationResult::Verdict::passed, .name = "drives", .text = "speed > 3", .place = "weld.toml:3"},
      {.verdict = ExpectationResult::Verdict::failed,
       .name = "stops <b>",
       .text = "speed < 1",
       .place = "weld.toml:9",
       .time_s = 1.5,
       .values = "speed = 2",
       .because = "did not hold in time"}};
  r.scenario.actions = {{.time_s = 0.5, .step = "one", .text = "set torque 3"}};
  const RunVerdict verdict = run_verdict(r);
  CHECK(verdict.level == RunVerdict::Level::bad);
  CHECK(verdict.headline == "Scenario weld.toml: failed, 1 of 2 expectations passed");
  for (const std::string& reason : verdict.reasons) CHECK(reason.find("before its time") == std::string::npos);
  const std::string page = report_html(r);
  for (const char* part :
       {"stops &lt;b&gt;: speed &lt; 1", "failed: did not hold in time", "set torque 3", "What it did (1)"})
    CHECK(page.find(part) != std::string::npos);
  r.scenario.because = "the run ended before its time, at 1 s";  // somebody else has stopped it
  bool told = false;
  for (const std::string& reason : run_verdict(r).reasons) told = told || reason.find("It ended before its time") == 0;
  CHECK(told);
  r.scenario = {};
  r.scenario.verdict = ScenarioResult::Verdict::passed;
  CHECK(run_verdict(r).level != RunVerdict::Level::bad);
}

TEST_CASE("too much work is told as that: what is usual, what can help, and no cores where there is one subsystem") {
  RunResults r = paced_run();
  for (int i = 0; i < 3; ++i) {
    OverrunIncident o = incident_at(0.1 * i, OverrunCause::computed_long, 2000);
    o.period = WallDuration{5'000'000}, o.usual_compute = o.compute = WallDuration{7'200'000};
    add(r, o);
  }
  const OverrunGroup group = overrun_groups(r).front();
  CHECK(contains(meaning_of(group), "usually 1.44 times as much"));
  CHECK(contains(remedy_of(r, group), "`takt plan PLANT --budget 0.7`"));
  CHECK(contains(remedy_of(r, group), "a longer step, a cheaper method"));
  CHECK_FALSE(contains(remedy_of(r, group), "--cores"));
  r.subsystems[0].compute_s = 9.0, r.solver_s = 10.0;
  r.subsystems.push_back({.name = "walls", .compute_s = 1.0});
  CHECK(contains(remedy_of(r, group), "for electric, which takes 90 % of the computing"));
  CHECK_FALSE(contains(remedy_of(r, group), "--cores"));  // they could take a tenth away
  r.subsystems[0].compute_s = 5.0, r.subsystems[1].compute_s = 5.0;
  CHECK(contains(remedy_of(r, group), "more cores (--cores)"));
  CHECK(contains(report_html(r), "usually 1.44 times as much"));
  // A disturbance now and then is none.
  for (OverrunIncident& o : r.overruns.incidents) o.usual_compute = WallDuration{1'000'000};
  CHECK(contains(meaning_of(overrun_groups(r).front()), "longer than they usually do"));
}

TEST_CASE("the figure of overruns goes on where the list of incidents has ended") {
  RunResults r = paced_run();
  r.simulated_s = 10.0;
  for (int i = 0; i < 1000; ++i) add(r, incident_at(i * 1e-3, OverrunCause::computed_long, 100));
  CHECK_FALSE(contains(report_html(r), "the worst of all overruns"));
  for (int i = 0; i < 10'000; ++i) r.overruns.lateness_s.add(i * 1e-3, i == 9000 ? 0.05 : 1e-4);
  r.overruns.incident_count = r.overruns.overruns = 10'000;
  const std::string page = report_html(r);
  CHECK_NOTHROW(parsed(page));
  std::smatch bars;
  REQUIRE(std::regex_search(page, bars,
                            std::regex("<path class=\"line k7\" d=\"(M[^\"]*)\"><title>the worst of all overruns")));
  const std::string d = bars[1];
  double right = 0.0;
  for (std::size_t at = d.find('H'); at != std::string::npos; at = d.find('H', at + 1))
    right = std::max(right, std::stod(d.substr(at + 1)));
  CHECK(right > 550.0);  // of 586 where the run ends
  CHECK(contains(page, "at worst: the line in the figure"));
}

TEST_CASE("what was done while it ran is listed with author, value and unit, and marked on every axis of time") {
  RunResults r = paced_run();
  r.signals.push_back(signal_of("electric.a.v", "V", 0.0, 1.0));
  r.signals.push_back(signal_of("solid.w.t", "K", 300.0, 310.0));
  for (int i = 0; i < 600; ++i) r.rtf_series.add(i * 0.01, 0.1);
  CHECK_FALSE(contains(report_html(r), "<h2>Actions</h2>"));
  r.actions = {{.time_s = 2.5,
                .author = "ana",
                .text = "inject solid.w.t offset 2",
                .refused = "",
                .shown = "inject solid.w.t offset 2 K"}};
  r.inputs_set = {{.time_s = 1.5, .author = "", .text = "set u 12", .refused = "", .shown = "set u 12 V"}};
  r.scenario.actions = {{.time_s = 3.5, .step = "1", .text = "ramp u from 0 to 5"}};
  const std::string page = report_html(r);
  boost::property_tree::ptree tree;
  REQUIRE_NOTHROW(tree = parsed(page));
  CHECK(contains(page, "<h2>Actions</h2>"));
  CHECK(contains(page, "acted on 2 times"));
  CHECK(contains(page, "set u 12 V"));
  std::size_t marks = 0;
  for (std::size_t at = page.find("class=\"moment\""); at != std::string::npos;
       at = page.find("class=\"moment\"", at + 1))
    ++marks;
  CHECK(marks == 9);  // three on each of three axes
  CHECK(contains(page, "<title>2.5 s: ana: inject solid.w.t offset 2 K</title>"));
  CHECK(contains(page, "<title>1.5 s: somebody: set u 12 V</title>"));
  CHECK(contains(summary_table(r), "acted on 2 times while it ran, first at 1.5 s by somebody: set u 12 V\n"));
}

TEST_CASE("ten thousand actions stay a small page") {
  RunResults r = paced_run();
  for (int i = 0; i < 40; ++i)
    r.signals.push_back(signal_of("s" + std::to_string(i), "u" + std::to_string(i), 0.0, 1.0));
  for (int i = 0; i < 10'000; ++i)
    r.inputs_set.push_back(
        {.time_s = i * 6e-4, .author = "ana", .text = "set u 1", .refused = "", .shown = "set u 1 V"});
  const std::string page = report_html(r);
  CHECK(page.size() < largest_page);
  CHECK(contains(page, "... and 9800 more: actions.csv"));
}
