#include "codegen/dbc/emit_codec.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <set>

#include "codegen/dbc/codec.hpp"
#include "codegen/dbc/dbc_bits.hpp"
#include "codegen/dbc/emit_bits.hpp"
#include "codegen/source/cpp_words.hpp"
#include "codegen/text/escape.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

bool is_reserved(const std::string& name) {
  static const WordList of_codecs("bits can data decode encode frame info message pages");
  return is_cpp_word(name) || of_codecs.contains(name);
}

std::string cpp_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    out += plain ? c : '_';
  }
  if (out.empty() || (out[0] >= '0' && out[0] <= '9')) out = std::string(1, '_').append(out);
  if (is_reserved(out) || out.starts_with("__") ||
      (out.size() > 1 && out[0] == '_' && out[1] >= 'A' && out[1] <= 'Z')) {
    // Two underscores or one and a capital at the front belong to the compiler.
    out = out[0] == '_' ? std::string(1, 'x').append(out) : out + "_";
  }
  return out;
}

std::string unique_in(std::set<std::string>& taken, std::string name) {
  while (!taken.insert(name).second) name += "_";
  return name;
}

std::string hex(std::uint64_t value) {
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%llX", static_cast<unsigned long long>(value));
  return text.data();
}

class Emitter {
 public:
  Emitter(const Dbc& dbc, const DbcMessage& message, std::string type)
      : message_(message), type_(std::move(type)), members_(member_names(message)), group_(dbc.group_of(message)) {}

  std::string run() {
    structure();
    encoder();
    decoder();
    return std::move(out_);
  }

 private:
  void line(int depth, const std::string& text) {
    out_ += std::string(static_cast<std::size_t>(depth) * 2, ' ') + text + "\n";
  }

  // ---------------------------------------------------------------- the struct
  void structure() {
    std::string head = comment_text(message_.name) + ": id " + hex(message_.id) +
                       (message_.extended ? " (29 bits)" : "") + ", " + std::to_string(message_.length) + " bytes" +
                       (message_.fd ? ", CAN FD" : "");
    if (!message_.senders.empty()) head += ", sent by " + comment_text(message_.senders.front());
    out_ += "namespace bits {\n" + emit_bits(message_, type_) + "}  // namespace bits\n\n";
    if (!group_.empty()) out_ += "namespace groups {\n" + emit_group(group_, type_) + "}  // namespace groups\n\n";
    line(0, "/// " + head + ".");
    if (!message_.comment.empty()) line(0, "/// " + comment_text(message_.comment));
    line(0, "struct " + type_ + " {");
    const auto period = static_cast<std::int64_t>(std::llround(std::min(message_.cycle_ms.value_or(0.0), 1e12) * 1e6));
    line(1, "static constexpr can::MessageInfo info{.name = " + string_literal(message_.name) +
                ", .id = " + hex(message_.id) + ", .extended = " + (message_.extended ? "true" : "false") +
                ", .fd = " + (message_.fd ? "true" : "false") + (message_.fd && !message_.brs ? ", .brs = false" : "") +
                ", .length = " + std::to_string(message_.length) + ", .period_ns = " + std::to_string(period) +
                ", .signals = bits::" + type_ + (group_.empty() ? "" : ", .group = groups::" + type_) + "};");
    for (std::size_t k = 0; k < message_.signals.size(); ++k) member(k);
    line(0, "};");
    line(0, "");
  }

  void member(std::size_t k) {
    const auto& signal = message_.signals[k];
    if (!signal.usable) {
      line(1, "// " + comment_text(signal.name) + " does not fit the message and is left out");
      return;
    }
    std::string note = signal.unit.empty() ? "" : "[" + comment_text(signal.unit) + "] ";
    constexpr std::array<const char*, 4> types{"unsigned", "signed", "float", "double"};
    note += std::to_string(signal.start) + "|" + std::to_string(signal.length) +
            (signal.order == ByteOrder::little ? " little-endian " : " big-endian ") +
            types[static_cast<std::size_t>(signal.type)];
    if (signal.multiplexed_by) note += ", present by " + comment_text(message_.signals[*signal.multiplexed_by].name);
    line(1, "double " + members_[k] + " = " + double_literal(default_value(signal)) + ";  ///< " + note);
  }

  // ---------------------------------------------------------------- encode
  /// Factor and offset; as whole numbers where doubles do not suffice.
  static std::string scale_of(const DbcSignal& signal) {
    if (const auto wide = wide_scale(signal))
      return "{" + std::to_string(wide->factor) + ", " + std::to_string(wide->offset) + "}";
    return double_literal(signal.factor) + ", " + double_literal(signal.offset);
  }
  static std::string suffix_of(const DbcSignal& signal) { return wide_scale(signal) ? "_whole(" : "("; }

  std::string raw_expression(const DbcSignal& signal, const std::string& value) const {
    const std::string scale = value + ", " + scale_of(signal);
    switch (signal.type) {
      case RawType::unsigned_integer:
        return "can::to_unsigned" + suffix_of(signal) + scale + ", " + hex(largest_unsigned(signal.length)) + "U)";
      case RawType::signed_integer:
        return "can::to_signed" + suffix_of(signal) + scale + ", " +
               hex(static_cast<std::uint64_t>(largest_signed(signal.length))) + ") & " +
               hex(largest_unsigned(signal.length)) + "U";
      case RawType::float32:
        return "can::to_float32(" + scale + ")";
      case RawType::float64:
        return "can::to_float64(" + scale + ")";
    }
    return {};
  }

  std::string raw_name(std::size_t k) const { return "raw_" + members_[k]; }

  void encode_signal(std::size_t k, int depth) {
    const auto& signal = message_.signals[k];
    line(depth, "const std::uint64_t " + raw_name(k) + " = " + raw_expression(signal, "message." + members_[k]) + ";");
    for (const auto& piece : bit_pieces(signal)) {
      std::string bits = raw_name(k);
      if (piece.raw_low > 0) bits += " >> " + std::to_string(piece.raw_low) + "U";
      if (piece.raw_low + piece.width < signal.length)
        bits = (piece.raw_low > 0 ? "(" + bits + ")" : bits) + " & " + hex(largest_unsigned(piece.width)) + "U";
      if (piece.low_bit > 0)
        bits = (bits == raw_name(k) ? bits : "(" + bits + ")") + " << " + std::to_string(piece.low_bit) + "U";
      line(depth, "can::put(data[" + std::to_string(piece.byte) + "], " + bits + ");");
    }
  }

  void encoder() {
    line(0, "inline void encode([[maybe_unused]] const " + type_ + "& message, can::Frame& frame) noexcept {");
    line(1, "frame = can::make_frame(" + type_ + "::info);");
    if (any_usable()) line(1, "auto& data = frame.data;");
    level(std::nullopt, 1, &Emitter::encode_signal);
    line(0, "}");
    line(0, "");
  }

  // ---------------------------------------------------------------- decode
  std::string value_expression(const DbcSignal& signal, const std::string& raw) const {
    const std::string scale = scale_of(signal) + ")";
    switch (signal.type) {
      case RawType::unsigned_integer:
        return "can::from_unsigned" + suffix_of(signal) + raw + ", " + scale;
      case RawType::signed_integer:
        return "can::from_signed" + suffix_of(signal) + raw + ", " + std::to_string(signal.length) + "U, " + scale;
      case RawType::float32:
        return "can::from_float32(" + raw + ", " + scale;
      case RawType::float64:
        return "can::from_float64(" + raw + ", " + scale;
    }
    return {};
  }

  void decode_signal(std::size_t k, int depth) {
    const auto& signal = message_.signals[k];
    std::string bits;
    for (const auto& piece : bit_pieces(signal)) {
      std::string part = "std::uint64_t{data[" + std::to_string(piece.byte) + "]}";
      if (piece.low_bit > 0) part = "(" + part + " >> " + std::to_string(piece.low_bit) + "U)";
      if (piece.low_bit + piece.width < 8) part = "(" + part + " & " + hex(largest_unsigned(piece.width)) + "U)";
      if (piece.raw_low > 0) part = "(" + part + " << " + std::to_string(piece.raw_low) + "U)";
      bits += (bits.empty() ? "" : " | ") + part;
    }
    line(depth, "const std::uint64_t " + raw_name(k) + " = " + bits + ";");
    line(depth, "message." + members_[k] + " = " + value_expression(signal, raw_name(k)) + ";");
  }

  void decoder() {
    const bool any = any_usable();
    line(0, "/// False where the frame is not this message. Signals that are not in the frame keep their value.");
    line(0, "inline bool decode(const can::Frame& frame, " + std::string(any ? "" : "[[maybe_unused]] ") + type_ +
                "& message) noexcept {");
    line(1, "if (!can::is(frame, " + type_ + "::info)) return false;");
    if (any) line(1, "const auto& data = frame.data;");
    level(std::nullopt, 1, &Emitter::decode_signal);
    line(1, "return true;");
    line(0, "}");
    line(0, "");
  }

  // ---------------------------------------------------------------- multiplexing
  bool any_usable() const {
    return std::any_of(message_.signals.begin(), message_.signals.end(), [](const auto& s) { return s.usable; });
  }

  std::string condition(const DbcSignal& signal) const {
    const std::string raw = raw_name(*signal.multiplexed_by);
    std::string out;
    const bool several = signal.mux_values.size() > 1;
    for (const auto& range : signal.mux_values) {
      const std::string first = raw + " >= " + std::to_string(range.first) + "U";
      const std::string last = raw + " <= " + std::to_string(range.last) + "U";
      std::string one = raw + " == " + std::to_string(range.first) + "U";
      if (range.first != range.last)
        one = range.first == 0 ? last : several ? "(" + first + " && " + last + ")" : first + " && " + last;
      out += (out.empty() ? "" : " || ") + one;
    }
    return out;
  }

  /// The signals that depend on `parent`, and below each multiplexer what depends on it.
  void level(std::optional<std::size_t> parent, int depth, void (Emitter::*emit)(std::size_t, int)) {
    std::string open;
    std::vector<std::size_t> block;
    const auto close = [&] {
      if (block.empty()) return;
      const int inner = parent ? depth + 1 : depth;
      if (parent) line(depth, "if (" + open + ") {");
      for (const auto k : block) (this->*emit)(k, inner);
      for (const auto k : block) {
        if (message_.signals[k].multiplexer) level(k, inner, emit);
      }
      if (parent) line(depth, "}");
      block.clear();
    };
    // Signals with the same condition share one block, in file order of the first.
    std::vector<std::string> conditions;
    for (std::size_t k = 0; k < message_.signals.size(); ++k) {
      const auto& signal = message_.signals[k];
      if (!signal.usable || signal.multiplexed_by != parent) continue;
      const std::string wanted = parent ? condition(signal) : "";
      if (std::find(conditions.begin(), conditions.end(), wanted) == conditions.end()) conditions.push_back(wanted);
    }
    for (const auto& wanted : conditions) {
      open = wanted;
      for (std::size_t k = 0; k < message_.signals.size(); ++k) {
        const auto& signal = message_.signals[k];
        if (signal.usable && signal.multiplexed_by == parent && (!parent || condition(signal) == wanted))
          block.push_back(k);
      }
      close();
    }
  }

  const DbcMessage& message_;
  std::string type_;
  std::vector<std::string> members_;
  std::vector<std::uint32_t> group_;
  std::string out_;
};

}  // namespace

std::string emit_group(const std::vector<std::uint32_t>& ids, const std::string& name) {
  std::string list;
  for (const std::uint32_t id : ids) list += (list.empty() ? "" : ", ") + hex(id) + "U";
  return "constexpr std::array<std::uint32_t, " + std::to_string(ids.size()) + "> " + name + "{" + list + "};\n";
}

std::vector<std::string> message_types(const Dbc& dbc) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const auto& message : dbc.messages) names.push_back(unique_in(taken, cpp_name(message.name)));
  return names;
}

std::vector<std::string> member_names(const DbcMessage& message) {
  std::set<std::string> taken{cpp_name(message.name)};
  std::vector<std::string> names;
  for (const auto& signal : message.signals) names.push_back(unique_in(taken, cpp_name(signal.name)));
  return names;
}

std::string emit_codecs(const Dbc& dbc, const std::vector<std::size_t>& messages, const std::string& name_space) {
  std::string out = "// CAN messages of " + comment_text(std::filesystem::path(dbc.file).filename().string()) +
                    ", emitted by takt: do not edit.\n"
                    "// Signals are in the units of the database; encode() saturates at the range of the raw field.\n"
                    "#pragma once\n\n#include <array>\n#include <cstdint>\n#include <span>\n\n"
                    "#include \"runtime/io/can/codec.hpp\"\n#include \"runtime/io/can/frame.hpp\"\n\n";
  out += "namespace " + name_space + " {\n\nnamespace can = ::takt::can;\n\n";
  const auto types = message_types(dbc);
  for (const auto index : messages) {
    if (dbc.messages[index].is_one_frame()) out += Emitter(dbc, dbc.messages[index], types[index]).run();
  }
  return out + "}  // namespace " + name_space + "\n";
}

std::string emit_codecs(const Dbc& dbc, const std::string& name_space) {
  std::vector<std::size_t> all(dbc.messages.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  return emit_codecs(dbc, all, name_space);
}

}  // namespace takt::codegen
