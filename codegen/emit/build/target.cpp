#include "codegen/emit/build/target.hpp"

#include <algorithm>
#include <array>

#include "codegen/emit/build/toolchain.hpp"

namespace takt::codegen {
namespace {

constexpr auto targets = std::to_array<Target>({
    {"linux-aarch64", "aarch64", "armv8-a"},
    {"linux-x86_64", "x86_64", "x86-64-v2"},
    {"linux-x86_64-v2", "x86_64", "x86-64-v2", true},
    {"linux-x86_64-v3", "x86_64", "x86-64-v3", true},
    {"linux-x86_64-v4", "x86_64", "x86-64-v4", true},
});

}  // namespace

std::span<const Target> all_targets() { return targets; }

std::optional<Target> find_target(std::string_view name) {
  const auto found = std::find_if(targets.begin(), targets.end(),
                                  [&](const Target& one) { return one.name == name; });
  return found == targets.end() ? std::nullopt : std::optional(*found);
}

std::string baseline(std::string_view machine) {
  for (const Target& one : targets)
    if (one.machine == machine) return std::string(one.march);
  return {};
}

std::string wrong_march(const Target& target, const std::string& march) {
  const std::string name(target.name),
      of = "--march " + march + " does not belong to --target " + name + ": ";
  if (march.empty()) return {};
  if (target.level) return of + "that target names an instruction set itself; leave --march out";
  if (march == "native" && target.machine != this_machine())
    return of +
           "it means the processor of this machine, which is another; name the board's instruction "
           "set";
  if (march.starts_with("arm") != (target.machine == "aarch64"))
    return of + "name one such as " + (target.machine == "aarch64" ? "armv8.2-a" : "x86-64-v3");
  return {};
}

}  // namespace takt::codegen
