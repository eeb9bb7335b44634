#include "tools/takt/can_log.hpp"

#include <catch2/catch.hpp>

using namespace takt::tools;
using Line = LogReader::Line;

TEST_CASE("frames of the command line are read as cansend reads them") {
  const auto plain = parse_frame_text("123#0102.ff");
  REQUIRE(plain);
  CHECK((plain->id == 0x123 && !plain->extended && plain->len == 3 && plain->data[2] == 0xFF));
  CHECK(parse_frame_text("1FFFFFFF#")->extended);
  CHECK((parse_frame_text("123#R4")->remote && parse_frame_text("123#R4")->len == 4));
  const auto fd = parse_frame_text("123##100112233445566778899");
  REQUIRE(fd);
  CHECK((fd->fd && fd->brs && fd->len == 10));
  for (const char* wrong :
       {"", "123", "#11", "800#", "20000000#", "123#1", "123#xx", "123#112233445566778899", "123##"}) {
    INFO(wrong);
    CHECK_FALSE(parse_frame_text(wrong));
  }
  for (const char* text : {"123#0102FF", "1FFFFFFF#", "123#R", "123##1AABB"})
    CHECK(frame_text(*parse_frame_text(text)) == text);
}

TEST_CASE("candump and ASC lines are read") {
  LogReader reader;
  LoggedFrame logged;
  REQUIRE(reader.read("(1436509052.249713) vcan0 044#2A36", logged) == Line::frame);
  CHECK((logged.time_s == Approx(1436509052.249713) && logged.channel == "vcan0" && logged.frame.id == 0x44 &&
         logged.frame.len == 2));
  CHECK(reader.read("(1.0) vcan0 zzz", logged) == Line::not_understood);
  CHECK(reader.read("", logged) == Line::empty);
  CHECK(reader.read("base hex  timestamps absolute", logged) == Line::head);
  REQUIRE(reader.read("   3.098426 1  18EBFF00x       Rx   d 8 01 A0 0F A6 60 3B D1 40  Length = 273910", logged) ==
          Line::frame);
  CHECK((logged.frame.extended && logged.frame.id == 0x18EBFF00 && logged.frame.len == 8 &&
         logged.frame.data[1] == 0xA0));
  REQUIRE(
      reader.read("  30.005071 CANFD   3 Rx        30a  Generic_Name_12                  1 1 8  3 01 02 03   102203",
                  logged) == Line::frame);
  CHECK((logged.frame.fd && logged.frame.brs && logged.frame.id == 0x30A && logged.frame.len == 3 &&
         logged.channel == "3"));
  CHECK(reader.read("   2.501000 1 ErrorFrame", logged) == Line::not_understood);
  CHECK(reader.read("base dec", logged) == Line::head);
  REQUIRE(reader.read(" 1.0 1  200 Rx d 1 16", logged) == Line::frame);
  CHECK((logged.frame.id == 200 && logged.frame.data[0] == 16));
}
