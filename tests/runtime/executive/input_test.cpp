#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "runtime/plant/input_script.hpp"
#include "runtime/plant/quantity.hpp"
#include "tests/runtime/support/two_bodies.hpp"

using namespace takt;

TEST_CASE("quantities are read in the unit of what they set") {
  CHECK(parse_quantity("0.1", "Ohm") == 0.1);
  CHECK(parse_quantity("100 mOhm", "Ohm") == Approx(0.1));
  CHECK(parse_quantity("2k", "") == 2000.0);
  CHECK(parse_quantity(" 25 degC ", "K") == Approx(298.15));
  CHECK(parse_quantity("36 km/h", "m/s") == Approx(10.0));
  CHECK(parse_quantity("30 %", "1") == Approx(0.3));
  CHECK(parse_quantity("-4e3", "W") == -4000.0);
  CHECK(parse_quantity("2 A*h", "C") == Approx(7200.0));
  CHECK(parse_quantity("3 A*s/V", "F") == Approx(3.0));
  CHECK(parse_quantity("50 Hz", "1/s") == Approx(50.0));
  CHECK(parse_quantity("2 rad", "1") == Approx(2.0));
  CHECK_THROWS(parse_quantity("50 Hz", "rad/s"));
  CHECK_THROWS_WITH(parse_quantity("5 V", "A"), Catch::Contains("give it in A"));
  CHECK_THROWS(parse_quantity("", "A"));
  CHECK_THROWS(parse_quantity("nan", "A"));
  CHECK(parse_duration("180") == 180'000'000'000);
  CHECK(parse_duration("500 ms") == 500'000'000);
  CHECK(parse_duration("2 min") == 120'000'000'000);
  CHECK_THROWS(parse_duration("0 s"));
  CHECK_THROWS_WITH(parse_duration("1e-12s"), Catch::Contains("shorter than a nanosecond"));
  CHECK_THROWS(parse_duration("1e10"));
  CHECK_THROWS(parse_duration("-1"));
}

TEST_CASE("a scripted input takes effect at the first release at its time or later") {
  test::TwoBodies<> plant;
  const auto d = plant.description();
  const auto input = parse_scripted_input("heater=2 kW@0.0105", d);
  CHECK(input.time == SimTime{10'500'000});
  CHECK(input.value == 2000.0);
  CHECK(parse_scripted_input("heater=7", d).time == SimTime{});
  CHECK_THROWS_WITH(parse_scripted_input("pedal=7", d), Catch::Contains("it has heater"));
  CHECK_THROWS(parse_scripted_input("heater", d));
  CHECK_THROWS_WITH(parse_scripted_input("heater=5@1e10", d), Catch::Contains("the time must lie"));
  CHECK_THROWS_WITH(parse_scripted_input("heater=5@-1", d), Catch::Contains("the time must lie"));
  CHECK(parse_scripted_input("heater=5@9e9", d).time == SimTime{9'000'000'000'000'000'000});

  InputScript script({{.time = SimTime{5}, .input = 0, .value = 2.0}, {.time = SimTime{2}, .input = 0, .value = 1.0}},
                     1);
  double value[1] = {-1.0};
  script.apply(SimTime{1}, value);
  CHECK(value[0] == -1.0);
  script.apply(SimTime{3}, value);
  CHECK(value[0] == 1.0);
  value[0] = 9.0;  // latched from outside in between
  script.apply(SimTime{4}, value);
  CHECK(value[0] == 1.0);
  script.apply(SimTime{5}, value);
  CHECK(value[0] == 2.0);
}

TEST_CASE("a wrong or foreign input log is refused with file and line") {
  test::TwoBodies<> plant;
  const auto d = plant.description();
  const auto file = std::filesystem::temp_directory_path() / "takt_input_test.csv";
  const auto read = [&](const char* text) {
    std::ofstream(file) << text;
    return read_input_log(file, d);
  };
  CHECK_THROWS_WITH(read("hello\n"), Catch::Contains(":1: not a log"));
  CHECK_THROWS_WITH(read("# takt inputs 1\n# plant other\n"),
                    Catch::Contains(":2: these are inputs of the plant \"other\""));
  CHECK_THROWS_WITH(read("# takt inputs 1\n# macro_step_ns 5\n"), Catch::Contains(":2: logged with"));
  CHECK_THROWS_WITH(read("# takt inputs 1\nh\n0,pedal,1\n"), Catch::Contains(":3: the plant has no input"));
  CHECK_THROWS_WITH(read("# takt inputs 1\nh\n0,heater,x\n"), Catch::Contains(":3: \"x\" is not a number"));
  const auto cut = read("# takt inputs 1\n# set k=4\nh\n0,heater,1\n7,heat");
  CHECK(cut.changes.size() == 1);
  CHECK(cut.warnings.size() == 1);
  REQUIRE(cut.parameters_set.size() == 1);
  CHECK(cut.parameters_set[0].second == "4");
  CHECK_THROWS(read_input_log("/nonexistent", d));
  CHECK_THROWS_WITH(read_input_log("/dev/null", d), Catch::Contains("not a regular file"));
  CHECK_THROWS_WITH(read(""), Catch::Contains("it ends before the line"));
  CHECK_THROWS_WITH(read("# takt inputs 1\n"), Catch::Contains("it ends before the line"));
  CHECK_THROWS_WITH(read("# takt inputs 1\n# macro_steps 18446744073709551615\nh\n"),
                    Catch::Contains(":2: more than a run can have"));
  CHECK_THROWS_WITH(read("# takt inputs 1\nh\n0,heater,nan\n"), Catch::Contains(":3: \"nan\" is not finite"));
  CHECK_THROWS_WITH(read("# takt inputs 1\nh\n18446744073709551615,heater,1\n"), Catch::Contains(":3: later than"));
}

TEST_CASE("a log keeps its times; one of macro-steps, as they were written once, is read by their length") {
  test::TwoBodies<> plant;
  const auto d = plant.description();
  const auto file = std::filesystem::temp_directory_path() / "takt_input_steps_test.csv";
  for (const char* lines : {"# takt inputs 1\n# macro_step_ns 300\nh\n0,heater,1\n1,heater,2\n10,heater,3\n",
                            "# takt inputs 2\n# macro_step_ns 300\nh\n0,heater,1\n300,heater,2\n3000,heater,3\n"}) {
    std::ofstream(file) << lines << "# macro_steps 20\n";
    CHECK_THROWS_WITH(read_input_log(file, d), Catch::Contains(":2: logged with"));
    const InputLog log = read_input_log(file, d, OtherSteps::accepted);
    CHECK(log.macro_step_ns == 300);
    CHECK(log.macro_steps == 20);
    REQUIRE(log.changes.size() == 3);
    CHECK(log.changes[0].time == SimTime{});
    CHECK(log.changes[1].time == SimTime{300});
    CHECK(log.changes[2].time == SimTime{3000});
  }
  std::ofstream(file) << "# takt inputs 1\n# macro_step_ns 0\nh\n";
  CHECK_THROWS_WITH(read_input_log(file, d, OtherSteps::accepted), Catch::Contains(":2: a macro-step takes more"));
}

TEST_CASE("a log whose lines an editor ended with CR LF is the same log") {
  test::TwoBodies<> plant;
  const auto d = plant.description();
  const auto file = std::filesystem::temp_directory_path() / "takt_input_crlf_test.csv";
  std::ofstream(file) << "# takt inputs 1\r\n# plant two_bodies\r\n# macro_step_ns 1000000\r\n# set "
                         "k=4\r\nmacro_step,input,value\r\n3,heater,1.5\r\n# macro_steps 20\r\n";
  const InputLog log = read_input_log(file, d);
  REQUIRE(log.changes.size() == 1);
  CHECK(log.changes[0].time == SimTime{3'000'000});
  CHECK(log.changes[0].value == 1.5);
  CHECK(log.macro_steps == 20);
  CHECK(log.parameters_set.at(0).second == "4");
  CHECK(log.warnings.empty());
}

TEST_CASE("a log of a run that was not finished holds what it is marked to have reached, or its last change") {
  test::TwoBodies<> plant;
  const auto d = plant.description();
  const auto folder = std::filesystem::temp_directory_path() / "takt_input_unfinished_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string head = "# takt inputs 2\n# plant two_bodies\n# hash 1\n# macro_step_ns 1000000\n";
  const auto read = [&](const std::string& text) {
    std::ofstream(folder / "inputs.csv") << text;
    return read_input_log(folder, d);
  };
  const InputLog marked = read(head + "h\n0,heater,1\n# reached_ns 7999999\n3000000,heater,2\n# reached_ns 9");
  CHECK_FALSE(marked.finished);
  CHECK(marked.macro_steps == 7);  // the last mark is cut off
  const InputLog later = read(head + "h\n0,heater,1\n# reached_ns 7999999\n12000000,heater,2\n");
  CHECK(later.macro_steps == 12);
  const InputLog cut = read(head + "h\n0,heater,1\n# macro_steps 10");
  CHECK((!cut.finished && cut.macro_steps == 0));
  const InputLog whole = read(head + "h\n0,heater,1\n# reached_ns 7999999\n# macro_steps 20\n");
  CHECK((whole.finished && whole.ended && whole.macro_steps == 20));
  const InputLog by_hand = read("# takt inputs 2\nh\n0,heater,1\n");
  CHECK((by_hand.finished && !by_hand.ended && by_hand.macro_steps == 0));
  // What else was done stands in a log of its own, which may lag behind the last change.
  std::ofstream(folder / "actions.csv") << "# takt actions 1\n";
  CHECK(read(head + "h\n0,heater,1\n# reached_ns 7999999\n12000000,heater,2\n").macro_steps == 7);
}
