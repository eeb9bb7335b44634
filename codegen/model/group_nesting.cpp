#include "codegen/model/group_nesting.hpp"

namespace takt::codegen {

std::set<std::string_view> GroupNesting::without_end(const std::vector<SyncSetting>& groups) const {
  std::unordered_map<std::string_view, std::vector<std::string_view>> outer;
  std::unordered_map<std::string_view, std::size_t> left;
  std::set<std::string_view> endless;
  std::vector<std::string_view> ended;
  for (const SyncSetting& group : groups) ended.push_back(group.name);
  for (const auto& [group, members] : members_) {
    endless.insert(group);
    left[group] = members.size();
    for (const std::string_view member : members) outer[member].push_back(group);
  }
  std::erase_if(ended, [&](std::string_view group) { return endless.contains(group); });
  while (!ended.empty()) {
    const std::string_view group = ended.back();
    ended.pop_back();
    endless.erase(group);
    for (const std::string_view around : outer[group])
      if (--left[around] == 0) ended.push_back(around);
  }
  return endless;
}

bool GroupNesting::reaches(std::string_view from, std::string_view to) const {
  std::vector<std::string_view> open{from};
  std::set<std::string_view> seen;
  while (!open.empty()) {
    const std::string_view group = open.back();
    open.pop_back();
    if (group == to) return true;
    if (!seen.insert(group).second) continue;
    if (const auto found = members_.find(group); found != members_.end())
      open.insert(open.end(), found->second.begin(), found->second.end());
  }
  return false;
}

}  // namespace takt::codegen
