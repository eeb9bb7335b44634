#pragma once
// Lines of an emitted subsystem with vector registers in place of numbers. They are as function_body.cpp,
// functions.cpp and subsystem_source.cpp write them, one statement a line; what a plain exchange of types does not
// serve is listed in lane_lines.cpp.

#include <string>

namespace takt::codegen {

/// Members of a subsystem up to its signals.
[[nodiscard]] std::string lane_members(const std::string& header, const std::string& type);
/// Of evaluate() and finish().
[[nodiscard]] std::string in_lanes(const std::string& body);
/// Of run(), which tells whether it was computed to its end.
[[nodiscard]] std::string run_in_lanes(const std::string& body);

}  // namespace takt::codegen
