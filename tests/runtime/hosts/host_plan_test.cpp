// Who computes what: as the rig says, or as is proposed.

#include "runtime/hosts/host_plan.hpp"

#include <catch2/catch.hpp>
#include <memory>
#include <set>

#include "runtime/hosts/link_memory.hpp"
#include "runtime/hosts/propose.hpp"
#include "tests/runtime/support/random_network.hpp"

using namespace takt;
using hosts::plan_hosts;

namespace {

struct Chain {
  std::vector<SubsystemDescription> subsystems;
  std::vector<ExchangePlan> exchanges;
  std::vector<WindowPlan> windows;
  std::vector<std::string> names;

  /// Each is coupled with the next, but for those at `gaps`.
  Chain(std::uint16_t count, const std::vector<std::uint16_t>& gaps) {
    for (std::uint16_t i = 0; i < count; ++i) names.emplace_back("s").append(std::to_string(i));
    for (std::uint16_t i = 0; i < count; ++i) {
      SubsystemDescription s{};
      s.name = names[i].c_str(), s.period_ns = 1'000'000, s.step_ns = 1'000'000;
      subsystems.push_back(s);
      windows.push_back({.subsystem = i, .core = 0, .period_ns = 1'000'000, .group = 0});
      if (i + 1 == count || std::find(gaps.begin(), gaps.end(), i) != gaps.end()) continue;
      ExchangePlan e{};
      e.producer = i, e.consumer = static_cast<std::uint16_t>(i + 1), e.period_ns = 1'000'000;
      exchanges.push_back(e);
    }
  }
  [[nodiscard]] PlantDescription description() const {
    PlantDescription plant{};
    plant.macro_step_ns = 1'000'000;
    plant.subsystems = subsystems, plant.exchanges = exchanges, plant.windows = windows;
    return plant;
  }
};

std::string refusal(const PlantDescription& plant, const HostsSettings& settings, std::string_view own = "") {
  try {
    (void)plan_hosts(plant, settings, own);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "taken";
}

}  // namespace

TEST_CASE("hosts compute what the rig names, by pattern; one takes the rest") {
  const Chain chain(5, {});
  const std::array<const char*, 2> some{"s[4]", "s3"};
  const std::array<const char*, 1> pattern{"s*"}, nobody{"t*"}, one{"s1"}, last{"s4"};
  const std::array<HostSettings, 2> two{{{.name = "a", .computes = {}}, {.name = "b", .computes = one}}};
  const auto plan = plan_hosts(chain.description(), {.list = two}, "b");
  CHECK(plan.placement == Placement{0, 1, 0, 0, 0});
  CHECK(plan.own == 1);
  CHECK(!plan.leads());
  CHECK(plan.elsewhere() == std::vector<bool>{true, false});
  CHECK(refusal(chain.description(), {.list = two}, "c").find("no host 'c'; it has a, b") != std::string::npos);
  const auto with = [&](std::span<const char* const> first, std::span<const char* const> second) {
    const std::array<HostSettings, 2> list{{{.name = "a", .computes = first}, {.name = "b", .computes = second}}};
    return refusal(chain.description(), {.list = list});
  };
  CHECK(with({}, {}).find("both compute what is left") != std::string::npos);
  CHECK(with(pattern, one).find("s1 is computed by host a and by host b") != std::string::npos);
  CHECK(with(one, last).find("no host computes s0") != std::string::npos);
  CHECK(with(nobody, {}).find("has no such subsystem") != std::string::npos);
  CHECK(with(some, {}).find("has no such subsystem") != std::string::npos);  // [4] is no pattern
  CHECK(with(pattern, {}).find("host b has nothing to compute") != std::string::npos);
}

TEST_CASE("an even share cuts no more couplings than it must") {
  const std::vector<double> even(12, 1.0);
  const Chain chain(12, {});
  for (const std::size_t count : {2, 3, 4}) {
    const Placement placement = hosts::share_evenly(chain.description(), even, count);
    const hosts::Cut cut = hosts::cut_of(chain.description(), even, placement);
    CHECK(cut.couplings == count - 1);
    REQUIRE(cut.shares.size() == count);
    for (const double share : cut.shares) CHECK(share == Approx(1.0 / static_cast<double>(count)));
    CHECK(cut.shortest_ns == 1'000'000);
  }
  const Chain apart(12, {2, 5, 8});  // four chains of three
  const Placement placement = hosts::share_evenly(apart.description(), even, 4);
  const hosts::Cut cut = hosts::cut_of(apart.description(), even, placement);
  CHECK(cut.couplings == 0);
  CHECK(cut.shortest_ns == 0);
  std::vector<double> uneven{8.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0};  // one is as heavy as all others
  const Chain nine(9, {});
  const hosts::Cut heavy =
      hosts::cut_of(nine.description(), uneven, hosts::share_evenly(nine.description(), uneven, 2));
  CHECK(heavy.couplings == 1);
  CHECK(heavy.shares[0] == Approx(0.5));
  const Placement each = hosts::share_evenly(nine.description(), uneven, 9);
  CHECK(std::set<std::uint16_t>(each.begin(), each.end()).size() == 9);
}

TEST_CASE("messages come out of shared memory as they went in, also where the ring comes round") {
  const auto memory = std::make_unique<hosts::LinkMemory>();
  hosts::MessageWriter writer(memory->sent);
  hosts::MessageReader reader(memory->sent);
  std::vector<std::byte> got;
  CHECK(!reader.try_take(got));
  std::size_t sent = 0, taken = 0;
  const auto message = [](std::size_t number) {
    std::vector<std::byte> bytes((number * 7919) % 200'003);
    for (std::size_t i = 0; i < bytes.size(); i += 101) bytes[i] = static_cast<std::byte>(number + i);
    return bytes;
  };
  while (taken < 2000) {
    while (sent < 2000 && writer.try_put(message(sent))) ++sent;
    const std::size_t before = taken;
    for (; taken < sent && taken < before + 37; ++taken) {
      REQUIRE(reader.try_take(got));
      REQUIRE(got == message(taken));
    }
  }
  CHECK(!reader.try_take(got));
}
