#include "runtime/io/silence.hpp"

#include <map>

namespace takt {

std::vector<Silence> silences_of(
    const std::vector<HeardChange>& changes, SimTime end,
    const std::function<std::pair<std::string, std::string>(std::size_t, std::size_t)>& names) {
  std::vector<Silence> all;
  std::map<std::pair<std::size_t, std::size_t>, std::size_t> away;  // to the index in all
  for (const HeardChange& change : changes) {
    const std::pair key{change.bus, change.message};
    if (change.away && !away.contains(key)) {
      const auto [bus, message] = names(change.bus, change.message);
      away[key] = all.size();
      all.push_back({bus, message, change.time, end});
    } else if (const auto found = away.find(key); !change.away && found != away.end()) {
      all[found->second].to = change.time;
      away.erase(found);
    }
  }
  return all;
}

}  // namespace takt
