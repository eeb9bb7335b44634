#pragma once
// What is answered to a request of HTTP: files of the page, which are in the executable, the list of runs, reports.
// Knows no socket.

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tools/view/door.hpp"
#include "tools/view/runs.hpp"

namespace takt::view {

struct Request {
  std::string_view method, target;
  Caller caller;  ///< but for its query, which is of the target
};

struct Answer {
  unsigned status = 200;
  std::string type, body;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// "/a?b=c" in two.
struct Target {
  std::string_view path, query;
};
[[nodiscard]] Target split(std::string_view target);

struct PageFile {
  std::string_view path, type, text;
};
/// Built in: page/*, sorted by path.
[[nodiscard]] std::span<const PageFile> page_files();

/// A path is looked for in tables alone; none is ever handed to the file system.
[[nodiscard]] Answer answer(const Door& door, Runs& runs, const Request& request);
[[nodiscard]] Answer refusal(unsigned status, const std::string& why);

}  // namespace takt::view
