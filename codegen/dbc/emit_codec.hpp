#pragma once
// DBC messages as C++: one struct per message with its signals in DBC units, encode() and decode()
// as straight-line shifts and masks. The emitted header needs runtime/io/can/{frame,codec}.hpp
// only.

#include <cstdint>
#include <string>
#include <vector>

#include "codegen/dbc/dbc.hpp"
#include "codegen/source/aggregate.hpp"

namespace takt::codegen {

/// C++ type names of all messages, in the order of Dbc::messages; unique, no keywords.
[[nodiscard]] std::vector<std::string> message_types(const Dbc& dbc);
/// C++ member names of the signals of one message.
[[nodiscard]] std::vector<std::string> member_names(const DbcMessage& message);

/// Array NAME of the ids of a parameter group (Dbc::group_of()).
void write_group(Writer& text, const std::vector<std::uint32_t>& ids, const std::string& name);

/// Header with the codecs of the named messages (indices into Dbc::messages) in `name_space`.
/// Messages that are no one frame, and signals that are not usable, are left out.
[[nodiscard]] SourceText emit_codecs(const Dbc& dbc, const std::vector<std::size_t>& messages,
                                     const std::string& name_space);
/// Of all messages.
[[nodiscard]] SourceText emit_codecs(const Dbc& dbc, const std::string& name_space);

}  // namespace takt::codegen
