#pragma once
// Rows of the plant as blocks, a topic per rate, and the description that says what is in them.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "tools/dds/domain.hpp"
#include "tools/dds/options.hpp"
#include "tools/dds/run_link.hpp"
#include "tools/dds/types.hpp"

namespace takt::dds {

/// Who speaks, of which run.
struct Origin {
  std::uint64_t session = 0;
  std::string prefix;  ///< of topics: "rt/takt/ev/"
  std::string bridge, run, run_id, plant, hash, generator;
  std::int64_t macro_step_ns = 0;
};

class Telemetry {
 public:
  /// @param description  its writer
  Telemetry(Domain& domain, dds_entity_t description) : domain_(domain), description_(description) {}
  Telemetry(const Telemetry&) = delete;
  Telemetry& operator=(const Telemetry&) = delete;

  /// The plant has begun to send rows of this plan; at the first time a topic is made.
  /// @param begun  the tap's answer to `watch`  @return what is not as it was asked for, for people; empty: nothing
  std::string begin(const Origin& origin, const BlockPlan& plan, const RunLink::Json& begun);
  /// Where all have begun.
  void describe(const Origin& origin);
  /// What was watched by an earlier connection has ended.
  void forget_watches() { watches_.clear(); }
  void publish(const RunLink::Row& row);

  struct Counts {
    std::uint64_t written = 0, failed = 0, dropped = 0;
  };
  [[nodiscard]] Counts counts() const;
  /// Waits until readers have all, or this time has passed.
  void settle(dds_duration_t longest) const;

 private:
  struct Channel {
    std::string name, topic;
    std::int64_t period_ns = 0, asked_ns = 0;
    std::vector<std::string> paths, units;
    dds_entity_t writer = 0;
    Block block{};  ///< the last one; its values are those of the row
    bool has_begun = false;
    std::uint64_t written = 0, failed = 0;
  };
  [[nodiscard]] Channel& channel(const Origin& origin, const BlockPlan& plan, std::size_t values);

  Domain& domain_;
  dds_entity_t description_;
  std::map<std::string, Channel> channels_;    // by name
  std::map<std::uint64_t, Channel*> watches_;  // by the tap's number
};

/// Blocks kept for a reader that is late: those of two seconds, 16 at least, 64 MB at most.
[[nodiscard]] std::int32_t block_depth(std::int64_t period_ns, std::size_t values);

}  // namespace takt::dds
