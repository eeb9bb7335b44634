#pragma once
// import.json: what became of every name of the model.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "codegen/modelica/scalar_model.hpp"

namespace takt::codegen::modelica {

class ImportMap {
 public:
  void add_signal(const ScalarVariable& variable, std::string path, int sign);
  void add_alias(const ScalarVariable& variable, const std::string& of, int sign);
  void add_value(const ScalarVariable& variable, double value);
  void add_parameter(const TunableParameter& parameter, std::string path);

  [[nodiscard]] bool knows(const std::string& name) const { return entries_.contains(name); }
  [[nodiscard]] std::optional<std::string> signal(const std::string& name) const;
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::string text(const ScalarModel& model, const std::string& origin) const;

 private:
  struct Entry {
    std::string signal, of, parameter;
    int sign = 1;
    double value = 0.0;
    const FlatVariable* declared = nullptr;
  };
  /// Follows aliases.
  [[nodiscard]] Entry resolved(const Entry& entry) const;
  std::map<std::string, Entry> entries_;
};

}  // namespace takt::codegen::modelica
