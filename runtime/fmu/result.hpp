#pragma once
// What came of a call of an FMU. A plain value: no text is made where time matters.

#include <cstddef>
#include <cstdint>

namespace takt::fmu {

enum class Status : std::uint8_t {
  ok,
  warning,  ///< done; the FMU has a message
  discard,  ///< not done, the instance is as before: a step not to its end, a value out of range
  error,    ///< this instance cannot go on; reset() and set_state() may help
  fatal,    ///< the library is broken, for all its instances: nothing more is called, not even to free it
  refused,  ///< not called: the standard forbids it now, or the FMU does not offer it, or a value does not fit
};

struct Result {
  static constexpr std::size_t no_row = ~std::size_t{0};
  Status status = Status::ok;
  const char* function = "";  ///< of the standard, without its prefix: "DoStep"
  const char* reason = "";    ///< of a refusal
  std::size_t row = no_row;   ///< index of the row that is refused
  [[nodiscard]] constexpr bool done() const noexcept { return status <= Status::warning; }
};

[[nodiscard]] constexpr const char* name_of(Status status) noexcept {
  constexpr const char* names[] = {"OK", "Warning", "Discard", "Error", "Fatal", "refused"};
  return names[static_cast<std::size_t>(status)];
}

}  // namespace takt::fmu
