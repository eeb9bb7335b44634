#pragma once
// Why a build failed, in words for people: which program, what it said, how to mend it.

#include <string>

#include "codegen/emit/build/process.hpp"

namespace takt::codegen {

enum class BuildStep { write, configure, compile };

struct BuildFailure {
  std::string cause;  ///< "the disk is full"
  std::string said;   ///< the line of the program that tells, with the program's name; may be empty
  std::string remedy;  ///< may be empty
  bool ours = false;   ///< generated sources do not compile: a defect of takt
};

/// @param done  of cmake, configuring or building, not 0; or what the system said to takt itself
[[nodiscard]] BuildFailure explain_failure(BuildStep step, const ProcessResult& done);

/// Three lines at most, the last without its end.
[[nodiscard]] std::string failure_text(const BuildFailure& failure);

}  // namespace takt::codegen
