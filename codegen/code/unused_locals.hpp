#pragma once
// What nothing reads. The users of locals may have become coefficients, which are computed
// elsewhere.

#include <initializer_list>
#include <span>
#include <string_view>
#include <unordered_set>

#include "codegen/code/block.hpp"

namespace takt::codegen::code {

/// Takes out definitions `const double NAME = ...;` whose name is read neither in the body nor in
/// `last`. What a definition calls has no effect but its value.
void drop_unused_locals(const Values& values, Block& body, const Block& last);

/// Variables that parts of a function read or write.
class UsedNames {
 public:
  UsedNames(const Values& values, std::initializer_list<std::span<const Statement>> parts);
  [[nodiscard]] bool contains(std::string_view name) const { return names_.contains(name); }

 private:
  void add(const Values& values, std::span<const Statement> statements);
  void add(const Values& values, Value value);

  std::unordered_set<Value> seen_;
  std::unordered_set<std::string_view> names_;
};

}  // namespace takt::codegen::code
