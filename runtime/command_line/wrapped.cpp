#include "runtime/command_line/wrapped.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>

namespace takt::command_line {

std::size_t help_width() {
  constexpr std::size_t most = 100, least = 40;
  winsize terminal{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &terminal) != 0 || terminal.ws_col == 0) return most;
  return std::clamp<std::size_t>(terminal.ws_col, least, most);
}

std::string wrapped(std::string_view text, std::size_t indent, std::size_t width) {
  std::string out(indent, ' ');
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + end > width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, end);
    column += end;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace takt::command_line
