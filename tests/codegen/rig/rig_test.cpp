#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>

#include "codegen/dbc/bus_units.hpp"
#include "tests/codegen/rig/sample_target.hpp"

using namespace takt::codegen;
namespace fs = std::filesystem;

namespace {

const fs::path here =
    fs::path(std::getenv("TAKT_SOURCE_DIR") != nullptr ? std::getenv("TAKT_SOURCE_DIR") : ".") / "tests/codegen/rig";

std::string first_line(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

const SignalMap* map_of(const Rig& rig, const std::vector<MessageMap>& maps, const std::string& message,
                        const std::string& signal) {
  for (const auto& map : maps) {
    const auto& dbc = rig.buses[0].dbc->messages[map.message];
    if (dbc.name != message) continue;
    for (const auto& s : map.signals) {
      if (dbc.signals[s.signal].name == signal) return &s;
    }
  }
  return nullptr;
}

}  // namespace

TEST_CASE("the sample rig binds units, scales, constants, pages and time-outs") {
  Diagnostics diagnostics;
  const auto rig = load_rig((here / "sample/sample.toml").string(), sample_target(), diagnostics);
  INFO(diagnostics.render());
  REQUIRE(rig);
  CHECK((rig->paced && rig->cpu == 1 && rig->priority == 70 && rig->spin_ns == 20'000 &&
         rig->policy == takt::OverrunPolicy::stop));
  REQUIRE(rig->group_policies.size() == 1);
  CHECK(rig->group_policies[0] == std::pair{std::string("power"), takt::OverrunPolicy::skip});
  CHECK((rig->max_catch_up == 5 && rig->trace_ns == 3'000'000'000 && rig->grace_ns == 1'000'000'000 && rig->regain &&
         rig->stop_after_consecutive == 7 && rig->stop_above_ns == 30'000'000));
  const auto& bus = rig->buses.at(0);
  CHECK((bus.channel == "can0" && bus.port == 29536 && bus.grid_ns == 2'000'000 && bus.virtual_only));

  const auto* cooling = map_of(*rig, bus.receive, "Command", "cooling");
  REQUIRE(cooling != nullptr);
  CHECK(20.0 * cooling->scale + cooling->offset == Approx(293.15));  // 20 degC
  const auto* limit = map_of(*rig, bus.receive, "Multi", "first");
  CHECK(60.0 * limit->scale == Approx(6.283185307));  // 60 rpm
  const auto* gain = map_of(*rig, bus.receive, "Multi", "second");
  CHECK((gain->scale == 2.0 && gain->offset == 1.0));
  REQUIRE(bus.receive[0].signals.size() == 4);  // torque goes to two inputs
  const SignalMap &torque = bus.receive[0].signals[0], &trim = bus.receive[0].signals[1];
  CHECK((torque.path == "torque" && torque.scale == 1.0 && trim.path == "trim" && trim.signal == torque.signal &&
         trim.scale == 2.0 && trim.offset == 1.0));
  const auto* temperature = map_of(*rig, bus.send, "Status", "temperature");
  CHECK(293.15 * temperature->scale + temperature->offset == Approx(20.0));
  CHECK(temperature->safe == -40.0);
  CHECK(map_of(*rig, bus.send, "Status", "share")->scale == Approx(100.0));
  CHECK((map_of(*rig, bus.send, "Status", "constant")->path.empty() &&
         map_of(*rig, bus.send, "Status", "constant")->constant == 17.0));

  REQUIRE(bus.receive.size() == 3);
  CHECK((bus.receive[0].timeout_ns == 150'000'000 && bus.receive[1].timeout_ns == 0));
  // Status, two pages of Pages, Event, Gated
  REQUIRE(bus.send.size() == 5);
  // of the second database
  CHECK((rig->files.size() == 3 && bus.dbc->nodes == std::vector<std::string>{"ECU", "PLANT", "GATE"}));
  REQUIRE(bus.rest.size() == 1);
  CHECK((bus.dbc->messages[bus.rest[0].message].name == "Extra" && bus.rest[0].period_ns == 10'000'000));
  CHECK((bus.send[0].period_ns == 10'000'000 && bus.send[1].period_ns == 20'000'000 &&
         bus.send[2].period_ns == 20'000'000));
  CHECK((bus.send[3].period_ns == 0 && bus.send[3].on_change && bus.send[3].spacing_ns == 0));
  CHECK((bus.send[4].on_change && bus.send[4].spacing_ns == 20'000'000));  // GenMsgDelayTime
  CHECK(bus.send[1].signals.back().constant == 2.0);
  CHECK(bus.send[2].signals.back().constant == 5.0);

  // Status.start is not mapped: said, and not refused
  REQUIRE(diagnostics.all().size() == 1);
  CHECK(diagnostics.all()[0].code == "B026");
  CHECK(diagnostics.all()[0].message.find("24") != std::string::npos);  // raw 7 is 24
}

TEST_CASE("emitted sources are a pure function of the rig") {
  Diagnostics first, second;
  const auto file = (here / "sample/sample.toml").string();
  const auto one = load_rig(file, sample_target(), first);
  const auto two = load_rig(file, sample_target(), second);
  REQUIRE((one && two));
  const auto a = emit_rig(*one);
  const auto b = emit_rig(*two);
  REQUIRE(a.size() == 3);
  REQUIRE(b.size() == 3);
  for (std::size_t k = 0; k < a.size(); ++k) {
    CHECK((a[k].name == b[k].name && a[k].text == b[k].text));
    CHECK(a[k].text.bytes().find(here.string()) == std::string::npos);  // no paths of this machine
  }
}

namespace {

/// A rig with one sent message of pages, and steps.
std::optional<Rig> rig_with(const std::string& send, const std::string& steps = "") {
  const auto file = fs::temp_directory_path() / "takt_rig_test.toml";
  std::ofstream(file) << "[bus.can0]\nkind = \"can\"\ndbc = \"" << (here / "sample/sample.dbc").string()
                      << "\"\nsimulate = [\"PLANT\"]\n[bus.can0.receive]\n\"Command.cooling\" = "
                         "\"cooling\"\n\"Command.enable\" = \"enable\"\n"
                      << "[bus.can0.send]\n"
                      << send << steps;
  Diagnostics diagnostics;
  auto rig = load_rig(file.string(), sample_target(), diagnostics);
  INFO(diagnostics.render());
  REQUIRE(rig);
  return rig;
}

bool contains(const Rig& rig, const std::string& text) {
  return emit_rig(rig).back().text.bytes().find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("where the plant chooses the page, a message is made safe as a whole or keeps its page") {
  const auto whole = rig_with(
      "\"Pages.speed\" = { from = \"plant.w\", safe = 0 }\n"
      "\"Pages.select\" = { from = \"plant.level\", scale = 1, safe = 2 }\n");
  CHECK(contains(*whole, ".safe_bits = {255, 255, 255, 255, 255, 255, 255, 255}"));
  const auto stays = rig_with(
      "\"Pages.speed\" = \"plant.w\"\n"
      "\"Pages.select\" = { from = \"plant.level\", scale = 1, safe = 2 }\n");
  CHECK_FALSE(contains(*stays, "safe_bits"));
  const auto constant = rig_with("\"Pages.speed\" = { from = \"plant.w\", safe = 0 }\n\"Pages.select\" = 2\n");
  CHECK(contains(*constant, ".safe_bits = {0, 255, 255, 0, 0, 0, 0, 0}"));
}

TEST_CASE("the rig file sets the spacing of frames sent on change") {
  const auto rig = rig_with("\"Gated.level\" = 5\n\"Gated\" = { on_change = true, spacing = \"50 ms\" }\n");
  CHECK(rig->buses[0].send.at(0).spacing_ns == 50'000'000);
  CHECK(contains(*rig, ".spacing_ns = 50000000"));
  const auto none = rig_with("\"Gated.level\" = 5\n\"Gated\" = { on_change = true, spacing = \"0 s\" }\n");
  CHECK(none->buses[0].send.at(0).spacing_ns == 0);
}

TEST_CASE("a bus or a message is CAN FD where the rig file says so") {
  const auto formats = [](const std::string& bus, const std::string& maps) {
    const auto file = fs::temp_directory_path() / "takt_rig_test_fd.toml", dbc = file.parent_path() / "takt_fd.dbc";
    std::ofstream(dbc) << "BU_: PLANT ECU\nBO_ 1 A: 8 PLANT\n SG_ a : 0|8@1+ (1,0) [0|0] \"\" ECU\nBO_ 2 B: 24 PLANT\n"
                          " SG_ b : 160|8@1+ (1,0) [0|0] \"\" ECU\nBO_ 3 C: 24 ECU\n SG_ c : 160|8@1+ (1,0) [0|0] \"\" "
                          "PLANT\nBO_ 4 D: 8 PLANT\nBA_DEF_ BO_ \"VFrameFormat\" INT 0 15;\nBA_DEF_DEF_ "
                          "\"VFrameFormat\" 0;\nBA_DEF_DEF_ \"GenMsgCycleTime\" 100;\n";
    std::ofstream(file) << "[bus.can0]\nkind = \"can\"\ndbc = \"takt_fd.dbc\"\nsimulate = [\"PLANT\"]\n" << bus << maps;
    Diagnostics diagnostics;
    const auto rig = load_rig(file.string(), sample_target(), diagnostics);
    if (!rig) return diagnostics.all().at(0).code + ": " + diagnostics.all().at(0).hint;
    std::string text;
    for (const DbcMessage& message : rig->buses[0].dbc->messages) text += message.fd ? message.name : "";
    const auto emitted = emit_rig(*rig);  // codecs, and the rest bus
    const std::string sources = emitted[1].text.bytes() + emitted[2].text.bytes();
    CHECK((sources.find(".fd = true") != std::string::npos) == (text.find_first_of("ABC") != text.npos));
    return text;
  };
  const std::string a = "[bus.can0.send]\n\"A.a\" = 1\n", b = "\"B.b\" = 1\n",
                    c = "[bus.can0.receive]\n\"C.c\" = \"gain\"\n";
  CHECK(formats("", a) == "");
  CHECK(formats("", a + b).starts_with("B018: if it is one CAN FD frame, \"B\" = { fd = true } says so"));
  CHECK(formats("fd = true\n", a + b + c) == "ABCD");
  CHECK(formats("", a + b + "\"B\" = { fd = true }\n" + c + "\"C\" = { fd = true }\n") == "BC");
  CHECK(formats("fd = true\n", a + "\"A\" = { fd = false }\n\"D\" = { fd = false }\n") == "BC");
  CHECK(formats("fd = 1\n", a).starts_with("B003"));
  CHECK(formats("", a + "\"A\" = { fd = \"yes\" }\n").starts_with("B003"));
}

TEST_CASE("a message of J1939 carries the ids of its parameter group, and a gateway forwards it by them") {
  const auto file = fs::temp_directory_path() / "takt_rig_test_j1939.toml", dbc = file.parent_path() / "takt_pg.dbc";
  // The same parameter group from any source and from 3, another group.
  std::ofstream(dbc)
      << "BU_: PLANT ECU\nBO_ 2364540158 A: 8 ECU\n SG_ a : 0|8@1+ (1,0) [0|0] \"\" PLANT\nBO_ 2364539907 "
         "B: 8 ECU\nBO_ 2364539651 C: 20 ECU\n";
  const auto rig_of = [&](const std::string& bus) {
    std::ofstream(file) << "[bus.can0]\nkind = \"can\"\ndbc = \"takt_pg.dbc\"\n"
                        << bus
                        << "[bus.can0.receive]\n\"A.a\" = \"gain\"\n[bus.can1]\nkind = \"can\"\ndbc = "
                           "\"takt_pg.dbc\"\n[gateway]\ng = { from = \"can0\", to = \"can1\", messages = [\"A\"] }\n";
    Diagnostics diagnostics;
    auto rig = load_rig(file.string(), sample_target(), diagnostics);
    INFO(diagnostics.render());
    REQUIRE(rig);
    return rig;
  };
  const auto plain = rig_of(""), j1939 = rig_of("j1939 = true\n");
  CHECK((plain->buses[0].dbc->find("C")->fd && !j1939->buses[0].dbc->find("C")->fd));  // by the length
  CHECK(emit_rig(*plain)[1].text.bytes().find("group") == std::string::npos);
  CHECK_FALSE(contains(*plain, "group"));
  CHECK(emit_rig(*j1939)[1].text.bytes().find("> A{0xCF004FEU, 0xCF00403U};") != std::string::npos);
  CHECK(emit_rig(*j1939)[1].text.bytes().find(", .group = groups::A}") != std::string::npos);
  CHECK(contains(*j1939, "> forwarded_can0_0_group_0{0xCF004FEU, 0xCF00403U};"));
  CHECK(contains(*j1939, ".text = \"A\", .group = forwarded_can0_0_group_0}"));
}

TEST_CASE("ranges of received signals are emitted half a step wider, those of floats by their rounding") {
  Diagnostics diagnostics;
  const auto sample = load_rig((here / "sample/sample.toml").string(), sample_target(), diagnostics);
  REQUIRE(sample);
  CHECK(contains(*sample, ".minimum = -1000001.0, .maximum = 1000001.0}"));
  CHECK(contains(*rig_with("\"Status.share\" = 1\n"), ".safe = can::absent, .minimum = -40.05, .maximum = 369.55}"));
}

TEST_CASE("how an interface has to be set is emitted") {
  const auto file = fs::temp_directory_path() / "takt_rig_link_test.toml";
  std::ofstream(file) << "[bus.can0]\nkind = \"can\"\nchannel = \"can7\"\ndbc = \""
                      << (here / "sample/sample.dbc").string()
                      << "\"\nbitrate = 500000\nsample_point = 0.8749\ndata_bitrate = 2000000\nrestart = \"99.5 ms\"\n"
                         "stamps = \"hardware\"\ntermination = 120\n[bus.can1]\nvirtual = true\n";
  Diagnostics diagnostics;
  const auto links = load_rig_links(file.string(), diagnostics);
  REQUIRE((links.size() == 1 && links[0].channel == "can7" && !diagnostics.has_errors()));
  const auto& link = links[0].settings;
  CHECK((link.nominal.bitrate == 500'000 && link.nominal.sample_point == 875 && link.data.bitrate == 2'000'000));
  CHECK((link.restart_ms == 100 && link.termination == 120 && link.hardware_stamps && link.listen_only == -1));

  std::ofstream(file) << "[bus.can0]\nkind = \"can\"\ndbc = \"" << (here / "sample/sample.dbc").string()
                      << "\"\nbitrate = 250000\nrestart = \"0 s\"\n";
  const auto rig = load_rig(file.string(), sample_target(), diagnostics);
  REQUIRE(rig);
  CHECK(contains(*rig,
                 ".link = {.nominal = {250000, 0}, .data = {0, 0}, .restart_ms = 0, .termination = -1, "
                 ".hardware_stamps = false}"));
  CHECK_FALSE(contains(*rig_with("\"Status.share\" = 1\n"), ".link"));
}

TEST_CASE("a condition compares with what a decoder finds") {
  // 0.1 * raw - 40
  const auto rig =
      rig_with("\"Status.share\" = 1\n", "[[start]]\nwhen = \"can0.Command.cooling == -31.8\"\nwithin = \"1 s\"\n");
  CHECK(rig->start.at(0).value == 82 * 0.1 - 40.0);
  CHECK(rig->start.at(0).value != -31.8);
}

TEST_CASE("a rest bus begins with its bus, with the first frame of somebody else, or on a condition") {
  const auto rig_that = [&](const std::string& start) {
    const auto file = fs::temp_directory_path() / "takt_rig_test_begin.toml";
    std::ofstream(file) << "[bus.can0]\nkind = \"can\"\ndbc = \"" << fs::absolute(here / "sample/sample.dbc").string()
                        << "\"\nsimulate = [\"PLANT\"]\nperiod = \"100 ms\"\nreceive = { \"Command.torque\" = "
                           "\"torque\", \"Command.enable\" = [\"enable\", \"gain\"] }\n"
                        << start << "\n";
    Diagnostics diagnostics;
    auto rig = load_rig(file.string(), sample_target(), diagnostics);
    INFO(diagnostics.render());
    REQUIRE(rig);
    return emit_rig(*rig).back().text.bytes();
  };
  CHECK(rig_that("").find("rest_start") == std::string::npos);
  CHECK(rig_that("start = \"at-once\"") == rig_that(""));
  CHECK_THAT(rig_that("start = \"heard\""), Catch::Contains(".rest_start = {.kind = can::RestStart::Kind::heard,"));
  const std::string when = rig_that("start = { when = \"Command.enable == Ready to drive\" }");
  CHECK_THAT(when,
             Catch::Contains(".kind = can::RestStart::Kind::when, .text = \"can0.Command.enable == Ready to drive\", "
                             ".message = 0, .signal = 1, .comparison = can::Comparison::equal, .value = 1.0}"));
  CHECK(rig_that("start = { when = \"can0.Command.enable == Ready to drive\" }") == when);
}

TEST_CASE("value names of the database stand for numbers, by factor and offset, also beyond the range of the signal") {
  const auto rig = rig_with(
      "\"Status.share\" = { from = \"plant.share\", safe = \"Full\" }\n\"Status.constant\" = { value = \"Reverse\" }\n",
      "[[start]]\nset = { \"can0.Status.constant\" = \"Drive\" }\n"
      "[[start]]\nwhen = \"can0.Command.enable == Ready to drive\"\nwithin = \"1 s\"\n");
  CHECK(rig->buses[0].send.at(0).signals.at(0).safe == 100.0);
  CHECK(rig->buses[0].send.at(0).signals.at(1).constant == 18.0);
  CHECK((rig->start.at(0).sets.at(0).value == 17.0 && rig->start[0].text == "set can0.Status.constant = Drive"));
  CHECK((rig->start.at(1).value == 1.0 && rig->start[1].comparison == "=="));
  CHECK(rig_with("\"Status.share\" = { value = \"Invalid\" }\n")->buses[0].send.at(0).signals.at(0).constant == 127.5);
}

TEST_CASE("cycle times of the database that cannot be kept are said with what is done instead") {
  Diagnostics diagnostics;
  const auto rig = load_rig((here / "wrong/cycle_times.toml").string(), sample_target(), diagnostics);
  REQUIRE(rig);
  const std::string text = diagnostics.render();
  CHECK_THAT(text, Catch::Contains("0.05 ms of message Mapped is too short: it is sent every 100 us"));
  CHECK_THAT(text, Catch::Contains("0.5 ms of message Fast is too short: it is sent every 1 ms"));
  CHECK_THAT(text, Catch::Contains("3600001 ms of message Slow is too long: it is sent every 3600 s"));
  CHECK_THAT(text, Catch::Contains("of message Late is too long: its first frame is sent after 3600 s"));
  CHECK_THAT(text, Catch::Contains("50 ms of message Gated is too long: between two frames 20 ms pass at least"));
  CHECK_THAT(text, Catch::Contains("is longer than the period of Mapped, Fast, Right: they are sent once in a step"));
  CHECK_THAT(text, !Catch::Contains("Given") && !Catch::Contains("Spaced"));
  const BusMap& bus = rig->buses[0];
  CHECK(bus.send.at(0).period_ns == 100'000);
  std::vector<std::int64_t> periods;
  for (const RestMessage& rest : bus.rest) periods.push_back(rest.period_ns);
  CHECK(periods ==
        std::vector<std::int64_t>{1'000'000, 3'600'000'000'000, 10'000'000, 10'000'000, 1'000'000, 3'600'000'000'000});
}

TEST_CASE("databases of one bus that clash are refused with both places") {
  Diagnostics diagnostics;
  CHECK_FALSE(load_rig((here / "wrong/databases.toml").string(), sample_target(), diagnostics));
  const std::string text = diagnostics.render();
  CHECK_THAT(text, Catch::Contains("message Other has the id of Status in sample.dbc:16"));
  CHECK_THAT(text, Catch::Contains("a message Event with another id stands in sample.dbc:27"));
  CHECK_THAT(text, !Catch::Contains("Wide has"));  // 100 of 29 bits
}

TEST_CASE("gateways are emitted with their ids, both directions under one number") {
  const auto file = fs::temp_directory_path() / "takt_rig_test_gateway.toml";
  const std::string bus = "kind = \"can\"\ndbc = \"" + fs::absolute(here / "sample/sample.dbc").string() + "\"\n";
  std::ofstream(file) << "[bus.can0]\n"
                      << bus << "[bus.can1]\n"
                      << bus
                      << "[gateway]\nbody = { from = \"can0\", to = \"can1\", messages = [\"Multi\", \"0x700..0x710\", "
                         "\"0x00000700\"], both = true, spacing = \"5 ms\", queue = 16 }\n"
                         "other = { from = \"can1\", to = \"can0\", messages = [\"Status\"], id = \"0x123\" }\n";
  Diagnostics diagnostics;
  const auto rig = load_rig(file.string(), sample_target(), diagnostics);
  INFO(diagnostics.render());
  REQUIRE(rig);
  REQUIRE(rig->routes.size() == 3);
  CHECK((rig->routes[0].gateway == 0 && rig->routes[1].gateway == 0 && rig->routes[2].gateway == 1));
  CHECK((rig->routes[1].from == 1 && rig->routes[1].to == 0));
  CHECK(contains(*rig, ".first = 1792, .last = 1808, .extended = false"));
  CHECK(contains(*rig, ".first = 1792, .last = 1792, .extended = true"));
  CHECK(contains(*rig, ".name = \"body\", .gateway = 0, .to = 1, .queue = 16, .spacing_ns = 5000000"));
  CHECK(contains(*rig, ".text = \"Status\", .is_renamed = true, .id = 291, .id_extended = false"));
  CHECK(contains(*rig, ".routes = routes_can1"));
}

TEST_CASE("gateways in a circle are refused with every hop of it") {
  Diagnostics diagnostics;
  CHECK_FALSE(load_rig((here / "wrong/gateway_circle.toml").string(), sample_target(), diagnostics));
  CHECK_THAT(
      diagnostics.render(),
      Catch::Contains("in a circle: can1 -> can2 (second, line 16) -> can0 (third, line 17) -> can1 (first, line 15)"));
}

TEST_CASE("an unknown value name is refused with the nearest ones") {
  Diagnostics diagnostics;
  CHECK_FALSE(load_rig((here / "wrong/names.toml").string(), sample_target(), diagnostics));
  const std::string text = diagnostics.render();
  CHECK_THAT(text, Catch::Contains("the nearest: \"Drive\", \"Spare\", \"Off\", \"Reverse\", \"Low\" and 1 more"));
  CHECK_THAT(text, Catch::Contains("\"Spare\": 16 and 19"));
  CHECK_THAT(text, Catch::Contains("is written { value = \"Drive\" }"));
}

TEST_CASE("hand-written units of databases are understood") {
  CHECK(bus_unit("Nm", false)->factor == 1.0);
  CHECK(bus_unit("kph", false)->factor == Approx(1 / 3.6));
  CHECK(bus_unit("\xC2\xB0"
                 "C",
                 false)
            ->offset == Approx(273.15));
  CHECK(bus_unit("C", true)->offset == Approx(273.15));
  CHECK(bus_unit("C", false)->offset == 0.0);  // coulomb
  CHECK(bus_unit("%", false)->factor == Approx(0.01));
  CHECK_FALSE(bus_unit("", false));
  CHECK_FALSE(bus_unit("furlong", false));
}

TEST_CASE("every wrong rig file is refused at the place it says") {
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(here / "wrong")) {
    if (entry.path().extension() != ".toml") continue;
    ++files;
    // "# expect: CODE LINE:COL, CODE LINE:COL"
    const std::string line = first_line(entry.path());
    INFO(entry.path().filename());
    REQUIRE(line.starts_with("# expect: "));
    std::set<std::string> expected, found;
    const std::regex one("([A-Z][0-9]{3}) ([0-9]+:[0-9]+)");
    for (std::sregex_iterator it(line.begin(), line.end(), one), end; it != end; ++it)
      expected.insert(it->str(1) + " " + it->str(2));
    Diagnostics diagnostics;
    const auto rig = load_rig(entry.path().string(), sample_target(), diagnostics);
    bool error = false;
    for (const auto& d : diagnostics.all()) {
      error = error || d.severity == Severity::error;
      found.insert(d.code + " " + std::to_string(d.where.line) + ":" + std::to_string(d.where.column));
    }
    INFO(diagnostics.render());
    CHECK(found == expected);
    CHECK(error != rig.has_value());
  }
  CHECK(files >= 20);
}
