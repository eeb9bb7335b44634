#pragma once
// The points of a sweep: what is varied, and the values of each run. Same wishes and same seed, same points on every
// machine.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "codegen/text/units.hpp"

namespace takt::tools {

/// A parameter or plant input with its values.
struct Variation {
  enum class Kind : std::uint8_t { list, uniform, logarithmic, normal } kind = Kind::list;
  std::string name;
  std::vector<std::string> values;                ///< SI; of a range: steps of a grid, empty where none are given
  double first = 0.0, second = 0.0;               ///< SI; ends of a range, or mean and standard deviation
  std::optional<codegen::Dimension> dimension{};  ///< of all its values; none: plain numbers
};

/// "r.r = 1 kOhm, 2 kOhm", "c.c = 1 uF .. 10 uF / 5", "... / 5 log", "c.c = 1 uF .. 10 uF", "t = normal 300 K 5 K".
/// Each value is a number with its unit; what is counted may have none.
/// @throw UsageError
[[nodiscard]] Variation parse_variation(const std::string& text);

enum class Sampling : std::uint8_t {
  grid,             ///< every combination, the last name fastest
  latin_hypercube,  ///< each range in `count` equal shares, each used once
  random            ///< Monte Carlo
};

struct SweepPoints {
  std::vector<std::string> names;
  std::vector<std::optional<codegen::Dimension>> dimensions;  ///< by name
  std::vector<std::vector<std::string>> points;               ///< SI, in the order of names
};

/// @param count  of runs; not for a grid
/// @throw UsageError  a range without steps in a grid, more than a million points, no count
/// Source of latin_hypercube: McKay, Beckman, Conover, Technometrics 21 (1979), 239-245.
[[nodiscard]] SweepPoints make_points(const std::vector<Variation>& variations, Sampling sampling, std::size_t count,
                                      const std::string& seed);

/// A CSV file: names in the first line, a point in each further one.
/// @throw UsageError  file and line
[[nodiscard]] SweepPoints read_points(const std::filesystem::path& file);

}  // namespace takt::tools
