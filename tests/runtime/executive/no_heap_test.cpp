// Between start and stop no real-time thread may touch the heap: the malloc of heap_guard ends the program where
// it does. `no_heap_test` runs a plant with recording and an outside world; `no_heap_test --offend` allocates in the
// loop on purpose, to show that the guard fires.

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "runtime/program/plant_main.hpp"
#include "tests/runtime/support/nested_bodies.hpp"

namespace {

bool offend = false;

/// Changes an input at each release, so that the input log is at work, too.
class Restless final : public takt::IoPort {
 public:
  void start() override {}
  void latch(takt::SimTime now, takt::WallTime /*release*/, std::span<double> inputs) noexcept override {
    inputs[0] = static_cast<double>(now.ns() % 17);
    if (offend && now.ns() == 100'000'000)
      ::operator delete(::operator new(16));  // calls, not expressions: those may be left out
  }
  void publish(takt::SimTime, takt::WallTime /*due*/, const std::byte*) noexcept override {}
  void publish_safe(takt::SimTime) noexcept override {}
  void stop() override {}
  std::vector<takt::IoEvent> events() const override { return {}; }
  std::string statistics_json() const override { return "{}"; }
};

std::unique_ptr<takt::IoPort> make_io(const takt::PlantDescription&, const takt::IoOptions&) {
  return std::make_unique<Restless>();
}

using Actions = std::vector<std::string>;

/// Paced, then free.  @param placement  file, or empty: on one core  @return exit code
int run_both(const takt::PlantDescription& description, const char* program, const std::string& placement,
             const Actions& actions = {}) {
  const char* pace[] = {"real", "free"};
  for (const char* p : pace) {
    // A late wake-up makes the overrun log work inside the section.
    // The ring of the trace goes round several times.
    std::vector<std::string> text{program, "--pace",           p,         "--for", "300 ms", "--quiet",
                                  "--out", "no_heap_test.run", "--trace", "20 ms"};
    if (std::strcmp(p, "real") == 0) text.insert(text.end(), {"--late", "any", "--inject", "late:50:3000"});
    if (!placement.empty()) text.insert(text.end(), {"--cores", "0,1", "--placement", placement});
    for (const std::string& action : actions) text.insert(text.end(), {"--action", action});
    std::vector<char*> arguments;
    for (std::string& t : text) arguments.push_back(t.data());
    const int code = takt::plant_main({.plant = description, .make_io = make_io}, static_cast<int>(arguments.size()),
                                      arguments.data());
    if (code != 0) return code;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  offend = argc > 1 && std::strcmp(argv[1], "--offend") == 0;
  takt::test::TwoBodies<> plant;
  if (const int code = run_both(plant.description(), argv[0], ""); code != 0) return code;
  takt::test::TwoBodies<> steered;
  const Actions actions{"20 ms: tune k 4 W/K", "30 ms: override first.heat 3 W", "60 ms: set heater 20 W",
                        "90 ms: tune k 2 W/K", "120 ms: release first.heat",     "150 ms: release heater"};
  if (const int code = run_both(steered.description(), argv[0], "", actions); code != 0) return code;
  if (steered.memory.conductance != 2.0) return 3;  // it was tuned
  takt::test::NestedBodies nested;                  // with releases within the macro-step
  if (const int code = run_both(nested.description, argv[0], ""); code != 0) return code;
  if (argc < 2 || std::thread::hardware_concurrency() < 2) return 0;
  takt::test::NestedBodies shared;
  return run_both(shared.description, argv[0], argv[1]);
}
