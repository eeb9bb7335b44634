#include "codegen/emit/shared_code.hpp"

#include <utility>

namespace takt::codegen {

void SharedCode::add(SubsystemView& view, SubsystemFunctions&& functions) {
  SubsystemFiles files = subsystem_files(view, functions, options_);
  if (!files.key.empty()) {
    Alike& alike = alike_.emplace(std::move(files.key), Alike{&view, {}}).first->second;
    const auto [same, fresh] = alike.by_prepare.emplace(std::move(files.prepare_key), &view);
    if (!fresh) {
      const SubsystemView& first = *same->second;
      view.file = first.file, view.type = first.type, view.code = first.code;
      return;
    }
    if (alike.first == &view) {
      if (options_.lanes && functions.evaluate && functions.finish &&
          functions.declarations.empty())
        lane_codes_.emplace(view.code,
                            LaneCode{std::move(*functions.evaluate), std::move(*functions.finish)});
    } else {
      files = derived_files(view, *alike.first, functions, options_);
      view.code = alike.first->code;
    }
  }
  sources_.push_back(std::move(files.header));
  sources_.push_back(std::move(files.source));
}

}  // namespace takt::codegen
