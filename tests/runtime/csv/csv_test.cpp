#include "runtime/csv/csv.hpp"

#include <catch2/catch.hpp>
#include <sstream>

using namespace takt;

namespace {

using Table = std::vector<std::vector<std::string>>;

Table table_of(const std::string& text) {
  std::istringstream stream(text);
  CsvRows rows(stream);
  Table table;
  while (rows.next()) table.emplace_back(rows.cells().begin(), rows.cells().end());
  return table;
}

}  // namespace

TEST_CASE("whatever a name holds, a table that has it as a cell is read back, and so is a log") {
  for (const std::string name : {"plain", "y[1,2]", "say \"v\"", "\"", "a;b", "\t", "#no comment", " blank ", "",
                                 "\"\"", "5\" pipe", "a\xC3\xA4,"}) {
    CAPTURE(name);
    const std::string shown = name == "\t" ? " " : name;
    CHECK(csv_cells("1," + csv_cell(name) + ",2", "log:1") == std::vector<std::string>{"1", shown, "2"});
    const Table table = table_of("time [s]," + csv_head(name, "V") + "," + csv_cell(name) + "\n0,1,2\n");
    REQUIRE(table.size() == 2);
    CHECK(table[0] == std::vector<std::string>{"time [s]", shown + " [V]", shown});
    CHECK(table[1] == std::vector<std::string>{"0", "1", "2"});
  }
  CHECK(csv_cell("plain.v") == "plain.v");
  CHECK(csv_cell("two\nlines") == "\"two lines\"");  // a row is one line
  CHECK(csv_head("a", "") == "a [1]");
}

TEST_CASE("a head is a name and a unit; brackets of an index are the name's") {
  const auto parts = [](const char* head) { return std::pair(split_head(head).name, split_head(head).unit); };
  CHECK(parts("speed [km/h]") == std::pair<std::string, std::string>("speed", "km/h"));
  CHECK(parts("speed[km/h]") == std::pair<std::string, std::string>("speed", "km/h"));
  CHECK(parts("y[1,2] [V]") == std::pair<std::string, std::string>("y[1,2]", "V"));
  CHECK(parts("y[1,2] [1]") == std::pair<std::string, std::string>("y[1,2]", "1"));
  CHECK(parts("y[1,2]") == std::pair<std::string, std::string>("y[1,2]", ""));
  CHECK(parts("y") == std::pair<std::string, std::string>("y", ""));
}

TEST_CASE(
    "tables of other programs: byte order mark, blanks, semicolons outside of quotes, comments, cells of several "
    "lines") {
  CHECK(table_of("\xEF\xBB\xBFtime [s], v \r\n\n# a \"comment\r\n 1 ,2\r\n") == Table{{"time [s]", "v"}, {"1", "2"}});
  CHECK(table_of("a;b\n1,5;2\n") == Table{{"a", "b"}, {"1,5", "2"}});
  CHECK(table_of("\"a;b\",c\n1,2\n") == Table{{"a;b", "c"}, {"1", "2"}});
  CHECK(table_of("a\tb\n1\t\n") == Table{{"a", "b"}, {"1", ""}});
  CHECK(table_of("\"one\n, \"\"two\"\"\",c\n5\" pipe,2\n") == Table{{"one\n, \"two\"", "c"}, {"5\" pipe", "2"}});
}

TEST_CASE("what is no table is said with its line") {
  const auto line_of = [](const std::string& text) {
    try {
      (void)table_of(text);
    } catch (const CsvMistake& mistake) {
      return std::to_string(mistake.line()) + ": " + mistake.what();
    }
    return std::string("nothing");
  };
  CHECK(line_of("a,b\n\"1,2\n3,4\n") == "2: a quote is not closed");
  CHECK(line_of("a\n\n\"1\"2\n") == "3: text follows a closing quote");
  CHECK_THROWS_WITH(csv_cells("1,\"x", "file:7"), "file:7: a quote is not closed");
}
