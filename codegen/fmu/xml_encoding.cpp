#include "codegen/fmu/xml_encoding.hpp"

#include <cstdint>

namespace takt::codegen {
namespace {

void append(std::string& out, std::uint32_t point) {
  const auto byte = [&](std::uint32_t value) {
    out += static_cast<char>(static_cast<unsigned char>(value));
  };
  if (point < 0x80) return byte(point);
  if (point < 0x800) return byte(0xC0U | point >> 6U), byte(0x80U | (point & 0x3FU));
  if (point < 0x10000)
    return byte(0xE0U | point >> 12U), byte(0x80U | (point >> 6U & 0x3FU)),
           byte(0x80U | (point & 0x3FU));
  byte(0xF0U | point >> 18U), byte(0x80U | (point >> 12U & 0x3FU)),
      byte(0x80U | (point >> 6U & 0x3FU)), byte(0x80U | (point & 0x3FU));
}

std::string from_latin1(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 16);
  for (char c : bytes) append(out, static_cast<unsigned char>(c));
  return out;
}

/// @return nothing where a surrogate stands alone or a byte is missing
std::optional<std::string> from_utf16(std::string_view bytes, bool big) {
  if (bytes.size() % 2 != 0) return std::nullopt;
  const auto unit = [&](std::size_t at) {
    const auto first = static_cast<unsigned char>(bytes[at]),
               second = static_cast<unsigned char>(bytes[at + 1]);
    return big ? std::uint32_t{first} << 8U | second : std::uint32_t{second} << 8U | first;
  };
  std::string out;
  for (std::size_t at = 0; at < bytes.size(); at += 2) {
    std::uint32_t point = unit(at);
    if (point >= 0xD800 && point < 0xE000) {
      if (point >= 0xDC00 || at + 3 >= bytes.size()) return std::nullopt;
      const std::uint32_t low = unit(at += 2);
      if (low < 0xDC00 || low >= 0xE000) return std::nullopt;
      point = 0x10000U + ((point - 0xD800U) << 10U) + (low - 0xDC00U);
    }
    append(out, point);
  }
  return out;
}

/// The name in `<?xml ... encoding="NAME"`, in small letters; empty where it is not given.
std::string declared(std::string_view bytes) {
  if (!bytes.starts_with("<?xml")) return "";
  const std::string_view head = bytes.substr(0, bytes.find("?>"));
  std::size_t at = head.find("encoding");
  if (at == std::string_view::npos) return "";
  at = head.find_first_of("\"'", at);
  if (at == std::string_view::npos) return "";
  const std::size_t end = head.find(head[at], at + 1);
  if (end == std::string_view::npos) return "";
  std::string name;
  for (char c : head.substr(at + 1, end - at - 1))
    name += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return name;
}

}  // namespace

std::optional<std::string> to_utf8(std::string_view bytes, FileName file,
                                   Diagnostics& diagnostics) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return std::string(bytes.substr(3));
  if (bytes.starts_with("\xFF\xFE") || bytes.starts_with("\xFE\xFF")) {
    auto text = from_utf16(bytes.substr(2), bytes[0] == '\xFE');
    if (!text)
      diagnostics.error("Y013", {file, 1, 1}, "is not the UTF-16 that its first bytes tell of",
                        "save it as UTF-8");
    return text;
  }
  const std::string name = declared(bytes);
  if (name.empty() || name == "utf-8" || name == "utf8" || name == "us-ascii" || name == "ascii")
    return std::string(bytes);
  if (name == "iso-8859-1" || name == "latin1" || name == "iso_8859-1") return from_latin1(bytes);
  diagnostics.error("Y013", {file, 1, 1}, "has an encoding that is not read: " + name.substr(0, 40),
                    "FMI asks for UTF-8; ISO-8859-1 and UTF-16 are read too");
  return std::nullopt;
}

}  // namespace takt::codegen
