#include <sys/resource.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "runtime/io/record/report.hpp"
#include "runtime/io/record/reserved_file.hpp"
#include "runtime/io/record/run_directory.hpp"
#include "runtime/io/record/run_files.hpp"
#include "runtime/io/record/summary.hpp"
#include "runtime/io/record/svg_plot.hpp"
#include "runtime/io/record/text_file.hpp"

using namespace takt;

namespace {

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

RunResults some_results() {
  RunResults r;
  r.model = "tank<1>";
  r.paced = true;
  r.equations = 7;
  r.simulated_s = 2.0;
  r.subsystems.push_back({.name = "first", .domain = "solid", .method = "heun"});
  r.couplings.push_back({.from = "a",
                         .to = "b",
                         .kind = "flux",
                         .quantity = "J",
                         .sent = 3.0,
                         .received = 2.0,
                         .throughput = 3.0,
                         .residual = 1.0,
                         .flux = true,
                         .closes = false});
  r.ledger_closes = false;
  OverrunIncident incident;
  incident.cause = OverrunCause::blocked;
  incident.late = incident.worst = r.overruns.worst_miss = WallDuration{12'000};
  incident.evidence = "waited";
  r.overruns.incidents.push_back(incident);
  r.overruns.overruns = r.overruns.incident_count = 1;
  r.overruns.by_cause[static_cast<std::size_t>(OverrunCause::blocked)] = 1;
  RecordedSignal signal{.path = "t", .unit = "K"};
  for (int i = 0; i < 2000; ++i) signal.series.add(i * 0.001, i % 7);
  r.signals.push_back(std::move(signal));
  return r;
}

}  // namespace

TEST_CASE("times are written exactly, without digits they do not need") {
  const auto path = std::filesystem::temp_directory_path() / "takt_text_file_test";
  TextFile file;
  file.open(path);
  for (const std::int64_t ns : {0ll, 1'000'000'000ll, 1ll, 1'500'000'000ll, 12'000'000ll}) {
    file.add_seconds(SimTime{ns});
    file.add(' ');
  }
  file.add(0.1);
  file.add(' ');
  file.add(1e-300);
  file.close();
  CHECK(content(path) == "0 1 0.000000001 1.5 0.012 0.1 1e-300");
}

TEST_CASE("a full disk is told once, at the end") {
  if (!std::filesystem::exists("/dev/full")) return;
  TextFile file;
  file.open("/dev/full");
  file.add("text");
  file.flush();
  file.add("more");
  CHECK_THROWS_WITH(file.close(), Catch::Contains("cannot write /dev/full"));
  TextFile other;
  CHECK_THROWS_AS(other.open("/nonexistent/file"), std::runtime_error);
}

TEST_CASE("a file that could not be written on ends with its last whole line") {
  const auto path = std::filesystem::temp_directory_path() / "takt_cut_test.csv";
  rlimit before{};
  getrlimit(RLIMIT_FSIZE, &before);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{25, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  TextFile file;
  file.open(path);
  file.add("0123456789\n");
  file.flush();
  file.add("abcdefg\nhijklmnopq\n");
  CHECK(file.problem().empty());
  file.flush();
  CHECK(file.problem().starts_with("cannot write " + path.string()));
  file.add("never\n");
  CHECK_THROWS(file.close());
  setrlimit(RLIMIT_FSIZE, &before);
  (void)std::signal(SIGXFSZ, handler);
  CHECK(content(path) == "0123456789\nabcdefg\n");
}

TEST_CASE("a reserved file appears when it is written, whole, and goes away where it never is") {
  const auto directory = std::filesystem::temp_directory_path() / "takt_reserved_test";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  {
    ReservedFile file(directory / "a", 1 << 16);
    const ReservedFile unused(directory / "b", 1 << 16);
    CHECK_FALSE(std::filesystem::exists(directory / "a"));
    file.write("text");
  }
  CHECK(content(directory / "a") == "text");
  CHECK(std::distance(std::filesystem::directory_iterator(directory), std::filesystem::directory_iterator{}) == 1);
  CHECK_THROWS_WITH(ReservedFile(directory / "none" / "c", 1), Catch::Contains("cannot write"));
}

TEST_CASE("a whole file replaces the old one and leaves nothing beside it") {
  const auto directory = std::filesystem::temp_directory_path() / "takt_write_whole_test";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  write_whole(directory / "a", "old");
  write_whole(directory / "a", "new");
  CHECK(content(directory / "a") == "new");
  CHECK(std::distance(std::filesystem::directory_iterator(directory), std::filesystem::directory_iterator{}) == 1);
}

TEST_CASE("a run directory is new, or cleared of the results of the run before") {
  const auto base = std::filesystem::temp_directory_path() / "takt_run_directory_test";
  std::filesystem::remove_all(base);
  const auto made = make_run_directory(base / "x", "m").path;
  std::ofstream(made / "summary.json") << "old";
  CHECK(make_run_directory(base / "x", "m").path == made);
  CHECK_FALSE(std::filesystem::exists(made / "summary.json"));
  CHECK_THROWS_AS(make_run_directory("/dev/null/x", "m"), std::runtime_error);
}

TEST_CASE("what an earlier run made is taken away, what no run has made stays") {
  const auto directory = std::filesystem::temp_directory_path() / "takt_run_files_test";
  std::filesystem::remove_all(directory);
  {
    const RunDirectory first = make_run_directory(directory, "m");
    write_run_file(directory, "can0.log", "of the first");
    write_run_file(directory, "checkpoint-1s.takt", "of the first");
    std::ofstream(run_file(directory, "signals.csv")) << "of the first";
    std::ofstream(run_file(directory, "killed.mf4").string() + ".part") << "half";
    CHECK(run_file(directory, "can0.log") == directory / "can0.log");  // it is this run's
  }
  std::ofstream(directory / "notes.txt") << "mine";
  std::ofstream(directory / "can1.log") << "mine";
  std::filesystem::create_directory(directory / "as_given");
  CHECK(is_run_file(directory / "can0.log"));
  CHECK_FALSE(is_run_file(directory / "notes.txt"));
  const RunDirectory second = make_run_directory(directory, "m");
  for (const char* name : {"can0.log", "checkpoint-1s.takt", "signals.csv", "killed.mf4.part"})
    CHECK_FALSE(std::filesystem::exists(directory / name));
  CHECK(content(directory / "notes.txt") == "mine");
  CHECK(std::filesystem::exists(directory / "as_given"));
  CHECK_THROWS_WITH(run_file(directory, "can1.log"), Catch::Contains("can1.log is there already, and no run has made"));
  CHECK(content(directory / "can1.log") == "mine");
}

TEST_CASE("a run does not take a directory whose names others have taken, and its list names nothing outside") {
  const auto base = std::filesystem::temp_directory_path() / "takt_run_names_test";
  std::filesystem::remove_all(base);
  std::filesystem::create_directories(base / "mine");
  std::ofstream(base / "mine/report.html") << "by hand";
  CHECK_THROWS_WITH(make_run_directory(base / "mine", "m"), Catch::Contains("no run has made it"));
  CHECK_THROWS_WITH(make_run_directory(base / "mine", "m"),
                    Catch::Contains("no run has made it"));  // nor when asked again
  CHECK(content(base / "mine/report.html") == "by hand");

  std::ofstream(base / "victim") << "precious";
  const std::filesystem::path run = base / "run";
  { const RunDirectory first = make_run_directory(run, "m"); }
  std::ofstream(run / ".files") << "../victim\n..\n.\n\n.files\n";
  { const RunDirectory second = make_run_directory(run, "m"); }
  CHECK(content(base / "victim") == "precious");

  for (const char* name : {".lock", ".files", "signals.csv"}) {
    const std::filesystem::path laid = base / (std::string("laid_") + name);
    std::filesystem::create_directories(laid);
    std::filesystem::create_symlink(base / "victim", laid / name);
    CHECK_THROWS(make_run_directory(laid, "m"));
    std::filesystem::remove(laid / name);
    std::filesystem::create_hard_link(base / "victim", laid / name);
    CHECK_THROWS(make_run_directory(laid, "m"));
    CHECK(content(base / "victim") == "precious");
  }
}

TEST_CASE("a file is made anew: what lies in its place is not written to") {
  const auto directory = std::filesystem::temp_directory_path() / "takt_new_file_test";
  std::filesystem::remove_all(directory);
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "victim") << "precious";
  std::filesystem::create_symlink("victim", directory / "a");
  std::filesystem::create_hard_link(directory / "victim", directory / "b");
  std::filesystem::create_symlink("victim", directory / "c.part");
  for (const char* name : {"a", "b"}) {
    TextFile file;
    file.open(directory / name);
    file.add("mine");
    file.close();
    CHECK(content(directory / name) == "mine");
  }
  write_whole(directory / "c", "mine");
  CHECK(content(directory / "c") == "mine");
  CHECK(content(directory / "victim") == "precious");
}

TEST_CASE("a run directory belongs to one run at a time") {
  const auto directory = std::filesystem::temp_directory_path() / "takt_run_claim_test";
  std::filesystem::remove_all(directory);
  {
    const RunDirectory first = make_run_directory(directory, "m");
    std::ofstream(directory / "summary.json") << "of the first";
    CHECK_THROWS_WITH(make_run_directory(directory, "m"),
                      Catch::Contains("belongs to a run that is under way (process " + std::to_string(getpid()) + ")"));
    CHECK(std::filesystem::exists(directory / "summary.json"));
  }
  CHECK(make_run_directory(directory, "m").path == directory);
}

TEST_CASE("the summary says in JSON and in words what happened") {
  const RunResults r = some_results();
  const auto json = nlohmann::json::parse(summary_json(r));
  CHECK(json["overruns"]["causes"]["blocked"] == 1);
  CHECK(json["overruns"]["list"][0]["subsystem"] == "first");
  CHECK(json["couplings"][0]["sent"] == 3.0);
  CHECK(json["couplings"][0]["closes"] == false);
  CHECK(json["pace"] == "real");
  const std::string table = summary_table(r);
  CHECK(table.find("overruns: deadline missed 1 time, the worst by 12 us; late within macro-steps never; in 1 "
                   "incident: 1 blocked\n") != std::string::npos);
  CHECK(table.find("does not close") != std::string::npos);
}

TEST_CASE("of thousands of events and verdicts of one code the terminal gets the first twenty") {
  RunResults r = some_results();
  for (int node = 0; node < 5000; ++node) {
    const std::string text = "n" + std::to_string(node) + ".p is too low";
    r.subsystems[0].events.push_back({"X017", text, 2});
    r.verdicts.push_back({.code = "X017", .where = "first", .text = text});
  }
  r.subsystems[0].events.push_back({"E001", "shoot-through", 1});
  const std::string table = summary_table(r);
  CHECK(table.find("n19.p") != std::string::npos);
  CHECK(table.find("n20.p") == std::string::npos);
  CHECK(table.find("\n4980 more [X017]; a summary.json has them all\n") != std::string::npos);
  CHECK(table.find("\n  4980 more [X017]; a summary.json has them all\n") != std::string::npos);
  CHECK(table.find("shoot-through, once [E001]\n") != std::string::npos);
  CHECK(nlohmann::json::parse(summary_json(r))["subsystems"][0]["events"].size() == 5001);
}

TEST_CASE("run-time events of a subsystem: all in JSON, on the terminal and in the report those that happened") {
  RunResults r = some_results();
  CHECK(nlohmann::json::parse(summary_json(r))["subsystems"][0]["events"].empty());
  CHECK(report_html(r).find("Met by the solvers") == std::string::npos);
  r.subsystems[0].events = {{"E001", "shoot-through in <high>", 0}, {"E002", "diode states undecided", 0}};
  CHECK(summary_table(r).find("shoot-through") == std::string::npos);
  CHECK(report_html(r).find("Nothing unusual") != std::string::npos);
  r.subsystems[0].events[0].count = 12;
  const auto events = nlohmann::json::parse(summary_json(r))["subsystems"][0]["events"];
  REQUIRE(events.size() == 2);
  CHECK(events[0] ==
        nlohmann::json{{"code", "E001"}, {"text", "shoot-through in <high>"}, {"count", 12}, {"verdict", false}});
  CHECK(events[1]["count"] == 0);
  CHECK(summary_table(r).find("first: shoot-through in <high>, 12 times [E001]\n") != std::string::npos);
  CHECK(summary_table(r).find("undecided") == std::string::npos);
  const std::string html = report_html(r);
  CHECK(html.find("shoot-through in &lt;high&gt;</td><td data-l=\"times\">12</td>") != std::string::npos);
  CHECK(html.find("undecided") == std::string::npos);
}

TEST_CASE("the report stands alone and escapes what it shows") {
  std::string html = report_html(some_results());
  for (const std::string harmless :
       {"http-equiv", "http://www.w3.org/2000/svg"})  // refuses to fetch; a name, no address
    for (std::size_t at = html.find(harmless); at != std::string::npos; at = html.find(harmless))
      html.erase(at, harmless.size());
  CHECK(html.find("tank&lt;1&gt;") != std::string::npos);
  CHECK(html.find("tank<1>") == std::string::npos);
  for (const char* outside : {"http", "src=", "<link", "@import", "fetch("})
    CHECK(html.find(outside) == std::string::npos);
  CHECK(html.find("DOES NOT CLOSE") != std::string::npos);
}

TEST_CASE("plots survive what data can be: constant, constant but for rounding, single, empty, not finite, huge") {
  const auto plot = [](std::vector<double> y) {
    std::vector<double> x;
    for (std::size_t i = 0; i < y.size(); ++i) x.push_back(static_cast<double>(i));
    return line_plot({"title", "s", "V", {{"line", x, y, y}}});
  };
  CHECK(plot({5.0, 5.0}).find("<path") != std::string::npos);
  CHECK(plot({296.15, 296.15 + 6e-14}).size() < 10'000);  // differs by rounding: a constant, with few ticks
  CHECK(plot({338.1, 338.24}).find(">338.15<") != std::string::npos);  // ticks are told from their neighbours
  CHECK(plot({0.0}).find("<path") != std::string::npos);
  CHECK(plot({}).find("no values") != std::string::npos);
  CHECK(plot({1.0, std::nan(""), 3.0}).find("nan") == std::string::npos);
  CHECK(plot({-1e300, 1e300}).find("nan") == std::string::npos);
  CHECK(plot({296.15, std::nextafter(296.15, 300.0)}).find("<path") != std::string::npos);  // moved by rounding alone
  CHECK(plot({0.0, 5e-324}).find("<path") != std::string::npos);
  CHECK(bar_plot("t", "us", {{0.0, 1.0}, {1.0, 2.0}, {5, 0}}).find("<rect") != std::string::npos);
  CHECK(bar_plot("t", "us", {}).find("no values") != std::string::npos);
}
