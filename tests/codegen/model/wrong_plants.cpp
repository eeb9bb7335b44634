// Checks every wrong plant of the folders it is given: the first line says what `takt check` must find,
//   # expect: M012 7:12, warning M018 9:3, M028 table.csv:3:3
// and it must find exactly that, errors and warnings. Usage: wrong_plants LIBRARY FOLDER...

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "codegen/pipeline.hpp"

namespace {

namespace fs = std::filesystem;
using takt::codegen::Diagnostic;
using takt::codegen::Severity;

std::string trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\r");
  return first == std::string::npos ? std::string() : text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

/// "M012 7:12" entries of the first line, sorted.
std::vector<std::string> expected_findings(const fs::path& file) {
  std::ifstream stream(file);
  std::string line;
  std::getline(stream, line);
  std::vector<std::string> expected;
  const std::string opening = "# expect:";
  if (!line.starts_with(opening)) return expected;
  for (std::size_t begin = opening.size(); begin < line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    expected.push_back(trimmed(line.substr(begin, end - begin)));
    begin = end + 1;
  }
  std::sort(expected.begin(), expected.end());
  return expected;
}

std::string text_of(const Diagnostic& finding, const fs::path& plant) {
  std::string text = finding.severity == Severity::warning ? "warning " : "";
  text += finding.code + " ";
  if (finding.where.file.text() != plant.string())
    text += fs::path(finding.where.file.text()).filename().string() + ":";
  return text + std::to_string(finding.where.line) + ":" + std::to_string(finding.where.column);
}

std::vector<std::string> findings(const fs::path& plant, const fs::path& library, std::string& rendered) {
  takt::codegen::Diagnostics diagnostics;
  (void)takt::codegen::check_plant(plant, {.library = {library}, .overrides = {}, .rig = std::nullopt}, diagnostics);
  rendered = diagnostics.render();
  std::vector<std::string> found;
  for (const Diagnostic& finding : diagnostics.all()) {
    if (finding.severity != Severity::note) found.push_back(text_of(finding, plant));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += (all.empty() ? "" : ", ") + text;
  return all.empty() ? "nothing" : all;
}

bool check(const fs::path& plant, const fs::path& library) {
  const std::vector<std::string> expected = expected_findings(plant);
  std::string rendered;
  const std::vector<std::string> found = findings(plant, library, rendered);
  const bool right = !expected.empty() && expected == found;
  std::printf("%s %s\n", right ? "ok  " : "FAIL", plant.filename().c_str());
  if (!right)
    std::printf("  expected %s\n  found    %s\n%s\n", joined(expected).c_str(), joined(found).c_str(),
                rendered.c_str());
  return right;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: wrong_plants LIBRARY FOLDER...\n");
    return 2;
  }
  std::vector<fs::path> plants;
  for (int folder = 2; folder < argc; ++folder) {
    for (const auto& entry : fs::directory_iterator(argv[folder])) {
      if (entry.path().extension() == ".toml") plants.push_back(entry.path());
    }
  }
  std::sort(plants.begin(), plants.end());
  int failed = plants.empty() ? 1 : 0;
  for (const fs::path& plant : plants) failed += check(plant, argv[1]) ? 0 : 1;
  std::printf("%zu wrong plants, %d not reported as expected\n", plants.size(), failed);
  return failed == 0 ? 0 : 1;
}
