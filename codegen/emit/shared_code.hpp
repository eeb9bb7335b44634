#pragma once
// Identical parts, one code: copies of a part are computed by the functions of the first, each on
// its own memory.
//
// Straight-line code of ten vehicles does not fit a core's caches, and takes ten times as long to
// compile; the code of one does.

#include <memory>
#include <unordered_map>

#include "codegen/code/naming.hpp"
#include "codegen/emit/lane_source.hpp"
#include "codegen/emit/sources.hpp"
#include "codegen/emit/subsystem_source.hpp"
#include "codegen/emit/subsystem_view.hpp"

namespace takt::codegen {

/// The files of all subsystems. Where two are the same but for comments and names of locals and
/// coefficients, the later one has the first one's type and no files. Where constants in prepare()
/// differ, too, it derives from the first: its header names its elements, its source has prepare()
/// alone.
class SharedCode {
 public:
  /// @param views  of all subsystems, whose types and files it sets
  SharedCode(std::vector<SubsystemView>& views, const EmitOptions& options)
      : views_(views), options_(options) {}

  /// Names for the keys of one subsystem: each counts its own. None where there is one alone.
  [[nodiscard]] std::shared_ptr<code::Naming> names() const {
    return views_.size() > 1 ? std::make_shared<code::NumberedNames>() : nullptr;
  }
  /// The next of them.
  void add(SubsystemView& view, SubsystemFunctions&& functions);
  [[nodiscard]] Sources take() { return std::move(sources_); }
  /// Of the codes of several subsystems, those that may be written in lanes.
  [[nodiscard]] LaneCodes take_lane_codes() { return std::move(lane_codes_); }

 private:
  std::vector<SubsystemView>& views_;
  const EmitOptions& options_;
  /// Subsystems of one key: the first, and the first with each key of prepare().
  struct Alike {
    SubsystemView* first;
    std::unordered_map<std::string, SubsystemView*> by_prepare;
  };
  std::unordered_map<std::string, Alike> alike_;
  LaneCodes lane_codes_;
  Sources sources_;
};

}  // namespace takt::codegen
