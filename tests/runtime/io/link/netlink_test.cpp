#include "runtime/io/can/link/netlink.hpp"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <random>

#include "runtime/io/can/link/link.hpp"

using namespace takt::can;

namespace {

NetlinkAttributes attributes(const NetlinkRequest& request) {
  return NetlinkAttributes(request.bytes().subspan(sizeof(nlmsghdr) + sizeof(ifinfomsg)));
}

}  // namespace

TEST_CASE("attributes are found again, nested ones too") {
  NetlinkRequest request(RTM_NEWLINK, 3);
  request.add(IFLA_MTU, std::uint32_t{72});
  const auto outer = request.begin(IFLA_LINKINFO);
  request.add_text(IFLA_INFO_KIND, "can");  // 4 bytes with its end
  const auto inner = request.begin(IFLA_INFO_DATA);
  request.add(7, std::uint16_t{9});  // padded
  request.add(8, std::uint8_t{5});
  request.end(inner);
  request.end(outer);
  request.add(IFLA_TXQLEN, std::uint32_t{10});
  nlmsghdr header{};
  std::memcpy(&header, request.bytes().data(), sizeof header);
  CHECK(header.nlmsg_len == request.bytes().size());
  const auto all = attributes(request);
  CHECK(all.value<std::uint32_t>(IFLA_MTU) == 72U);
  CHECK(all.value<std::uint32_t>(IFLA_TXQLEN) == 10U);
  CHECK(all.inside(IFLA_LINKINFO).text(IFLA_INFO_KIND) == "can");
  const auto data = all.inside(IFLA_LINKINFO).inside(IFLA_INFO_DATA);
  CHECK(data.value<std::uint16_t>(7) == std::uint16_t{9});
  CHECK(data.value<std::uint32_t>(8) == 5U);  // shorter than asked for: zeros
  CHECK_FALSE(data.value<std::uint32_t>(9));
  CHECK_FALSE(all.value<std::uint32_t>(7));
}

TEST_CASE("a message that is too long is refused") {
  NetlinkRequest request(RTM_NEWLINK, 1);
  const std::string text(900, 'x');
  request.add_text(1, text);
  CHECK_THROWS_AS(request.add_text(2, text), std::length_error);
}

TEST_CASE("attributes that are cut short, or no attributes, are passed over") {
  NetlinkRequest request(RTM_NEWLINK, 1);
  for (std::uint16_t type = 1; type < 20; ++type) request.add(type, std::uint64_t{type});
  const auto whole = request.bytes().subspan(sizeof(nlmsghdr) + sizeof(ifinfomsg));
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const std::vector<std::byte> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    CHECK(NetlinkAttributes(part).value<std::uint64_t>(5).has_value() == (size >= 5 * 12));
  }
  std::mt19937 random(3);
  for (int k = 0; k < 20'000; ++k) {
    std::vector<std::byte> bytes(random() % 64);
    for (auto& byte : bytes) byte = static_cast<std::byte>(random() % 20);
    const auto found = NetlinkAttributes(bytes).inside(static_cast<std::uint16_t>(random() % 20)).text(3);
    CHECK(found.size() <= bytes.size());
  }
}

TEST_CASE("the kernel answers: no such interface, and one that is no CAN interface") {
  CHECK_THROWS_WITH(read_link("takt_none"), "takt_none: no such network interface");
  CHECK_THROWS_WITH(read_link("lo"), "lo: this network interface is no CAN interface");
  CHECK_THROWS_WITH(read_link("sixteen_letters_"), Catch::Contains("1 to 15 letters"));
  try {
    restart_link("takt_none");
    FAIL();
  } catch (const LinkError& error) {
    CHECK(error.error() == ENODEV);
  }
}
