#include "tools/bench/peer_netlist.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <sstream>

#include "codegen/library/toml_tree.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

constexpr const char* code = "N002";

std::string lower(std::string_view text) {
  std::string result(text);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> result;
  for (std::string word; stream >> word;) result.push_back(word);
  return result;
}

/// Times of `.tran STEP STOP [START [MAX]] [uic]`. @return false where they make no sense
bool read_tran(const std::vector<std::string>& fields, PeerNetlist& netlist) {
  std::vector<double> times;
  for (std::size_t k = 1; k < fields.size(); ++k) {
    if (lower(fields[k]) == "uic") {
      netlist.initial_conditions = true;
      continue;
    }
    const std::optional<double> time = spice_number(fields[k]);
    if (!time) return false;
    times.push_back(*time);
  }
  if (times.size() < 2 || times.size() > 4) return false;
  netlist.step_s = times[0], netlist.stop_s = times[1];
  netlist.start_s = times.size() > 2 ? times[2] : 0.0;
  netlist.max_step_s =
      times.size() > 3 ? times[3] : std::min(netlist.step_s, (netlist.stop_s - netlist.start_s) / 50.0);
  return netlist.step_s > 0.0 && netlist.start_s >= 0.0 && netlist.stop_s > netlist.start_s && netlist.max_step_s > 0.0;
}

/// `.include file` and `.lib file section` mean files beside the netlist; the decks stand elsewhere.
std::string with_whole_path(const std::string& line, std::vector<std::string> fields,
                            const std::filesystem::path& folder) {
  std::string& name = fields.at(1);
  if (name.size() > 2 && (name.front() == '"' || name.front() == '\'')) name = name.substr(1, name.size() - 2);
  const auto path = std::filesystem::absolute(folder / name).lexically_normal();
  std::error_code unreadable;
  if (!std::filesystem::exists(path, unreadable)) return line;
  name = path.string();
  return fmt::format("{}", fmt::join(fields, " "));
}

bool is_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '#' || c == '.'; }

}  // namespace

std::optional<double> spice_number(std::string_view text) {
  const std::string all(text);
  char* end = nullptr;
  const double value = std::strtod(all.c_str(), &end);
  if (end == all.c_str() || !std::isfinite(value)) return std::nullopt;
  const std::string suffix = lower(end);
  if (!std::all_of(suffix.begin(), suffix.end(), [](unsigned char c) { return std::isalpha(c) != 0; }))
    return std::nullopt;
  if (suffix.starts_with("meg")) return value * 1e6;
  if (suffix.starts_with("mil")) return value * 25.4 / 1e6;
  constexpr std::string_view large = "kgt", small = "munpf";
  constexpr double multiply[] = {1e3, 1e9, 1e12};
  constexpr double divide[] = {1e3, 1e6, 1e9, 1e12, 1e15};  // whole powers, so that 100u is exactly 1e-4
  const char letter = suffix.empty() ? ' ' : suffix.front();
  if (const auto at = large.find(letter); at != std::string_view::npos) return value * multiply[at];
  if (const auto at = small.find(letter); at != std::string_view::npos) return value / divide[at];
  return value;
}

PeerNetlist read_peer_netlist(const std::filesystem::path& file, Diagnostics& diagnostics) {
  PeerNetlist netlist;
  const auto text = read_text_file(file);
  if (!text) {
    diagnostics.error(code, {file.string(), 0, 0}, "cannot read the netlist: " + text.error());
    return netlist;
  }
  std::istringstream stream(*text);
  std::uint32_t number = 0, found = 0;
  bool tran_before = false;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    const Location where{file.string(), number, 1};
    const std::vector<std::string> fields = words(line);
    const std::string first = number == 1 || fields.empty() ? "" : lower(fields.front());  // line 1 is the title
    if (tran_before && first.starts_with("+")) diagnostics.error(code, where, "write .tran in one line");
    if (!first.empty()) tran_before = first == ".tran";
    if (first == ".tran") {
      if (++found > 1) diagnostics.error(code, where, "a second .tran");
      if (!read_tran(fields, netlist)) {
        diagnostics.error(code, where,
                          ".tran STEP STOP [START [MAX]] [uic] needs times in numbers, above 0 and in order",
                          ".tran 1u 50m 0 1u uic");
      }
    } else if (first == ".control") {
      diagnostics.error(code, where, "the netlist has a control section",
                        "leave it out: `takt bench` adds what it needs");
    } else if ((first == ".include" || first == ".inc" || first == ".lib") && fields.size() > 1) {
      netlist.lines.push_back(with_whole_path(line, fields, file.parent_path()));
    } else if (first != ".end") {
      netlist.saves = netlist.saves || first == ".save";
      netlist.lines.push_back(line);
    }
  }
  if (found == 0) diagnostics.error(code, {file.string(), 0, 0}, "the netlist has no .tran", ".tran 1u 50m 0 1u uic");
  return netlist;
}

std::string peer_deck(const PeerNetlist& netlist, const PeerDeck& deck) {
  std::string text;
  for (const std::string& line : netlist.lines) text += line + "\n";
  text += fmt::format(".tran {} {} {} {}{}\n", netlist.step_s, deck.stop_s.value_or(netlist.stop_s),
                      deck.stop_s ? 0.0 : netlist.start_s, deck.max_step_s.value_or(netlist.max_step_s),
                      netlist.initial_conditions ? " uic" : "");
  if (!deck.options.empty()) text += ".options " + deck.options + "\n";
  std::vector<std::string> saved;
  bool known = !netlist.saves;
  for (const std::string& expression : deck.expressions) {
    const std::vector<std::string> vectors = vectors_of(expression);
    known = known && !vectors.empty();
    saved.insert(saved.end(), vectors.begin(), vectors.end());
  }
  if (known) text += fmt::format(".save {}\n", fmt::join(saved, " "));
  text += ".control\nrun\n";
  if (!deck.output.empty()) {
    text += "set wr_singlescale\nset numdgt=15\n";
    std::vector<std::string> names;
    for (const std::string& expression : deck.expressions) {
      names.push_back(fmt::format("peer{}", names.size()));
      text += fmt::format("let {} = {}\n", names.back(), expression);
    }
    text += fmt::format("wrdata {} {}\n", deck.output.string(), fmt::join(names, " "));
  }
  return text + "quit 0\n.endc\n.end\n";
}

std::vector<std::string> vectors_of(std::string_view expression) {
  std::vector<std::string> result;
  const std::string text = lower(expression);
  for (std::size_t at = 0; at < text.size();) {
    const bool number = std::isdigit(static_cast<unsigned char>(text[at])) != 0 || text[at] == '.';
    std::size_t end = at;
    if (text[at] == '@') {
      end = text.find(']', at);
      if (end == std::string::npos) return {};
      result.push_back(text.substr(at, ++end - at));
    } else if (is_name(text[at])) {
      while (end < text.size() && is_name(text[end])) ++end;
      const std::string name = text.substr(at, end - at);
      if (!number && name != "v" && name != "i") return {};
      if (!number) {
        const std::size_t close = text.find(')', end);
        if (end >= text.size() || text[end] != '(' || close == std::string::npos) return {};
        std::istringstream nodes(text.substr(end + 1, close - end - 1));
        for (std::string node; std::getline(nodes, node, ',');) {
          node.erase(std::remove(node.begin(), node.end(), ' '), node.end());
          if (node != "0") result.push_back(name + "(" + node + ")");
        }
        end = close + 1;
      }
    } else {
      ++end;
    }
    at = end;
  }
  return result;
}

}  // namespace takt::tools
