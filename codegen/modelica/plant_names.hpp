#pragma once
// Names and units of Modelica in words of plant files.

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace takt::codegen::modelica {

/// "Motor.frame[1].r_0" is motor_frame_1_r_0; names that are taken get a number.
class PlantNames {
 public:
  /// @param taken  what else means something else
  explicit PlantNames(std::vector<std::string> taken = {});
  /// The same for the same name of Modelica.
  [[nodiscard]] const std::string& of(const std::string& modelica);
  /// A name that no variable has.
  [[nodiscard]] std::string fresh(std::string_view stem);

 private:
  std::map<std::string, std::string> names_;
  std::set<std::string, std::less<>> taken_;
};

/// A basic string of TOML.
[[nodiscard]] std::string toml_text(std::string_view text);

}  // namespace takt::codegen::modelica
