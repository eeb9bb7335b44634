#include "runtime/io/can/protection_states.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>

#include "runtime/io/can/frame_faults.hpp"

using namespace takt::can;
using takt::WallTime;
using Kind = FrameFault::Kind;

namespace {

constexpr Protection profile_5 = make_protection({.profile = Profile::p05, .length = 8, .data_id = 0x1234});
constexpr Protection taking = make_protection({.profile = Profile::p05, .length = 8, .data_id = 1, .take_wrong = true});

constexpr MessageInfo message(const char* name, std::uint32_t id, const Protection* protection) {
  return {
      .name = name, .id = id, .extended = false, .fd = false, .length = 8, .period_ns = 0, .protection = protection};
}

constexpr SendPlan sent(const MessageInfo& info) {
  return {.info = info, .period_ns = 0, .on_change = false, .spacing_ns = 0, .signals = {}, .encode = nullptr};
}

/// Two pages of one message, an open one; of the rest bus one.
constexpr std::array<SendPlan, 3> sends{
    {sent(message("Pages", 1, &profile_5)), sent(message("Pages", 1, &profile_5)), sent(message("Open", 2, nullptr))}};
constexpr std::array<RestPlan, 1> rests{{{.info = message("Rest", 3, &profile_5), .delay_ns = 0}}};

BusPlan bus() {
  BusPlan plan{};
  plan.send = sends;
  plan.rest = rests;
  return plan;
}

/// The counter with which the next frame leaves.
int leaves(SendProtection& protection, std::size_t index) {
  const Frame frame;
  const Frame guarded = protection.guarded(index, frame);
  protection.passed(index, frame);
  return guarded.guarded ? guarded.data[2] : -1;
}

}  // namespace

TEST_CASE("pages of a message share a counter, other messages have their own") {
  SendProtection protection(bus());
  CHECK((leaves(protection, 0) == 0 && leaves(protection, 1) == 1 && leaves(protection, 0) == 2));
  CHECK((leaves(protection, 3) == 0 && leaves(protection, 3) == 1));
  CHECK(leaves(protection, 2) == -1);
}

TEST_CASE("a frame that has not left gives its counter to the next, one that is guarded keeps what it has") {
  SendProtection protection(bus());
  CHECK((leaves(protection, 0) == 0 && protection.guarded(0, Frame{}).data[2] == 1));
  const Frame guarded = protection.guarded(0, Frame{});
  CHECK(protection.guarded(0, guarded).data == guarded.data);
  protection.passed(0, guarded);
  CHECK(leaves(protection, 0) == 1);
  CHECK(protection.repeated(0, Frame{}).data[2] == 1);
  CHECK(leaves(protection, 0) == 2);
  protection.restart(1);
  CHECK(protection.repeated(0, Frame{}).data[2] == 255);
  CHECK(leaves(protection, 0) == 0);
}

TEST_CASE("a child that was forked goes on with the counters, and its parent after it") {
  SendProtection protection(bus());
  CHECK(leaves(protection, 0) == 0);
  const pid_t child = ::fork();
  if (child == 0) ::_exit(leaves(protection, 0) == 1 && leaves(protection, 3) == 0 ? 0 : 1);
  int status = -1;
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK(status == 0);
  CHECK((leaves(protection, 0) == 2 && leaves(protection, 3) == 1));
}

TEST_CASE("the receiver counts by message, and takes what the rig says") {
  const std::array<ReceivePlan, 2> plans{
      {{.info = message("Ignores", 1, &profile_5), .timeout_ns = 0, .signals = {}, .decode = nullptr},
       {.info = message("Takes", 2, &taking), .timeout_ns = 0, .signals = {}, .decode = nullptr}}};
  ReceiveProtection receivers(plans);
  const auto comes = [&](std::size_t index, std::uint64_t counter, bool wrong = false) {
    Frame frame;
    protect(*plans.at(index).info.protection, counter, frame.data);
    frame.data[7] = wrong ? 1 : 0;
    return receivers.takes(index, frame);
  };
  CHECK((comes(0, 0) && comes(0, 1) && !comes(0, 1) && comes(0, 3) && !comes(0, 9) && comes(0, 10)));
  CHECK((!comes(0, 11, true) && comes(0, 11)));
  const auto& counts = receivers.counts(0);
  CHECK((counts.wrong_checksum == 1 && counts.repeated == 1 && counts.lost == 1 && counts.wrong_sequence == 1));
  CHECK((comes(1, 0) && comes(1, 0) && comes(1, 9) && comes(1, 1, true)));
  CHECK((receivers.counts(1).sum() == 3 && receivers.counts(0).sum() == 4));
  CHECK(receivers.repeated(0, Frame{}).data[2] == 11);
}

TEST_CASE("faults of the checksum and the counter are those of the message's protection") {
  const MessageInfo info = message("Pages", 1, &profile_5), open = message("Open", 2, nullptr);
  CHECK(parse_frame_fault("checksum x2", info).kind == Kind::checksum);
  CHECK(frame_fault_text(parse_frame_fault("counter x2", info), info) == "counter x2");
  CHECK_THROWS_WITH(parse_frame_fault("checksum", open), Catch::Contains("has no checksum that the rig knows"));
  CHECK_THROWS_WITH(parse_frame_fault("counter", open), Catch::Contains("has no counter that the rig knows"));
  FrameFaults faults({&info, &open});
  Frame frame;
  protect(profile_5, 7, frame.data);
  faults.inject(0, {.kind = Kind::checksum, .frames = 1});
  faults.inject(1, {.kind = Kind::checksum});  // from foreign memory
  const auto outcome = faults.meet(0, frame, WallTime{});
  Receiver receiver;
  CHECK((outcome.count == 1 && !outcome.counter_stands));
  CHECK(check(profile_5, receiver, outcome.frames[0].data).verdict == Verdict::wrong_checksum);
  CHECK(check(profile_5, receiver, faults.meet(0, frame, WallTime{}).frames[0].data).verdict == Verdict::initial);
  CHECK(faults.meet(1, frame, WallTime{}).frames[0].data == frame.data);
  faults.inject(0, {.kind = Kind::counter, .frames = 1});
  CHECK((faults.meet(0, frame, WallTime{}).counter_stands && !faults.meet(0, frame, WallTime{}).counter_stands));
}
