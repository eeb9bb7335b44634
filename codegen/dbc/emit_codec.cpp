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

namespace takt::codegen {
namespace {

bool is_reserved(const std::string& name) {
  static const WordList of_codecs("bits can data decode encode frame info message pages");
  return is_cpp_word(name) || of_codecs.contains(name);
}

std::string cpp_name(std::string_view name) {
  std::string out;
  for (const char c : name) {
    const bool plain =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
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
  Emitter(const Dbc& dbc, const DbcMessage& message, std::string type, Writer& text)
      : message_(message),
        type_(std::move(type)),
        members_(member_names(message)),
        group_(dbc.group_of(message)),
        text_(text) {}

  void run() {
    structure();
    encoder();
    decoder();
  }

 private:
  // ---------------------------------------------------------------- the struct
  [[nodiscard]] std::string info() const {
    const auto period = static_cast<std::int64_t>(
        std::llround(std::min(message_.cycle_ms.value_or(0.0), 1e12) * 1e6));
    Aggregate of;
    of.text("name", message_.name)
        .code("id", hex(message_.id))
        .number("extended", message_.extended);
    of.number("fd", message_.fd);
    if (message_.fd && !message_.brs) of.number("brs", false);
    of.number("length", message_.length)
        .number("period_ns", period)
        .code("signals", "bits::" + type_);
    if (!group_.empty()) of.code("group", "groups::" + type_);
    return of.code();
  }

  void structure() {
    std::string head = comment_text(message_.name) + ": id " + hex(message_.id) +
                       (message_.extended ? " (29 bits)" : "") + ", " +
                       std::to_string(message_.length) + " bytes" + (message_.fd ? ", CAN FD" : "");
    if (!message_.senders.empty()) head += ", sent by " + comment_text(message_.senders.front());
    text_.line("namespace bits {");
    write_bits(text_, message_, type_);
    text_.line("}  // namespace bits");
    text_.blank();
    if (!group_.empty()) {
      text_.line("namespace groups {");
      write_group(text_, group_, type_);
      text_.line("}  // namespace groups");
      text_.blank();
    }
    text_.line("/// " + head + ".");
    if (!message_.comment.empty()) text_.doc(message_.comment);
    text_.open("struct " + type_);
    text_.line("static constexpr can::MessageInfo info" + info() + ";");
    for (std::size_t k = 0; k < message_.signals.size(); ++k) member(k);
    text_.close("};");
    text_.blank();
  }

  void member(std::size_t k) {
    const auto& signal = message_.signals[k];
    if (!signal.usable)
      return text_.line("// " + comment_text(signal.name) +
                        " does not fit the message and is left out");
    std::string note = signal.unit.empty() ? "" : "[" + comment_text(signal.unit) + "] ";
    constexpr std::array<const char*, 4> types{"unsigned", "signed", "float", "double"};
    note += std::to_string(signal.start) + "|" + std::to_string(signal.length) +
            (signal.order == ByteOrder::little ? " little-endian " : " big-endian ") +
            types[static_cast<std::size_t>(signal.type)];
    if (signal.multiplexed_by)
      note += ", present by " + comment_text(message_.signals[*signal.multiplexed_by].name);
    text_.line("double " + members_[k] + " = " + double_literal(default_value(signal)) +
               ";  ///< " + note);
  }

  // ---------------------------------------------------------------- encode
  /// Factor and offset; as whole numbers where doubles do not suffice.
  static std::string scale_of(const DbcSignal& signal) {
    if (const auto wide = wide_scale(signal))
      return "{" + std::to_string(wide->factor) + ", " + std::to_string(wide->offset) + "}";
    return double_literal(signal.factor) + ", " + double_literal(signal.offset);
  }
  static std::string suffix_of(const DbcSignal& signal) {
    return wide_scale(signal) ? "_whole(" : "(";
  }

  std::string raw_expression(const DbcSignal& signal, const std::string& value) const {
    const std::string scale = value + ", " + scale_of(signal);
    switch (signal.type) {
      case RawType::unsigned_integer:
        return "can::to_unsigned" + suffix_of(signal) + scale + ", " +
               hex(largest_unsigned(signal.length)) + "U)";
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

  void encode_signal(std::size_t k) {
    const auto& signal = message_.signals[k];
    text_.line("const std::uint64_t " + raw_name(k) + " = " +
               raw_expression(signal, "message." + members_[k]) + ";");
    for (const auto& piece : bit_pieces(signal)) {
      std::string bits = raw_name(k);
      const bool begins_later = piece.raw_low > 0,
                 ends_earlier = piece.raw_low + piece.width < signal.length;
      if (begins_later) bits += " >> " + std::to_string(piece.raw_low) + "U";
      if (ends_earlier)
        bits = (begins_later ? "(" + bits + ")" : bits) + " & " +
               hex(largest_unsigned(piece.width)) + "U";
      if (piece.low_bit > 0)
        bits = (begins_later || ends_earlier ? "(" + bits + ")" : bits) + " << " +
               std::to_string(piece.low_bit) + "U";
      text_.line("can::put(data[" + std::to_string(piece.byte) + "], " + bits + ");");
    }
  }

  void encoder() {
    text_.open("inline void encode([[maybe_unused]] const " + type_ +
               "& message, can::Frame& frame) noexcept");
    text_.line("frame = can::make_frame(" + type_ + "::info);");
    if (any_usable()) text_.line("auto& data = frame.data;");
    level(std::nullopt, &Emitter::encode_signal);
    text_.close();
    text_.blank();
  }

  // ---------------------------------------------------------------- decode
  std::string value_expression(const DbcSignal& signal, const std::string& raw) const {
    const std::string scale = scale_of(signal) + ")";
    switch (signal.type) {
      case RawType::unsigned_integer:
        return "can::from_unsigned" + suffix_of(signal) + raw + ", " + scale;
      case RawType::signed_integer:
        return "can::from_signed" + suffix_of(signal) + raw + ", " + std::to_string(signal.length) +
               "U, " + scale;
      case RawType::float32:
        return "can::from_float32(" + raw + ", " + scale;
      case RawType::float64:
        return "can::from_float64(" + raw + ", " + scale;
    }
    return {};
  }

  void decode_signal(std::size_t k) {
    const auto& signal = message_.signals[k];
    std::string bits;
    for (const auto& piece : bit_pieces(signal)) {
      std::string part = "std::uint64_t{data[" + std::to_string(piece.byte) + "]}";
      if (piece.low_bit > 0) part = "(" + part + " >> " + std::to_string(piece.low_bit) + "U)";
      if (piece.low_bit + piece.width < 8)
        part = "(" + part + " & " + hex(largest_unsigned(piece.width)) + "U)";
      if (piece.raw_low > 0) part = "(" + part + " << " + std::to_string(piece.raw_low) + "U)";
      bits += (bits.empty() ? "" : " | ") + part;
    }
    text_.line("const std::uint64_t " + raw_name(k) + " = " + bits + ";");
    text_.line("message." + members_[k] + " = " + value_expression(signal, raw_name(k)) + ";");
  }

  void decoder() {
    const bool any = any_usable();
    text_.line(
        "/// False where the frame is not this message. Signals that are not in the frame keep "
        "their value.");
    text_.open("inline bool decode(const can::Frame& frame, " +
               std::string(any ? "" : "[[maybe_unused]] ") + type_ + "& message) noexcept");
    text_.line("if (!can::is(frame, " + type_ + "::info)) return false;");
    if (any) text_.line("const auto& data = frame.data;");
    level(std::nullopt, &Emitter::decode_signal);
    text_.line("return true;");
    text_.close();
    text_.blank();
  }

  // ---------------------------------------------------------------- multiplexing
  bool any_usable() const {
    return std::any_of(message_.signals.begin(), message_.signals.end(),
                       [](const auto& s) { return s.usable; });
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
        one = range.first == 0 ? last
              : several        ? "(" + first + " && " + last + ")"
                               : first + " && " + last;
      out += (out.empty() ? "" : " || ") + one;
    }
    return out;
  }

  /// The signals that depend on `parent`, and below each multiplexer what depends on it. Signals of
  /// the same pages share one block, in file order of the first.
  void level(std::optional<std::size_t> parent, void (Emitter::*emit)(std::size_t)) {
    std::vector<std::vector<std::size_t>> blocks;
    for (std::size_t k = 0; k < message_.signals.size(); ++k) {
      const auto& signal = message_.signals[k];
      if (!signal.usable || signal.multiplexed_by != parent) continue;
      const auto alike =
          std::find_if(blocks.begin(), blocks.end(), [&](const std::vector<std::size_t>& block) {
            return !parent || message_.signals[block.front()].mux_values == signal.mux_values;
          });
      if (alike == blocks.end())
        blocks.push_back({k});
      else
        alike->push_back(k);
    }
    for (const std::vector<std::size_t>& block : blocks) {
      if (parent) text_.open("if (" + condition(message_.signals[block.front()]) + ")");
      for (const auto k : block) (this->*emit)(k);
      for (const auto k : block)
        if (message_.signals[k].multiplexer) level(k, emit);
      if (parent) text_.close();
    }
  }

  const DbcMessage& message_;
  std::string type_;
  std::vector<std::string> members_;
  std::vector<std::uint32_t> group_;
  Writer& text_;
};

}  // namespace

void write_group(Writer& text, const std::vector<std::uint32_t>& ids, const std::string& name) {
  text.line("constexpr std::array<std::uint32_t, " + std::to_string(ids.size()) + "> " + name +
            "{" + separated(ids, [](std::uint32_t id) { return hex(id) + "U"; }) + "};");
}

std::vector<std::string> message_types(const Dbc& dbc) {
  std::set<std::string> taken;
  std::vector<std::string> names;
  for (const auto& message : dbc.messages)
    names.push_back(unique_in(taken, cpp_name(message.name)));
  return names;
}

std::vector<std::string> member_names(const DbcMessage& message) {
  std::set<std::string> taken{cpp_name(message.name)};
  std::vector<std::string> names;
  for (const auto& signal : message.signals)
    names.push_back(unique_in(taken, cpp_name(signal.name)));
  return names;
}

SourceText emit_codecs(const Dbc& dbc, const std::vector<std::size_t>& messages,
                       const std::string& name_space) {
  Writer text;
  text.line("// CAN messages of " +
            comment_text(std::filesystem::path(dbc.file).filename().string()) +
            ", emitted by takt: do not edit.");
  text.comment(
      "Signals are in the units of the database; encode() saturates at the range of the raw "
      "field.");
  text.line("#pragma once");
  text.blank();
  for (const char* header : {"array", "cstdint", "span"})
    text.line(std::string("#include <") + header + ">");
  text.blank();
  for (const char* header : {"codec", "frame"})
    text.line(std::string("#include \"runtime/io/can/") + header + ".hpp\"");
  text.blank();
  text.line("namespace " + name_space + " {");
  text.blank();
  text.line("namespace can = ::takt::can;");
  text.blank();
  const auto types = message_types(dbc);
  for (const auto index : messages) {
    if (dbc.messages[index].is_one_frame())
      Emitter(dbc, dbc.messages[index], types[index], text).run();
  }
  text.line("}  // namespace " + name_space);
  return text.as_written();
}

SourceText emit_codecs(const Dbc& dbc, const std::string& name_space) {
  std::vector<std::size_t> all(dbc.messages.size());
  for (std::size_t k = 0; k < all.size(); ++k) all[k] = k;
  return emit_codecs(dbc, all, name_space);
}

}  // namespace takt::codegen
