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
  for (const char* text : {"123#0102FF", "1FFFFFFF#", "123#R", "123#R4", "123##1AABB", "123##0"})
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
  CHECK(reader.read("   2.501000 1 ErrorFrame", logged) == Line::event);
  CHECK(reader.read("   1.015991 1  Statistic: D 0 R 0 XD 0 XR 0 E 0 O 0 B 0.00%", logged) == Line::event);
  CHECK(reader.read("   0.000000 Start of measurement", logged) == Line::event);
  CHECK(reader.read("   1.0 1  20Z   Rx d 1 16", logged) == Line::not_understood);
  CHECK(reader.read("base dec", logged) == Line::head);
  REQUIRE(reader.read(" 1.0 1  200 Rx d 1 16", logged) == Line::frame);
  CHECK((logged.frame.id == 200 && logged.frame.data[0] == 16));
}

TEST_CASE("a DLC above 8 is one of 8 bytes; CAN FD has no remote frames") {
  LogReader reader;
  LoggedFrame logged;
  REQUIRE(reader.read("(1.0) can0 123#0102030405060708_D", logged) == Line::frame);
  CHECK((logged.frame.len == 8 && logged.frame.data[7] == 8));
  REQUIRE(reader.read("(1.0) can0 123#R8_F", logged) == Line::frame);
  CHECK((logged.frame.remote && logged.frame.len == 8));
  for (const char* wrong : {"123#0102_9", "123#0102030405060708_8", "123#0102030405060708_G", "123##0R", "123#R9"})
    CHECK(reader.read(std::string("(1.0) can0 ") + wrong, logged) == Line::not_understood);
  CHECK(reader.read("(1.0) can0 20000004#0004000000000000", logged) == Line::event);  // an error frame
  REQUIRE(reader.read("base hex  timestamps absolute", logged) == Line::head);
  REQUIRE(reader.read(" 1.0 1  123  Rx   d D 01 02 03 04 05 06 07 08", logged) == Line::frame);
  CHECK((logged.frame.len == 8 && logged.frame.data[7] == 8));
  REQUIRE(reader.read(" 1.0 1  123  Rx   r 4  Length = 0", logged) == Line::frame);
  CHECK((logged.frame.remote && logged.frame.len == 4));
  REQUIRE(reader.read(" 1.0 CANFD 1 Rx 300 0 0 4 0 0 0 1010 0", logged) == Line::frame);
  CHECK((logged.frame.remote && !logged.frame.fd && logged.frame.len == 4));
  REQUIRE(reader.read(" 1.0 CANFD 1 Rx 300x 1 0 d 32 00 01 02 03 04 05 06 07 08 09 0A 0B 0C 0D 0E 0F 10 11 12 13 14 15 "
                      "16 17 18 19 1A 1B 1C 1D 1E 1F 100 200 3000 0",
                      logged) == Line::frame);
  CHECK((logged.frame.fd && logged.frame.brs && logged.frame.extended && logged.frame.len == 32));
  REQUIRE(reader.read(" 1.0 CANFD 1 Rx 300 0 0 2 2 AA BB 100 200 200040 0", logged) == Line::frame);
  CHECK((!logged.frame.fd && logged.frame.len == 2));  // a classic frame among the others
}

TEST_CASE("candump's table, JSON lines and relative times are read") {
  LogReader reader;
  LoggedFrame logged;
  REQUIRE(reader.read(" (1436509052.249713)  vcan0  044   [3]  2A 36 6C", logged) == Line::frame);
  CHECK((logged.time_s == Approx(1436509052.249713) && logged.channel == "vcan0" && logged.frame.len == 3));
  REQUIRE(reader.read("  can0  18FEF100  [04]  01 02 03 04", logged) == Line::frame);
  CHECK((logged.frame.fd && logged.frame.extended && logged.frame.len == 4));
  REQUIRE(reader.read("  can0  123   [2]  remote request", logged) == Line::frame);
  CHECK((logged.frame.remote && logged.frame.len == 2));
  CHECK(reader.read("  can0  123   [3]  01 02", logged) == Line::not_understood);
  REQUIRE(reader.read(R"({"time_s":1.5,"channel":"can1","frame":"123##1AABB","signals":{}})", logged) == Line::frame);
  CHECK((logged.time_s == 1.5 && logged.channel == "can1" && logged.frame.fd && logged.frame.len == 2));
  CHECK(reader.read(R"({"time_s":1.5})", logged) == Line::not_understood);
  CHECK(reader.read("{", logged) == Line::not_understood);
  REQUIRE(reader.read("base hex  timestamps relative", logged) == Line::head);
  REQUIRE(reader.read("0.5 1 123 Rx d 1 01", logged) == Line::frame);
  REQUIRE(reader.read("0.25 1 123 Rx d 1 01", logged) == Line::frame);
  CHECK(logged.time_s == 0.75);
}

TEST_CASE("what is no log is not understood, and known formats have a name") {
  LogReader reader;
  LoggedFrame logged;
  for (const char* line :
       {";$FILEVERSION=2.1", "timestamp,arbitration_id,extended", "     1)     17535.4  Tx", "LOGG", "x"})
    CHECK(reader.read(line, logged) == Line::not_understood);
  CHECK(foreign_log(";$FILEVERSION=2.1") == "PEAK TRC");
  CHECK(foreign_log("LOGG\x90") == "Vector BLF");
  CHECK(foreign_log("(1.0) can0 1#").empty());
}
