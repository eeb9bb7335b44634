#include "codegen/dbc/dbc.hpp"

#include <catch2/catch.hpp>

#include "codegen/dbc/codec.hpp"
#include "codegen/dbc/dbc_bits.hpp"
#include "codegen/dbc/emit_codec.hpp"

using namespace takt::codegen;

namespace {

struct Parsed {
  Dbc dbc;
  Diagnostics diagnostics;
};

Parsed parse(const std::string& text) {
  Parsed parsed;
  parsed.dbc = parse_dbc(text, "t.dbc", parsed.diagnostics);
  return parsed;
}

const Diagnostic* find(const Parsed& parsed, std::string_view code) {
  for (const auto& diagnostic : parsed.diagnostics.all()) {
    if (diagnostic.code == code) return &diagnostic;
  }
  return nullptr;
}

std::string with_signal(const std::string& layout) { return "BO_ 5 M: 8 N\n SG_ s : " + layout + "\n"; }

}  // namespace

TEST_CASE("a little-endian signal grows upwards from its least significant bit") {
  const auto parsed = parse(with_signal("4|12@1+ (1,0) [0|0] \"\" X"));
  const auto pieces = bit_pieces(parsed.dbc.messages.at(0).signals.at(0));
  REQUIRE(pieces.size() == 2);
  CHECK((pieces[0].byte == 0 && pieces[0].low_bit == 4 && pieces[0].width == 4 && pieces[0].raw_low == 0));
  CHECK((pieces[1].byte == 1 && pieces[1].low_bit == 0 && pieces[1].width == 8 && pieces[1].raw_low == 4));
}

TEST_CASE("a big-endian signal goes down from its most significant bit") {
  const auto parsed = parse(with_signal("3|12@0- (0.5,-1) [0|0] \"\" X"));
  const auto& message = parsed.dbc.messages.at(0);
  // byte 0 bits 3..0 hold raw bits 11..8, byte 1 raw bits 7..0; 0xF85 is -123
  const std::vector<std::uint8_t> data{0x0F, 0x85, 0, 0, 0, 0, 0, 0};
  CHECK(raw_bits(message.signals[0], data) == 0xF85);
  CHECK(decode_message(message, data).at(0) == -123 * 0.5 - 1);
}

TEST_CASE("sending saturates at the raw range and never wraps") {
  const auto parsed = parse(with_signal("0|8@1- (1,0) [0|0] \"\" X"));
  const auto& message = parsed.dbc.messages.at(0);
  const auto sent = [&](double value) { return encode_message(message, {value}).at(0); };
  CHECK(sent(127) == 0x7F);
  CHECK(sent(128) == 0x7F);
  CHECK(sent(1e30) == 0x7F);
  CHECK(sent(-129) == 0x80);
  CHECK(sent(-1e30) == 0x80);
  CHECK(sent(-0.5) == 0xFF);  // halves go away from zero
  CHECK(sent(std::nan("")) == 0);
}

TEST_CASE("the nearest whole number is not that of x + 0.5") {
  CHECK(takt::can::nearest(0.49999999999999994) == 0.0);
  CHECK(takt::can::nearest(-0.49999999999999994) == 0.0);
  CHECK(takt::can::nearest(4503599627370497.0) == 4503599627370497.0);  // 2^52 + 1: the half has no place
  CHECK(takt::can::nearest(-2.5) == -3.0);
}

TEST_CASE("whole numbers are coded exactly, up to 64 bits") {
  const auto little = [](const std::string& layout) { return parse(with_signal(layout)).dbc.messages.at(0); };
  const auto sent = [](const DbcMessage& message, const std::string& text) {
    return raw_bits(message.signals[0], encode_raw(message, {raw_of_text(message.signals[0], text)}));
  };
  const auto plain = little("0|64@1+ (1,0) [0|0] \"\" X");
  CHECK(encode_raw(plain, {raw_of_text(plain.signals[0], "1311768467463790321")}) ==
        std::vector<std::uint8_t>{0xF1, 0xDE, 0xBC, 0x9A, 0x78, 0x56, 0x34, 0x12});
  CHECK(value_text(plain.signals[0], 1311768467463790321U) == "1311768467463790321");
  CHECK(sent(plain, "18446744073709551615") == UINT64_MAX);
  CHECK(sent(plain, "18446744073709551616") == UINT64_MAX);
  CHECK(sent(plain, "-1") == 0);
  CHECK(sent(plain, "1e30") == UINT64_MAX);
  const auto field = little("0|53@1+ (1,0) [0|0] \"\" X");
  CHECK(encode_message(field, {4503599627370497.0}).at(0) == 1);
  const auto negative = little("0|64@1- (1,0) [0|0] \"\" X");
  CHECK(sent(negative, "-9223372036854775807") == 0x8000000000000001U);
  CHECK(sent(negative, "-9223372036854775809") == 0x8000000000000000U);
  CHECK(sent(negative, "9223372036854775808") == 0x7FFFFFFFFFFFFFFFU);
  CHECK(value_text(negative.signals[0], 0x8000000000000001U) == "-9223372036854775807");
  const auto scaled = little("0|64@1+ (3,-7) [0|0] \"\" X");
  CHECK(value_text(scaled.signals[0], UINT64_MAX) == "55340232221128654838");
  CHECK(sent(scaled, "55340232221128654838") == UINT64_MAX);
  CHECK(sent(scaled, "55340232221128654835") == UINT64_MAX - 1);
  CHECK(sent(scaled, "-5") == 1);                                             // 2 thirds are nearer to 1
  CHECK(raw_of(scaled.signals[0], 9007199254740992.0) == 3002399751580333U);  // (2^53 + 7) / 3
  const auto down = little("0|64@1- (-2,1) [0|0] \"\" X");
  CHECK(value_text(down.signals[0], 0x8000000000000000U) == "18446744073709551617");
  CHECK(sent(down, "18446744073709551617") == 0x8000000000000000U);
  CHECK(sent(down, "2") == UINT64_MAX);  // -0.5 goes away from zero
}

TEST_CASE("the text of a value leads back to its raw value") {
  const auto signal = parse(with_signal("0|40@1+ (0.1,-40) [0|0] \"\" X")).dbc.messages.at(0).signals.at(0);
  CHECK(value_text(signal, 82) == "-31.8");
  for (const std::uint64_t raw : {0ULL, 1ULL, 1099511627775ULL, 123456789123ULL})
    CHECK(raw_of_text(signal, value_text(signal, raw)) == raw);
  CHECK_FALSE(raw_of_text(signal, "1.5x"));
  CHECK_FALSE(raw_of_text(signal, ""));
}

TEST_CASE("names of values beyond 2^53 are told apart") {
  const auto parsed = parse(with_signal("0|64@1- (1,0) [0|0] \"\" X") +
                            "VAL_ 5 s 9007199254740992 \"even\" 9007199254740993 \"odd\" -1 \"all\" ;\n");
  const auto& signal = parsed.dbc.messages.at(0).signals.at(0);
  REQUIRE(value_name(signal, 9007199254740993U) != nullptr);
  CHECK(*value_name(signal, 9007199254740993U) == "odd");
  CHECK(*value_name(signal, UINT64_MAX) == "all");
  CHECK(raw_of_name(signal, signal.values[1]) == 9007199254740993U);
}

TEST_CASE("floats and doubles are taken from SIG_VALTYPE_") {
  const auto parsed = parse(
      "BO_ 5 M: 8 N\n SG_ f : 0|32@1- (1,0) [0|0] \"\" X\n SG_ g : 32|32@1- (2,1) [0|0] \"\" X\nSIG_VALTYPE_ 5 f : "
      "1;\nSIG_VALTYPE_ 5 g 1;\n");
  const auto& message = parsed.dbc.messages.at(0);
  CHECK(message.signals[0].type == RawType::float32);
  CHECK(message.signals[1].type == RawType::float32);
  const auto data = encode_message(message, {1.5, 4.0});
  CHECK(data[3] == 0x3F);  // 1.5f = 0x3FC00000
  CHECK(decode_message(message, data) == SignalValues{1.5, 4.0});
  CHECK(find(parse(with_signal("0|16@1- (1,0) [0|0] \"\" X") + "SIG_VALTYPE_ 5 s : 1;\n"), "B013") != nullptr);
}

TEST_CASE("extended multiplexing follows SG_MUL_VAL_ through two levels") {
  const auto parsed = parse(
      "BO_ 5 M: 8 N\n SG_ root M : 0|8@1+ (1,0) [0|0] \"\" X\n SG_ inner m2M : 8|8@1+ (1,0) [0|0] \"\" X\n SG_ leaf m1 "
      ": 16|8@1+ (1,0) [0|0] \"\" X\n"
      "SG_MUL_VAL_ 5 inner root 2-3, 7-7;\nSG_MUL_VAL_ 5 leaf inner 1-1;\n");
  CHECK_FALSE(parsed.diagnostics.has_errors());
  const auto& message = parsed.dbc.messages.at(0);
  using V = SignalValues;
  CHECK(decode_message(message, std::vector<std::uint8_t>{3, 1, 9, 0, 0, 0, 0, 0}) == V{3.0, 1.0, 9.0});
  CHECK(decode_message(message, std::vector<std::uint8_t>{7, 2, 9, 0, 0, 0, 0, 0}) == V{7.0, 2.0, std::nullopt});
  CHECK(decode_message(message, std::vector<std::uint8_t>{4, 1, 9, 0, 0, 0, 0, 0}) ==
        V{4.0, std::nullopt, std::nullopt});
}

TEST_CASE("ids, cycle times, frame formats, senders, value names and start values") {
  const auto parsed = parse(
      "VERSION \"v\"\nNS_ :\n\tCM_\n\tBA_\n\nBS_:\nBU_: A B\nBO_ 2147483649 Ext: 8 A\n SG_ s : 0|8@1+ (2,1) [0|0] "
      "\"V\" A,B\nBO_ 7 Fd: 24 Vector__XXX\n"
      "BO_TX_BU_ 7 : A,B;\nCM_ BO_ 7 \"two\nlines\";\nBA_DEF_ BO_ \"VFrameFormat\" ENUM "
      "\"StandardCAN\",\"StandardCAN_FD\";\nBA_DEF_DEF_ \"VFrameFormat\" \"StandardCAN\";\nBA_ \"VFrameFormat\" BO_ 7 "
      "1;\n"
      "BA_DEF_DEF_ \"GenMsgCycleTime\" 100;\nBA_ \"GenMsgCycleTime\" BO_ 7 20;\nBA_ \"GenSigStartValue\" SG_ "
      "2147483649 s 4;\nVAL_ 2147483649 s 0 \"off\" 1 \"on\" ;\n");
  CHECK(parsed.diagnostics.all().empty());
  const auto* ext = parsed.dbc.find(1, true);
  const auto* fd = parsed.dbc.find("Fd");
  REQUIRE(ext != nullptr);
  REQUIRE(fd != nullptr);
  CHECK((ext->extended && !ext->fd && ext->cycle_ms == 100.0));
  CHECK((fd->fd && !fd->extended && fd->cycle_ms == 20.0));
  CHECK(fd->senders == std::vector<std::string>{"A", "B"});
  CHECK(fd->comment == "two\nlines");
  CHECK(ext->signals[0].receivers == std::vector<std::string>{"A", "B"});
  CHECK(default_value(ext->signals[0]) == 9.0);
  REQUIRE(value_name(ext->signals[0], 1) != nullptr);
  CHECK(*value_name(ext->signals[0], 1) == "on");
}

TEST_CASE("text may be cp1252, with a byte order mark, with CRLF") {
  const auto latin = parse(
      "BO_ 5 M: 8 N\r\n SG_ s : 0|8@1+ (1,0) [0|0] \"\xB0"
      "C\" X\r\n");
  CHECK(latin.dbc.messages.at(0).signals.at(0).unit ==
        "\xC2\xB0"
        "C");
  const auto marked = parse(
      "\xEF\xBB\xBF"
      "BO_ 5 M: 8 N\r\n SG_ s : 0|8@1+ (1,0) [0|0] \"\xC2\xB0"
      "C\" X\r\n");
  CHECK(marked.dbc.messages.at(0).signals.at(0).unit ==
        "\xC2\xB0"
        "C");
  CHECK(marked.dbc.messages.at(0).where.column == 7);
}

TEST_CASE("several mistakes are found at once, each at its place") {
  const auto parsed = parse(
      "BO_ 5 M: 8 N\n SG_ a : 0|8@2+ (1,0) [0|0] \"\" X\n SG_ b : 0|8@1+ (1 0) [0|0] \"\" X\n SG_ c : 0|8@1+ (1,0) "
      "[0|0] \"\" X\nBO_ x Y: 8 N\nBO_ 6 Z: 8 N\n");
  std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
  CHECK_FALSE(parsed.diagnostics.has_errors());
  for (const auto& diagnostic : parsed.diagnostics.all()) {
    CHECK(diagnostic.code == "B011");
    places.emplace_back(diagnostic.where.line, diagnostic.where.column);
  }
  CHECK(places == std::vector<std::pair<std::uint32_t, std::uint32_t>>{{2, 14}, {3, 20}, {5, 5}});
  REQUIRE(parsed.dbc.messages.size() == 2);
  CHECK(parsed.dbc.messages[0].signals.size() == 1);
  REQUIRE(find_broken(parsed.dbc, "M", "b") != nullptr);
  CHECK(find_broken(parsed.dbc, "M", "b")->where.line == 3);
  CHECK(find_broken(parsed.dbc, "M", "c") == nullptr);
}

TEST_CASE("what a database has beside its messages costs nothing") {
  const auto drawer = parse(
      "BO_ 1073741824 VECTOR__INDEPENDENT_SIG_MSG: 0 Vector__XXX\n SG_ spare : 0|8@1+ (1,0) [0|0] "
      "\"\" N\nCM_ SG_ 1073741824 spare \"text\";\nBO_ 1 A: 8 N\n SG_ good : 0|8@1+ (1,0) [0|0] \"\" N\n");
  CHECK(drawer.diagnostics.all().empty());
  REQUIRE(drawer.dbc.messages.size() == 1);
  CHECK(drawer.dbc.messages[0].signals.size() == 1);
}

TEST_CASE("a limit that is no double limits nothing, the signal stays") {
  for (const char* limits : {"[0|4.4E+481]", "[-1e999|5]", "[nan|inf]", "[-1.#INF|1.#INF]", "[|]"}) {
    INFO(limits);
    const auto parsed = parse("BO_ 1 A: 8 N\n SG_ s : 0|8@1+ (1,0) " + std::string(limits) + " \"V\" N\n");
    CHECK_FALSE(parsed.diagnostics.has_errors());
    REQUIRE(find(parsed, "B013") != nullptr);
    CHECK(find(parsed, "B013")->where.line == 2);
    REQUIRE(parsed.dbc.messages.at(0).signals.size() == 1);
    CHECK((parsed.dbc.messages[0].signals[0].usable && parsed.dbc.messages[0].signals[0].unit == "V"));
  }
  CHECK(find(parse("BO_ 1 A: 8 N\n SG_ s : 0|8@1+ (1,0) [0|0 \"V\" N\n"), "B011")->where == Location{"t.dbc", 2, 28});
}

TEST_CASE("a mistake costs what it is about, by name") {
  const auto number =
      parse("BO_ 1 A: 8 N\n SG_ s : 0|8@1+ (1e999,0) [0|0] \"\" N\n SG_ t : 8|8@1+ (1,0) [0|0] \"\" N\n");
  CHECK(find_broken(number.dbc, "A", "s") != nullptr);
  CHECK(number.dbc.messages.at(0).signals.size() == 1);
  const auto message = parse("BO_ 1 A 8 N\n SG_ s : 0|8@1+ (1,0) [0|0] \"\" N\nBO_ 2 B: 8 N\n");
  CHECK(find_broken(message.dbc, "A", "s") != nullptr);
  CHECK((message.dbc.messages.size() == 1 && message.dbc.messages[0].signals.empty()));
  CHECK(message.diagnostics.all().size() == 1);  // its signals are not mistakes of their own
  const auto type = parse(with_signal("0|32@1- (1,0) [0|0] \"\" X") + "SIG_VALTYPE_ 5 s : float;\n");
  CHECK_FALSE(type.dbc.messages.at(0).signals.at(0).usable);  // an integer it is not
  CHECK(find_broken(type.dbc, "M", "s") != nullptr);
  CHECK(find_broken(parse("BO_ 5 M: 8 N\nBO_ 5 K: 8 N\n").dbc, "K") != nullptr);
}

TEST_CASE("a text that is no database is refused; of many mistakes the first are listed") {
  CHECK(parse("[bus.can0]\nkind = 5\n").diagnostics.has_errors());
  std::string text = "BO_ 5 M: 8 N\n";
  for (int k = 0; k < 60; ++k) text += " SG_ s : 0|8@3+ (1,0) [0|0] \"\" X\n";
  const auto parsed = parse(text + " SG_ good : 0|8@1+ (1,0) [0|0] \"\" X\n");
  CHECK((!parsed.diagnostics.has_errors() && parsed.diagnostics.all().size() == 51));
  CHECK(parsed.dbc.messages.at(0).signals.size() == 1);
}

TEST_CASE("CANFD_BRS 0 leaves the bit rate of a CAN FD message as it is") {
  const auto parsed = parse(
      "BO_ 1 A: 8 N\nBO_ 2 B: 8 N\nBA_DEF_ BO_ \"CANFD_BRS\" ENUM \"0\",\"1\";\nBA_DEF_DEF_ \"CANFD_BRS\" \"1\";\n"
      "BA_DEF_DEF_ \"VFrameFormat\" 14;\nBA_ \"CANFD_BRS\" BO_ 2 0;\n");
  const auto& messages = parsed.dbc.messages;
  CHECK((messages.at(0).fd && messages.at(0).brs && messages.at(1).fd && !messages.at(1).brs));
  const std::string text = emit_codecs(parsed.dbc, "t").bytes();
  CHECK(text.find(".id = 0x2, .extended = false, .fd = true, .brs = false, .length") != text.npos);
}

TEST_CASE("defaults of attributes reach every message and signal") {
  const auto parsed = parse(
      "BO_ 1 A: 8 N\n SG_ a : 0|8@1+ (1,0) [0|0] \"\" N\n SG_ b : 8|8@1+ (1,0) [0|0] \"\" N\n SG_ c : 16|8@1+ (1,0) "
      "[0|0] \"\" N\nBA_DEF_ SG_ \"GenSigStartValue\" INT 0 255;\nBA_DEF_ SG_ \"Other\" INT 0 255;\n"
      "BA_DEF_DEF_ \"GenSigStartValue\" 7;\nBA_DEF_DEF_ \"Other\" 0;\nBA_DEF_DEF_ \"GenMsgDelayTime\" 5;\nBA_ "
      "\"Other\" "
      "SG_ 1 b 1;\nBA_ \"GenSigStartValue\" SG_ 1 c 9;\n");
  const auto& message = parsed.dbc.messages.at(0);
  CHECK((message.signals[0].start_raw == 7.0 && message.signals[1].start_raw == 7.0 &&
         message.signals[2].start_raw == 9.0));
  CHECK(message.delay_ms == 5.0);
}

TEST_CASE("the attribute VFrameFormat says what is CAN FD, the length only where there is none") {
  const std::string messages = "BO_ 1 A: 8 N\nBO_ 2 B: 18 N\nBO_ 3 C: 8 N\nBO_ 4 D: 1785 N\n";
  const auto formats = [&](const std::string& attributes) {
    std::string out;
    const auto parsed = parse(messages + attributes);
    CHECK(parsed.diagnostics.all().empty());
    for (const auto& message : parsed.dbc.messages) out += message.fd ? 'F' : message.is_one_frame() ? 'c' : 'p';
    return out;
  };
  CHECK(formats("") == "cFcp");
  CHECK(formats("BA_DEF_ BO_ \"VFrameFormat\" INT 0 15;\n") == "cpcp");
  CHECK(formats("BA_DEF_ BO_ \"VFrameFormat\" INT 0 15;\nBA_DEF_DEF_ \"VFrameFormat\" 0;\nBA_ \"VFrameFormat\" BO_ 1 "
                "14;\nBA_ \"VFrameFormat\" BO_ 2 15;\n") == "FFcp");
  const std::string own = "BA_DEF_ BO_ \"VFrameFormat\" ENUM \"StandardCAN\",\"J1939PG\",\"StandardCAN_FD\";\n";
  CHECK(formats(own + "BA_DEF_DEF_ \"VFrameFormat\" \"J1939PG\";\nBA_ \"VFrameFormat\" BO_ 3 2;\n") == "cpFp");
  CHECK(formats(own + "BA_ \"VFrameFormat\" BO_ 2 \"StandardCAN_FD\";\n") == "cFcp");
}

TEST_CASE("messages of J1939 are told by their parameter groups, and by addresses where the database names several") {
  const auto message = [](std::uint32_t id, const std::string& name) {
    return "BO_ " + std::to_string(id | 0x80000000U) + " " + name + ": 8 N\n";
  };
  const std::string messages = message(0x0CF004FE, "ANY") + message(0x0CF00403, "THREE") + message(0x18FEF115, "ONE") +
                               message(0x18FF3840, "FORTY") + message(0x18FF3860, "SIXTY") +
                               message(0x0C00000B, "TO_ENGINE") + message(0x0C000F0B, "TO_RETARDER") +
                               message(0x18EFFFFE, "TO_ANY");
  const auto heard = [](const Dbc& dbc, std::uint32_t id, bool extended = true) {
    const auto* found = dbc.heard_as(id, extended);
    return found == nullptr ? std::string("-") : found->name;
  };
  const auto plain = parse(messages).dbc;
  CHECK((heard(plain, 0x0CF004FE) == "ANY" && heard(plain, 0x0CF00400) == "-"));
  const std::string formats =
      "BA_DEF_ BO_ \"VFrameFormat\" ENUM \"StandardCAN\",\"ExtendedCAN\",\"reserved\",\"J1939PG\";\n";
  for (const std::string& marks :
       {std::string(
            "BA_DEF_ \"ProtocolType\" STRING ;\nBA_DEF_DEF_ \"ProtocolType\" \"\";\nBA_ \"ProtocolType\" \"J1939\";\n"),
        formats + "BA_DEF_DEF_ \"VFrameFormat\" \"J1939PG\";\n",
        std::string("BA_DEF_ BO_ \"VFrameFormat\" INT 0 15;\nBA_DEF_DEF_ \"VFrameFormat\" 3;\n")}) {
    const auto parsed = parse(messages + marks);
    CHECK(parsed.diagnostics.all().empty());
    const Dbc& dbc = parsed.dbc;
    CHECK((heard(dbc, 0x0CF00400) == "ANY" && heard(dbc, 0x18F00427) == "ANY"));
    CHECK((heard(dbc, 0x0CF00403) == "THREE" && heard(dbc, 0x18F00403) == "THREE"));  // whatever its priority
    CHECK((heard(dbc, 0x0CF00400, false) == "-" && heard(dbc, 0x0CF00500) == "-"));
    CHECK(heard(dbc, 0x18FEF100) == "ONE");  // the only source that is named
    CHECK((heard(dbc, 0x18FF3840) == "FORTY" && heard(dbc, 0x10FF3860) == "SIXTY" && heard(dbc, 0x18FF3841) == "-"));
    CHECK((heard(dbc, 0x0C00000B) == "TO_ENGINE" && heard(dbc, 0x0C000F0B) == "TO_RETARDER"));
    CHECK((heard(dbc, 0x0C000027) == "TO_ENGINE" && heard(dbc, 0x0C00050B) == "-"));
    CHECK(heard(dbc, 0x18EF1234) == "TO_ANY");
  }
  const auto mixed = parse(messages + formats + "BA_DEF_DEF_ \"VFrameFormat\" \"J1939PG\";\nBA_ \"VFrameFormat\" BO_ " +
                           std::to_string(0x98FEF115U) + " 1;\n");
  CHECK((heard(mixed.dbc, 0x18FEF115) == "ONE" && heard(mixed.dbc, 0x18FEF100) == "-"));
}

TEST_CASE("a text without its closing quote does not swallow the file") {
  const auto parsed = parse("CM_ \"never ends;\nBO_ 6 Z: 8 N\n");
  REQUIRE(find(parsed, "B011") != nullptr);
  CHECK(find(parsed, "B011")->where == Location{"t.dbc", 1, 5});
  CHECK(parsed.dbc.find("Z") != nullptr);
}

TEST_CASE("what cannot be coded is kept, marked and reported") {
  CHECK(find(parse(with_signal("60|8@1+ (1,0) [0|0] \"\" X")), "B013") != nullptr);
  CHECK(find(parse(with_signal("0|65@1+ (1,0) [0|0] \"\" X")), "B013") != nullptr);
  CHECK(find(parse(with_signal("0|8@1+ (0,0) [0|0] \"\" X")), "B013") != nullptr);
  CHECK(find(parse("BO_ 5 M: 65 N\nBA_DEF_DEF_ \"VFrameFormat\" 14;\n"), "B018") != nullptr);
  CHECK(find(parse("BO_ 2049 M: 8 N\n"), "B014")->severity == Severity::warning);
  CHECK(find_broken(parse("BO_ 4294967295 M: 8 N\n").dbc, "M") != nullptr);
  CHECK(find(parse("BO_ 5 M: 8 N\nBO_ 5 K: 8 N\n"), "B012") != nullptr);
  CHECK(find(parse("BO_ 5 M: 8 N\n SG_ s m1 : 0|8@1+ (1,0) [0|0] \"\" X\n"), "B015") != nullptr);
  CHECK(find(parse("NEW_THING_ 1 2 3;\nBO_ 5 M: 8 N\n"), "B017")->severity == Severity::note);
  CHECK(find(parse("BO_ 5 M: 8 N\n SG_ s : 0|8@1+ (1,0) [0|0] \"\" X\n SG_ t : 7|8@1+ (1,0) [0|0] \"\" X\n"), "B019") !=
        nullptr);
  CHECK(find(parse("BO_ 5 M: 8 N\n SG_ a m0M : 0|8@1+ (1,0) [0|0] \"\" X\n SG_ b m0M : 8|8@1+ (1,0) [0|0] \"\" "
                   "X\nSG_MUL_VAL_ 5 a b 0-0;\nSG_MUL_VAL_ 5 b a 0-0;\n"),
             "B015") != nullptr);
}

TEST_CASE("the table of pages of one message does not take the name of another message") {
  const auto parsed = parse(
      "BU_: X\nBO_ 1 Foo: 8 X\n SG_ m M : 0|8@1+ (1,0) [0|0] \"\" X\n SG_ a m1 : 8|8@1+ (1,0) [0|0] \"\" X\n"
      "BO_ 2 Foo_pages: 8 X\n SG_ b : 0|8@1+ (1,0) [0|0] \"\" X\n");
  const std::string text = emit_codecs(parsed.dbc, "t").bytes();
  const auto first = text.find("> Foo_pages{");
  REQUIRE(first != std::string::npos);
  CHECK(text.find("> Foo_pages{", first + 1) == std::string::npos);
  CHECK(text.find("pages::Foo") != std::string::npos);
}
