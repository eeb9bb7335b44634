#pragma once
// What the code of a subsystem has because of its kind.

#include <string>
#include <vector>

#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

struct KindCode {
  std::vector<const char*> headers;       ///< of runtime, that its members need
  std::vector<const char*> declarations;  ///< of its functions, with what they do
  std::vector<std::string> started;  ///< in initialize(), once the states have their start values
  std::string
      settle;  ///< then: everything that follows from the states; repeated while guesses are far
  std::vector<std::string> settled;  ///< then
  std::vector<std::string>
      rates;  ///< statements that give the `rates` of `self` at time 0, and its outputs
  std::vector<std::string>
      tuned;      ///< statements for `self`, coefficients of which have been changed at (t, s)
  bool observed;  ///< what nobody reads is computed by observe() when somebody looks; else it is up
                  ///< to date after each window
};

[[nodiscard]] KindCode kind_code(const SubsystemView& view);

}  // namespace takt::codegen
