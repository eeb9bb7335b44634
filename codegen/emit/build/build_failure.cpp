#include "codegen/emit/build/build_failure.hpp"

#include <algorithm>
#include <array>
#include <sstream>
#include <string_view>
#include <vector>

namespace takt::codegen {
namespace {

struct Known {
  std::string_view needle;  ///< in what compilers, linkers, ninja, make and CMake say
  std::string_view cause, remedy;
};

constexpr std::string_view elsewhere =
    "make room there, or build in another folder: --build-dir DIR (takt build: --out DIR)";
constexpr std::string_view incomplete =
    "install g++ and binutils completely, or name another compiler in the environment variable CXX";
constexpr std::string_view reinstall =
    "install the compiler's standard library (libstdc++ and libc development files) or takt again";

/// What the world is to blame for; the first that is found counts.
constexpr auto known = std::to_array<Known>({
    {"No space left on device", "the disk is full", elsewhere},
    {"Disk quota exceeded", "the disk quota is used up", elsewhere},
    {"File size limit exceeded", "a file may not become as large as it must",
     "raise the limit (ulimit -f)"},
    {"File too large", "a file may not become as large as it must", "raise the limit (ulimit -f)"},
    {"Read-only file system", "the file system is mounted read-only",
     "build in another folder: --build-dir DIR (takt build: --out DIR)"},
    {"cannot create directories", "the folder of the build cannot be made",
     "build in another folder: --build-dir DIR (takt build: --out DIR)"},
    {"Permission denied", "a file must not be read or written",
     "mend its permissions, or build in another folder: --build-dir DIR (takt build: --out DIR)"},
    {"'-march", "the compiler does not know this --march",
     "give one of those that it names, or leave --march out"},
    {"unknown target CPU", "the compiler does not know this --march",
     "give one of those that it names, or leave --march out"},
    {"Killed signal terminated", "the compiler was killed, as the system does when memory runs out",
     "free memory, or compile fewer files at once (CMAKE_BUILD_PARALLEL_LEVEL=1)"},
    {"out of memory", "memory ran out",
     "free memory, or compile fewer files at once (CMAKE_BUILD_PARALLEL_LEVEL=1)"},
    {"Cannot allocate memory", "memory ran out",
     "free memory, or compile fewer files at once (CMAKE_BUILD_PARALLEL_LEVEL=1)"},
    {"memory exhausted", "memory ran out",
     "free memory, or compile fewer files at once (CMAKE_BUILD_PARALLEL_LEVEL=1)"},
    {"internal compiler error", "the compiler itself failed",
     "try another one by the environment variable CXX"},
    {"PLEASE submit a bug report", "the compiler itself failed",
     "try another one by the environment variable CXX"},
    {"or higher is required", "this CMake is too old", "install CMake 3.25 or newer"},
    {"references the file", "the runtime of takt is not complete",
     "build or install takt again, all of it"},
    {"Could not find a package configuration file provided by \"takt\"",
     "the runtime of takt is not complete", "build or install takt again, all of it"},
    {"is not able to compile a simple test program", "the compiler does not work", incomplete},
    {"Could not find compiler", "the compiler was not found",
     "name one that there is in the environment variable CXX, or unset it"},
    {"is not a full path", "the compiler was not found",
     "name one that there is in the environment variable CXX, or unset it"},
    {"unable to find a build program", "a tool that CMake needs is missing",
     "install the package ninja-build"},
    {"cannot execute", "a part of the compiler is missing", incomplete},
    {"cannot find 'ld'", "the linker is missing", incomplete},
    {"invalid linker name", "the linker is missing", incomplete},
    {"unable to execute command", "a part of the compiler is missing", incomplete},
    {"cannot find -lz", "a library is missing", "install the package zlib1g-dev"},
    {"libsundials_", "a library that methods adaptive and bdf need is missing",
     "install the packages libsundials-dev and libsuitesparse-dev"},
    {"cannot find -l", "a library is missing", reinstall},
    {"missing and no known rule", "a file of the runtime or of the compiler has gone",
     "build or install takt again, all of it"},
    {"No rule to make target", "a file of the runtime or of the compiler has gone",
     "build or install takt again, all of it"},
    {"No such file or directory", "a file that every build needs is missing", reinstall},
});

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin != std::string::npos) lines.push_back(line.substr(begin));
  }
  return lines;
}

/// Nothing where no line has it.
std::string line_with(const std::vector<std::string>& lines, std::string_view needle) {
  const auto found = std::find_if(lines.begin(), lines.end(), [&](const std::string& line) {
    return line.find(needle) != std::string::npos;
  });
  return found == lines.end() ? std::string() : *found;
}

/// The first line that speaks of an error, else the last.
std::string telling_line(const std::vector<std::string>& lines) {
  for (const std::string_view needle :
       {"error: ", "Error: ", "Error at", "error", "FAILED", "Killed"})
    if (std::string line = line_with(lines, needle); !line.empty()) return line;
  return lines.empty() ? std::string() : lines.back();
}

}  // namespace

BuildFailure explain_failure(BuildStep step, const ProcessResult& done) {
  const std::vector<std::string> lines = lines_of(done.output);
  for (const Known& each : known) {
    std::string said = line_with(lines, each.needle);
    if (said.empty()) continue;
    if (const std::string valid = line_with(lines, "valid arguments to"); !valid.empty())
      said += "\n    " + valid;
    return {std::string(each.cause), std::move(said), std::string(each.remedy), false};
  }
  if (done.exit_code > 128)
    return {"cmake was ended by signal " + std::to_string(done.exit_code - 128),
            telling_line(lines), "try again; if memory ran out, free some", false};
  const bool ours = step == BuildStep::compile && !line_with(lines, "error: ").empty();
  constexpr const char* otherwise[] = {"a file cannot be written", "CMake cannot set up the build",
                                       "the build stopped"};
  return {ours ? "the generated sources do not compile" : otherwise[static_cast<std::size_t>(step)],
          telling_line(lines), "", ours};
}

std::string failure_text(const BuildFailure& failure) {
  std::string text = failure.cause;
  if (!failure.said.empty()) text += "\n  said: " + failure.said;
  if (!failure.remedy.empty()) text += "\n  " + failure.remedy;
  return text;
}

}  // namespace takt::codegen
