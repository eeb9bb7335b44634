#pragma once
// The programs that turn sources into an executable, as this machine has them.

#include <filesystem>
#include <string>

namespace takt::codegen {

struct Toolchain {
  std::string machine;   ///< to compile for; empty: this one
  std::string compiler;  ///< as CMake will find it: $CXX, else c++, g++ or clang++ in PATH; empty:
                         ///< there is none
  std::string identity;  ///< hash of the compiler's file and of what else of the environment it
                         ///< obeys; empty: no compiler
  bool cmake = false, ninja = false, make = false;
  std::filesystem::path ccache;  ///< empty: none
};

/// As the system calls it: "x86_64", "aarch64".
[[nodiscard]] std::string this_machine();

/// @param machine  to compile for, by Debian's cross compiler MACHINE-linux-gnu-g++; empty: this
/// one
[[nodiscard]] Toolchain find_toolchain(const std::string& machine = {});

/// What is missing and how to mend it; empty where all is there.
[[nodiscard]] std::string missing_tool(const Toolchain& toolchain);

/// What -march stands for: "native" is another instruction set on another machine.
[[nodiscard]] std::string instruction_set(const std::string& march);

/// Paths, sizes and times of the files of the runtime that plants are compiled against, and how
/// they are to be compiled.
/// @param cmake_package  folder of taktConfig.cmake
/// @param prefix         of the installation it belongs to
[[nodiscard]] std::string runtime_identity(const std::filesystem::path& cmake_package,
                                           const std::filesystem::path& prefix);

}  // namespace takt::codegen
