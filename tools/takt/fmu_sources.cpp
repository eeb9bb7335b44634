#include "tools/takt/fmu_sources.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <future>
#include <sstream>
#include <thread>

#include "codegen/emit/build/process.hpp"
#include "codegen/fmu/archive_rules.hpp"
#include "codegen/fmu/read_fmu.hpp"
#include "tools/takt/home.hpp"
#include "tools/takt/temporary_file.hpp"
#include "tools/takt/wait_line.hpp"

namespace takt::tools {
namespace {

namespace fs = std::filesystem;
using namespace takt::codegen;

bool is_plus_plus(const FmuSourceSet& set, const std::string& file) {
  if (!set.language.empty()) return set.language.find("++") != std::string::npos;
  const std::string ending = fs::path(file).extension();
  return ending == ".cpp" || ending == ".cc" || ending == ".cxx" || ending == ".C";
}

std::string compiler(bool plus_plus) {
  const char* chosen = std::getenv(plus_plus ? "CXX" : "CC");
  if (chosen != nullptr && *chosen != '\0') return chosen;
  return plus_plus ? "c++" : "cc";
}

/// Of C++ sources that do not say theirs, as those of FMI 2 cannot: that of exported plants. Older ones compile, too.
constexpr const char* standard_of_unsaid = "-std=gnu++20";

/// "C99" is -std=gnu99: sources use what their compiler had. Without a number: the compiler's own.
std::string standard_of(const std::string& language) {
  std::string number;
  for (const char c : language)
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) number += c;
  if (number.empty()) return {};
  return (language.find("++") != std::string::npos ? "-std=gnu++" : "-std=gnu") + number;
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// What chooses how code is made. Not where it is written, what is loaded into the compiler or read as more options.
bool is_harmless(const std::string& option) {
  constexpr std::string_view refused[] = {"-fplugin", "-fdump", "-fprofile", "-fcallgraph", "-Wl,", "-Wa,", "-Wp,"};
  for (const std::string_view start : refused)
    if (option.starts_with(start)) return false;
  constexpr std::string_view known[] = {"-O", "-D", "-U", "-f", "-m", "-std=", "-W", "-g", "-pthread", "-pedantic"};
  for (const std::string_view start : known)
    if (option.starts_with(start)) return true;
  return option == "-w";
}

/// A name that a linker finds in its own folders.
bool is_library_name(const std::string& name) {
  return !name.empty() &&
         std::all_of(
             name.begin(), name.end(),
             [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '+' || c == '.' || c == '-'; }) &&
         name.front() != '-' && name.front() != '.';
}

class Compilation {
 public:
  Compilation(const FmuDescription& fmu, const fs::path& folder, Diagnostics& diagnostics)
      : fmu_(fmu), folder_(fs::absolute(folder)), diagnostics_(diagnostics) {}

  bool library(const std::string& identifier) {
    const FmuBuild* build = build_of(identifier);
    if (build == nullptr)
      return refuse("Y073", "nothing says how the library '" + identifier + "' is compiled from its sources",
                    fmu_.version == FmiVersion::v2 ? "list them in <SourceFiles>, or export it for this platform"
                                                   : "a <BuildConfiguration> of sources/buildDescription.xml does, "
                                                     "with this modelIdentifier and no other platform");
    std::fprintf(stderr, "takt: compiling the sources of %s\n", fmu_.file.filename().c_str());
    std::vector<Unit> units;
    for (const FmuSourceSet& set : build->sets)
      if (!add_units(set, units)) return false;
    const WaitLine line("compiling the sources of " + fmu_.file.filename().string());
    if (!compile(units)) return false;
    Link how{identifier, false, {}, build->libraries};
    for (const Unit& unit : units) {
      how.plus_plus = how.plus_plus || unit.plus_plus;
      how.objects.push_back(unit.object);
    }
    return link(how);
  }

 private:
  struct Link {
    std::string identifier;
    bool plus_plus;
    std::vector<std::string> objects, libraries;
  };
  struct Unit {
    std::string file, object;
    bool plus_plus;
    std::vector<std::string> command;
  };

  bool refuse(const char* code, const std::string& what, const std::string& hint) {
    diagnostics_.error(code, {fmu_.file.string()}, what, hint);
    return false;
  }

  /// One for this machine before one for any.
  [[nodiscard]] const FmuBuild* build_of(const std::string& identifier) const {
    const FmuBuild* any = nullptr;
    const std::vector<std::string> own = host_platforms(fmu_.version);
    for (const FmuBuild& build : fmu_.builds) {
      if (build.model_identifier != identifier) continue;
      if (std::find(own.begin(), own.end(), build.platform) != own.end()) return &build;
      if (build.platform.empty() && any == nullptr) any = &build;
    }
    return any;
  }

  bool options_of(const FmuSourceSet& set, std::vector<std::string>& options) {
    const fs::path sources = folder_ / "sources";
    options = {"-O2", "-fPIC", "-w", "-ffp-contract=off", "-DFMI3_OVERRIDE_FUNCTION_PREFIX", "-I" + sources.string()};
    for (const std::string& include : set.include_folders) options.push_back("-I" + (sources / include).string());
    options.push_back("-I" + find_home().fmi_headers.string());
    if (const std::string standard = standard_of(set.language); !standard.empty()) options.push_back(standard);
    for (const FmuSourceSet::Definition& own : set.definitions)
      options.push_back("-D" + own.name + (own.value.empty() ? "" : "=" + own.value));
    const bool ours = set.compiler.empty() || set.compiler.find("gcc") != std::string::npos ||
                      set.compiler.find("g++") != std::string::npos || set.compiler.find("clang") != std::string::npos;
    if (!ours) return true;  // of another compiler, which has its own options
    for (const std::string& option : words_of(set.compiler_options)) {
      if (!is_harmless(option))
        return refuse("Y074", "the compiler option '" + option + "' of its sources is refused",
                      "options that choose the code are taken: -O, -D, -f, -m, -std=, -W");
      options.push_back(option);
    }
    return true;
  }

  bool add_units(const FmuSourceSet& set, std::vector<Unit>& units) {
    std::vector<std::string> options;
    if (!options_of(set, options)) return false;
    for (const std::string& file : set.files) {
      Unit unit{file, (scratch_.path() / fmt::format("{}.o", units.size())).string(), is_plus_plus(set, file), {}};
      unit.command.push_back(compiler(unit.plus_plus));
      if (unit.plus_plus && set.language.empty()) unit.command.emplace_back(standard_of_unsaid);
      unit.command.insert(unit.command.end(), options.begin(), options.end());
      unit.command.insert(unit.command.end(), {"-c", (folder_ / "sources" / file).string(), "-o", unit.object});
      units.push_back(std::move(unit));
    }
    return true;
  }

  /// As many at once as there are processors. Of several that do not compile the first is told.
  bool compile(const std::vector<Unit>& units) {
    std::vector<ProcessResult> done(units.size());
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
      for (std::size_t k = next++; k < units.size(); k = next++) {
        done[k] = run_process(units[k].command);
        if (done[k].exit_code != 0) next = units.size();
      }
    };
    std::vector<std::future<void>> workers;
    for (unsigned k = std::max(1U, std::thread::hardware_concurrency()); k > 0; --k)
      workers.push_back(std::async(std::launch::async, work));
    for (std::future<void>& worker : workers) worker.get();
    for (std::size_t k = 0; k < units.size(); ++k)
      if (done[k].exit_code > 0 && !well(done[k], units[k].command.front(), units[k].file)) return false;
    return true;
  }

  bool link(const Link& how) {
    const fs::path place = folder_ / "binaries" / host_platforms(fmu_.version).front();
    fs::create_directories(place);
    const std::string part = (place / (how.identifier + ".so.part")).string();
    std::vector<std::string> command{compiler(how.plus_plus), "-shared", "-o", part};
    command.insert(command.end(), how.objects.begin(), how.objects.end());
    for (const std::string& library : how.libraries) {
      if (!is_library_name(library))
        return refuse("Y074", "the library '" + library + "' of its sources is refused",
                      "a name without a path is taken");
      command.push_back("-l" + library);
    }
    command.insert(command.end(), {"-lm", "-Wl,--no-undefined", "-lc"});
    if (!well(run_process(command), command.front(), how.identifier + ".so")) return false;
    fs::rename(part, place / (how.identifier + ".so"));
    return true;
  }

  bool well(const ProcessResult& done, const std::string& program, const std::string& what) {
    if (done.exit_code == 0) return true;
    constexpr int not_started = 127;
    if (done.exit_code == not_started && find_program(program).empty())
      return refuse("Y072", "its sources cannot be compiled: there is no program '" + program + "'",
                    "install a compiler (Debian: apt install g++), or set CC and CXX");
    return refuse("Y072", "its sources do not compile: " + what + ": " + first_error(done.output),
                  "mend them, or export it for this platform");
  }

  /// Paths below the folder it was unpacked to say nothing to a reader.
  [[nodiscard]] std::string first_error(const std::string& output) const {
    std::istringstream lines(output);
    std::string first;
    for (std::string line; std::getline(lines, line);) {
      if (first.empty()) first = line;
      if (line.find("error") == std::string::npos && line.find("undefined") == std::string::npos) continue;
      first = line;
      break;
    }
    const std::string sources = (folder_ / "sources").string() + "/";
    if (const std::size_t at = first.find(sources); at != std::string::npos) first.erase(at, sources.size());
    return first.empty() ? "the compiler says nothing" : printable(first);
  }

  const FmuDescription& fmu_;
  const fs::path folder_;
  Diagnostics& diagnostics_;
  const TemporaryFolder scratch_;
};

}  // namespace

bool compile_sources(const FmuDescription& fmu, const fs::path& folder, Diagnostics& diagnostics) {
  if (host_platform(fmu)) return true;
  for (const auto* interface : {&fmu.co_simulation, &fmu.model_exchange}) {
    if (!*interface || fmu_library(fmu, **interface, folder)) continue;
    if (!Compilation(fmu, folder, diagnostics).library((*interface)->model_identifier)) return false;
  }
  return true;
}

}  // namespace takt::tools
