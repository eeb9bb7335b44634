#pragma once
// Pieces of a page that stands alone: escaped text, tables, style. Every page is also well-formed XML.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace takt::html {

/// &, <, > and quotes replaced; so is what has no place in XML or would hide the text around it: control characters,
/// bytes that are no UTF-8, marks that turn the direction of writing.
[[nodiscard]] std::string escaped(std::string_view text);

/// The same characters replaced, for text that a script puts in place.
[[nodiscard]] std::string cleaned(std::string_view text);

/// Escaped; what stands between two backticks is a command.
[[nodiscard]] std::string prose(std::string_view text);

/// A path of the plant, that may be broken after its dots.
[[nodiscard]] std::string breakable(std::string_view path);

struct Column {
  enum class Kind : std::uint8_t { number, text, markup };
  std::string head;
  Kind kind = Kind::number;  ///< markup: cells are HTML already
  bool spare = false;        ///< left out on narrow screens: what it shows stands elsewhere, too
};

using Row = std::vector<std::string>;

/// On narrow screens the rows of tables with more than six columns, or with more than two of text among four, become
/// blocks, so that nothing has to be scrolled sideways and no word is broken.
[[nodiscard]] std::string table(const std::vector<Column>& columns, const std::vector<Row>& rows);

/// What is unfolded by a click.
[[nodiscard]] std::string folded(const std::string& summary, const std::string& body);

[[nodiscard]] std::string section(const std::string& heading, const std::string& body);

/// A bar as wide as its share (0 .. 1) of the cell, with the share in words beside it.
[[nodiscard]] std::string bar(double share, const std::string& text);

/// JSON of ASCII for the script of the page; what has to do with which figure: it stands within it.
[[nodiscard]] std::string data(const std::string& json, const std::string& id = {});

/// Style sheet of a page with the elements above and the plots of svg_plot.hpp: light, dark, print, narrow screens.
[[nodiscard]] std::string style();

/// The script of pages with data(): page/*.js, built in.
[[nodiscard]] std::string script();

/// The whole page; nothing in it is fetched from elsewhere, and browsers are told to refuse that. @param body  of the
/// functions above
[[nodiscard]] std::string page(const std::string& title, const std::string& body);

}  // namespace takt::html
