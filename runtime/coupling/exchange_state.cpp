// All that lies between subsystems, as bytes.

#include <cstring>
#include <type_traits>

#include "runtime/coupling/exchange.hpp"

namespace takt {

/// Calls for everything that lies between subsystems, in an order that hangs on the plant alone.
template <class Self, class Call>
void Exchanges::for_all_state(Self& self, const Call& call) {
  for (const Link& link : self.links_) {
    if (link.kind == CouplingKind::potential)
      call(&self.potentials_[link.cell], 1);
    else
      call(&self.fluxes_[link.cell], 1);
  }
  for (const Ports& ports : self.ports_) {
    const std::uint32_t first = ports.potentials_in.begin;  // fluxes stand behind them
    call(self.beats_.data() + ports.beats.begin, ports.beats.end - ports.beats.begin);
    call(self.opened_.data() + first, ports.fluxes_in.end - first);
  }
}

std::size_t Exchanges::state_size() const noexcept {
  std::size_t size = 0;
  for_all_state(*this, [&size](const auto* items, std::size_t count) { size += count * sizeof *items; });
  return size;
}

void Exchanges::save(std::byte* to) const noexcept {
  for_all_state(*this, [&to](const auto* items, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<std::decay_t<decltype(*items)>>);
    if (count > 0) std::memcpy(to, items, count * sizeof *items);
    to += count * sizeof *items;
  });
}

void Exchanges::restore(const std::byte* from) noexcept {
  for_all_state(*this, [&from](auto* items, std::size_t count) {
    if (count > 0) std::memcpy(items, from, count * sizeof *items);
    from += count * sizeof *items;
  });
}

void Exchanges::restore_inputs(const std::byte* from, const std::vector<bool>& of) noexcept {
  const auto take = [&from](auto* items, std::size_t count, bool taken) {
    if (taken && count > 0) std::memcpy(items, from, count * sizeof *items);
    from += count * sizeof *items;
  };
  for (std::size_t i = 0; i < links_.size(); ++i) {
    const bool taken = of[plant_.exchanges[i].consumer];
    if (links_[i].kind == CouplingKind::potential)
      take(&potentials_[links_[i].cell], 1, taken);
    else
      take(&fluxes_[links_[i].cell], 1, taken);
  }
  for (std::size_t s = 0; s < ports_.size(); ++s) {
    const Ports& ports = ports_[s];
    const std::uint32_t first = ports.potentials_in.begin;  // fluxes stand behind them
    take(beats_.data() + ports.beats.begin, ports.beats.end - ports.beats.begin, of[s]);
    take(opened_.data() + first, ports.fluxes_in.end - first, of[s]);
  }
  for (std::size_t i = 0; i < mails_.size(); ++i)
    if (of[mail_routes_[i].consumer]) mails_[i].forget();
}

}  // namespace takt
