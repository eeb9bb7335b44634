#include "runtime/io/record/plot_json.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>

#include "runtime/io/record/deflate.hpp"
#include "runtime/io/record/svg_plot.hpp"

namespace takt {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t least_points = 32, most_points = 8192;  // of a line

double rounded(double value, int digits) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value, std::chars_format::general, digits).ptr;
  std::from_chars(text, end, value);
  return value;
}

/// A value is offset + scale · f with f of single precision: its error is below half a unit of the last digit, so that
/// rounding to the digits gives the decimal number that was put in.
struct Numbers {
  double offset = 0.0, scale = 1.0;
  int digits = 6;

  explicit Numbers(const PlotLine& line) {
    double low = HUGE_VAL, high = -HUGE_VAL;
    for (std::size_t i = 0; i < line.x.size(); ++i)
      if (std::isfinite(line.low[i]) && std::isfinite(line.high[i]))
        low = std::min(low, line.low[i]), high = std::max(high, line.high[i]);
    const double largest = std::max(std::abs(low), std::abs(high)), span = high - low;
    if (!(low <= high) || largest == 0.0) return;
    if (span == 0.0) digits = 9;
    if (span > 0.0 && span < 1e-3 * largest)
      digits = std::min(15, 6 + static_cast<int>(std::floor(std::log10(largest / span))));
    if (span < 1e-3 * largest) offset = rounded(low, digits);
    const double moves = span > 0.0 ? (offset == 0.0 ? largest : span) : 1.0;
    if (moves > 1e30 || moves < 1e-25) scale = std::pow(10.0, std::max(-300.0, std::floor(std::log10(moves))));
  }
  [[nodiscard]] float of(double value) const {
    return std::isfinite(value) ? static_cast<float>((rounded(value, digits) - offset) / scale) : std::nanf("");
  }
};

std::string base64(std::string_view bytes) {
  constexpr char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t at = 0; at < bytes.size(); at += 3) {
    std::uint32_t word = 0;
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - at);
    for (std::size_t k = 0; k < 3; ++k) word = word << 8U | (k < have ? static_cast<std::uint8_t>(bytes[at + k]) : 0U);
    for (std::size_t k = 0; k < 4; ++k) out += k <= have ? letters[word >> (18 - 6 * k) & 63U] : '=';
  }
  return out;
}

/// First all highest bytes, then the next ones: those of neighbours are alike.
std::string by_planes(std::span<const std::uint32_t> words) {
  std::string bytes;
  bytes.reserve(4 * words.size());
  for (const unsigned shift : {24U, 16U, 8U, 0U})
    for (const std::uint32_t word : words) bytes += static_cast<char>(word >> shift);
  return bytes;
}

/// Each low value against the one before, each high value against its low one: what is equal becomes zero.
std::string packed(const PlotLine& line, const Numbers& numbers, bool band) {
  std::vector<std::uint32_t> words;
  std::uint32_t before = 0;
  for (const double value : line.low) {
    const auto bits = std::bit_cast<std::uint32_t>(numbers.of(value));
    words.push_back(bits ^ before);
    before = bits;
  }
  for (std::size_t i = 0; band && i < line.high.size(); ++i)
    words.push_back(std::bit_cast<std::uint32_t>(numbers.of(line.high[i])) ^
                    std::bit_cast<std::uint32_t>(numbers.of(line.low[i])));
  const std::string bytes = by_planes(words);
  return base64(can_deflate() ? deflated(bytes) : bytes);
}

bool is_even(const std::vector<double>& x) {
  if (x.size() < 3) return false;
  const double step = (x.back() - x.front()) / static_cast<double>(x.size() - 1);
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!(std::abs(x[i] - (x.front() + step * static_cast<double>(i))) <= 1e-6 * step)) return false;
  return true;
}

/// Where the points are and how many samples each stands for.
Json grid_of(const PlotLine& line) {
  Json grid{{"count", line.x.size()}};
  if (is_even(line.x)) {
    grid["from"] = line.x.front(), grid["to"] = line.x.back();
  } else {
    for (const double x : line.x) grid["x"].push_back(rounded(x, 12));
  }
  if (line.samples.empty()) return grid;
  const bool same = std::all_of(line.samples.begin(), line.samples.end() - 1,
                                [&](std::uint64_t samples) { return samples == line.samples.front(); });
  if (same)
    grid["samples"] = line.samples.front(), grid["last"] = line.samples.back();
  else
    grid["samples"] = line.samples;
  return grid;
}

Json line_json(const PlotLine& line, std::vector<Json>& grids) {
  const Json grid = grid_of(line);
  auto known = std::find(grids.begin(), grids.end(), grid);
  if (known == grids.end()) known = grids.insert(grids.end(), grid);
  const Numbers numbers(line);
  const bool band = line.low != line.high;
  return {{"label", html::cleaned(line.label)},
          {"grid", known - grids.begin()},
          {"offset", numbers.offset},
          {"scale", numbers.scale},
          {"digits", numbers.digits},
          {"band", band},
          {"values", packed(line, numbers, band)}};
}

}  // namespace

std::string plot_json(const Plot& plot) {
  const std::size_t most =
      std::clamp(plot.kept_points / std::max<std::size_t>(1, plot.lines.size()), least_points, most_points);
  std::vector<Json> grids, lines;
  for (const PlotLine& line : plot.lines) lines.push_back(line_json(plot.marks ? line : merged(line, most), grids));
  Json json{{"title", html::cleaned(plot.title)},
            {"x", html::cleaned(plot.x_label)},
            {"y", html::cleaned(plot.y_label)},
            {"time", plot.time},
            {"logarithmic", {plot.x_logarithmic, plot.y_logarithmic}},
            {"marks", plot.marks},
            {"drawn", std::min(plot.drawn, plot.lines.size())},
            {"packed", can_deflate()},
            {"grids", grids},
            {"lines", lines}};
  if (plot.limit) json["limit"] = {{"value", plot.limit->value}, {"text", html::cleaned(plot.limit->text)}};
  return json.dump(-1, ' ', true, Json::error_handler_t::replace);
}

}  // namespace takt
