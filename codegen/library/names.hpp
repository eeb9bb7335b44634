#pragma once
// Names of elements, parameters and nodes, and hints about them.

#include <string>
#include <string_view>
#include <vector>

#include "codegen/text/diagnostics.hpp"
#include "runtime/units/predefined.hpp"

namespace takt::codegen {

/// Names are [a-z][a-z0-9_]*.
[[nodiscard]] bool is_name(std::string_view text);

/// Reports M050 where the name is predefined in that place. @return it is free
[[nodiscard]] bool is_free(const std::string& name, NamePlace place, const Location& where,
                           Diagnostics& diagnostics);

/// "FILE, line 7": where the other of two things stands.
[[nodiscard]] std::string place_text(const Location& where);

/// "a, b, c"
[[nodiscard]] std::string join_names(const std::vector<std::string>& names);

/// `did you mean "x"?`, or, where nothing is near and the list is short, "known: a, b, c"; else
/// empty.
[[nodiscard]] std::string name_hint(std::string_view name, const std::vector<std::string>& known);

}  // namespace takt::codegen
