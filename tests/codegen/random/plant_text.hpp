#pragma once
// A plant file in the making, and the dice it is thrown with.

#include <array>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace takt::codegen::testing {

class Dice {
 public:
  explicit Dice(std::mt19937_64& random) : random_(random) {}
  [[nodiscard]] int below(int limit) { return static_cast<int>(random_() % static_cast<std::uint64_t>(limit)); }
  [[nodiscard]] bool coin() { return below(2) == 0; }
  /// True once in n throws.
  [[nodiscard]] bool once_in(int n) { return below(n) == 0; }
  template <class Value>
  [[nodiscard]] Value one_of(std::initializer_list<Value> values) {
    return values.begin()[below(static_cast<int>(values.size()))];
  }
  template <class Value>
  [[nodiscard]] const Value& one_of(const std::vector<Value>& values) {
    return values.at(static_cast<std::size_t>(below(static_cast<int>(values.size()))));
  }
  /// Between low and 10*low, with the unit.
  [[nodiscard]] std::string around(double low, const std::string& unit) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.3g %s", low * (1 + 9.0 * below(1000) / 1000.0), unit.c_str());
    return text.data();
  }

 private:
  std::mt19937_64& random_;
};

/// Lines by section, in the order they were added.
class PlantText {
 public:
  /// name = { is = "type", at = [..], rest }; @return the name, which is unique in the plant
  std::string add(const std::string& section, const std::string& type, const std::vector<std::string>& at,
                  const std::string& rest = {}) {
    const std::string name = type + std::to_string(count_++);
    add_named(section, name, type, at, rest);
    return name;
  }
  void add_named(const std::string& section, const std::string& name, const std::string& type,
                 const std::vector<std::string>& at, const std::string& rest) {
    std::string line = name + " = { is = \"" + type + "\"";
    for (std::size_t k = 0; k < at.size(); ++k) line += (k == 0 ? ", at = [\"" : ", \"") + at[k] + "\"";
    if (!at.empty()) line += "]";
    if (!rest.empty()) line += ", " + rest;
    sections_[section] += line + " }\n";
  }
  void head(const std::string& section, const std::string& line) { sections_[section] += line + "\n"; }
  [[nodiscard]] std::string fresh(const std::string& stem) { return stem + std::to_string(count_++); }
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const auto& [section, lines] : sections_) all += "[" + section + "]\n" + lines;
    return all;
  }

 private:
  std::map<std::string, std::string> sections_;
  int count_ = 0;
};

inline std::string value(const std::string& parameter, const std::string& text) {
  return parameter + " = \"" + text + "\"";
}

}  // namespace takt::codegen::testing
