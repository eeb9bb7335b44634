#include "codegen/emit/names.hpp"

#include <algorithm>
#include <array>
#include <cctype>

namespace takt::codegen {
namespace {

constexpr auto reserved = std::to_array<std::string_view>({
    "alignas",
    "alignof",
    "and",
    "and_eq",
    "asm",
    "auto",
    "bitand",
    "bitor",
    "bool",
    "break",
    "case",
    "catch",
    "char",
    "char16_t",
    "char32_t",
    "char8_t",
    "class",
    "co_await",
    "co_return",
    "co_yield",
    "compl",
    "concept",
    "const",
    "const_cast",
    "consteval",
    "constexpr",
    "constinit",
    "continue",
    "decltype",
    "default",
    "delete",
    "do",
    "double",
    "dynamic_cast",
    "else",
    "enum",
    "explicit",
    "export",
    "extern",
    "false",
    "float",
    "for",
    "friend",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "mutable",
    "namespace",
    "new",
    "noexcept",
    "not",
    "not_eq",
    "nullptr",
    "operator",
    "or",
    "or_eq",
    "private",
    "protected",
    "public",
    "register",
    "reinterpret_cast",
    "requires",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "static_assert",
    "static_cast",
    "struct",
    "switch",
    "template",
    "this",
    "thread_local",
    "throw",
    "true",
    "try",
    "typedef",
    "typeid",
    "typename",
    "union",
    "unsigned",
    "using",
    "virtual",
    "void",
    "volatile",
    "wchar_t",
    "while",
    "xor",
    "xor_eq",
    // names of the emitted functions' parameters, members and namespaces
    "t",
    "s",
    "z",
    "dz",
    "dq",
    "x",
    "q",
    "k",
    "w",
    "inputs",
    "outputs",
    "sent",
    "received",
    "energy",
    "newton",
    "signals",
    "warm",
    "parameters",
    "window",
    "iteration",
    "residual",
    "plant",
    "takt",
    "std",
    "prepare",
    "initialize",
    "run",
    "evaluate",
    "inside",
    "next_instant",
    "next_turn",
    "next_source_turn",
    "next",
    "finish",
    "still",
    "unsolved",
    "turned",
    "inaccurate",
    "unchecked",
    "equations",
    "alert",
    "damping",
    "here",
    "move",
    "settled",
    "left",
    "running",
    "unseen",
    "armed",
    "watched",
    "occurred",
    "crowded",
    "restless",
    "event_count",
    "set_count",
    "most_events",
    "event_sets",
    "follows",
    "indicators",
    "effects",
    "contents",
    "to",
    "stored",
    "end_s",
    "length_s",
    "start",
    "tick",
    "advance",
    "l",
    "step",
    "main",
    "unix",
    "gh",
    "lu",
    "slopes",
    "quadrature_entries",
    "linearise",
    "factor",
    "solve",
    "quadrature_slopes",
    "linux",
    "f",
    "g",
    "v",
    "e",
    "r",
    "b",
    "y",
    "map",
    "maps",
    "work",
    "points",
    "middle",
    "step_s",
    "held",
    "modes",
    "gates",
    "slot",
    "factors",
    "scale",
    "half",
    "half_step",
    "u",
    "last",
    "sum",
    "sums",
    "from",
    "earlier",
    "before",
    "count",
    "done",
    "factorised",
    "moving",
});

bool is_reserved(std::string_view name) {
  if (std::find(reserved.begin(), reserved.end(), name) != reserved.end()) return true;
  const bool temporary =
      name.size() > 1 && (name[0] == 't' || name[0] == 'd') &&
      std::all_of(name.begin() + 1, name.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  return temporary;
}

}  // namespace

std::string identifier_of(std::string_view path) {
  std::string name;
  for (const char raw : path) {
    const auto c = static_cast<unsigned char>(raw);
    if (c < 128 && std::isalnum(c) != 0) {
      name += raw;
    } else if (!name.empty() && name.back() != '_') {  // no double underscore: those are the compiler's
      name += '_';
    }
  }
  while (!name.empty() && name.back() == '_') name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0])) != 0) name.insert(0, "n");
  return is_reserved(name) ? name + "_" : name;
}

std::string type_name_of(std::string_view path) {
  std::string name;
  bool capital = true;
  for (const char raw : identifier_of(path)) {
    if (raw == '_') {
      capital = true;
      continue;
    }
    name += capital ? static_cast<char>(std::toupper(static_cast<unsigned char>(raw))) : raw;
    capital = false;
  }
  return name;
}

std::string UniqueNames::make(const std::string& wished) {
  std::string name = wished;
  for (int suffix = 2; !taken_.insert(name).second; ++suffix) name = wished + "_" + std::to_string(suffix);
  return name;
}

}  // namespace takt::codegen
