#pragma once
// "Did you mean": the closest known name to a misspelt one.

#include <span>
#include <string>
#include <string_view>

namespace takt {

/// Edits (insert, delete, replace, swap of neighbours) between two names; a change of case counts as half an edit.
/// @return twice the number of edits, so that it is an integer
[[nodiscard]] unsigned edit_distance(std::string_view a, std::string_view b);

/// The one with something between the last two words of a path, else the candidate with the smallest distance, the
/// first of equals; empty if none is nearer than a third of its length.
[[nodiscard]] std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// `did you mean "x"?`, or empty where nothing is near: for hints.
[[nodiscard]] std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

}  // namespace takt
