// What quantities of an element must keep while the plant runs.

#include <algorithm>
#include <array>

#include "codegen/library/names.hpp"
#include "codegen/library/read_element.hpp"
#include "codegen/library/read_value.hpp"

namespace takt::codegen {
namespace {

using Meaning = RangeDefinition::Meaning;

struct MeaningWord {
  Meaning meaning;
  std::string_view word, text, code;
};

constexpr std::array<MeaningWord, 4> meanings{
    {{Meaning::left, "left", "is out of range", "X014"},
     {Meaning::empty, "empty", "is empty", "X015"},
     {Meaning::full, "full", "is full", "X016"},
     {Meaning::overflows, "overflows", "overflows", "X018"}}};

const MeaningWord& entry_of(Meaning meaning) { return meanings[static_cast<std::size_t>(meaning)]; }

Meaning read_meaning(const TomlValue& table, std::string_view key, Diagnostics& diagnostics) {
  const TomlValue* value = table.get(key);
  if (value == nullptr) return Meaning::left;
  const std::string word = read_string(*value, "'" + std::string(key) + "'", diagnostics);
  const auto found = std::find_if(meanings.begin(), meanings.end(),
                                  [&](const MeaningWord& known) { return known.word == word; });
  if (found != meanings.end()) return found->meaning;
  std::vector<std::string> words;
  for (const MeaningWord& known : meanings) words.emplace_back(known.word);
  if (!word.empty())
    diagnostics.error(
        "L017", value->where,
        "'" + std::string(key) + "' is one of " + join_names(words) + "; this is '" + word + "'",
        name_hint(word, words));
  return Meaning::left;
}

RangeDefinition read_range(const TomlEntry& entry, Diagnostics& diagnostics) {
  check_keys(entry.value, {"of", "unit", "min", "max", "at_min", "at_max"}, "L003", "a range",
             diagnostics);
  RangeDefinition range;
  range.name = entry.key;
  range.unit_text = read_unit_text(entry.value, diagnostics);
  range.of = required_expression(entry, "of", diagnostics);
  for (auto [key, end] : {std::pair{"min", &range.min}, {"max", &range.max}})
    if (const TomlValue* value = entry.value.get(key)) *end = read_expression(*value, diagnostics);
  range.at_min = read_meaning(entry.value, "at_min", diagnostics);
  range.at_max = read_meaning(entry.value, "at_max", diagnostics);
  const bool nothing_there = (entry.value.get("at_min") != nullptr && !range.min) ||
                             (entry.value.get("at_max") != nullptr && !range.max);
  if (nothing_there || (!range.min && !range.max))
    diagnostics.error("L017", entry.where,
                      "range '" + entry.key + "' has " +
                          (nothing_there ? "no limit for what it says happens there"
                                         : "neither 'min' nor 'max'"));
  return range;
}

}  // namespace

std::string_view meaning_text(Meaning meaning) { return entry_of(meaning).text; }
std::string_view meaning_code(Meaning meaning) { return entry_of(meaning).code; }

void read_ranges(ElementDefinition& element, const TomlValue& table, Diagnostics& diagnostics) {
  const TomlValue* ranges = table.get("range");
  if (ranges == nullptr || !expect_kind(*ranges, TomlValue::Kind::table, "'range'", diagnostics))
    return;
  for (const TomlEntry& entry : ranges->entries)
    if (valid_name(entry, diagnostics) &&
        expect_kind(entry.value, TomlValue::Kind::table, "range '" + entry.key + "'", diagnostics))
      element.ranges.push_back(read_range(entry, diagnostics));
}

}  // namespace takt::codegen
