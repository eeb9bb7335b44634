#pragma once
// Sources -> executable: writes them into a folder and compiles them with CMake against the runtime.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "codegen/emit/build/executable_store.hpp"
#include "codegen/emit/sources.hpp"
#include "codegen/text/hash.hpp"

namespace takt::codegen {

struct BuildOptions {
  std::string name;                         ///< of the executable: the plant's name
  std::filesystem::path directory;          ///< sources; build/ and bin/ below it
  std::filesystem::path cmake_package;      ///< folder of taktConfig.cmake, of an installation or a build tree
  std::string identity;                     ///< of takt and its runtime: part of the key
  std::string march;                        ///< -march; empty: the portable baseline of this machine's architecture
  std::string cmake = {};                   ///< CMakeLists.txt; empty: of an executable
  std::string machine = {};                 ///< to compile for: "aarch64"; empty: this one
  std::vector<std::string> arguments = {};  ///< more, for CMake
  std::vector<std::string> unkeyed = {};    ///< the same, but what is built does not depend on them
  std::size_t kept = 32;                    ///< that many built things stay in the folder; an executable has some 2 MB
  bool publish = false;                     ///< sources and bin/NAME in the folder become this build's
  std::function<void(const std::string&)> progress;  ///< one line per thing that takes time; may be empty
};

struct BuildResult {
  bool ok = false;
  bool built = false;                            ///< false: everything was up to date
  std::filesystem::path executable;              ///< never changes; bin/NAME where published
  std::shared_ptr<const StoredExecutable> kept;  ///< nobody removes it while this lives
  std::string failure;                           ///< cause, what the program said, remedy
  std::string log;                               ///< of the program that failed
  bool ours = false;                             ///< the sources do not compile
};

/// Parts of a CMakeLists.txt of emitted sources: what stands before the target takt_plant, its sources, and what
/// follows.
/// @param what  is built: for the first line
[[nodiscard]] std::string cmake_head(const std::string& what);
[[nodiscard]] std::string cmake_sources(const Sources& sources);
[[nodiscard]] std::string cmake_tail();
/// CMakeLists.txt of the emitted plant.
[[nodiscard]] std::string plant_cmake(const std::string& name, const Sources& sources);

/// Folder of the user for what can be made anew: takt in XDG_CACHE_HOME, else in HOME/.cache; empty: neither is known.
[[nodiscard]] std::filesystem::path user_cache();

/// Sources and executables in a folder are used where nobody else can have put them there (runtime/trust); else why
/// not, and the cure. Also of what tools lay out beside them: fmu, hosts, plans.
[[nodiscard]] std::string why_not_built_in(const std::filesystem::path& directory);

/// The executable of these sources: one built before under the same key (sources, options, compiler, runtime), also
/// where there is no compiler now; else compiled. Any number of processes may build in one folder: one compiles, the
/// others wait. Writes only files that differ and removes those of an earlier build that are no longer emitted.
/// @throws std::filesystem::filesystem_error, std::system_error  where the folder cannot be written
[[nodiscard]] BuildResult build_sources(const Sources& sources, const BuildOptions& options);

}  // namespace takt::codegen
