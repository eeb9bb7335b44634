#pragma once
// What is being done to a run now, whoever began it: inputs that are set, overrides, faults. Of the events of its tap.

#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace takt::view {

class Active {
 public:
  using Json = nlohmann::ordered_json;
  static constexpr std::size_t most_in_request = 16;

  /// An event of the tap.  @return something has changed
  bool note(const Json& event);
  /// For a page: list of verb, path, value, author, element, time_ns.
  [[nodiscard]] Json list() const;
  /// Requests to the tap that end all that can be ended: what is tuned stays.
  [[nodiscard]] std::vector<Json> release_all() const;
  /// Events before the first one known are not: what was begun then is missing in the list.
  [[nodiscard]] bool is_whole() const noexcept { return is_whole_; }

 private:
  struct Entry {
    std::string verb, path, value, author;
    std::int64_t time_ns = 0;
    bool of_element = false;  ///< a fault of an element: takes effect later than others
  };
  void end(const std::string& verb, const std::string& path, const std::string& value);

  std::vector<Entry> entries_;
  bool is_whole_ = true, any_ = false;
};

}  // namespace takt::view
