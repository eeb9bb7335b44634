#pragma once
// What a build for another target needs beside its sources.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "codegen/emit/build/build.hpp"
#include "codegen/emit/build/target.hpp"
#include "codegen/pipeline.hpp"
#include "runtime/command_line/command_line.hpp"

namespace takt::tools {

class TargetBuild {
 public:
  /// @param target  nothing: this machine, which needs nothing
  explicit TargetBuild(std::optional<codegen::Target> target) : target_(target) {}

  /// Whether all that the plant needs is linked for the target; tells on stderr what is not.
  [[nodiscard]] bool can_build(const codegen::Checked& checked) const;

  /// Instruction set, compiler and runtime of the target; the runtime is compiled where that has not been done.
  /// @return false after errors, which have been told
  [[nodiscard]] bool prepare(codegen::BuildOptions& options);

 private:
  [[nodiscard]] bool is_foreign() const;

  std::optional<codegen::Target> target_;
  std::shared_ptr<const codegen::StoredExecutable> runtime_;  ///< nobody removes it while this lives
};

/// --target, with the names of all.
void declare_target(command_line::App& app, std::string& name);
/// @throws UsageError  where the instruction set is none of the target
[[nodiscard]] std::optional<codegen::Target> checked_target(const std::string& name, const std::string& march);

}  // namespace takt::tools
