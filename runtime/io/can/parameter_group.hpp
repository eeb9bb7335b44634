#pragma once
// Ids of SAE J1939-21: 3 bits of priority, 18 of the parameter group, 8 of the source address. Of groups whose PDU
// format is below 240 the last 8 bits are the address that the frame is for, which belongs to no group. What a message
// is, its group says; who sends it, with which priority and to whom, is another matter. So a frame of another source
// than the database names is this message, too, unless the database knows several senders by their addresses.

#include <algorithm>
#include <cstdint>
#include <span>

namespace takt::can {

/// Of the bits of an id, those that say its group. By the id of the message.
[[nodiscard]] constexpr std::uint32_t group_mask(std::uint32_t id) noexcept {
  return (id >> 16U & 0xFFU) < 240 ? 0x03FF'0000U : 0x03FF'FF00U;
}
[[nodiscard]] constexpr bool is_same_group(std::uint32_t id, std::uint32_t other) noexcept {
  return ((id ^ other) & group_mask(id)) == 0;
}

enum class AddressFit : std::uint8_t { another, any, same };

/// An address as the database names it: 254 (null) and 255 (global) stand for any.
[[nodiscard]] constexpr AddressFit address_fit(std::uint32_t named, std::uint32_t there) noexcept {
  return named == there ? AddressFit::same : named >= 254 ? AddressFit::any : AddressFit::another;
}
[[nodiscard]] constexpr std::uint32_t source_of(std::uint32_t id) noexcept { return id & 0xFFU; }
/// 255 of groups whose frames are for all.
[[nodiscard]] constexpr std::uint32_t destination_of(std::uint32_t id) noexcept {
  return (group_mask(id) & 0xFF00U) != 0 ? 0xFFU : id >> 8U & 0xFFU;
}

/// Which of the messages of one parameter group a frame is: that with its source address, else one for any source, else
/// the only source there is; of several likewise by destination.
/// @param ids  of all messages of the group
/// @return one of them, or 0xFFFFFFFF: the database knows others by name.   Real-time: bounded
[[nodiscard]] constexpr std::uint32_t heard_as(std::span<const std::uint32_t> ids, std::uint32_t frame) noexcept {
  constexpr std::uint32_t none = 0xFFFF'FFFFU;
  const auto source_fit = [&](std::uint32_t id) { return address_fit(source_of(id), source_of(frame)); };
  const auto destination_fit = [&](std::uint32_t id) { return address_fit(destination_of(id), destination_of(frame)); };
  AddressFit source = AddressFit::another, destination = AddressFit::another;
  for (const std::uint32_t id : ids) source = std::max(source, source_fit(id));
  for (const std::uint32_t id : ids)
    if (source_fit(id) == source) destination = std::max(destination, destination_fit(id));
  std::uint32_t by_source = none, found = none;
  for (const std::uint32_t id : ids) {
    if (source_fit(id) != source) continue;
    if (by_source == none) by_source = id;
    if (source == AddressFit::another && source_of(id) != source_of(by_source)) return none;
    if (destination_fit(id) != destination) continue;
    if (found == none) found = id;
    if (destination == AddressFit::another && destination_of(id) != destination_of(found)) return none;
  }
  return found;
}

}  // namespace takt::can
