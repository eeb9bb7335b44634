#include "codegen/source/cpp_words.hpp"

#include <sstream>

namespace takt::codegen {

WordList::WordList(const char* list) {
  std::istringstream words(list);
  for (std::string word; words >> word;) words_.insert(word);
}

bool is_cpp_word(const std::string& name) {
  static const WordList words(
      "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t "
      "char32_t char8_t class "
      "co_await co_return co_yield compl concept const const_cast consteval constexpr constinit "
      "continue decltype "
      "default delete do double dynamic_cast else enum explicit export extern false float for "
      "friend goto if inline "
      "int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private "
      "protected public "
      "register reinterpret_cast requires return short signed sizeof static static_assert "
      "static_cast struct switch "
      "template this thread_local throw true try typedef typeid typename union unsigned using "
      "virtual void volatile "
      "wchar_t while xor xor_eq "
      // namespaces
      "std takt "
      // macros of the headers of C and C++, of their headers of the system, and of g++
      "BUFSIZ CHAR_BIT DOMAIN EOF EXIT_FAILURE EXIT_SUCCESS FP_INFINITE FP_NAN FP_NORMAL "
      "FP_SUBNORMAL FP_ZERO HUGE_VAL INFINITY INT_MAX INT_MIN MATH_ERRNO M_E M_PI NAN NULL "
      "OVERFLOW PLOSS RAND_MAX SING TLOSS UNDERFLOW WNOHANG WUNTRACED assert errno linux stderr "
      "stdin stdout unix");
  return words.contains(name);
}

}  // namespace takt::codegen
