// All that lies between subsystems, as bytes.

#include <cstring>
#include <type_traits>

#include "runtime/coupling/exchange.hpp"

namespace takt {

/// Calls for everything that lies between subsystems, in an order that hangs on the plant alone, with the subsystem at
/// whose inputs it lies.
template <class Self, class Call>
void Exchanges::for_all_state(Self& self, const Call& call) {
  for (std::size_t i = 0; i < self.links_.size(); ++i) {
    const Link& link = self.links_[i];
    const std::size_t consumer = self.plant_.exchanges[i].consumer;
    if (link.line >= 0) {
      const TravelLine& line = self.lines_[static_cast<std::size_t>(link.line)];
      call(consumer, &self.travels_[static_cast<std::size_t>(link.line)], 1);
      call(consumer, line.samples(), line.capacity());
    } else if (link.kind == CouplingKind::potential)
      call(consumer, &self.potentials_[link.cell], 1);
    else
      call(consumer, &self.fluxes_[link.cell], 1);
  }
  for (std::size_t s = 0; s < self.ports_.size(); ++s) {
    const Ports& ports = self.ports_[s];
    const std::uint32_t first = ports.potentials_in.begin;  // fluxes stand behind them
    call(s, self.beats_.data() + ports.beats.begin, ports.beats.end - ports.beats.begin);
    call(s, self.opened_.data() + first, ports.fluxes_in.end - first);
  }
}

std::size_t Exchanges::state_size() const noexcept {
  std::size_t size = 0;
  for_all_state(*this, [&size](std::size_t, const auto* items, std::size_t count) { size += count * sizeof *items; });
  return size;
}

void Exchanges::save(std::byte* to) const noexcept {
  for_all_state(*this, [&to](std::size_t, const auto* items, std::size_t count) {
    static_assert(std::is_trivially_copyable_v<std::decay_t<decltype(*items)>>);
    if (count > 0) std::memcpy(to, items, count * sizeof *items);
    to += count * sizeof *items;
  });
}

void Exchanges::restore(const std::byte* from) noexcept {
  for_all_state(*this, [&from](std::size_t, auto* items, std::size_t count) {
    if (count > 0) std::memcpy(items, from, count * sizeof *items);
    from += count * sizeof *items;
  });
}

void Exchanges::restore_inputs(const std::byte* from, const std::vector<bool>& of) noexcept {
  for_all_state(*this, [&](std::size_t subsystem, auto* items, std::size_t count) {
    if (of[subsystem] && count > 0) std::memcpy(items, from, count * sizeof *items);
    from += count * sizeof *items;
  });
  for (std::size_t i = 0; i < mails_.size(); ++i)
    if (of[mail_routes_[i].consumer]) mails_[i].forget();
}

}  // namespace takt
