#pragma once
// What a plant can be compiled for.

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace takt::codegen {

struct Target {
  std::string_view name;     ///< "linux-x86_64-v3"
  std::string_view machine;  ///< as the system calls it: "x86_64"
  std::string_view march;    ///< the oldest processors that it runs on
  bool level = false;        ///< an instruction set beyond the machine's portable baseline, named
};

/// The first of each machine is that machine's portable baseline.
[[nodiscard]] std::span<const Target> all_targets();
[[nodiscard]] std::optional<Target> find_target(std::string_view name);
/// -march of the oldest processors of a machine that plants run on; empty: not known
[[nodiscard]] std::string baseline(std::string_view machine);

/// Why an instruction set is none of that target, and how to mend it; empty: it may be one, which
/// the compiler knows.
[[nodiscard]] std::string wrong_march(const Target& target, const std::string& march);

}  // namespace takt::codegen
