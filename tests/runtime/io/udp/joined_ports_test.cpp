#include "runtime/io/joined_ports.hpp"

#include <catch2/catch.hpp>

namespace {

using takt::IoEvent;
using takt::OutsideFault;
using takt::SimTime;
using takt::WallTime;

template <int number>
class Part final : public takt::IoPort {
 public:
  void start() override { ++started; }
  void latch(SimTime /*now*/, WallTime /*release*/, std::span<double> inputs) noexcept override {
    inputs[number] = number;
  }
  void publish(SimTime now, WallTime /*due*/, const std::byte* /*memory*/) noexcept override { published = now; }
  [[nodiscard]] bool sends_from(std::size_t subsystem) const noexcept override { return subsystem == number; }
  [[nodiscard]] std::vector<std::size_t> sent() const override { return {7, number}; }
  [[nodiscard]] std::vector<OutsideFault> outside_faults() const override {
    std::vector<OutsideFault> faults(number + 1);
    for (auto& fault : faults) fault.path = "part" + std::to_string(number);
    return faults;
  }
  void disturb(std::uint32_t fault, std::uint64_t word) noexcept override { disturbed = {fault, word}; }
  void publish_safe(SimTime /*now*/) noexcept override {}
  void stop() override {}
  [[nodiscard]] std::string take_start_steps(const takt::StepSurroundings& around) override {
    for (int k = 0; k < number; ++k) around.beat();
    return "";
  }
  [[nodiscard]] std::string take_stop_steps(const takt::StepSurroundings& around) override {
    return take_start_steps(around);
  }
  void hear_meanwhile() noexcept requires(number == 0) { ++heard; }
  [[nodiscard]] std::string problem() const override { return number == 1 ? "" : "problem " + std::to_string(number); }
  [[nodiscard]] std::vector<IoEvent> events() const override {
    return {{SimTime{10 - number}, std::to_string(number)}};
  }
  [[nodiscard]] std::string statistics_json() const override {
    return "{\"buses\":[{\"name\":\"" + std::to_string(number) + "\"}],\"own" + std::to_string(number) + "\":1}";
  }
  [[nodiscard]] std::size_t count_in(std::span<takt::BusCounts> counts) override {
    counts[0].name[0] = static_cast<char>('0' + number);
    return 1;
  }

  int started = 0, heard = 0;
  SimTime published;
  std::pair<std::uint32_t, std::uint64_t> disturbed;
};

}  // namespace

TEST_CASE("several ports are one") {
  auto first = std::make_unique<Part<0>>();
  auto second = std::make_unique<Part<1>>();
  auto third = std::make_unique<Part<2>>();
  auto [a, b, c] = std::tie(*first, *second, *third);
  const auto port = takt::join_ports(std::move(first), std::move(second), std::move(third));
  port->start();
  std::array<double, 3> inputs{9, 9, 9};
  port->latch({}, {}, inputs);
  CHECK(inputs == std::array<double, 3>{0, 1, 2});
  port->publish(SimTime{5}, {}, nullptr);
  CHECK((a.started + b.started + c.started == 3 && c.published == SimTime{5}));
  CHECK((port->sends_from(2) && !port->sends_from(3)));
  CHECK(port->sent() == std::vector<std::size_t>{0, 1, 2, 7});
  port->disturb(4, 99);  // one of the first, two of the second, then the second of the third
  CHECK(port->outside_faults().size() == 6);
  CHECK((c.disturbed == std::pair<std::uint32_t, std::uint64_t>{1, 99} && b.disturbed.second == 0));
  CHECK(port->problem() == "problem 0; problem 2");
  CHECK(port->events().front().text == "2");
  CHECK(port->statistics_json() == R"({"buses":[{"name":"0"},{"name":"1"},{"name":"2"}],"own0":1,"own1":1,"own2":1})");
  std::array<takt::BusCounts, 3> counts;
  CHECK((port->count_in(counts) == 3 && counts[2].name[0] == '2'));
  CHECK(port->safe_sender() == nullptr);
  int beats = 0;
  const takt::StepSurroundings around{.beat = [&] { ++beats; }};
  CHECK(port->take_start_steps(around).empty());  // of the second one beat, of the third two
  CHECK((a.heard == 3 && beats == 3));
  CHECK(port->take_stop_steps(around).empty());
  CHECK((a.heard == 6 && b.heard + c.heard == 0));
  CHECK(takt::join_ports(std::make_unique<Part<0>>(), std::unique_ptr<Part<1>>()) == nullptr);
}

TEST_CASE("each kind gets the settings of its own buses, and of those that nobody has") {
  const takt::IoOptions all{.paced = true, .overrides = {{"can0.port", "1"}, {"lab.peer", "2"}, {"else", "3"}}};
  const auto kept = takt::without_buses(all, {"can0", "can1"});
  REQUIRE(kept.overrides.size() == 2);
  CHECK((kept.overrides[0].first == "lab.peer" && kept.overrides[1].first == "else"));
}
