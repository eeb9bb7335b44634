// What feed() and collect() will touch, asked for ahead.

#include "runtime/coupling/exchange.hpp"

namespace takt {
namespace {

/// For writing: most of it is.
template <class T>
void fetch(const T* items, std::size_t count) noexcept {
  const auto* bytes = reinterpret_cast<const char*>(items);
  for (std::size_t at = 0; at < count * sizeof(T); at += 64) __builtin_prefetch(bytes + at, 1);
}
/// Its first line, which is all that a plain one needs, or two: the rest is for orders above 1.
void fetch(const FluxCell* flux, bool plain) noexcept {
  __builtin_prefetch(flux, 1);
  if (!plain) __builtin_prefetch(reinterpret_cast<const char*>(flux) + 64, 1);
}

}  // namespace

void Exchanges::prefetch_inputs(std::uint16_t subsystem) const noexcept {
  const Ports& ports = ports_[subsystem];
  const Range potentials = ports.potentials_in, fluxes = ports.fluxes_in;  // a subsystem's cells stand in a row
  fetch(incoming_.data() + potentials.begin, fluxes.end - potentials.begin);
  fetch(outgoing_.data() + ports.potentials_out.begin, ports.fluxes_out.end - ports.potentials_out.begin);
  const auto* cell = potentials_.data() + ports.first_potential;
  for (const auto* end = cell + (potentials.end - potentials.begin); cell < end; ++cell) __builtin_prefetch(cell, 1);
  const auto* flux = fluxes_.data() + ports.first_flux;
  for (std::uint32_t i = 0; i < fluxes.end - fluxes.begin; ++i) fetch(flux + i, i < ports.plain_fluxes);
}

void Exchanges::prefetch_outputs(std::uint16_t subsystem) const noexcept {
  const Ports& ports = ports_[subsystem];
  for (std::uint32_t place = ports.potentials_out.begin; place < ports.potentials_out.end; ++place)
    __builtin_prefetch(&potentials_[outgoing_[place].cell], 1);
  for (std::uint32_t place = ports.fluxes_out.begin; place < ports.fluxes_out.end; ++place)
    fetch(&fluxes_[outgoing_[place].cell], outgoing_[place].plain != 0);
}

}  // namespace takt
