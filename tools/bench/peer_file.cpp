#include "tools/bench/peer_file.hpp"

#include <algorithm>

#include "codegen/library/toml_tree.hpp"
#include "codegen/text/nearest.hpp"
#include "codegen/text/quantity.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

constexpr const char* code = "N001";

/// A duration of at least 1 ns, s.
std::optional<double> seconds(const TomlValue& value, Diagnostics& diagnostics) {
  if (!value.is_string()) {
    diagnostics.error(code, value.where, "a time with its unit is needed here", "\"20 ms\"");
    return std::nullopt;
  }
  const auto ns = parse_duration_ns(value.text);
  if (!ns) {
    diagnostics.error(code, value.text_where, ns.error());
    return std::nullopt;
  }
  return static_cast<double>(*ns) * 1e-9;
}

void read_signals(const TomlValue& table, PeerFile& file, Diagnostics& diagnostics) {
  for (const TomlEntry& entry : table.entries) {
    if (!entry.value.is_string() || entry.value.text.empty()) {
      diagnostics.error(code, entry.where, "a signal is mapped to a text, an expression of ngspice vectors",
                        "with the path in quotes: \"electric.smooth.v\" = \"v(out)\"");
      continue;
    }
    file.signals.push_back({entry.key, entry.value.text, entry.where});
  }
}

void read_rms(const TomlValue& table, PeerFile& file, Diagnostics& diagnostics) {
  for (const TomlEntry& entry : table.entries) {
    const auto signal = std::find_if(file.signals.begin(), file.signals.end(),
                                     [&](const PeerSignal& s) { return s.path == entry.key; });
    if (signal == file.signals.end()) {
      std::vector<std::string> known;
      for (const PeerSignal& s : file.signals) known.push_back(s.path);
      diagnostics.error(code, entry.where, "'" + entry.key + "' is not one of [signals]",
                        did_you_mean(entry.key, known));
      continue;
    }
    const TomlValue* from = entry.value.get("from");
    const TomlValue* to = entry.value.get("to");
    if (from == nullptr || to == nullptr || entry.value.entries.size() != 2) {
      diagnostics.error(code, entry.where, "an RMS needs the times it is taken over",
                        "{ from = \"80 ms\", to = \"100 ms\" }");
      continue;
    }
    const auto from_s = seconds(*from, diagnostics), to_s = seconds(*to, diagnostics);
    if (!from_s || !to_s) continue;
    if (*from_s >= *to_s) {
      diagnostics.error(code, to->where, "the end must lie after the start");
      continue;
    }
    file.rms.push_back({static_cast<std::size_t>(signal - file.signals.begin()), *from_s, *to_s});
  }
}

void read_reference(const TomlValue& table, PeerFile& file, Diagnostics& diagnostics) {
  for (const TomlEntry& entry : table.entries) {
    if (entry.key == "max_step") {
      file.reference_step_s = seconds(entry.value, diagnostics);
      if (file.reference_step_s && *file.reference_step_s <= 0.0)
        diagnostics.error(code, entry.where, "a step is above 0");
    } else if (entry.key == "options" && entry.value.is_string()) {
      file.reference_options = entry.value.text;
    } else {
      diagnostics.error(code, entry.where, "[reference] takes max_step and options, both texts");
    }
  }
}

}  // namespace

PeerFile read_peer_file(const std::filesystem::path& file, Diagnostics& diagnostics) {
  PeerFile result;
  const std::optional<TomlValue> tree = read_toml(file, diagnostics);
  if (!tree) return result;
  const TomlValue* signals = tree->get("signals");
  if (signals != nullptr && signals->is_table()) read_signals(*signals, result, diagnostics);
  for (const TomlEntry& entry : tree->entries) {
    if (!entry.value.is_table()) {
      diagnostics.error(code, entry.where, "'" + entry.key + "' must be a table");
    } else if (entry.key == "rms") {
      read_rms(entry.value, result, diagnostics);
    } else if (entry.key == "reference") {
      read_reference(entry.value, result, diagnostics);
    } else if (entry.key != "signals") {
      diagnostics.error(code, entry.where, "unknown section '" + entry.key + "'",
                        "there are [signals], [rms] and [reference]");
    }
  }
  if (result.signals.empty() && !diagnostics.has_errors()) {
    diagnostics.error(code, {file.string(), 0, 0}, "no signal is mapped",
                      "[signals]\n\"electric.smooth.v\" = \"v(out)\"");
  }
  return result;
}

}  // namespace takt::tools
