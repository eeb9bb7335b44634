#pragma once
// A client's session, the desk it stands at, and the plant's end of the tap, in one process.

#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/executive/clock.hpp"
#include "runtime/tap/session.hpp"
#include "runtime/tap/tap_port.hpp"
#include "tests/runtime/support/two_bodies.hpp"
#include "tests/runtime/tap/test_sink.hpp"

namespace takt::test {

struct DeskBench {
  using Json = nlohmann::json;

  DeskBench()
      : plant(bodies.description()),
        memory(plant, {.paced = true}),
        port(plant, *memory, clock, {.paced = true}),
        desk(plant, *memory),
        session(std::make_shared<Session>(desk, "test")) {}

  /// The next boundary of the plant.
  void boundary() {
    port.direct(sink.now, sink);
    sink.now += SimDuration{plant.macro_step_ns};
    (void)desk.poll();
  }
  /// What has been written to the client since, without the bytes of rows as doubles.
  std::vector<Json> lines() {
    std::vector<Json> all;
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = session->output.find('\n', begin)) != std::string::npos;) {
      all.push_back(Json::parse(session->output.substr(begin, end - begin)));
      begin = end + 1 + (all.back().is_object() ? all.back().value("bytes", std::size_t{0}) : 0);
    }
    session->output.clear();
    return all;
  }
  /// One request and its answer, some boundaries later at most.
  Json ask(const std::string& request) {
    session->take(request);
    for (int k = 0; k < 4 && session->output.empty(); ++k) boundary();
    const auto all = lines();
    if (all.size() != 1) throw std::runtime_error("expected one answer to " + request);
    return all.front();
  }
  void renew() { session = std::make_shared<Session>(desk, "another"); }

  TwoBodies<> bodies;
  PlantDescription plant;
  TapMemory memory;
  SystemClock clock;
  TapPort port;
  TestSink sink;
  TapDesk desk;
  std::shared_ptr<Session> session;
};

}  // namespace takt::test
