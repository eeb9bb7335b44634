#include "tools/bench/bench_table.hpp"

#include <catch2/catch.hpp>

using namespace takt::tools;

namespace {

std::string summary(double rtf, double executive) {
  return R"({"model":"m","digest":"00","simulated_s":2.0,"wall_s":0.1,"rtf":{"mean":)" + std::to_string(rtf) +
         R"(},"executive_ns_per_window":)" + std::to_string(executive) +
         R"(,"subsystems":[{"name":"electric","method":"heun","step_s":1e-6,"sync_s":1e-3,"equations":9,"windows":2000,"rtf":{"mean":)" +
         std::to_string(rtf / 2) + "}}]}";
}

}  // namespace

TEST_CASE("a bench takes the median of each number") {
  std::vector<BenchRun> runs;
  for (const double rtf : {0.5, 0.1, 0.3}) runs.push_back(read_bench_run(summary(rtf, rtf * 1000.0)));
  const BenchRun m = median(runs);
  CHECK(m.rtf == Approx(0.3));
  CHECK(m.executive_ns_per_window == Approx(300.0));
  CHECK(m.subsystems.at(0).rtf == Approx(0.15));
  runs.push_back(read_bench_run(summary(0.2, 200.0)));
  CHECK(median(runs).rtf == Approx(0.25));
  const std::string text = bench_text(runs);
  CHECK(text.find("electric") != std::string::npos);
  CHECK(text.find("250 ns per window") != std::string::npos);
  CHECK(text.find("125000") != std::string::npos);  // 0.125 of 1 ms
  CHECK(bench_json(runs).find("\"window_ns\": 125000") != std::string::npos);
}

TEST_CASE("what is not a summary is refused") {
  CHECK_THROWS_AS(read_bench_run("no such file"), std::runtime_error);
  CHECK_THROWS_AS(read_bench_run("{}"), std::runtime_error);
}
