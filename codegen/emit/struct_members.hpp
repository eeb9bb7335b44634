#pragma once
// Members of the struct of a subsystem: its memory.

#include <string>
#include <string_view>
#include <vector>

#include "codegen/emit/functions.hpp"

namespace takt::codegen {

/// Writes members: of one subsystem, or, in lanes, of copies side by side.
class MemberWriter {
 public:
  struct Array {
    std::string type, name;
    std::vector<SymbolId> symbols;
    std::string meaning, size = {};  ///< without a size: one for each symbol
  };
  MemberWriter(Writer& text, const SubsystemView& view, bool in_lanes = false)
      : text_(text), view_(view), in_lanes_(in_lanes) {}

  void array(const Array& array) const;
  /// One for each symbol; nothing where there are none.
  void listed(const Array& array) const {
    if (!array.symbols.empty()) this->array(array);
  }
  void number(const std::string& name, const std::string& start, std::string_view meaning) const;
  /// What prepare() computes.
  void coefficients(const std::vector<SubsystemFunctions::Member>& coefficients) const;

  [[nodiscard]] Writer& text() const { return text_; }
  [[nodiscard]] const SubsystemView& view() const { return view_; }
  [[nodiscard]] bool in_lanes() const { return in_lanes_; }

 private:
  [[nodiscard]] std::string type_of(const std::string& type) const;

  Writer& text_;
  const SubsystemView& view_;
  bool in_lanes_;
};

/// static constexpr std::size_t state_count = 3;
void write_sizes(Writer& text, const SubsystemView& view);

/// All that every kind of subsystem has. In lanes: up to its signals, which are looked at one by
/// one.
void write_members(const MemberWriter& to,
                   const std::vector<SubsystemFunctions::Member>& coefficients);

}  // namespace takt::codegen
