#pragma once
// How locals and coefficients are called where code is printed for something else than to be
// compiled as it is.

#include <cstddef>
#include <string>
#include <unordered_map>

namespace takt::codegen::code {

class Naming {
 public:
  Naming() = default;
  Naming(const Naming&) = delete;
  Naming& operator=(const Naming&) = delete;
  virtual ~Naming() = default;
  /// A local of type double.
  [[nodiscard]] virtual std::string local(const std::string& name) = 0;
  /// NAME of k.NAME, f.NAME, g.NAME.
  [[nodiscard]] virtual std::string coefficient(const std::string& name) = 0;
  [[nodiscard]] virtual bool has_comments() const = 0;
};

/// Numbers in the order in which names appear first, no comments: functions that differ in these
/// alone are equal texts.
class NumberedNames final : public Naming {
 public:
  [[nodiscard]] std::string local(const std::string& name) override { return number_of(name); }
  [[nodiscard]] std::string coefficient(const std::string& name) override {
    return number_of(name);
  }
  [[nodiscard]] bool has_comments() const override { return false; }

 private:
  std::string number_of(const std::string& name) {
    return "$" + std::to_string(numbers_.emplace(name, numbers_.size()).first->second);
  }
  std::unordered_map<std::string, std::size_t> numbers_;
};

/// Some coefficients have other names.
class RenamedCoefficients final : public Naming {
 public:
  explicit RenamedCoefficients(std::unordered_map<std::string, std::string> names)
      : names_(std::move(names)) {}
  [[nodiscard]] std::string local(const std::string& name) override { return name; }
  [[nodiscard]] std::string coefficient(const std::string& name) override {
    return names_.at(name);
  }
  [[nodiscard]] bool has_comments() const override { return true; }

 private:
  std::unordered_map<std::string, std::string> names_;
};

}  // namespace takt::codegen::code
