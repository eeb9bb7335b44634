#include "codegen/fmu/xml_scan.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace takt::codegen {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool goes_on_name(char c) {
  return begins_name(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
}

bool is_character(std::uint32_t point) {
  return point == 0x9 || point == 0xA || point == 0xD || (point >= 0x20 && point < 0xD800) ||
         (point >= 0xE000 && point < 0xFFFE) || (point >= 0x10000 && point < 0x110000);
}

class Scan {
 public:
  explicit Scan(std::string_view text) : text_(text) {}

  XmlFault run() {
    if (!has_characters()) return fault_;
    prolog();
    while (!fault_ && at_ < text_.size()) item();
    if (fault_) return fault_;
    if (!open_.empty())
      return wrong("ends before </" + shown(open_.back()) + ">", "it is cut short");
    if (!has_root_) return wrong("has no element", "a description has one root element");
    return fault_;
  }

 private:
  XmlFault wrong(std::string what, std::string hint = "mend the XML, or export it again",
                 std::string code = "Y010") {
    if (!fault_)
      fault_ = {std::move(code), std::min(at_, text_.size()),
                "is not well-formed XML: " + std::move(what), std::move(hint)};
    return fault_;
  }
  static std::string shown(std::string_view name) { return std::string(name.substr(0, 60)); }
  [[nodiscard]] bool is_next(std::string_view token) const {
    return text_.substr(at_, token.size()) == token;
  }
  bool take(std::string_view token) { return is_next(token) && (at_ += token.size(), true); }
  bool skip_blanks() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
    return at_ > begin;
  }

  /// The whole text is UTF-8 of characters that XML allows.
  bool has_characters() {
    for (at_ = 0; at_ < text_.size();) {
      const auto first = static_cast<unsigned char>(text_[at_]);
      const std::size_t length = first < 0x80   ? 1
                                 : first < 0xC2 ? 0
                                 : first < 0xE0 ? 2
                                 : first < 0xF0 ? 3
                                 : first < 0xF5 ? 4
                                                : 0;
      std::uint32_t point = length == 1 ? first : length > 0 ? first & (0x7FU >> length) : 0U;
      bool good = length > 0 && at_ + length <= text_.size();
      for (std::size_t k = 1; good && k < length; ++k) {
        const auto next = static_cast<unsigned char>(text_[at_ + k]);
        good = (next & 0xC0U) == 0x80U;
        point = point << 6U | (next & 0x3FU);
      }
      static constexpr std::array<std::uint32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
      if (!good || point < least[length])
        return wrong("a byte that is no UTF-8",
                     "name the encoding in the first line, <?xml version=\"1.0\" "
                     "encoding=\"ISO-8859-1\"?>, or save it as UTF-8",
                     "Y013"),
               false;
      if (!is_character(point)) return wrong("a control character"), false;
      at_ += length;
    }
    at_ = 0;
    return true;
  }

  void prolog() {
    if (!is_next("<?xml") || text_.size() < 6 || !is_blank(text_[5])) return;
    at_ = 5;
    std::size_t last = 0;
    for (;;) {
      const bool apart = skip_blanks();
      if (take("?>")) break;
      const std::string_view key = name();
      const std::size_t rank = key == "version"      ? 1
                               : key == "encoding"   ? 2
                               : key == "standalone" ? 3
                                                     : 0;
      std::string_view value;
      if (!apart || rank <= last || !quoted(value))
        return void(wrong("its first line is not <?xml version=\"1.0\" encoding=\"UTF-8\"?>"));
      if (rank == 1 && !value.starts_with("1."))
        return void(wrong("its first line names another version of XML than 1.0"));
      last = rank;
    }
    if (last == 0) wrong("its first line does not name the version of XML");
  }

  /// ` = "value"`
  bool quoted(std::string_view& value) {
    skip_blanks();
    if (!take("=")) return false;
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\'')) return false;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos) return false;
    value = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }

  std::string_view name() {
    const std::size_t begin = at_;
    if (at_ < text_.size() && begins_name(text_[at_]))
      while (at_ < text_.size() && goes_on_name(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void item() {
    if (text_[at_] != '<') return characters();
    if (is_next("<!--")) return comment();
    if (is_next("<![CDATA[")) return cdata();
    if (is_next("<!DOCTYPE"))
      return void(fault_ = {"Y011", at_,
                            "has a DOCTYPE: document types and their entities are not read",
                            "take it out; descriptions of FMUs have none"});
    if (is_next("<!")) return void(wrong("'<!' without a meaning here"));
    if (is_next("<?")) return instruction();
    if (is_next("</")) return end_tag();
    start_tag();
  }

  void characters() {
    const std::size_t end = std::min(text_.find('<', at_), text_.size());
    if (open_.empty()) {
      skip_blanks();
      if (at_ < end) wrong("text outside of the root element");
      return;
    }
    for (; at_ < end && !fault_; ++at_) {
      if (text_[at_] == '&')
        reference();
      else if (is_next("]]>"))
        wrong("']]>' in a text");
    }
  }

  /// Stands on '&'; leaves on its ';'.
  void reference() {
    const std::size_t end = text_.find(';', at_);
    const std::string_view entity =
        end == std::string_view::npos ? "" : text_.substr(at_ + 1, end - at_ - 1);
    if (entity.starts_with('#') ? !is_number(entity.substr(1))
                                : entity != "amp" && entity != "lt" && entity != "gt" &&
                                      entity != "quot" && entity != "apos") {
      wrong("'&' begins no entity that is known: &" + shown(entity.substr(0, 30)) + ";",
            "write &amp; for the character itself; entities of a DTD are not read", "Y011");
      return;
    }
    at_ = end;
  }

  static bool is_number(std::string_view digits) {
    const bool hex = digits.starts_with('x');
    if (hex) digits.remove_prefix(1);
    if (digits.empty() || digits.size() > 8) return false;
    std::uint32_t point = 0;
    for (char c : digits) {
      const int digit = c >= '0' && c <= '9'   ? c - '0'
                        : !hex                 ? -1
                        : c >= 'a' && c <= 'f' ? c - 'a' + 10
                        : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                               : -1;
      if (digit < 0) return false;
      point = point * (hex ? 16U : 10U) + static_cast<std::uint32_t>(digit);
    }
    return is_character(point);
  }

  void comment() {
    const std::size_t end = text_.find("--", at_ + 4);
    if (end == std::string_view::npos) return void(wrong("a comment without end"));
    if (text_.substr(end, 3) != "-->") return at_ = end, void(wrong("'--' in a comment"));
    at_ = end + 3;
  }

  void cdata() {
    if (open_.empty()) return void(wrong("text outside of the root element"));
    const std::size_t end = text_.find("]]>", at_);
    if (end == std::string_view::npos) return void(wrong("<![CDATA[ without end"));
    at_ = end + 3;
  }

  void instruction() {
    const std::size_t begin = at_;
    at_ += 2;
    const std::string_view target = name();
    const std::size_t end = text_.find("?>", at_);
    const bool is_declaration = target.size() == 3 && (target[0] | 0x20) == 'x' &&
                                (target[1] | 0x20) == 'm' && (target[2] | 0x20) == 'l';
    if (target.empty() || is_declaration || end == std::string_view::npos ||
        (end > at_ && !is_blank(text_[at_]))) {
      at_ = begin;
      return void(wrong(
          "'<?' that is no processing instruction; <?xml stands at the very begin of the file"));
    }
    at_ = end + 2;
  }

  void end_tag() {
    const std::size_t begin = at_;
    at_ += 2;
    const std::string_view closed = name();
    skip_blanks();
    const bool whole = take(">");
    if (!whole || open_.empty() || open_.back() != closed) {
      at_ = begin;
      return void(wrong(
          "</" + shown(closed) +
          (open_.empty() ? "> ends nothing" : "> where </" + shown(open_.back()) + "> is due")));
    }
    open_.pop_back();
  }

  void start_tag() {
    const std::size_t begin = at_++;
    const std::string_view element = name();
    if (element.empty())
      return at_ = begin,
             void(wrong("'<' begins no element", "write &lt; for the character itself"));
    if (open_.empty() && has_root_) return at_ = begin, void(wrong("a second root element"));
    has_root_ = true;
    if (open_.size() >= XmlBounds{}.depth || element.size() > XmlBounds{}.name) {
      fault_ = {"Y012", begin, "has elements nested too deeply or with names too long",
                "no description of an FMU needs more than " + std::to_string(XmlBounds{}.depth) +
                    " levels"};
      return;
    }
    seen_.clear();
    for (;;) {
      const bool apart = skip_blanks();
      if (take("/>")) return;
      if (take(">")) return open_.push_back(element);
      if (!attribute(element, apart)) return;
    }
  }

  bool attribute(std::string_view element, bool apart) {
    const std::size_t begin = at_;
    const std::string_view key = name();
    if (key.empty()) return wrong("<" + shown(element) + " is not closed by '>'"), false;
    if (!apart) return wrong("no blank in front of attribute " + shown(key)), false;
    if (seen_.size() >= XmlBounds{}.attributes || key.size() > XmlBounds{}.name)
      return fault_ = {"Y012", begin,
                       "has an element with too many attributes or with one of too long a name",
                       "at most " + std::to_string(XmlBounds{}.attributes)},
             false;
    if (std::find(seen_.begin(), seen_.end(), key) != seen_.end())
      return at_ = begin, wrong("attribute " + shown(key) + " is there twice"), false;
    seen_.push_back(key);
    skip_blanks();
    if (!take("=")) return wrong("attribute " + shown(key) + " has no '='"), false;
    skip_blanks();
    if (at_ >= text_.size() || (text_[at_] != '"' && text_[at_] != '\''))
      return wrong("the value of attribute " + shown(key) + " has no quotes"), false;
    const std::size_t end = text_.find(text_[at_], at_ + 1);
    if (end == std::string_view::npos)
      return wrong("the value of attribute " + shown(key) + " has no end"), false;
    for (++at_; at_ < end && !fault_; ++at_) {
      if (text_[at_] == '<')
        wrong("'<' in the value of attribute " + shown(key), "write &lt;");
      else if (text_[at_] == '&')
        reference();
    }
    if (!fault_) at_ = end + 1;
    return !fault_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::string_view> open_, seen_;
  bool has_root_ = false;
  XmlFault fault_;
};

}  // namespace

XmlFault scan_xml(std::string_view text) { return Scan(text).run(); }

}  // namespace takt::codegen
