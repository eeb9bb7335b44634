#include "codegen/emit/lane_lines.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "codegen/emit/unused_locals.hpp"

namespace takt::codegen {
namespace {

void replace(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    lines.push_back(text.substr(start, end - start));
    start = end + 1;
  }
  return lines;
}

std::string without_comment(std::string line) {
  line.erase(std::min(line.find("//"), line.size()));
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

struct Line {
  std::string indent, text;
};

Line split(const std::string& line) {
  const std::size_t begin = std::min(line.find_first_not_of(' '), line.size());
  return {line.substr(0, begin), without_comment(line.substr(begin))};
}

/// What stands between two texts of a line.
std::string between(const std::string& text, std::string_view before, std::string_view behind) {
  const std::size_t begin = text.find(before) + before.size();
  return text.substr(begin, text.find(behind, begin) - begin);
}

/// {a, b}: each item in lanes, whatever it is.
std::string items_in_lanes(const std::string& list) {
  std::string out = "takt::in_lanes(";
  int depth = 0;
  for (const char c : list) {
    depth += c == '(' || c == '[' || c == '{' ? 1 : c == ')' || c == ']' || c == '}' ? -1 : 0;
    if (c == ',' && depth == 0)
      out += "), takt::in_lanes(";
    else
      out += c;
  }
  return out + ")";
}

bool begins_array(const std::string& text) {
  for (const char* name : {"dz[", "dq[", "outputs[", "still_now[", "running[", "energy["})
    if (text.starts_with(name)) return true;
  return false;
}

/// TARGET = VALUE; the value in lanes.
std::string assigned(const std::string& target, const std::string& text) {
  const std::size_t equals = text.find(" = ");
  return target + " = takt::in_lanes(" + text.substr(equals + 3, text.size() - equals - 4) + ");";
}

/// Statements of Newton blocks; empty: none. NewtonUnknown and moves are of steps that lanes do not take.
std::vector<std::string> newton_statement(const std::string& text) {
  if (text.starts_with("takt::NewtonDamping ")) return {"takt::LaneDamping " + text.substr(20)};
  if (text.starts_with("const takt::NewtonMove move = ")) {
    const std::string call = between(text, "move = ", ";");
    return {"if (!" + call + ") gives_up = true;", "if (gives_up) break;"};
  }
  if (text.starts_with("const bool settled = ")) {
    const std::size_t rest = text.find(" && ");
    return {"const takt::LaneTruths settled = " + text.substr(rest + 4)};
  }
  if (const std::size_t at = text.find(".next(move, "); at != std::string::npos) {
    const std::string unknown = text.substr(0, text.find(" = ")), damping = between(text, ".next(move, ", ".share, ");
    return {unknown + " = " + damping + ".next(" + text.substr(text.find(".share, ") + 8)};
  }
  if (text.starts_with("if (settled) "))
    return {"if (" + between(text, "if (settled) ", ".settle") + ".settle(settled)) break;"};
  return {};
}

bool is_left_out(const std::string& text) {
  return text.starts_with("takt::NewtonUnknown ") || text.find(".solved || move == ") != std::string::npos;
}

/// Where lanes have given up nothing of it is asked; where they have not, all are solved.
bool opens_what_is_left_out(const std::string& text) {
  return text.find(".looks(iteration)) [[unlikely]] {") != std::string::npos ||
         text.starts_with("if (move == takt::NewtonMove::limited)") ||
         text.starts_with("if (move == takt::NewtonMove::lower)") ||
         (text.starts_with("if (!") && text.ends_with(".solved) {"));
}

std::string statement(std::string text) {
  constexpr std::string_view real = "const double ", truth = "const bool ";
  if (text.starts_with("if (") && text.find(" [[unlikely]] alert = left[") != std::string::npos) {
    const std::size_t end = text.find(") [[unlikely]] alert = ");
    const std::string count = between(text, "alert = ", " += ");
    return "takt::count_left(" + text.substr(4, end - 4) + ", " + count + ", alert);";
  }
  if (text.starts_with("std::array<double, ")) {
    replace(text, "std::array<double, ", "std::array<takt::Lanes, ");
    const std::size_t begin = text.find('{') + 1, end = text.rfind('}');
    return text.substr(0, begin) + items_in_lanes(text.substr(begin, end - begin)) + text.substr(end);
  }
  if (text.starts_with("takt::math::pow_each(")) {
    const std::size_t begin = text.find('{') + 1, end = text.rfind('}');
    return text.substr(0, begin) + items_in_lanes(text.substr(begin, end - begin)) + text.substr(end);
  }
  if (text.starts_with(real)) return assigned("const takt::Lanes " + between(text, real, " = "), text);
  if (text.starts_with(truth)) return "const takt::LaneTruths " + text.substr(truth.size());
  if (text.starts_with("double ")) return assigned("takt::Lanes " + between(text, "double ", " = "), text);
  if (begins_array(text) && text.find("] = ") != std::string::npos)
    return assigned(text.substr(0, text.find(" = ")), text);
  return text;
}

/// The line behind the block that the line `at` opens.
std::size_t behind_block(const std::vector<std::string>& lines, std::size_t at) {
  const std::string end = split(lines[at]).indent + "}";
  while (lines[at] != end) ++at;
  return at + 1;
}

/// Blocks that lanes leave out, and locals that only these read.
std::string without_left_out(const std::string& body) {
  const std::vector<std::string> lines = lines_of(body);
  std::string kept;
  for (std::size_t at = 0; at < lines.size();) {
    const Line line = split(lines[at]);
    if (opens_what_is_left_out(line.text)) {
      at = behind_block(lines, at);
      continue;
    }
    if (!is_left_out(line.text)) kept += lines[at] + "\n";
    ++at;
  }
  return without_unused_locals(kept, {});
}

}  // namespace

std::string lane_members(const std::string& header, const std::string& type) {
  std::string out;
  bool inside = false;
  for (const std::string& whole : lines_of(header)) {
    auto [indent, text] = split(whole);
    if (whole == "struct " + type + " {") {
      inside = true;
      continue;
    }
    if (!inside || text.empty()) continue;
    if (text.starts_with("void prepare(") || text.find("> signals{}") != std::string::npos) break;
    if (text.starts_with("double ") || text.starts_with("std::array<double, ")) {
      const bool array = !text.starts_with("double ");
      text.erase(std::min(text.find(array ? "{}" : " = "), text.size()));
      while (text.back() == ';') text.pop_back();
      text = (array ? "std::array<takt::Lanes, " + text.substr(19) : "takt::Lanes " + text.substr(7)) + ";";
    }
    replace(text, "takt::InputPolynomial", "takt::LaneInput");
    replace(text, "{};", ";");
    out += indent.substr(std::min<std::size_t>(2, indent.size())) + text + "\n";
  }
  return out;
}

std::string in_lanes(const std::string& body) {
  const std::string kept = without_left_out(body);
  const std::vector<std::string> lines = lines_of(kept);
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const Line line = split(lines[at]);
    if (line.text.starts_with("if (") && line.text.ends_with(".turned) {")) {
      const std::string count = between(lines[at + 1], "turned", " +=");
      out += line.indent + "takt::count_turned(" + between(line.text, "if (", ")") + ", turned" + count + ", alert);\n";
      at = behind_block(lines, at);
      continue;
    }
    const std::vector<std::string> of_newton = newton_statement(line.text);
    if (of_newton.empty() && !line.text.empty()) out += line.indent + statement(line.text) + "\n";
    for (const std::string& one : of_newton) out += line.indent + one + "\n";
    ++at;
  }
  return out;
}

std::string run_in_lanes(const std::string& body) {
  std::string out = "  gives_up = false;\n";
  for (const std::string& whole : lines_of(body)) {
    const auto [indent, text] = split(whole);
    if (text.empty() || text.starts_with("if ((unseen")) continue;
    if (text == "newton[0] = 0.0;") {
      out += indent + "newton[0] = takt::Lanes{};\n";
      continue;
    }
    out += indent + text + "\n";
    if (text.ends_with("(*this, window);")) out += indent + "if (gives_up) return false;\n";
  }
  // What the end of a window solves may give up, too.
  return out + "  return !gives_up;\n";
}

}  // namespace takt::codegen
