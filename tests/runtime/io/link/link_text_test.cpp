#include <catch2/catch.hpp>

#include "runtime/io/can/link/link.hpp"

using namespace takt::can;

namespace {

Link controller(std::uint32_t bitrate, std::uint16_t sample_point, std::uint32_t quanta) {
  Link link;
  link.name = "can0";
  link.kind = "can";
  BitTimingInEffect timing;
  timing.bitrate = bitrate, timing.sample_point = sample_point, timing.quanta = quanta;
  link.nominal = timing;
  return link;
}

LinkSettings rates(BitTiming nominal, BitTiming data = {}) {
  LinkSettings settings;
  settings.nominal = nominal;
  settings.data = data;
  return settings;
}

}  // namespace

TEST_CASE("what an interface has otherwise is named") {
  const Link link = controller(500'000, 875, 16);
  CHECK(differences(link, {}).empty());
  CHECK(differences(link, rates({500'000, 875})).empty());
  CHECK(differences(link, rates({500'000, 0})).empty());
  CHECK(differences(link, rates({250'000, 0})) == "bit rate 500 kbit/s, not 250 kbit/s");
  CHECK(differences(link, rates({502'000, 0})).empty());  // 0.4 %
  CHECK_FALSE(differences(link, rates({503'000, 0})).empty());
  CHECK(differences(link, rates({500'000, 850})).empty());  // within half of a sixteenth
  CHECK(differences(link, rates({500'000, 837})) == "sample point 87.5 %, not 83.7 %");
  CHECK(differences(link, rates({500'000, 800})) == "sample point 87.5 %, not 80 %");
  CHECK(differences(controller(500'000, 0, 0), rates({500'000, 800})).empty());  // the driver does not say
  CHECK(differences(link, rates({500'000, 0}, {2'000'000, 0})) ==
        "no data bit rate, not 2 Mbit/s, classic CAN, not CAN FD");
  Link unset = link;
  unset.nominal.reset();
  CHECK(differences(unset, rates({500'000, 0})) == "no bit rate, not 500 kbit/s");
  LinkSettings listening;
  listening.listen_only = 1, listening.one_shot = 0;
  CHECK(differences(link, listening) == "not listen-only");
  LinkSettings ended;
  ended.termination = 120;
  CHECK(differences(link, ended) == "no termination that the driver could switch");
  Link open = link;
  open.termination = 0;
  CHECK(differences(open, ended) == "termination 0 ohm, not 120 ohm");
  LinkSettings stays_off;
  stays_off.restart_ms = 0;
  Link restarting = link;
  restarting.restart_ms = 100;
  CHECK(differences(link, stays_off).empty());
  CHECK(differences(restarting, stays_off) == "a restart by the driver 100 ms after bus-off, not none");
  CHECK(options_text(stays_off) == "--restart 0ms");
  Link other;
  other.kind = "vcan";
  CHECK(differences(other, rates({500'000, 875})).empty());
}

TEST_CASE("settings become options of the command that sets them") {
  LinkSettings settings = rates({500'000, 875}, {2'000'000, 800});
  settings.restart_ms = 100, settings.termination = 120, settings.listen_only = 1;
  CHECK(options_text(settings) ==
        "--bitrate 500000 --sample-point 0.875 --data-bitrate 2000000 --data-sample-point 0.8 --restart 100ms "
        "--termination 120 --listen-only");
  CHECK(options_text({}).empty());
  CHECK_FALSE(LinkSettings{}.says_something());
}
