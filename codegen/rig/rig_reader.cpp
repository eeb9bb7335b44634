#include "codegen/rig/rig_reader.hpp"

#include <algorithm>
#include <cmath>

#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::codegen {

const TomlEntry* RigTable::entry(std::string_view key) {
  asked_.emplace_back(key);
  return table_.find(key);
}

const TomlValue* RigTable::any(std::string_view key) {
  const auto* found = entry(key);
  return found != nullptr ? &found->value : nullptr;
}

void RigTable::wrong_type(const TomlEntry& found, std::string_view wanted) {
  diagnostics_.error("B003", found.value.where,
                     "'" + found.key + "' of " + title_ + " must be " + std::string(wanted) +
                         ", not " + std::string(kind_text(found.value.kind)));
}

std::optional<std::string> RigTable::text(std::string_view key) {
  const auto* found = entry(key);
  if (found == nullptr) return std::nullopt;
  if (found->value.is_string()) return found->value.text;
  wrong_type(*found, "a string");
  return std::nullopt;
}

std::optional<double> RigTable::number(std::string_view key) {
  const auto* found = entry(key);
  if (found == nullptr) return std::nullopt;
  if (found->value.is_number() && std::isfinite(found->value.number)) return found->value.number;
  if (found->value.is_number())
    diagnostics_.error("B003", found->value.where,
                       "'" + found->key + "' of " + title_ + " must be a finite number");
  else
    wrong_type(*found, "a number");
  return std::nullopt;
}

std::optional<bool> RigTable::flag(std::string_view key) {
  const auto* found = entry(key);
  if (found == nullptr) return std::nullopt;
  if (found->value.is(TomlValue::Kind::boolean)) return found->value.flag;
  wrong_type(*found, "true or false");
  return std::nullopt;
}

std::optional<std::int64_t> RigTable::whole(std::string_view key, std::int64_t smallest,
                                            std::int64_t largest) {
  const auto* found = entry(key);
  if (found == nullptr) return std::nullopt;
  if (!found->value.is(TomlValue::Kind::integer)) {
    wrong_type(*found, "a whole number");
    return std::nullopt;
  }
  const double value = found->value.number;
  if (value < static_cast<double>(smallest) || value > static_cast<double>(largest)) {
    diagnostics_.error("B004", found->value.where,
                       "'" + found->key + "' of " + title_ + " must lie between " +
                           std::to_string(smallest) + " and " + std::to_string(largest));
    return std::nullopt;
  }
  return static_cast<std::int64_t>(value);
}

std::optional<std::int64_t> RigTable::duration(std::string_view key, std::int64_t smallest,
                                               std::int64_t largest) {
  const auto* found = entry(key);
  if (found == nullptr) return std::nullopt;
  if (!found->value.is_string()) {
    wrong_type(*found, "a duration such as \"20 ms\"");
    return std::nullopt;
  }
  const auto ns = parse_duration_ns(found->value.text);
  if (!ns) {
    diagnostics_.error("B004", found->value.text_where,
                       "'" + found->key + "' of " + title_ + ": " + ns.error(),
                       "write for example \"20 ms\"");
    return std::nullopt;
  }
  if (*ns < smallest || *ns > largest) {
    diagnostics_.error("B004", found->value.text_where,
                       "'" + found->key + "' of " + title_ + " must lie between " +
                           duration_text(smallest) + " and " + duration_text(largest));
    return std::nullopt;
  }
  return *ns;
}

std::optional<std::string> RigTable::choice(std::string_view key,
                                            std::span<const std::string> words) {
  auto value = text(key);
  if (!value || std::find(words.begin(), words.end(), *value) != words.end()) return value;
  std::string list;
  for (const auto& word : words) list += (list.empty() ? "\"" : ", \"") + word + "\"";
  diagnostics_.error("B004", table_.find(key)->value.text_where,
                     "'" + std::string(key) + "' of " + title_ + " cannot be \"" + *value + "\"",
                     "choose one of " + list);
  return std::nullopt;
}

std::vector<std::pair<std::string, Location>> RigTable::texts(std::string_view key) {
  std::vector<std::pair<std::string, Location>> out;
  const auto* found = entry(key);
  if (found == nullptr) return out;
  if (!found->value.is_array()) {
    wrong_type(*found, "a list of strings");
    return out;
  }
  for (const auto& item : found->value.items) {
    if (item.is_string()) {
      out.emplace_back(item.text, item.text_where);
    } else {
      diagnostics_.error("B003", item.where,
                         "'" + found->key + "' of " + title_ + " is a list of strings");
    }
  }
  return out;
}

void RigTable::done() {
  for (const auto& found : table_.entries) {
    if (std::find(asked_.begin(), asked_.end(), found.key) != asked_.end()) continue;
    std::string hint = did_you_mean(found.key, asked_);
    if (hint.empty()) {
      for (const auto& key : asked_) hint += (hint.empty() ? "known here: " : ", ") + key;
    }
    diagnostics_.error("B002", found.where, "unknown key '" + found.key + "' in " + title_, hint);
  }
}

void RigTable::forget() {
  for (const auto& found : table_.entries) asked_.push_back(found.key);
}

MapTable read_map(const TomlValue& table, std::span<const std::string> setting_keys,
                  Diagnostics& diagnostics) {
  MapTable map;
  for (const auto& entry : table.entries) {
    const auto dot = entry.key.find('.');
    if (dot != std::string::npos) {
      map.entries.push_back(
          {entry.key.substr(0, dot), entry.key.substr(dot + 1), entry.where, &entry.value});
      continue;
    }
    if (!entry.value.is_table()) {
      diagnostics.error("B003", entry.where, "'" + entry.key + "' names no signal",
                        "write \"" + entry.key + ".SIGNAL\" = ...");
      continue;
    }
    map.settings.push_back({entry.key, entry.where, &entry.value});
    for (const auto& inner : entry.value.entries) {
      if (std::find(setting_keys.begin(), setting_keys.end(), inner.key) != setting_keys.end())
        continue;
      map.entries.push_back({entry.key, inner.key, inner.where, &inner.value});
    }
  }
  return map;
}

}  // namespace takt::codegen
