#include "runtime/io/can/link/controller_errors.hpp"

#include <linux/can.h>
#include <linux/can/error.h>

#include <array>
#include <catch2/catch.hpp>
#include <map>

using namespace takt::can;
using takt::WallTime;

namespace {

using Data = std::array<std::uint8_t, 8>;

struct Seen {
  ControllerErrors errors;
  std::int64_t time = 0;
  LinkState operator()(std::uint32_t classes, Data data = {}) {
    errors.see(CAN_ERR_FLAG | classes, data, WallTime{++time});
    return errors.state();
  }
};

std::map<std::string, std::uint64_t> counts(const ControllerErrors& errors) {
  const auto list = errors.counts();
  return {list.begin(), list.end()};
}

}  // namespace

TEST_CASE("error frames tell the state of the controller") {
  Seen see;
  CHECK(see.errors.state() == LinkState::unknown);
  CHECK(see(CAN_ERR_ACK) == LinkState::unknown);
  CHECK(see(CAN_ERR_CRTL, {0, CAN_ERR_CRTL_RX_WARNING}) == LinkState::error_warning);
  CHECK(see(CAN_ERR_CRTL, {0, CAN_ERR_CRTL_TX_PASSIVE | CAN_ERR_CRTL_RX_WARNING}) == LinkState::error_passive);
  CHECK(see(CAN_ERR_CRTL, {0, CAN_ERR_CRTL_RX_OVERFLOW}) == LinkState::error_passive);
  CHECK(see(CAN_ERR_BUSOFF) == LinkState::bus_off);
  CHECK(see.errors.since() == WallTime{see.time});
  CHECK(see(CAN_ERR_LOSTARB) == LinkState::bus_off);
  CHECK(see.errors.since() == WallTime{see.time - 1});
  CHECK(see(CAN_ERR_RESTARTED) == LinkState::error_active);
  CHECK(see(CAN_ERR_CRTL, {0, CAN_ERR_CRTL_TX_WARNING}) == LinkState::error_warning);
  CHECK(see(CAN_ERR_CRTL, {0, CAN_ERR_CRTL_ACTIVE}) == LinkState::error_active);
}

TEST_CASE("restarted with errors at once: the errors stand") {
  Seen see;
  CHECK(see(CAN_ERR_RESTARTED | CAN_ERR_CRTL, {0, CAN_ERR_CRTL_TX_PASSIVE}) == LinkState::error_passive);
}

TEST_CASE("error frames are counted by what they say") {
  Seen see;
  (void)see(CAN_ERR_ACK | CAN_ERR_BUSERROR | CAN_ERR_CNT, {0, 0, 0, 0, 0, 0, 96, 3});
  (void)see(CAN_ERR_CNT | CAN_ERR_CRTL, {0, CAN_ERR_CRTL_RX_OVERFLOW, 0, 0, 0, 0, 8, 120});
  (void)see(CAN_ERR_CRTL, {0, CAN_ERR_CRTL_TX_OVERFLOW, 0, 0, 0, 0, 255, 255});  // without CAN_ERR_CNT no counters
  (void)see(CAN_ERR_BUSOFF | CAN_ERR_TX_TIMEOUT);
  (void)see(CAN_ERR_LOSTARB);
  auto found = counts(see.errors);
  CHECK((found["error_frames"] == 5 && found["bus_off"] == 1 && found["no_acknowledge"] == 1));
  CHECK((found["bus_errors_seen"] == 1 && found["lost_arbitration"] == 1 && found["send_timeouts"] == 1));
  CHECK((found["receive_overflows"] == 1 && found["send_overflows"] == 1));
  CHECK((found["error_counter_sent_most"] == 96 && found["error_counter_received_most"] == 120));
  CHECK_FALSE(counts(see.errors).contains("restarted"));
}
