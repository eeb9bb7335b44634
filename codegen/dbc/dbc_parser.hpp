#pragma once
// Inside of parse_dbc: what the statements leave behind for the last pass.

#include <map>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "codegen/dbc/dbc.hpp"

namespace takt::codegen {

/// Multiplex mark of an SG_ line: M, m3, m3M.
struct MuxMark {
  bool multiplexer = false;
  std::optional<std::uint64_t> value;
};

struct MuxRule {  // SG_MUL_VAL_
  std::size_t message, signal;
  std::string multiplexer;
  std::vector<MuxRange> ranges;
  Location where;
};

/// What statements say about messages and signals before everything is known.
struct DbcDraft {
  Dbc dbc;
  std::unordered_map<std::uint32_t, std::size_t> by_id;  ///< raw id, bit 31 included -> message
  std::set<std::uint32_t> drawers;                       ///< raw ids of VECTOR__INDEPENDENT_SIG_MSG
  std::vector<std::vector<MuxMark>> marks;               ///< per message, per signal
  std::vector<MuxRule> rules;
  std::map<std::string, std::vector<std::string>> enumerations;  ///< attribute -> its values
  std::map<std::string, std::string> defaults;                   ///< attribute -> default
  std::map<std::string, std::string> network_attributes;         ///< of the whole database
  std::vector<std::map<std::string, std::string>> message_attributes;
  std::map<std::pair<std::size_t, std::size_t>, std::map<std::string, std::string>>
      signal_attributes;
  std::map<std::string, std::string> node_long_names;
};

/// Last pass: joins signals to their multiplexers, applies attributes, checks layouts.
void finish_dbc(DbcDraft& draft, Diagnostics& diagnostics);

[[nodiscard]] std::optional<double> dbc_double(std::string_view text);

}  // namespace takt::codegen
