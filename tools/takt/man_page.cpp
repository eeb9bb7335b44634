#include "tools/takt/man_page.hpp"

#include <sstream>

#include "tools/takt/printed_text.hpp"

namespace takt::tools {

using command_line::Described;
using command_line::DescribedOption;

namespace {

/// As troff reads it: signs that mean something to it are written out, and no line begins like a request.
std::string plain(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (c == '`')
      out += "\\(ga";
    else if (c == '^')
      out += "\\(ha";
    else if (c == '~')
      out += "\\(ti";
    else if (c == '|')
      out += "|\\:";  // a long list of values may be broken there
    else if (c == '.' && (out.empty() || out.back() == '\n'))
      out += "\\&.";
    else
      out += c;
  }
  return out;
}

void print_head(Text& page, const std::string& title, const std::string& help) {
  page.print(".TH {} 1 \"\" \"takt " TAKT_VERSION "\" \"User commands\"\n.SH NAME\n{} \\- {}\n", plain(title),
             plain(title), plain(help));
}

void print_example(Text& page, const std::string& lines) {
  if (!lines.empty()) page.print(".PP\n.nf\n.RS 4\n{}\n.RE\n.fi\n", plain(lines));
}

std::string names_of(const DescribedOption& option) {
  if (option.names.empty()) return "\\fI" + plain(option.place) + "\\fR";
  std::string text;
  for (const std::string& name : option.names) text += (text.empty() ? "\\fB" : ", \\fB") + plain(name) + "\\fR";
  return option.value.empty() ? text : text + " \\fI" + plain(option.value) + "\\fR";
}

void print_options(Text& page, const Described& command) {
  for (const DescribedOption& option : command.options)
    page.print(".TP\n{}\n{}{}\n", names_of(option), plain(option.help), option.is_required ? " (needed)" : "");
}

std::string usage_of(const Described& command, const std::string& name) {
  std::string text = "\\fB" + plain(name) + "\\fR [options]";
  for (const DescribedOption& option : command.options)
    if (option.names.empty())
      text += option.is_required ? " \\fI" + plain(option.place) + "\\fR" : " [\\fI" + plain(option.place) + "\\fR]";
  return text + (command.subcommands.empty() ? "" : " subcommand ...");
}

}  // namespace

std::string man_page(const Described& takt) {
  Text page;
  print_head(page, "takt", takt.help);
  page.print(".SH SYNOPSIS\n\\fBtakt\\fR command [arguments]\n.SH EXAMPLE\n");
  print_example(page, takt.example);
  page.print(".SH OPTIONS\n");
  print_options(page, takt);
  page.print(".SH COMMANDS\n");
  for (const Described& command : takt.subcommands)
    page.print(".TP\n\\fBtakt\\-{}\\fR(1)\n{}\n", plain(command.name), plain(command.help));
  page.print(".SH EXIT STATUS\n{}\n", plain(takt.notes));
  return page.take();
}

std::string man_page_of(const Described& command) {
  Text page;
  print_head(page, "takt-" + command.name, command.help);
  page.print(".SH SYNOPSIS\n{}\n.SH EXAMPLES\n", usage_of(command, "takt " + command.name));
  print_example(page, command.example);
  page.print(".SH OPTIONS\n");
  print_options(page, command);
  if (!command.subcommands.empty()) page.print(".SH SUBCOMMANDS\n");
  for (const Described& subcommand : command.subcommands) {
    page.print(".SS {}\n{}\n.PP\n{}\n", usage_of(subcommand, "takt " + command.name + ' ' + subcommand.name),
               plain(subcommand.help), plain(subcommand.notes));
    print_example(page, subcommand.example);
    print_options(page, subcommand);
  }
  if (!command.notes.empty()) page.print(".SH NOTES\n{}\n", plain(command.notes));
  page.print(".SH SEE ALSO\n\\fBtakt\\fR(1)\n");
  return page.take();
}

}  // namespace takt::tools
