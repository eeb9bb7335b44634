// Scenario files that are wrong: where, why, and what would do.

#include <catch2/catch.hpp>

#include "tests/runtime/scenario/bench_plant.hpp"

namespace takt::test {
namespace {

std::string mistake(const std::string& text) {
  const BenchPlant bench;
  try {
    (void)read_scenario(text, "wrong.toml", bench.plant);
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST_CASE("wrong_files_are_refused_with_place_cause_and_remedy") {
  const std::pair<const char*, const char*> cases[] = {
      {"", "wrong.toml:1:1: the scenario has no steps; add a [[step]]"},
      {"[[step]\n", "wrong.toml:1:8: "},
      {"[[steps]]\n", "wrong.toml:1:3: unknown key \"steps\"; did you mean \"step\"?"},
      {"[[step]]\nexpct = \"time > 0\"\n", "wrong.toml:2:1: unknown key \"expct\"; did you mean \"expect\"?"},
      {"[[step]]\nset = { torqe = \"1 N*m\" }\n",
       "wrong.toml:2:9: nothing is called \"torqe\"; did you mean \"torque\"?"},
      {"[[step]]\nset = { torque = 80 }\n",
       "wrong.toml:2:18: torque is in N*m, this is a plain number; write the unit, as in \"80 N*m\""},
      {"[[step]]\nset = { torque = \"80 V\" }\n", "wrong.toml:2:19: torque is in N*m, this is in V"},
      {"[[step]]\nset = { electric.link.v = \"80 V\" }\n", "wrong.toml:2:9: nothing is called \"electric\"; "},
      {"[[step]]\nat = \"5 s\"\nwhen = \"time > 0\"\n",
       "wrong.toml:3:1: a step begins by one of at, after and when; make two steps of it"},
      {"[[step]]\nat = \"-1 s\"\n", "wrong.toml:2:6: at lies between 0 s and 9e9 s"},
      {"[[step]]\nat = 5\n", "wrong.toml:2:6: at is in s, this is a plain number; write the unit, as in \"5 s\""},
      {"[[step]]\nwithin = \"1 s\"\n", "wrong.toml:2:1: within belongs to an expectation, here is none"},
      {"[[step]]\nuntil = \"time > 0\"\n",
       "wrong.toml:2:1: until ends waveforms and expectations, here are none; to wait for a condition a step says "
       "when"},
      {"[[step]]\ntimeout = \"1 s\"\n", "wrong.toml:2:1: timeout belongs to when and until"},
      {"[[step]]\nnever = true\n",
       "wrong.toml:2:1: never = true turns an expect, here is none; write never = \"CONDITION\""},
      {"[[step]]\nalways = \"time > 0\"\nbackground = false\n",
       "wrong.toml:3:1: what holds to the end of the scenario cannot be waited for; give it for or until"},
      {"[[step]]\nnever = \"time > 0\"\nwithin = \"1 s\"\n",
       "wrong.toml:3:1: within and never do not go together; never has for or until"},
      {"[[step]]\nramp = { torque = { to = \"1 N*m\" } }\n", "wrong.toml:2:19: a ramp needs over"},
      {"[[step]]\nramp = { speed = { to = \"1 N*m\" } }\n",
       "wrong.toml:2:10: the plant has no input \"speed\"; it has torque, enable"},
      {"[[step]]\ntable = { torque = { points = [[1, 2], [1, 3]], x_unit = \"s\", y_unit = \"N*m\" } }\n",
       "wrong.toml:2:40: times of points must ascend"},
      {"[[step]]\ntable = { torque = { csv = \"none.csv\", x = \"t\", y = \"v\" } }\n",
       "wrong.toml:2:28: cannot read none.csv: No such file or directory"},
      {"[[step]]\nreplay = \"nowhere\"\n", "wrong.toml:2:10: cannot read nowhere"},
      {"[[step]]\nband = { signal = \"electric.link.v\", reference = \"5 V\" }\n",
       "wrong.toml:2:8: a band has signal, reference and one of tolerance and relative"},
      {"[[step]]\nband = { signal = \"solid.chip[0].t\", reference = \"20 degC\", tolerance = \"2 degC\" }\n",
       "wrong.toml:2:74: tolerance is a difference of temperatures; write it in K"},
      {"[variables]\nlimit = \"2 degC\"\n[[step]]\nband = { signal = \"solid.chip[0].t\", reference = \"20 degC\", "
       "tolerance = \"limit\" }\n",
       "wrong.toml:4:74: tolerance is a difference of temperatures; write it in K"},
      {"[[step]]\nexpect = \"solid.chip[0].t - 20 degC > 1 degC\"\n",
       "wrong.toml:2:37: a temperature less or plus something that may be one, too is compared with the temperature "
       "274.15 K; write \"1 K\" for a difference, \"274.15 K\" for a temperature"},
      {"[[step]]\nrepeat = 2\n",
       "wrong.toml:1:1: a loop has repeat and steps of its own; repeat = 5 in [[step]], then [[step.step]]"},
      {"[[step]]\nrepeat = 10000\n[[step.step]]\n[[step.step]]\n",
       "wrong.toml:3:1: more than 10000 steps, loops unrolled; repeat less often"},
      {"[[step]]\nrepeat = 1.5\n[[step.step]]\n", "wrong.toml:2:10: repeat is a whole number from 1 to 10000"},
      {"[variables]\npi = 3\n[[step]]\n",
       "wrong.toml:2:1: \"pi\" is predefined: the number 3.14159...; take another name"},
      {"[variables]\ntime = 3\n[[step]]\n",
       "wrong.toml:2:1: \"time\" is predefined: the simulated time; take another name"},
      {"[variables]\ntorque = 1\n[[step]]\n", "wrong.toml:2:1: the plant has a \"torque\" itself; take another name"},
      {"[variables]\nx = \"electric.link.v\"\n[[step]]\n",
       "wrong.toml:2:6: \"electric.link.v\" changes while the plant runs; a value here is made of numbers and of the "
       "scenario's variables"},
      {"[parameters]\nmas = \"1 kg\"\n[[step]]\n",
       "wrong.toml:2:1: the plant has no parameter \"mas\"; did you mean \"mass\"?"},
      {"[parameters]\ntorque = \"1 N*m\"\n[[step]]\n",
       "wrong.toml:2:1: the plant has no parameter \"torque\"; plant inputs are set in a step"},
      {"[scenario]\ninclude = [\"wrong.toml\"]\n", "wrong.toml:2:12: wrong.toml includes itself"},
      {"[scenario]\ninclude = [\"other.toml\"]\n", "wrong.toml:2:12: cannot read other.toml"},
      {"[[step]]\nexpect = \"electric.link.v > 5 A\"\n", "wrong.toml:2:27: V and A do not fit together"},
      {"[[step]]\nclear = [\"electric.main welded\"]\n", "wrong.toml:2:10: "},
  };
  for (const auto& [text, expected] : cases) {
    INFO(text);
    const std::string found = mistake(text), wanted = expected;
    if (wanted.ends_with(": ") || wanted.ends_with("; ") || wanted.find("cannot read") != std::string::npos)
      CHECK(found.substr(0, wanted.size()) == wanted);
    else
      CHECK(found == wanted);
  }
}

}  // namespace
}  // namespace takt::test
