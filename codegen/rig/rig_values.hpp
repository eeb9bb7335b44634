#pragma once
// Inside of load_rig: the right-hand side of an entry of [bus.NAME.receive] or [bus.NAME.send].

#include "codegen/rig/rig_reader.hpp"

namespace takt::codegen {

enum class SignalDirection { receive, send };

class ValueReader {
 public:
  ValueReader(const RigTarget& target, Diagnostics& diagnostics)
      : target_(target), diagnostics_(diagnostics) {}

  /// @param map  gets its path with scale and offset, or its constant
  /// @return false after an error
  [[nodiscard]] bool read(const TomlValue& value, const DbcSignal& signal,
                          SignalDirection direction, SignalMap& map);

 private:
  /// A unit as it is written, and where the value stands that has it.
  struct UnitText {
    std::string text;
    Location where;
  };
  bool read_table(const TomlValue& value, const DbcSignal& signal, SignalDirection direction,
                  SignalMap& map);
  bool find_path(std::string& path, const Location& where, const DbcSignal& signal,
                 SignalDirection direction);
  bool convert(const DbcSignal& signal, const UnitText& given, SignalDirection direction,
               SignalMap& map);
  [[nodiscard]] const std::vector<PlantSignal>& names(SignalDirection direction) const {
    return direction == SignalDirection::send ? target_.signals : target_.inputs;
  }

  const RigTarget& target_;
  Diagnostics& diagnostics_;
};

}  // namespace takt::codegen
