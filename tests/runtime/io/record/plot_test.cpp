// What a figure holds for the script of its page, and colours.

#include <catch2/catch.hpp>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>

#include "runtime/io/record/deflate.hpp"
#include "runtime/io/record/html.hpp"
#include "runtime/io/record/plot_json.hpp"
#include "runtime/io/record/svg_plot.hpp"

using namespace takt;

namespace {

std::string bytes_of(const std::string& base64) {
  const std::string letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  unsigned word = 0, bits = 0;
  for (const char c : base64) {
    if (c == '=') break;
    word = word << 6U | static_cast<unsigned>(letters.find(c));
    if ((bits += 6) >= 8) out += static_cast<char>(word >> (bits -= 8) & 255U);
  }
  return out;
}

struct Values {
  std::vector<double> low, high;
};

/// As page/series.js reads them.
Values read(const nlohmann::json& figure, std::size_t number) {
  const nlohmann::json& line = figure["lines"][number];
  const std::size_t count = figure["grids"][line["grid"].get<std::size_t>()]["count"],
                    all = line["band"] ? 2 * count : count;
  const std::string bytes = inflated(bytes_of(line["values"]), 4 * all);
  std::vector<std::uint32_t> words(all);
  for (std::size_t i = 0; i < all; ++i)
    for (std::size_t plane = 0; plane < 4; ++plane)
      words[i] = words[i] << 8U | static_cast<std::uint8_t>(bytes[plane * all + i]);
  for (std::size_t i = 1; i < count; ++i) words[i] ^= words[i - 1];
  for (std::size_t i = count; i < all; ++i) words[i] ^= words[i - count];
  Values values;
  for (std::size_t i = 0; i < all; ++i) {
    float f = 0.0F;
    std::memcpy(&f, &words[i], 4);
    char text[64];
    std::snprintf(text, sizeof text, "%.*g", line["digits"].get<int>(),
                  line["offset"].get<double>() + line["scale"].get<double>() * f);
    (i < count ? values.low : values.high).push_back(std::strtod(text, nullptr));
  }
  if (values.high.empty()) values.high = values.low;
  return values;
}

PlotLine line_of(double (*value)(int), int count) {
  PlotLine line{"line", {}, {}, {}};
  for (int i = 0; i < count; ++i) line.x.push_back(1e-3 * i), line.low.push_back(value(i));
  line.high = line.low;
  return line;
}

double printed(double value, int digits) {
  char text[64];
  std::snprintf(text, sizeof text, "%.*g", digits, value);
  return std::strtod(text, nullptr);
}

}  // namespace

TEST_CASE("values come out of a figure as the digits they are printed with") {
  Plot plot{"title", "s", "V", {}};
  plot.lines = {line_of([](int i) { return std::sin(i * 0.1) * 1e3; }, 500),
                line_of([](int i) { return 101325.0 + 1e-4 * i; }, 500),
                line_of([](int i) { return std::exp(-0.1 * i); }, 500),
                line_of([](int) { return 298.15000123; }, 500),
                line_of([](int i) { return 1e200 * i; }, 500),
                line_of([](int i) { return i == 250 ? std::nan("") : -3e-30 * i; }, 500)};
  const auto figure = nlohmann::json::parse(plot_json(plot));
  for (std::size_t k = 0; k < plot.lines.size(); ++k) {
    const int digits = figure["lines"][k]["digits"];
    CHECK(digits >= 6);
    const Values values = read(figure, k);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < values.low.size(); ++i) {
      const double put_in = plot.lines[k].low[i];
      wrong += std::isnan(put_in)                         ? (std::isnan(values.low[i]) ? 0U : 1U)
               : values.low[i] == printed(put_in, digits) ? 0U
                                                          : 1U;
    }
    CHECK(wrong == 0);
  }
  CHECK(figure["lines"][1]["digits"] > 8);  // what moves a little is not drawn in stairs
  CHECK(figure["grids"].size() == 1);       // they are at the same times
}

TEST_CASE("one sample far from the others is in a figure, however far it is merged, and in its picture") {
  PlotLine line = line_of([](int i) { return std::sin(i * 1e-3); }, 100'000);
  line.low[77'777] = line.high[77'777] = -40.0;
  for (const std::size_t kept : {100'000U, 8'000U, 64U}) {
    Plot plot{"title", "s", "V", {line}};
    plot.kept_points = kept;
    const Values values = read(nlohmann::json::parse(plot_json(plot)), 0);
    CHECK(values.low.size() <= std::min<std::size_t>(kept, 8192));
    CHECK(*std::min_element(values.low.begin(), values.low.end()) == -40.0);
    CHECK(*std::max_element(values.high.begin(), values.high.end()) == 1.0);
  }
  const PlotLine few = merged(line, 10);
  CHECK(few.x.size() == 10);
  CHECK(few.low[7] == -40.0);
  CHECK(few.samples_of(7) == 10'000);
  Plot plot{"title", "s", "V", {line}};
  const std::string page = line_plot(plot);
  const std::regex lower_edge("class=\"line k0\" d=\"M[^M]*M[^M]* 2[01][0-9]");  // an edge of its own, down to the axis
  CHECK(std::regex_search(page, lower_edge));
}

TEST_CASE("colours have the contrast of WCAG AA, light and dark") {
  const std::string style = html::style();
  const auto luminance = [](const std::string& hex) {
    double sum = 0.0;
    constexpr double weight[] = {0.2126, 0.7152, 0.0722};
    const std::size_t digits = hex.size() / 3;
    for (std::size_t k = 0; k < 3; ++k) {
      std::string pair = hex.substr(k * digits, digits);
      const double c = std::stoi(pair.size() == 1 ? pair + pair : pair, nullptr, 16) / 255.0;
      sum += weight[k] * (c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
    }
    return sum;
  };
  std::vector<std::map<std::string, std::string>> themes;
  const std::regex colour("--([a-z0-9]+):#([0-9a-f]+)");
  for (auto at = std::sregex_iterator(style.begin(), style.end(), colour); at != std::sregex_iterator(); ++at) {
    if ((*at)[1] == "bg") themes.emplace_back();
    themes.back()[(*at)[1]] = (*at)[2];
  }
  REQUIRE(themes.size() == 2);
  for (const auto& theme : themes) {
    const auto contrast = [&](const std::string& one, const std::string& other) {
      const double a = luminance(theme.at(one)), b = luminance(theme.at(other));
      return (std::max(a, b) + 0.05) / (std::min(a, b) + 0.05);
    };
    for (const auto& [text, ground] : {std::pair{"fg", "bg"},
                                       {"soft", "bg"},
                                       {"fg", "panel"},
                                       {"soft", "panel"},
                                       {"good", "goodbg"},
                                       {"warn", "warnbg"},
                                       {"bad", "badbg"},
                                       {"bad", "bg"},
                                       {"c0", "bg"}}) {
      INFO(text << " on " << ground);
      CHECK(contrast(text, ground) >= 4.5);
    }
    for (int k = 0; k < 8; ++k) CHECK(contrast("c" + std::to_string(k), "bg") >= 3.0);
  }
}
