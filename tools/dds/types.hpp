#pragma once
// The types of config/dds/takt.idl as idlc has made them, under shorter names, and what fills their texts and sequences
// without copies: a sample lives no longer than the call that writes it.

#include <string>
#include <vector>

#include "takt.h"

namespace takt::dds {

using Block = takt_msgs_msg_dds__Block_;
using BlockDescription = takt_msgs_msg_dds__BlockDescription_;
using Description = takt_msgs_msg_dds__Description_;
using Status = takt_msgs_msg_dds__Status_;
using Bus = takt_msgs_msg_dds__Bus_;
using Event = takt_msgs_msg_dds__Event_;
using Command = takt_msgs_msg_dds__Command_;
using Acknowledgement = takt_msgs_msg_dds__Acknowledgement_;

/// Of these types: what a command says, and the description.
inline constexpr std::uint32_t the_layout = 1;

/// The library only reads it.
[[nodiscard]] inline char* borrowed(const std::string& text) { return const_cast<char*>(text.c_str()); }

/// A sequence of texts that belong to somebody else.
class BorrowedTexts {
 public:
  explicit BorrowedTexts(const std::vector<std::string>& texts) {
    for (const std::string& text : texts) pointers_.push_back(borrowed(text));
  }
  [[nodiscard]] dds_sequence_string sequence() {
    const auto count = static_cast<std::uint32_t>(pointers_.size());
    return {._maximum = count, ._length = count, ._buffer = pointers_.data(), ._release = false};
  }

 private:
  std::vector<char*> pointers_;
};

}  // namespace takt::dds
