#include "codegen/emit/build/toolchain.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string_view>
#include <vector>

#include "codegen/emit/build/build.hpp"
#include "codegen/emit/build/process.hpp"

namespace takt::codegen {
namespace {

namespace fs = std::filesystem;

/// What compilers, linkers and CMake obey besides their arguments.
constexpr const char* obeyed[] = {"CXX",
                                  "CXXFLAGS",
                                  "CPPFLAGS",
                                  "LDFLAGS",
                                  "CPATH",
                                  "CPLUS_INCLUDE_PATH",
                                  "LIBRARY_PATH",
                                  "GCC_EXEC_PREFIX",
                                  "COMPILER_PATH",
                                  "CMAKE_PREFIX_PATH",
                                  "CMAKE_TOOLCHAIN_FILE"};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

std::string whole_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

std::string stamp_of(const fs::path& file) {
  std::error_code error;
  const auto size = fs::file_size(file, error);
  const auto time = fs::last_write_time(file, error).time_since_epoch().count();
  return error ? std::string()
               : file.string() + " " + std::to_string(size) + " " + std::to_string(time) + "\n";
}

fs::path program_at(const std::string& word) {
  if (word.find('/') == std::string::npos) return find_program(word);
  std::error_code ignored;
  return fs::exists(word, ignored) ? fs::path(word) : fs::path();
}

std::string default_compiler() {
  for (const char* name : {"c++", "g++", "clang++"})  // in CMake's order
    if (const fs::path found = find_program(name); !found.empty()) return found.string();
  return {};
}

std::string headers_below(const fs::path& folder) {
  std::error_code error;
  std::vector<std::string> stamps;
  for (fs::recursive_directory_iterator each(folder, error), end; each != end;
       each.increment(error))
    if (each->path().extension() == ".hpp") stamps.push_back(stamp_of(each->path()));
  std::sort(stamps.begin(), stamps.end());  // folders have no order
  std::string all;
  for (const std::string& stamp : stamps) all += stamp;
  return all;
}

/// Whatever is between quotes or semicolons.
std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char letter : text) {
    if (letter == '"' || letter == ';' || letter == '\n')
      words.emplace_back();
    else
      words.back() += letter;
  }
  return words;
}

}  // namespace

std::string this_machine() {
  utsname names{};
  (void)uname(&names);
  return names.machine;
}

Toolchain find_toolchain(const std::string& machine) {
  Toolchain found;
  found.machine = machine;
  found.cmake = !find_program("cmake").empty();
  found.ninja = !find_program("ninja").empty();
  found.make = !find_program("make").empty() || !find_program("gmake").empty();
  found.ccache = find_program("ccache");
  const std::string asked = variable("CXX");
  found.compiler = asked.empty() ? default_compiler() : asked;
  if (!machine.empty()) found.compiler = machine + "-linux-gnu-g++";
  std::string identity;
  bool there = false;
  std::istringstream words(found.compiler);  // "ccache g++ -m64" is a compiler, too
  for (std::string word; words >> word;) {
    std::error_code ignored;
    const fs::path program = program_at(word);
    if (identity.empty()) there = !program.empty();
    identity += word + " " + stamp_of(fs::canonical(program, ignored)) + "\n";
  }
  if (!there) return found;
  for (const char* name : obeyed) identity += std::string(name) + "=" + variable(name) + "\n";
  found.identity = hash_text(identity);
  return found;
}

std::string missing_tool(const Toolchain& toolchain) {
  const auto none = [](const std::string& what, const std::string& package) {
    return "there is no " + what + " in PATH; install the package " + package;
  };
  if (!toolchain.cmake) return none("'cmake'", "cmake (3.25 or newer)");
  if (toolchain.identity.empty() && !toolchain.machine.empty()) {
    std::string package = "g++-" + toolchain.machine + "-linux-gnu";
    std::replace(package.begin(), package.end(), '_', '-');  // as Debian has it
    return none("compiler for " + toolchain.machine + ", '" + toolchain.compiler + "',", package);
  }
  if (toolchain.identity.empty() && !toolchain.compiler.empty())
    return "the environment variable CXX names the C++ compiler '" + toolchain.compiler +
           "', and there is none of that name; mend or unset it";
  if (toolchain.identity.empty())
    return none("C++ compiler (c++, g++ or clang++)",
                "g++, or name one in the environment variable CXX");
  if (!toolchain.ninja && !toolchain.make) return none("'ninja' and no 'make'", "ninja-build");
  return {};
}

std::string instruction_set(const std::string& march) {
  if (march != "native") return march;
  std::istringstream lines(whole_file("/proc/cpuinfo"));
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("flags") || line.starts_with("Features"))
      return march + " " + hash_text(line);
  return march;
}

std::string runtime_identity(const fs::path& cmake_package, const fs::path& prefix) {
  constexpr std::string_view prefix_name = "${_IMPORT_PREFIX}";
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::directory_iterator each(cmake_package, error), end; each != end; each.increment(error))
    files.push_back(each->path());
  std::sort(files.begin(), files.end());
  std::string identity;
  for (const fs::path& file : files) {
    const std::string text = whole_file(file);
    identity += text;
    for (std::string word : words_of(text)) {
      if (word.starts_with(prefix_name)) word.replace(0, prefix_name.size(), prefix.string());
      if (!word.starts_with('/')) continue;
      if (fs::is_directory(fs::path(word) / "runtime", error))
        identity += headers_below(fs::path(word) / "runtime");
      else if (word.ends_with(".a"))
        identity += stamp_of(word);
    }
  }
  return hash_text(identity);
}

}  // namespace takt::codegen
