#pragma once
// `takt reference` of this program, run beside what it judges.

#include <filesystem>
#include <string>
#include <vector>

namespace takt::tools {

struct ReferenceWish {
  std::string plant, solve;         ///< as on the command line
  std::vector<std::string> set;     ///< name=value
  std::vector<std::string> inputs;  ///< --input and --replay with what they take
  double duration_s = 0.0;
  double at_most_s = 60.0;  ///< wall time: it gets as far as it comes
  std::string tolerance = "1e-8";
  std::filesystem::path start;  ///< a run that began with the steady state to begin with; empty: start values
};

/// @return why there is none; empty: it is in `out`
[[nodiscard]] std::string make_reference(const ReferenceWish& wish, const std::filesystem::path& out);

/// Of what a program printed: its first error with a code, else its last line.
[[nodiscard]] std::string last_line(std::string text);

}  // namespace takt::tools
