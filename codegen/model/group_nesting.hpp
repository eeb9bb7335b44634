#pragma once
// Which sync groups are members of others. Internal to codegen/model.

#include <set>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "codegen/model/plan_settings.hpp"

namespace takt::codegen {

/// By name; the names are those of who calls.
class GroupNesting {
 public:
  void add(std::string_view member, std::string_view group) { members_[group].push_back(member); }

  /// Groups that contain a circle: none in most plants, whose groups are peeled off from the
  /// innermost outwards.
  [[nodiscard]] std::set<std::string_view> without_end(
      const std::vector<SyncSetting>& groups) const;
  /// Whether group `from` contains `to`, directly or through others.
  [[nodiscard]] bool reaches(std::string_view from, std::string_view to) const;

 private:
  std::unordered_map<std::string_view, std::vector<std::string_view>> members_;  ///< by group
};

}  // namespace takt::codegen
