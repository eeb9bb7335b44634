#include "codegen/emit/shared_code.hpp"

#include <cctype>
#include <unordered_map>
#include <unordered_set>

#include "codegen/emit/writer.hpp"

namespace takt::codegen {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string without_comments(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    line = line.substr(0, line.find("//"));
    while (!line.empty() && line.back() == ' ') line.remove_suffix(1);
    if (!line.empty()) out.append(line).append(1, '\n');
    at = end + 1;
  }
  return out;
}

/// Begin and end of the definition of TYPE::prepare; {npos, npos} where there is none.
std::pair<std::size_t, std::size_t> prepare_of(const std::string& source, const std::string& type) {
  const std::size_t begin = source.find("void " + type + "::prepare(");
  const std::size_t end = begin == std::string::npos ? begin : source.find("\n}\n", begin);
  if (end == std::string::npos) return {end, end};
  return {begin, end + 3};
}

/// Names behind "double": locals of the functions, and coefficients.
std::unordered_set<std::string_view> locals_of(std::string_view text) {
  constexpr std::string_view keyword = "double ";
  std::unordered_set<std::string_view> names;
  for (std::size_t at = text.find(keyword); at != std::string_view::npos; at = text.find(keyword, at)) {
    at += keyword.size();
    std::size_t end = at;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view after = text.substr(end, 2);
    if (end > at && (after.starts_with(" =") || after.starts_with("[") || after.starts_with(";")))
      names.insert(text.substr(at, end - at));
  }
  return names;
}

/// Whether a word that begins there is a member of the coefficients: k.WORD, f.WORD, g.WORD.
bool is_coefficient(std::string_view text, std::size_t begin) {
  if (begin < 2 || text[begin - 1] != '.' || (begin > 2 && is_word(text[begin - 3]))) return false;
  return text[begin - 2] == 'k' || text[begin - 2] == 'f' || text[begin - 2] == 'g';
}

/// Locals and coefficients numbered in the order in which they appear, the type called T: equal texts compute the same.
std::string canonical(std::string_view text, const std::string& type) {
  const std::unordered_set<std::string_view> locals = locals_of(text);
  std::unordered_map<std::string_view, std::size_t> number;
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (!is_word(text[at])) {
      out += text[at++];
      continue;
    }
    const std::size_t begin = at;
    while (at < text.size() && is_word(text[at])) ++at;
    const std::string_view word = text.substr(begin, at - begin);
    const bool qualified = begin > 0 && !is_coefficient(text, begin) &&
                           (text[begin - 1] == ':' || text[begin - 1] == '.' || text[begin - 1] == '>');
    if (word == type)
      out += "T";
    else if (!qualified && locals.contains(word))
      out.append("$").append(std::to_string(number.emplace(word, number.size()).first->second));
    else
      out += word;
  }
  return out;
}

/// What must be equal: of all functions, or of all but prepare(). Empty where the code cannot be shared.
std::string key_of(const SubsystemView& view, const SourceFile& header, const SourceFile& source, bool with_prepare) {
  const auto [begin, end] = prepare_of(source.text, view.type);
  const std::size_t body = header.text.find("struct " + view.type + " {");
  if (begin == std::string::npos || body == std::string::npos ||
      source.text.find("takt::offline::") != std::string::npos)
    return {};
  const std::string others = with_prepare ? source.text : source.text.substr(0, begin) + source.text.substr(end);
  std::string include = "#include \"" + header.name + "\"";
  std::string text = without_comments(header.text.substr(body)) + without_comments(others);
  if (const std::size_t at = text.find(include); at != std::string::npos) text.erase(at, include.size());
  return canonical(text, view.type);
}

/// The definition of prepare() with the coefficients called as the first of these subsystems calls them.
std::string with_names_of(const SubsystemView& first, const SubsystemView& own, std::string_view prepare) {
  std::unordered_map<std::string_view, std::string_view> names;
  for (std::size_t index = 0; index < own.coefficients.size(); ++index)
    names.emplace(own.coefficients[index], first.coefficients[index]);
  std::string out;
  for (std::size_t at = 0; at < prepare.size();) {
    const std::size_t begin = at;
    while (at < prepare.size() && is_word(prepare[at])) ++at;
    const std::string_view word = prepare.substr(begin, at - begin);
    out += is_coefficient(prepare, begin) && !word.empty() ? names.at(word) : word;
    if (at < prepare.size()) out += prepare[at++];
  }
  return out;
}

void derive(const SubsystemView& view, const SubsystemView& first, SourceFile& header, SourceFile& source) {
  const std::size_t head = header.text.find("\n\n");  // pragma, banner, elements
  Writer text;
  text.lines(header.text.substr(0, head));
  text.comment("Computed by the code of " + first.surrogate.name + ": only names and constants of prepare() differ.");
  text.blank();
  text.line("#include \"" + first.file + ".hpp\"");
  text.blank();
  text.line("namespace takt_plant {");
  text.blank();
  text.open("struct " + view.type + " : " + first.type);
  text.line("/// Coefficients from the parameters. Before initialize().");
  text.line("void prepare(const double* parameters) noexcept;");
  text.close("};");
  text.blank();
  text.line("}  // namespace takt_plant");
  header.text = text.text();
  const std::string opening = "namespace takt_plant {\n";
  const auto [begin, end] = prepare_of(source.text, view.type);
  const std::size_t start = source.text.find(opening) + opening.size();
  source.text = source.text.substr(0, start) + "\n" +
                with_names_of(first, view, std::string_view(source.text).substr(begin, end - begin)) +
                "\n}  // namespace takt_plant\n";
}

}  // namespace

void share_code(std::vector<SubsystemView>& views, Sources& sources) {
  std::unordered_map<std::string, std::size_t> same, similar;  // the first with this key
  Sources kept;
  for (std::size_t index = 0; index < views.size(); ++index) {
    SubsystemView& view = views[index];
    SourceFile &header = sources[2 * index], &source = sources[2 * index + 1];
    std::string key = key_of(view, header, source, true);
    if (const auto [known, fresh] = same.emplace(std::move(key), index); !fresh && !known->first.empty()) {
      const SubsystemView& first = views[known->second];
      view.file = first.file, view.type = first.type, view.code = first.code;
      continue;
    }
    key = key_of(view, header, source, false);
    if (const auto [known, fresh] = similar.emplace(std::move(key), index); !fresh && !known->first.empty()) {
      derive(view, views[known->second], header, source);
      view.code = views[known->second].code;
    }
    kept.push_back(std::move(header));
    kept.push_back(std::move(source));
  }
  sources = std::move(kept);
}

}  // namespace takt::codegen
