#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "tools/bench/peer_file.hpp"
#include "tools/bench/peer_netlist.hpp"
#include "tools/bench/peer_table.hpp"
#include "tools/takt/peer_accuracy.hpp"

using namespace takt::tools;
using takt::codegen::Diagnostics;

namespace {

constexpr double pi = 3.14159265358979323846;

std::filesystem::path written(const std::string& name, const std::string& text) {
  const auto folder = std::filesystem::temp_directory_path() / "peer_test";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / name) << text;
  return folder / name;
}

/// Codes and lines of what a text is refused for: "N002:3 N002:0".
template <class Read>
std::string findings(const std::string& name, const std::string& text, Read read) {
  Diagnostics diagnostics;
  static_cast<void>(read(written(name, text), diagnostics));
  std::string result;
  for (const auto& finding : diagnostics.all()) {
    result += (result.empty() ? "" : " ") + finding.code + ":" + std::to_string(finding.where.line);
  }
  return result;
}

Waveform sine(int samples, double length, double amplitude) {
  Waveform wave;
  for (int k = 0; k <= samples; ++k) {
    wave.time.push_back(length * k / samples);
    wave.value.push_back(amplitude * std::sin(2 * pi * k / samples));
  }
  return wave;
}

}  // namespace

TEST_CASE("SPICE numbers have suffixes in any case, and letters without meaning behind them") {
  CHECK(spice_number("100u") == 1e-4);
  CHECK(spice_number("2.2kOhm") == 2200.0);
  CHECK(spice_number("5MEG") == 5e6);
  CHECK(spice_number("5M") == 5e-3);
  CHECK(spice_number("1e-3s") == 1e-3);
  CHECK(spice_number("10F") == 1e-14);
  CHECK(spice_number("-7") == -7.0);
  CHECK_FALSE(spice_number("tstop"));
  CHECK_FALSE(spice_number("{tstop}"));
  CHECK_FALSE(spice_number("1u+2u"));
}

TEST_CASE("a netlist gives its times and keeps the rest") {
  Diagnostics diagnostics;
  const auto file = written("peer.cir", "title\nR1 a 0 1k\n.TRAN 1u 50m 0 2u UIC\n.include parts.lib\n.END\n");
  written("parts.lib", "* parts\n");
  const PeerNetlist netlist = read_peer_netlist(file, diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  CHECK(netlist.step_s == 1e-6);
  CHECK(netlist.stop_s == 50e-3);
  CHECK(netlist.max_step_s == 2e-6);
  CHECK(netlist.initial_conditions);
  REQUIRE(netlist.lines.size() == 3);
  CHECK(netlist.lines[0] == "title");
  CHECK(netlist.lines[2] == ".include " + (file.parent_path() / "parts.lib").string());
}

TEST_CASE("the step of a netlist without one is ngspice's own choice") {
  Diagnostics diagnostics;
  CHECK(read_peer_netlist(written("a.cir", "title\n.tran 1m 10m\n"), diagnostics).max_step_s == Approx(0.2e-3));
  CHECK(read_peer_netlist(written("a.cir", "title\n.tran 1u 10m\n"), diagnostics).max_step_s == 1e-6);
  CHECK_FALSE(diagnostics.has_errors());
}

TEST_CASE("netlists that cannot be run are refused where the mistake is") {
  const auto refused = [](const std::string& text) { return findings("bad.cir", text, read_peer_netlist); };
  CHECK(refused("title\nR1 a 0 1k\n") == "N002:0");
  CHECK(refused("title\n.tran 1u {stop}\n") == "N002:2");
  CHECK(refused("title\n.tran 1u 0\n") == "N002:2");
  CHECK(refused("title\n.tran 1u\n+ 50m\n").find("N002:3") != std::string::npos);
  CHECK(refused("title\n.tran 1u 1m\n.tran 1u 1m\n") == "N002:3");
  CHECK(refused("title\n.tran 1u 1m\n.control\nrun\n.endc\n") == "N002:3");
}

TEST_CASE("a deck keeps what is looked at, and nothing that is not known to be a vector is left out") {
  PeerNetlist netlist;
  netlist.lines = {"title"};
  netlist.step_s = 1e-6, netlist.stop_s = 0.05, netlist.max_step_s = 1e-6;
  PeerDeck deck{.expressions = {"v(a, b) - 2.5k*i(L1)"},
                .output = "",
                .max_step_s = 5e-8,
                .stop_s = {},
                .options = "reltol=1e-6"};
  const std::string text = peer_deck(netlist, deck);
  CHECK(text.find(".tran 1e-06 0.05 0 5e-08\n") != std::string::npos);
  CHECK(text.find(".options reltol=1e-6\n") != std::string::npos);
  CHECK(text.find(".save v(a) v(b) i(l1)\n") != std::string::npos);
  CHECK(text.find("wrdata") == std::string::npos);
  deck.expressions = {"v(a)", "abs(v(b))"};
  deck.output = "/tmp/x";
  CHECK(peer_deck(netlist, deck).find(".save") == std::string::npos);
  CHECK(peer_deck(netlist, deck).find("let peer1 = abs(v(b))\nwrdata /tmp/x peer0 peer1\n") != std::string::npos);
}

TEST_CASE("vectors of an expression") {
  using List = std::vector<std::string>;
  CHECK(vectors_of("-i(vsource)") == List{"i(vsource)"});
  CHECK(vectors_of("v(out)*1e-3 + @m1[id]") == List{"v(out)", "@m1[id]"});
  CHECK(vectors_of("v(a,0)") == List{"v(a)"});
  CHECK(vectors_of("l1#branch").empty());
  CHECK(vectors_of("v(a").empty());
}

TEST_CASE("peer.toml: signals, times of RMS, the reference") {
  Diagnostics diagnostics;
  const PeerFile file = read_peer_file(written("peer.toml",
                                               "[signals]\n\"e.c.v\" = \"v(out)\"\n\"e.l.i\" = "
                                               "\"-i(l1)\"\n[rms]\n\"e.l.i\" = { from = \"1 ms\", to = \"2 ms\" }\n"
                                               "[reference]\nmax_step = \"50 ns\"\noptions = \"reltol=1e-6\"\n"),
                                       diagnostics);
  REQUIRE_FALSE(diagnostics.has_errors());
  REQUIRE(file.signals.size() == 2);
  CHECK(file.signals[1].path == "e.l.i");
  CHECK(file.signals[1].expression == "-i(l1)");
  REQUIRE(file.rms.size() == 1);
  CHECK(file.rms[0].signal == 1);
  CHECK(file.rms[0].to_s == Approx(2e-3));
  CHECK(file.reference_step_s.value() == Approx(50e-9));
  CHECK(file.reference_options == "reltol=1e-6");
}

TEST_CASE("mistakes in peer.toml are located") {
  const auto refused = [](const std::string& text) { return findings("bad.toml", text, read_peer_file); };
  const std::string good = "[signals]\n\"e.v\" = \"v(out)\"\n";
  CHECK(refused(good).empty());
  CHECK(refused("[signals]\n") == "N001:0");
  CHECK(refused("[signals]\ne.v = \"v(out)\"\n") == "N001:2");
  CHECK(refused(good + "[rms]\n\"e.w\" = { from = \"1 ms\", to = \"2 ms\" }\n") == "N001:4");
  CHECK(refused(good + "[rms]\n\"e.v\" = { from = \"1 ms\" }\n") == "N001:4");
  CHECK(refused(good + "[rms]\n\"e.v\" = { from = \"3 ms\", to = \"2 ms\" }\n") == "N001:4");
  CHECK(refused(good + "[rms]\n\"e.v\" = { from = 3, to = \"2 ms\" }\n") == "N001:4");
  CHECK(refused(good + "[reference]\nstep = \"1 us\"\n") == "N001:4");
  CHECK(refused(good + "[others]\n") == "N001:3");
}

TEST_CASE("a sine and its half differ by the closed value") {
  const Waveform full = sine(1000, 1.0, 2.0), half = sine(1000, 1.0, 1.0);
  const CommonSamples samples = at_own_times(half, full);
  CHECK(samples.value.size() == 1001);
  // RMS of sin(x) over a period, 1/sqrt 2, over the range 4; the last of 1001 samples repeats the first.
  CHECK(normalised_rms_difference(samples) == Approx(1.0 / std::sqrt(2.0) / 4.0).epsilon(1e-3));
  const CommonRms r = rms(samples, 0.0, 1.0);
  CHECK(r.value == Approx(1.0 / std::sqrt(2.0)).epsilon(1e-12));
  CHECK(r.reference == Approx(std::sqrt(2.0)).epsilon(1e-12));
  CHECK(std::isnan(rms(samples, 0.5, 1.5).value));
}

TEST_CASE("a reference of its own times is compared at those both have") {
  const Waveform wave{{0.0, 0.1, 0.2, 0.3}, {0.0, 1.0, 2.0, 3.0}};
  const Waveform reference{{0.05, 0.1 + 1e-12, 0.3}, {9.0, 1.5, 3.0}};
  const CommonSamples samples = at_common_times(wave, reference);
  CHECK(samples.value == std::vector<double>{1.0, 3.0});
  CHECK(samples.reference == std::vector<double>{1.5, 3.0});
  CHECK(normalised_rms_difference(samples) == Approx(std::sqrt(0.125) / 1.5));
  CHECK(std::isnan(normalised_rms_difference(at_common_times(wave, {{7.0}, {1.0}}))));
}

TEST_CASE("values between samples are linear, and jumps stay jumps") {
  const Waveform wave{{0.0, 1.0, 1.0, 2.0}, {0.0, 2.0, 10.0, 10.0}};
  CHECK(value_at(wave, 0.5) == 1.0);
  CHECK(value_at(wave, 1.0) == 10.0);
  CHECK(value_at(wave, 1.0 - 1e-9) == Approx(2.0));
  CHECK(value_at(wave, -1.0) == 0.0);
  CHECK(value_at(wave, 5.0) == 10.0);
}

TEST_CASE("tables of ngspice are read whole or refused") {
  const auto waves = read_wrdata(" 0.0e+00  1.0 2.0\n 1.0e-06 3.0 4.0 \n", 2);
  CHECK(waves[1].value == std::vector<double>{2.0, 4.0});
  CHECK(waves[0].time == std::vector<double>{0.0, 1e-6});
  CHECK_THROWS_AS(read_wrdata("0 1 2\n1 3\n", 2), std::runtime_error);
  CHECK_THROWS_AS(read_wrdata("", 1), std::runtime_error);
}

TEST_CASE("the table shows medians, extremes, the ratio of the medians and deviations") {
  PeerComparison c;
  c.model = "m", c.peer = "ngspice-39", c.cpu = 1;
  c.takt_cost = {{0.3, 0.1, 0.2}, {0.03, 0.01, 0.02}};
  c.peer_cost = {{3.0, 1.0, 4.0}, {2.0, 2.0, 2.0}};
  c.accuracy.push_back({"e.v", "v(out)", 1e-5, 2e-3});
  c.rms.push_back({"e.v", 0.01, 0.03, 2.0, 2.001, 1.99});
  const std::string text = peer_text(c);
  CHECK(text.find("3 runs each in turn on CPU 1") != std::string::npos);
  for (const char* part :
       {"0.2         0.1         0.3", " 15\n", " 100\n", "1.00e-05    2.00e-03", "+0.0500 %", "-0.5000 %"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  CHECK(peer_json(c).find("\"median\": 0.2") != std::string::npos);
  c.takt_cost.solution = {0.0, 0.0, 0.0};
  CHECK(peer_text(c).find(" -\n") != std::string::npos);
}
