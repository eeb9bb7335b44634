#include "codegen/emit/event_weight.hpp"

#include <algorithm>
#include <array>

namespace takt::codegen {
namespace {

constexpr std::array<std::string_view, 17> voiding = {
    "X001", "X002", "X003", "X004", "X005", "X006", "X012", "X014", "X015",
    "X016", "X017", "X030", "X031", "X032", "X033", "X040", "X041"};
/// Solved anew in every window: what stays unsolved in this many in a row ends the run.
constexpr std::array<std::string_view, 1> ending = {"X004"};
constexpr const char* windows_in_a_row = "3";

bool contains(const auto& codes, std::string_view code) {
  return std::find(codes.begin(), codes.end(), code) != codes.end();
}

}  // namespace

std::string event_weight(std::string_view code) {
  if (!contains(voiding, code)) return {};
  return std::string(", .weight = takt::EventWeight::verdict") +
         (contains(ending, code) ? std::string(", .stops_after = ") + windows_in_a_row
                                 : std::string());
}

}  // namespace takt::codegen
