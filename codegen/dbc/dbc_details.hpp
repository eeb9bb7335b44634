#pragma once
// Inside of parse_dbc: statements about messages and signals that were read before (comments, value
// names, types, multiplexing, attributes).

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "codegen/dbc/dbc_parser.hpp"
#include "codegen/dbc/dbc_reader.hpp"

namespace takt::codegen {

class DbcDetails : public DbcReader {
 public:
  using DbcReader::DbcReader;

 protected:
  // --- statements about messages and signals that were read before
  std::optional<std::size_t> known_message(const DbcToken& token, std::uint64_t raw_id);
  std::optional<std::size_t> message_reference();
  /// "ID NAME" of a signal; nullopt where either is unknown (noted).
  std::optional<std::pair<std::size_t, std::size_t>> signal_reference();
  void senders();
  void comment();
  std::vector<ValueName> value_names();
  void signal_values();
  void value_table();
  void signal_type();
  void mux_rule(const DbcToken& keyword);
  /// A mistake from here on costs the signal: what is said about it changes how it is coded.
  void at_stake(const std::optional<std::pair<std::size_t, std::size_t>>& signal);
  // --- attributes
  std::string attribute_value();
  void attribute_definition();
  void attribute(const DbcToken&);

  DbcDraft draft_;
  /// What a statement is about, while it is read: lost where the statement makes no sense.
  struct Subject {
    std::string message, signal;
  };
  std::optional<Subject> subject_;
};

}  // namespace takt::codegen
