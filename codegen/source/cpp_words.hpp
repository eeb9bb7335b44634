#pragma once
// WordList that nothing in emitted code may be called.

#include <string>
#include <unordered_set>

namespace takt::codegen {

class WordList {
 public:
  /// @param list  with blanks between them
  explicit WordList(const char* list);
  [[nodiscard]] bool contains(const std::string& word) const { return words_.contains(word); }

 private:
  std::unordered_set<std::string> words_;
};

/// A keyword of C++20, a namespace that emitted code uses, or a macro of a header that it includes.
[[nodiscard]] bool is_cpp_word(const std::string& name);

}  // namespace takt::codegen
