// What a report and the terminal say of a run: trust, buses, scenarios, overruns, actions.
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
#include "runtime/io/record/report.hpp"
#include "runtime/io/record/run_verdict.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/io/record/unit_text.hpp"
#include "tests/runtime/io/record/report_sample.hpp"

using namespace takt;
using namespace takt::report_sample;

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

TEST_CASE("that a scenario has passed comes before misses that it tolerates, and after those that it does not") {
  RunResults r = paced_run();
  r.scenario.verdict = ScenarioResult::Verdict::passed;
  r.scenario.file = "test.toml";
  add(r, incident_at(0.5, OverrunCause::throttled, 10));
  const RunVerdict tolerated = run_verdict(r);
  CHECK(tolerated.headline.starts_with("Scenario test.toml"));
  CHECK(tolerated.reasons[0] == "Missed 1 of 1000 deadlines, the worst by 10 us.");
  r.verdicts.push_back({.code = "X043", .where = "run", .text = "missed 1 deadline", .weight = Verdict::Weight::late});
  CHECK(run_verdict(r).headline.starts_with("Missed 1 of 1000 deadlines"));
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
  CHECK(contains(page, "the line in the figure shows how late they were"));
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
