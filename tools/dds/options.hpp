#pragma once
// The command line of takt-dds.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace takt::dds {

/// Signals of one rate: a topic.
struct BlockPlan {
  std::string name;
  std::int64_t period_ns = 0;
  std::vector<std::string> paths;  ///< or patterns
};

struct Options {
  std::string run, interface, config, name;
  int domain = 0;
  std::vector<BlockPlan> blocks;   ///< empty: what the plant records
  std::vector<std::string> plant;  ///< with --may-start: executable and arguments
};

inline constexpr int highest_domain = 230;

/// @return the exit code where the program ends here
/// @throw tools::UsageError
[[nodiscard]] std::optional<int> parse_options(int argc, char** argv, Options& options);
/// "fast=1 ms: electric.*, control.x"  @throw tools::UsageError
[[nodiscard]] BlockPlan parse_block(const std::string& text);
/// A part of a topic's name that ROS 2 takes, too: letters, digits and '_', no digit first.
[[nodiscard]] bool is_topic_word(const std::string& text);
/// "every_1_ms"
[[nodiscard]] std::string default_name(std::int64_t period_ns);

}  // namespace takt::dds
