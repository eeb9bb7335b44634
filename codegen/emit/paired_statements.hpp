#pragma once
// Straight-line code two doubles at a time: statements that differ only in which of two neighbours they read become one
// over takt::TwoDoubles. Compilers do that themselves where results stand next to each other in memory, and seldom
// where they stay in registers. Every lane is computed by the same operations as before: the same bits.

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace takt::codegen {

/// Definitions "const double NAME = ...;" and assignments "ARRAY[index] = ...;" of one function.
/// Call order: read(), pair(), then value() and pair_value() of what is wanted.
class PairedStatements {
 public:
  /// @param body   lines of a function; each of the lines `known` may stand in it and is left out
  /// @param lanes  arrays read in pairs: array[2*k] and array[2*k + 1] are block k of NAME, "w" -> "u"
  /// @return nothing where anything else stands in it
  [[nodiscard]] static std::optional<PairedStatements> read(const std::string& body,
                                                            const std::vector<std::string>& known,
                                                            std::map<std::string, std::string> lanes);
  /// Pairs the assignments to neighbours of these arrays, and what they read.
  /// @return false where they wait for each other in a circle
  [[nodiscard]] bool pair(const std::vector<std::string>& arrays);

  [[nodiscard]] bool assigns(const std::string& array, std::size_t index) const;
  /// Whether an assignment's value is this text.
  [[nodiscard]] bool is_text(const std::string& array, std::size_t index, const std::string& text) const;
  /// The value of array[2*block] and array[2*block + 1] as one; nothing where they are none. The lines it needs come
  /// first.
  [[nodiscard]] std::optional<std::string> pair_value(const std::string& array, std::size_t block,
                                                      std::vector<std::string>& lines);
  [[nodiscard]] std::string value(const std::string& array, std::size_t index, std::vector<std::string>& lines);
  [[nodiscard]] std::string comment(const std::string& array, std::size_t index) const;
  /// Pairs of what does not change while coefficients stay, "{f.a, g.b}": values read f.pairs[index].
  [[nodiscard]] const std::vector<std::string>& invariants() const { return invariants_; }
  /// Whether any statement reads this name.
  [[nodiscard]] bool reads(const std::string& name) const;

 private:
  struct Statement {
    std::vector<std::string> tokens;
    std::string type, comment;
  };
  /// Where a value stands as one half of two.
  struct Half {
    std::string name;
    std::size_t lane = 0;
  };
  [[nodiscard]] std::optional<std::string> merged(const std::string& first, const std::string& second);
  [[nodiscard]] std::optional<std::string> merged_token(const std::string& first, const std::string& second,
                                                        std::size_t& vectors, std::size_t& gathered);
  [[nodiscard]] bool waits_in_circle(const std::string& name, std::map<std::string, int>& state) const;
  [[nodiscard]] std::string scalar(const std::string& token) const;
  void define(const std::string& name, std::vector<std::string>& lines);
  void define_reads(const std::vector<std::string>& tokens, std::vector<std::string>& lines);
  [[nodiscard]] std::optional<std::pair<std::string, std::size_t>> lane_of(const std::string& token) const;

  std::map<std::string, Statement> statements_;  ///< by what they define: "t1", "dz[0]"
  std::map<std::string, Statement> pairs_;       ///< by the name of both halves
  std::map<std::string, Half> halves_;           ///< of what has been paired
  std::set<std::string> defined_;
  std::set<std::pair<std::string, std::string>> failed_;
  std::map<std::string, std::string> lanes_, invariant_of_;
  std::vector<std::string> invariants_;
};

}  // namespace takt::codegen
