#include "runtime/io/can/frame_faults.hpp"

#include <catch2/catch.hpp>

#include "runtime/io/can/bus_faults.hpp"
#include "runtime/io/can/protect/settings.hpp"

using namespace takt::can;
using takt::WallTime;
using Kind = FrameFault::Kind;

namespace {

constexpr std::int64_t ms = 1'000'000;
constexpr MessageInfo classic{
    .name = "Classic", .id = 0x10, .extended = false, .fd = false, .length = 4, .period_ns = 0};
constexpr MessageInfo wide{.name = "Wide", .id = 0x18FF00, .extended = true, .fd = true, .length = 32, .period_ns = 0};

constexpr std::array<RawRange, 2> pages{{{3, 4}, {9, 9}}};
using Type = SignalBits::Type;
constexpr std::array<SignalBits, 5> signals{{
    {.name = "Page",
     .start = 0,
     .length = 4,
     .big_endian = false,
     .type = Type::unsigned_integer,
     .factor = 1,
     .offset = 0},
    {.name = "Level",
     .start = 13,
     .length = 11,
     .big_endian = true,
     .type = Type::signed_integer,
     .factor = 0.5,
     .offset = 0,
     .chosen_by = 0,
     .pages = pages},
    {.name = "Ratio", .start = 32, .length = 32, .big_endian = false, .type = Type::float32, .factor = 1, .offset = 0},
    {.name = "Long",
     .start = 64,
     .length = 64,
     .big_endian = false,
     .type = Type::signed_integer,
     .factor = 1,
     .offset = 0},
    {.name = "Wide",
     .start = 128,
     .length = 40,
     .big_endian = false,
     .type = Type::unsigned_integer,
     .factor = 1,
     .offset = 0},
}};
constexpr MessageInfo paged{
    .name = "Paged", .id = 0x11, .extended = false, .fd = true, .length = 24, .period_ns = 0, .signals = signals};

Frame page_of(std::uint8_t page) {
  Frame frame = make_frame(paged);
  frame.data.fill(0xA0);
  frame.data[0] = static_cast<std::uint8_t>(0xA0U | page);
  return frame;
}

Frame numbered(std::uint8_t number) {
  Frame frame = make_frame(classic);
  frame.data[0] = number;
  return frame;
}

}  // namespace

TEST_CASE("faults are read from words and written as such") {
  const auto read = [](const char* text) { return parse_frame_fault(text, classic); };
  CHECK((read("drop").kind == Kind::drop && read("drop").frames == 0));
  CHECK((read(" drop  x5 ").kind == Kind::drop && read("drop x5").frames == 5));
  CHECK((read("delay 20 ms").amount == 20'000 && read("delay 20 ms x2").frames == 2));
  CHECK((read("length 2").amount == 2 && read("id 0x123").amount == 0x123 && read("id 12 x1").frames == 1));
  CHECK(parse_frame_fault("length 12", wide).amount == 12);
  CHECK(parse_frame_fault("id 0x1FFFFFFF", wide).amount == 0x1FFFFFFF);
  CHECK(frame_fault_text(read("delay 20 ms x2"), classic) == "delay 20000 us x2");
  CHECK((read("reorder").kind == Kind::reorder && read("freeze").kind == Kind::freeze));
  const auto again = [](const char* text) { return frame_fault_text(parse_frame_fault(text, paged), paged); };
  CHECK((parse_frame_fault("freeze Level", paged).kind == Kind::freeze_signal &&
         again("freeze Level") == "freeze Level"));
  CHECK(again("value Level -3.5 x7") == "value Level -3.5 x7");
  CHECK(again("value Ratio 0.25") == "value Ratio 0.25");
}

TEST_CASE("wrong words are refused, with what would do") {
  const auto refused = [](const char* text, const MessageInfo& message, const char* wanted) {
    INFO(text);
    CHECK_THROWS_WITH(parse_frame_fault(text, message), Catch::Contains(wanted));
  };
  refused("", classic, "none of drop");
  refused("lose", classic, "'lose' is none of drop");
  refused("drop x0", classic, "drop x5");
  refused("drop xa", classic, "drop x5");
  refused("drop 5", classic, "x5 meets five frames");
  refused("delay", classic, "");
  refused("delay 0 ms", classic, "longer than 0 s");
  refused("delay 2 V", classic, "");
  refused("length 9", classic, "0 to 8 bytes");
  refused("length 13", wide, "12, 16");
  refused("length", classic, "0 to 8 bytes");
  refused("drop x1024", classic, "1 to 1023");
  refused("reorder 2", classic, "means nothing");
  refused("freeze Levle", paged, "did you mean");
  refused("value", paged, "no signal ''");
  refused("value Level", paged, "value Level 12.5");
  refused("value Level 30 %", paged, "value Level 12.5");
  refused("value Level 600", paged, "cannot have the value 600");
  refused("value Ratio inf", paged, "cannot have the value");
  refused("value Wide 4294967296", paged, "32 bits");
  refused("value Long -2147483649", paged, "32 bits");
  refused("id 0x800", classic, "11 bits");
  refused("id 0x00000800 ms", classic, "of 29 bits: id 0x00000123");
  refused("id 0x20000000", classic, "11 bits");
  refused("id 0x000000012", classic, "11 bits: id 0x123");
  refused("id 0x20000000", wide, "29 bits");
}

TEST_CASE("a signal whose name begins as a number of frames does is a signal") {
  constexpr std::array<SignalBits, 1> of_x{{{.name = "x_acc",
                                             .start = 0,
                                             .length = 8,
                                             .big_endian = false,
                                             .type = Type::unsigned_integer,
                                             .factor = 1,
                                             .offset = 0}}};
  MessageInfo message = classic;
  message.signals = of_x;
  CHECK(parse_frame_fault("freeze x_acc", message).kind == Kind::freeze_signal);
  CHECK(parse_frame_fault("freeze x_acc x3", message).frames == 3);
  CHECK((parse_frame_fault("freeze x3", message).kind == Kind::freeze &&
         parse_frame_fault("freeze x3", message).frames == 3));
}

TEST_CASE("what a fault cannot say, or protection would write again, is refused") {
  constexpr std::array<SignalBits, 2> two{{{.name = "Alive",
                                            .start = 16,
                                            .length = 8,
                                            .big_endian = false,
                                            .type = Type::unsigned_integer,
                                            .factor = 1,
                                            .offset = 0},
                                           {.name = "Double",
                                            .start = 64,
                                            .length = 64,
                                            .big_endian = false,
                                            .type = Type::float64,
                                            .factor = 1,
                                            .offset = 0}}};
  static constexpr Protection profile_5 = make_protection({.profile = Profile::p05, .length = 16, .data_id = 1});
  MessageInfo message = wide;
  message.signals = two;
  CHECK(parse_frame_fault("value Alive 3", message).kind == Kind::value);
  CHECK_THROWS_WITH(parse_frame_fault("value Double 1e39", message), Catch::Contains("single precision"));
  message.protection = &profile_5;  // its counter is byte 2
  CHECK_THROWS_WITH(parse_frame_fault("value Alive 3", message), Catch::Contains("checksum and counter are for them"));
  CHECK_THROWS_WITH(parse_frame_fault("freeze Alive", message), Catch::Contains("checksum and counter are for them"));
  CHECK(parse_frame_fault("freeze Double", message).signal == 1);
}

TEST_CASE("a fault meets as many frames as it says, of its message only") {
  FrameFaults faults({&classic, &classic});
  faults.inject(1, {.kind = Kind::drop, .amount = 0, .frames = 2});
  CHECK(faults.meet(0, numbered(1), {}).count == 1);
  CHECK(faults.meet(1, numbered(1), {}).count == 0);
  CHECK(faults.meet(1, numbered(2), {}).count == 0);
  CHECK(faults.meet(1, numbered(3), {}).count == 1);
  CHECK((faults.met(0) == 0 && faults.met(1) == 2));
  faults.inject(1, {.kind = Kind::drop, .amount = 0, .frames = 2});  // the same again
  CHECK(faults.meet(1, numbered(4), {}).count == 0);
  faults.clear(1);
  CHECK(faults.meet(1, numbered(5), {}).count == 1);
  CHECK(faults.met(1) == 3);
}

TEST_CASE("without a number a fault stays until it is cleared") {
  FrameFaults faults({&classic});
  faults.inject(0, {.kind = Kind::duplicate});
  for (std::uint8_t k = 0; k < 100; ++k) {
    const auto outcome = faults.meet(0, numbered(k), {});
    CHECK((outcome.count == 2 && outcome.frames[0].data[0] == k && outcome.frames[1].data[0] == k));
  }
  faults.clear(0);
  CHECK(faults.meet(0, numbered(0), {}).count == 1);
}

TEST_CASE("frames get another length or id, and keep the rest") {
  FrameFaults faults({&classic});
  faults.inject(0, {.kind = Kind::length, .amount = 2});
  CHECK((faults.meet(0, numbered(7), {}).frames[0].len == 2 && faults.meet(0, numbered(7), {}).frames[0].id == 0x10));
  faults.inject(0, {.kind = Kind::id, .amount = 0x7FF});
  const auto outcome = faults.meet(0, numbered(7), {});
  CHECK((outcome.count == 1 && outcome.frames[0].id == 0x7FF && outcome.frames[0].data[0] == 7));
}

TEST_CASE("delayed frames come when they are due, in their order; others may pass them") {
  FrameFaults faults({&classic, &classic});
  faults.inject(0, {.kind = Kind::delay, .amount = 20'000});
  faults.inject(1, {.kind = Kind::delay, .amount = 5'000});
  CHECK(faults.meet(0, numbered(1), WallTime{0}).count == 0);
  CHECK(faults.meet(0, numbered(2), WallTime{0}).count == 0);
  CHECK(faults.meet(1, numbered(3), WallTime{10 * ms}).count == 0);
  Frame frame;
  CHECK_FALSE(faults.take_delayed(WallTime{14 * ms}, frame));
  REQUIRE(faults.take_delayed(WallTime{15 * ms}, frame));
  CHECK(frame.data[0] == 3);
  CHECK_FALSE(faults.take_delayed(WallTime{19 * ms}, frame));
  REQUIRE(faults.take_delayed(WallTime{20 * ms}, frame));
  CHECK(frame.data[0] == 1);
  REQUIRE(faults.take_delayed(WallTime{20 * ms}, frame));
  CHECK(frame.data[0] == 2);
  CHECK_FALSE(faults.take_delayed(WallTime{60'000 * ms}, frame));
}

TEST_CASE("more delayed frames than there is room for are lost, counted") {
  FrameFaults faults({&classic});
  faults.inject(0, {.kind = Kind::delay, .amount = 1'000});
  for (std::size_t k = 0; k < FrameFaults::most_delayed + 3; ++k) CHECK(faults.meet(0, numbered(0), {}).count == 0);
  CHECK(faults.lost() == 3);
  std::size_t taken = 0;
  for (Frame frame; faults.take_delayed(WallTime{ms}, frame);) ++taken;
  CHECK(taken == FrameFaults::most_delayed);
}

TEST_CASE("reordered frames leave in pairs, the newer first; none is lost when the fault is over") {
  FrameFaults faults({&classic});
  faults.inject(0, {.kind = Kind::reorder});
  CHECK(faults.meet(0, numbered(1), {}).count == 0);
  auto outcome = faults.meet(0, numbered(2), {});
  CHECK((outcome.count == 2 && outcome.frames[0].data[0] == 2 && outcome.frames[1].data[0] == 1));
  CHECK(faults.meet(0, numbered(3), {}).count == 0);
  faults.clear(0);
  outcome = faults.meet(0, numbered(4), {});
  CHECK((outcome.count == 2 && outcome.frames[0].data[0] == 4 && outcome.frames[1].data[0] == 3));
  CHECK(faults.met(0) == 3);
}

TEST_CASE("a frame that another has passed comes when that one comes") {
  FrameFaults faults({&classic});
  faults.inject(0, {.kind = Kind::reorder});
  Frame early = numbered(1), late = numbered(2);
  early.stamp = WallTime{ms}, late.stamp = WallTime{5 * ms};
  CHECK(faults.meet(0, early, early.stamp).count == 0);
  const auto outcome = faults.meet(0, late, late.stamp);
  CHECK((outcome.frames[1].data[0] == 1 && outcome.frames[1].stamp == late.stamp));
}

TEST_CASE("a fault of a signal meets the frames that carry it") {
  FrameFaults faults({&paged});
  const auto level_of = [&](std::uint8_t page) {
    Frame frame = page_of(page);
    faults.alter(0, frame);
    return frame.data != page_of(page).data;
  };
  faults.inject(0, parse_frame_fault("value Level -3.5 x2", paged));
  CHECK((level_of(4) && !level_of(5) && !level_of(5) && level_of(9) && !level_of(4)));
  CHECK(faults.met(0) == 2);
}

TEST_CASE("a frozen message repeats the first frame that the fault has met") {
  FrameFaults faults({&classic});
  faults.inject(0, {.kind = Kind::freeze, .frames = 2});
  CHECK(faults.meet(0, numbered(5), {}).frames[0].data[0] == 5);
  CHECK(faults.meet(0, numbered(6), {}).frames[0].data[0] == 5);
  CHECK(faults.meet(0, numbered(7), {}).frames[0].data[0] == 7);
  faults.inject(0, {.kind = Kind::freeze});
  CHECK(faults.meet(0, numbered(8), {}).frames[0].data[0] == 8);
}

TEST_CASE("signals get another value or stand still, where they are in the frame; the other bits stay") {
  FrameFaults faults({&paged});
  const auto altered = [&](Frame frame) {
    faults.alter(0, frame);
    return frame;
  };
  faults.inject(0, parse_frame_fault("value Level -3.5", paged));
  Frame wanted = page_of(4);
  // -7 in 11 bits is 0x7F9: 111111 in the lower six bits of byte 1, 11001 in the upper five of byte 2.
  wanted.data[1] = 0xA0U | 0x3FU, wanted.data[2] = 0xC8U;
  CHECK(altered(page_of(4)).data == wanted.data);
  CHECK(altered(page_of(5)).data == page_of(5).data);  // it is not on this page
  Frame cut = page_of(4);
  cut.len = 2;
  CHECK(altered(cut).data == cut.data);
  faults.inject(0, parse_frame_fault("value Ratio 0.25", paged));
  const Frame ratio = altered(page_of(5));
  CHECK((ratio.data[4] == 0 && ratio.data[5] == 0 && ratio.data[6] == 0x80 && ratio.data[7] == 0x3E &&
         ratio.data[8] == 0xA0));
  faults.inject(0, parse_frame_fault("value Long -2147483648", paged));
  CHECK(get_raw(signals[3], altered(page_of(5)).data.data()) == 0xFFFF'FFFF'8000'0000U);
  faults.inject(0, parse_frame_fault("freeze Page x2", paged));
  CHECK(altered(page_of(1)).data == page_of(1).data);
  CHECK(altered(page_of(2)).data == page_of(1).data);
  CHECK(altered(page_of(3)).data == page_of(3).data);
  CHECK(faults.meet(0, page_of(3), {}).count == 1);
}

TEST_CASE("a word that nobody has packed does no more than a fault may") {
  for (const std::uint64_t kind : {1U, 2U, 3U, 4U, 5U, 6U, 7U, 8U, 9U, 10U, 11U, 12U, 15U}) {
    FrameFaults faults({&classic});
    faults.inject(0, frame_fault_of(kind << 60U | 0xFFFF'FFFFU));
    Frame frame;
    frame.len = 8;
    const auto outcome = faults.meet(0, frame, WallTime{});
    CHECK(outcome.count <= 2);
    for (std::size_t k = 0; k < outcome.count; ++k) {
      CHECK(outcome.frames[k].len <= 8);
      CHECK(outcome.frames[k].id <= (outcome.frames[k].extended ? 0x1FFFFFFFU : 0x7FFU));
    }
    faults.alter(0, frame);
    if (kind > std::uint64_t{static_cast<std::uint8_t>(FrameFault::last_kind)}) CHECK(faults.met(0) == 0);
  }
}

TEST_CASE("eight hexadecimal digits are an id of 29 bits, of any value, and stay so in words") {
  Frame frame;
  const auto babbled = [&](const char* text) {
    BusFaults faults(0);
    faults.inject(0, parse_bus_fault(text));
    REQUIRE(faults.babbles(WallTime{1'000 * ms}, frame));
    return bus_fault_text(parse_bus_fault(text));
  };
  CHECK(babbled("babble 0x00000123 1 ms") == "babble 0x00000123 1000 us");
  CHECK((frame.extended && frame.id == 0x123));
  CHECK(babbled("babble 0x123 1 ms") == "babble 0x123 1000 us");
  CHECK((!frame.extended && frame.id == 0x123));
  CHECK(babbled("babble 00000291 1 ms") == "babble 0x123 1000 us");  // decimal
  CHECK(babbled("babble 0x800 1 ms") == "babble 0x00000800 1000 us");
  CHECK((frame.extended && frame.id == 0x800));

  FrameFaults faults({&classic});
  const auto met = [&](const char* text) {
    faults.inject(0, parse_frame_fault(text, classic));
    frame = faults.meet(0, numbered(5), {}).frames[0];
    return frame_fault_text(parse_frame_fault(text, classic), classic);
  };
  CHECK(met("id 0x00000123") == "id 0x00000123");
  CHECK((frame.extended && frame.id == 0x123));
  CHECK(met("id 0x18FF0001 x2") == "id 0x18FF0001 x2");
  CHECK((frame.extended && frame.id == 0x18FF0001));
  CHECK(met("id 291") == "id 0x123");
  CHECK((!frame.extended && frame.id == 0x123));
  MessageInfo extended = classic;
  extended.extended = true;
  FrameFaults of_extended({&extended});
  of_extended.inject(0, parse_frame_fault("id 0x12", extended));
  frame = of_extended.meet(0, make_frame(extended), {}).frames[0];
  CHECK((frame.extended && frame.id == 0x12));
  CHECK(frame_fault_text(parse_frame_fault("id 0x12", extended), extended) == "id 0x00000012");
}

TEST_CASE("a babbling node sends all its frames, also where the bus is looked at rarely") {
  BusFaults faults(0);
  faults.inject(0, parse_bus_fault("babble 0x123 100 us"));
  Frame frame;
  const auto taken = [&](WallTime now) {
    std::size_t count = 0;
    while (faults.babbles(now, frame)) ++count;
    return count;
  };
  CHECK(taken(WallTime{1'000 * ms}) == 1);
  CHECK(taken(WallTime{1'100 * ms}) == 1'000);  // the longest grid
  CHECK(taken(WallTime{9'000 * ms}) == 1);      // a thread that was held up
  CHECK(faults.babbled() == 0);
  faults.babble_left();
  CHECK(faults.babbled() == 1);
}
