#include "codegen/text/diagnostics.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <tuple>
#include <utility>

#include "codegen/text/escape.hpp"

namespace takt::codegen {
namespace {

constexpr std::size_t widest_source_line = 160;

std::string_view severity_word(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "error";
}

std::string_view severity_colour(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "\033[1;31m";
    case Severity::warning:
      return "\033[1;35m";
    case Severity::note:
      return "\033[1;36m";
  }
  return "";
}

/// Lines of the input files, each file read once.
class SourceLines {
 public:
  const std::string* line(const Location& where) {
    if (where.line == 0 || where.file.empty()) return nullptr;
    auto [entry, is_new] = files_.try_emplace(where.file.text());
    if (is_new) entry->second = read(where.file.text());
    return where.line <= entry->second.size() ? &entry->second[where.line - 1] : nullptr;
  }

 private:
  static std::vector<std::string> read(const std::string& path) {
    std::vector<std::string> lines;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
      return lines;  // a pipe has nothing left to show, and may never end
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);) {
      if (!line.empty() && line.back() == '\r') line.pop_back();
      lines.push_back(std::move(line));
    }
    return lines;
  }
  std::map<std::string, std::vector<std::string>> files_;
};

bool is_continuation_byte(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

/// Blanks up to a byte column; tabs kept so that the caret stays under its character, one blank per
/// code point.
std::string caret_padding(std::string_view line, std::size_t column) {
  std::string padding;
  for (std::size_t at = 0; at + 1 < column && at < line.size(); ++at) {
    if (!is_continuation_byte(line[at])) padding += line[at] == '\t' ? '\t' : ' ';
  }
  return padding;
}

/// The part of a long line around the column, and the column within it.
std::pair<std::string_view, std::size_t> crop(std::string_view line, std::size_t column) {
  if (line.size() <= widest_source_line) return {line, column};
  std::size_t begin = column > widest_source_line / 2 ? column - widest_source_line / 2 : 0;
  begin = std::min(begin, line.size() - widest_source_line);
  while (begin < line.size() && is_continuation_byte(line[begin])) ++begin;
  std::size_t end = std::min(line.size(), begin + widest_source_line);
  while (end < line.size() && is_continuation_byte(line[end])) ++end;
  return {line.substr(begin, end - begin), column > begin ? column - begin : 0};
}

void append_place(std::string& out, const Location& where) {
  if (where.file.empty()) return;
  out += where.file.text();
  if (where.line > 0) {
    out += ':' + std::to_string(where.line);
    if (where.column > 0) out += ':' + std::to_string(where.column);
  }
  out += ": ";
}

/// A line of a file that may be anything, for a terminal: as long as it was.
std::string shown_line(std::string line) {
  for (std::size_t k = 0; k < line.size();) {
    const std::size_t length = utf8_length(std::string_view(line).substr(k));
    const auto byte = static_cast<unsigned char>(line[k]);
    if (length == 0 || (byte < 0x20 && byte != '\t') || byte == 0x7F) line[k] = '?';
    k += length == 0 ? 1 : length;
  }
  return line;
}

void append_source(std::string& out, SourceLines& sources, const Location& where,
                   std::string_view caret) {
  const std::string* full = sources.line(where);
  if (full == nullptr) return;
  const std::string shown = shown_line(*full);
  const auto [line, column] = crop(shown, where.column);
  const std::string number = std::to_string(where.line);
  const std::string margin(std::max<std::size_t>(5, number.size()), ' ');
  out += margin.substr(0, margin.size() - number.size()) + number + " | ";
  out += line;
  out += '\n';
  if (column > 0) out += margin + " | " + caret_padding(line, column) + std::string(caret) + '\n';
}

/// A text of several lines, each after the first indented.
void append_indented(std::string& out, std::string_view text, std::string_view indent) {
  for (char c : text) {
    out += c;
    if (c == '\n') out += indent;
  }
  out += '\n';
}

}  // namespace

const std::string& FileName::kept(std::string_view name) {
  static const std::string none;
  if (name.empty()) return none;
  static std::mutex guard;
  static std::set<std::string, std::less<>> names;  // a node's address stays
  const std::lock_guard lock(guard);
  const auto found = names.find(name);
  return found != names.end() ? *found : *names.emplace(name).first;
}

void Diagnostics::append(const Diagnostics& other) {
  for (const Diagnostic& finding : other.all_) add(finding);
}

void Diagnostics::add(Diagnostic diagnostic) {
  errors_ += diagnostic.severity == Severity::error ? 1U : 0U;
  all_.push_back(std::move(diagnostic));
}

void Diagnostics::error(std::string_view code, Location where, std::string message,
                        std::string hint) {
  add({std::string(code), Severity::error, where, std::move(message), std::move(hint)});
}

void Diagnostics::warning(std::string_view code, Location where, std::string message,
                          std::string hint) {
  add({std::string(code), Severity::warning, where, std::move(message), std::move(hint)});
}

void Diagnostics::note(std::string_view code, Location where, std::string message,
                       std::string hint) {
  add({std::string(code), Severity::note, where, std::move(message), std::move(hint)});
}

std::string Diagnostics::render(bool colour) const {
  std::vector<const Diagnostic*> sorted;
  for (const Diagnostic& diagnostic : all_) sorted.push_back(&diagnostic);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Diagnostic* a, const Diagnostic* b) {
    return std::tie(a->where.file, a->where.line, a->where.column) <
           std::tie(b->where.file, b->where.line, b->where.column);
  });
  SourceLines sources;
  std::string out;
  for (const Diagnostic* diagnostic : sorted) {
    append_place(out, diagnostic->where);
    if (colour) out += severity_colour(diagnostic->severity);
    out += severity_word(diagnostic->severity);
    if (!diagnostic->code.empty()) out += '[' + diagnostic->code + ']';
    if (colour) out += "\033[0m";
    out += ": ";
    append_indented(out, diagnostic->message, "  ");
    append_source(out, sources, diagnostic->where, colour ? "\033[1;32m^\033[0m" : "^");
    if (!diagnostic->hint.empty()) {
      out += "  hint: ";
      append_indented(out, diagnostic->hint, "        ");
    }
  }
  return out;
}

}  // namespace takt::codegen
