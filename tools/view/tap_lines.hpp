#pragma once
// What a tap sends, cut into lines and the bytes that follow some of them.

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace takt::view {

class TapLines {
 public:
  using Json = nlohmann::ordered_json;
  using OnLine = std::function<void(const Json& line, std::string_view bytes)>;

  /// @return false: this is no tap
  [[nodiscard]] bool take(std::string_view piece, const OnLine& on_line);

 private:
  std::string waiting_;
};

}  // namespace takt::view
