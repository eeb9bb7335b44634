#pragma once
// peer.cir: a plain ngspice netlist with one .tran, from which decks for single runs are made.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "codegen/text/diagnostics.hpp"

namespace takt::tools {

/// A SPICE number, "1u", "2.2kOhm", "1e-3", "5meg": suffix in any case, letters behind it without meaning.
[[nodiscard]] std::optional<double> spice_number(std::string_view text);

struct PeerNetlist {
  std::vector<std::string> lines;  ///< without .tran and .end; included files with their whole path
  double step_s = 0.0;             ///< .tran: step of printing, which also bounds the first step
  double stop_s = 0.0, start_s = 0.0;
  double max_step_s = 0.0;
  bool initial_conditions = false;  ///< "uic"
  bool saves = false;               ///< it names itself what to keep
};

/// Mistakes are reported with their places (N002).
[[nodiscard]] PeerNetlist read_peer_netlist(const std::filesystem::path& file, codegen::Diagnostics& diagnostics);

/// One run of ngspice.
struct PeerDeck {
  std::vector<std::string> expressions;  ///< what is looked at: nothing else is kept
  std::filesystem::path output;          ///< their values, by wrdata; empty: write nothing
  std::optional<double> max_step_s;
  std::optional<double> stop_s;
  std::string options;
};
[[nodiscard]] std::string peer_deck(const PeerNetlist& netlist, const PeerDeck& deck);

/// Vectors an expression is made of: v(..), i(..), @device[..]. Empty where it holds other names.
[[nodiscard]] std::vector<std::string> vectors_of(std::string_view expression);

}  // namespace takt::tools
