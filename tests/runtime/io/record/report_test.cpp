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
#include "tests/runtime/io/record/report_sample.hpp"

using namespace takt;
using namespace takt::report_sample;

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
  CHECK(contains(style, "@media print{.live,"));
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
  r.overruns.unlisted[0] = {.incidents = 7,
                            .windows_late = 9,
                            .worst = WallDuration{7'000'000'000},
                            .first = SimTime{2'000'000'000},
                            .last = SimTime{9'000'000'000}};
  const std::string page = report_html(r);
  CHECK(page.size() < largest_page);
  CHECK_NOTHROW(parsed(page));
  CHECK(contains(page, "... and 99900 more: summary.json."));
  CHECK(contains(page, "the 7 later ones are counted by cause above"));
  // 12500 in the list and 7 that are not; every third of the list was late within a macro-step alone, 9 windows more
  CHECK(contains(page,
                 "<td data-l=\"incidents\">12507</td><td data-l=\"misses + late within\">8342 + 4167</td>"
                 "<td data-l=\"worst\">7 s</td><td data-l=\"first, s\">0</td><td data-l=\"last, s\">9</td>"));
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
  for (const char* element : {"img", "link", "b<"}) CHECK(count_of(tree, element) == 0);
  RunResults harmless = paced_run();
  harmless.signals.push_back(signal_of("a", "V", 0.0, 1.0));
  CHECK(count_of(tree, "script") == count_of(parsed(report_html(harmless)), "script"));
  for (const char c : {'\x01', '\x1b', '\xff'}) CHECK(page.find(c) == std::string::npos);
  CHECK_FALSE(contains(page, "\xe2\x80\xae"));
}
