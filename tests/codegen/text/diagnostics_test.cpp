#include "codegen/text/diagnostics.hpp"

#include <catch2/catch.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>

#include "codegen/text/codes.hpp"
#include "codegen/text/nearest.hpp"

using namespace takt::codegen;

namespace {

/// A file that lives as long as the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content)
      : path_((std::filesystem::temp_directory_path() / ("takt_diagnostics_" + std::to_string(std::rand()))).string()) {
    std::ofstream(path_) << content;
  }
  ~TemporaryFile() { std::filesystem::remove(path_); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("rendering_shows_place_source_line_caret_and_hint") {
  const TemporaryFile file("[electric]\nload = { is = \"resistr\" }\n");
  Diagnostics diagnostics;
  diagnostics.error("M010", {file.path(), 2, 15}, "unknown element \"resistr\"", "did you mean \"resistor\"?");
  const std::string expected = file.path() +
                               ":2:15: error[M010]: unknown element \"resistr\"\n"
                               "    2 | load = { is = \"resistr\" }\n"
                               "      |               ^\n"
                               "  hint: did you mean \"resistor\"?\n";
  CHECK(diagnostics.render() == expected);
}

TEST_CASE("findings_are_sorted_by_file_and_line_and_counted_by_severity") {
  Diagnostics diagnostics;
  diagnostics.warning("T002", {"b.toml", 1, 1}, "third");
  diagnostics.error("T001", {"a.toml", 20, 1}, "second");
  diagnostics.note("T001", {"a.toml", 3, 1}, "first");
  const std::string text = diagnostics.render();
  CHECK(text.find("first") < text.find("second"));
  CHECK(text.find("second") < text.find("third"));
  CHECK(diagnostics.error_count() == 1);
  CHECK(diagnostics.all().size() == 3);
}

TEST_CASE("caret_stands_under_its_character_behind_tabs_and_umlauts") {
  const TemporaryFile file("\t\xC3\xBC = x\n");
  Diagnostics diagnostics;
  diagnostics.error("E010", {file.path(), 1, 7}, "unknown name");  // byte column of x
  CHECK(diagnostics.render().find("| \t    ^\n") != std::string::npos);
}

TEST_CASE("places_without_line_or_file_are_rendered_without_source") {
  Diagnostics diagnostics;
  diagnostics.error("M001", {"missing.toml", 0, 0}, "cannot read");
  diagnostics.error("M001", {"missing.toml", 7, 2}, "late");
  diagnostics.error("", {}, "nowhere");
  CHECK(diagnostics.render() ==
        "error: nowhere\nmissing.toml: error[M001]: cannot read\nmissing.toml:7:2: error[M001]: late\n");
}

TEST_CASE("long_source_lines_are_cropped_around_the_column") {
  std::string long_line(10001, 'b');
  long_line.replace(0, 5000, 5000, 'a');
  long_line[5000] = 'X';
  const TemporaryFile file(long_line);
  Diagnostics diagnostics;
  diagnostics.error("E001", {file.path(), 1, 5001}, "here");
  const std::string text = diagnostics.render();
  CHECK(text.size() < 600);
  const std::size_t line = text.find("| ") + 2, caret_line = text.find("| ", line) + 2;
  CHECK(text.find('X') - line == text.find('^') - caret_line);
}

TEST_CASE("codes_are_unique_sorted_and_explained") {
  std::set<std::string_view> seen;
  for (const CodeEntry& entry : all_codes()) {
    CHECK(entry.code.size() == 4);
    CHECK(seen.insert(entry.code).second);
    CHECK_FALSE(entry.title.empty());
    CHECK(entry.explanation.size() > 20);
    CHECK(find_code(entry.code) == &entry);
  }
  CHECK(find_code("Z999") == nullptr);
}

TEST_CASE("nearest_name_forgives_typing_mistakes_only") {
  const std::vector<std::string> names{"resistor", "capacitor", "inductor", "r"};
  CHECK(nearest_name("resistr", names) == "resistor");
  CHECK(nearest_name("capactior", names) == "capacitor");
  CHECK(nearest_name("Inductor", names) == "inductor");
  CHECK(nearest_name("thyristor_bridge", names).empty());
  CHECK(nearest_name("x", names).empty());
  CHECK(nearest_name("x", {}).empty());
  CHECK(edit_distance("ab", "ba") == 2);
  CHECK(edit_distance("", "abc") == 6);
}
