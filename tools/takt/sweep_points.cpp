#include "tools/takt/sweep_points.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <charconv>
#include <cmath>
#include <fstream>
#include <numeric>
#include <random>
#include <set>

#include "codegen/text/quantity.hpp"
#include "runtime/csv/csv.hpp"
#include "tools/takt/arguments.hpp"

namespace takt::tools {
namespace {

constexpr std::size_t most_points = 1'000'000;

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return std::string(text.substr(first, text.find_last_not_of(" \t\r") - first + 1));
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (;;) {
    const auto place = text.find(at);
    parts.push_back(trimmed(text.substr(0, place)));
    if (place == std::string_view::npos) return parts;
    text.remove_prefix(place + 1);
  }
}

/// All values of a name are of one dimension, or plain numbers: those are SI.
void note_dimension(std::optional<codegen::Dimension>& known, bool first, const codegen::Unit& unit,
                    const std::string& where) {
  const bool plain = unit.dimension == codegen::Dimension{} && unit.factor == 1.0 && unit.offset == 0.0;
  const auto own = plain ? std::nullopt : std::optional(unit.dimension);
  if (!first && own != known) throw UsageError(where + ": its values have different dimensions");
  known = own;
}

double si_value(const std::string& text, const std::string& whole, Variation& variation, bool first = false) {
  const auto quantity = codegen::parse_quantity(text);
  if (!quantity) throw UsageError("--vary " + whole + ": " + quantity.error());
  note_dimension(variation.dimension, first, quantity->unit, "--vary " + whole);
  return quantity->value;
}

std::size_t whole_number(const std::string& text, const std::string& whole) {
  std::size_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 2 || value > most_points)
    throw UsageError("--vary " + whole + ": '" + text + "' is no number of steps, 2 or more");
  return value;
}

void fill_steps(Variation& variation, std::size_t steps) {
  for (std::size_t k = 0; k < steps; ++k) {
    const double share = static_cast<double>(k) / static_cast<double>(steps - 1);
    const double value = variation.kind == Variation::Kind::logarithmic
                             ? variation.first * std::pow(variation.second / variation.first, share)
                             : variation.first + share * (variation.second - variation.first);
    variation.values.push_back(codegen::number_text(k + 1 == steps ? variation.second : value));
  }
}

void read_range(Variation& variation, const std::string& spec, std::size_t dots, const std::string& text) {
  variation.kind = Variation::Kind::uniform;
  std::string rest = spec.substr(dots + 2), steps;
  variation.first = si_value(trimmed(spec.substr(0, dots)), text, variation, true);
  // A unit may hold a '/', too: the number of steps is what stands behind the last one.
  if (rest.ends_with(" log"))
    rest = trimmed(rest.substr(0, rest.size() - 4)), variation.kind = Variation::Kind::logarithmic;
  if (const auto slash = rest.rfind('/'); slash != std::string::npos) {
    const std::string behind = trimmed(rest.substr(slash + 1));
    if (!behind.empty() && std::all_of(behind.begin(), behind.end(), [](char c) { return c >= '0' && c <= '9'; }))
      steps = behind, rest = trimmed(rest.substr(0, slash));
  }
  variation.second = si_value(trimmed(rest), text, variation);
  if (variation.kind == Variation::Kind::logarithmic && !(variation.first * variation.second > 0.0))
    throw UsageError("--vary " + text + ": a logarithmic range does not reach or cross 0");
  if (!steps.empty()) fill_steps(variation, whole_number(steps, text));
}

/// 53 bits of it in (0, 1): the standard's distributions differ from library to library.
double uniform(std::mt19937_64& random) { return (static_cast<double>(random() >> 11U) + 0.5) * 0x1p-53; }

std::string value_at(const Variation& variation, double share) {
  switch (variation.kind) {
    case Variation::Kind::list: {
      const auto index = static_cast<std::size_t>(share * static_cast<double>(variation.values.size()));
      return variation.values[std::min(index, variation.values.size() - 1)];
    }
    case Variation::Kind::normal:
      return codegen::number_text(boost::math::quantile(boost::math::normal(variation.first, variation.second), share));
    case Variation::Kind::logarithmic:
      return codegen::number_text(variation.first * std::pow(variation.second / variation.first, share));
    default:
      return codegen::number_text(variation.first + share * (variation.second - variation.first));
  }
}

void fill_grid(const std::vector<Variation>& variations, SweepPoints& found) {
  std::size_t count = 1;
  for (const Variation& variation : variations) {
    if (variation.values.empty())
      throw UsageError("--vary " + variation.name +
                       ": a grid needs steps, \"1 .. 10 / 5\"; or give --sample lhs or random with --count");
    if (count > most_points / variation.values.size()) throw UsageError("a grid of more than a million points");
    count *= variation.values.size();
  }
  for (std::size_t k = 0; k < count; ++k) {
    std::vector<std::string> point(variations.size());
    std::size_t rest = k;
    for (std::size_t v = variations.size(); v-- > 0; rest /= variations[v].values.size())
      point[v] = variations[v].values[rest % variations[v].values.size()];
    found.points.push_back(std::move(point));
  }
}

std::vector<std::vector<std::string>> sampled(const std::vector<Variation>& variations, Sampling sampling,
                                              std::size_t count, const std::string& seed) {
  std::seed_seq words(seed.begin(), seed.end());
  std::mt19937_64 random(words);
  std::vector<std::vector<std::string>> points(count, std::vector<std::string>(variations.size()));
  std::vector<std::size_t> order(count);
  for (std::size_t v = 0; v < variations.size(); ++v) {
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t k = count; k-- > 1;)  // not std::shuffle, which differs from library to library
      std::swap(order[k], order[static_cast<std::size_t>(uniform(random) * static_cast<double>(k + 1))]);
    for (std::size_t k = 0; k < count; ++k) {
      const double chance = uniform(random);
      const double share =
          sampling == Sampling::random ? chance : (static_cast<double>(order[k]) + chance) / static_cast<double>(count);
      points[k][v] = value_at(variations[v], share);
    }
  }
  return points;
}

}  // namespace

Variation parse_variation(const std::string& text) {
  const auto equals = text.find('=');
  Variation variation;
  variation.name = trimmed(text.substr(0, equals));
  const std::string spec = equals == std::string::npos ? "" : trimmed(text.substr(equals + 1));
  if (variation.name.empty() || spec.empty())
    throw UsageError("--vary " + text + ": expected name=values, as in \"c.c=1 uF,2 uF\" or \"c.c=1 uF .. 10 uF / 5\"");
  if (const auto dots = spec.find(".."); dots != std::string::npos) {
    if (spec.find("...") != std::string::npos)
      throw UsageError("--vary " + text + ": three points: write a range with blanks, \"1 .. 3\"");
    read_range(variation, spec, dots, text);
  } else if (spec.starts_with("normal ")) {
    // The mean and the deviation may have units with blanks: the split is where both halves are quantities.
    const std::string both = trimmed(spec.substr(7));
    variation.kind = Variation::Kind::normal;
    for (auto blank = both.find(' '); blank != std::string::npos; blank = both.find(' ', blank + 1)) {
      const auto mean = codegen::parse_quantity(trimmed(both.substr(0, blank)));
      const auto deviation = codegen::parse_quantity(trimmed(both.substr(blank + 1)));
      if (!mean || !deviation) continue;
      variation.first = mean->value;
      variation.second = deviation->value - deviation->unit.offset * deviation->unit.factor;  // 5 degC are 5 K
      if (!(variation.second > 0.0)) break;
      note_dimension(variation.dimension, true, mean->unit, "--vary " + text);
      note_dimension(variation.dimension, false, deviation->unit, "--vary " + text);
      return variation;
    }
    throw UsageError("--vary " + text + ": expected mean and standard deviation, as in \"normal 300 K 5 K\"");
  } else {
    variation.values = split(spec, ',');
    for (std::size_t k = 0; k < variation.values.size(); ++k)
      variation.values[k] = codegen::number_text(si_value(variation.values[k], text, variation, k == 0));
  }
  return variation;
}

SweepPoints make_points(const std::vector<Variation>& variations, Sampling sampling, std::size_t count,
                        const std::string& seed) {
  SweepPoints found;
  for (const Variation& variation : variations) {
    if (std::find(found.names.begin(), found.names.end(), variation.name) != found.names.end())
      throw UsageError("--vary " + variation.name + " is given twice");
    found.names.push_back(variation.name);
    found.dimensions.push_back(variation.dimension);
  }
  if (sampling == Sampling::grid) {
    if (std::any_of(variations.begin(), variations.end(),
                    [](const Variation& v) { return v.kind == Variation::Kind::normal; }))
      throw UsageError("a normal distribution has no grid: give --sample lhs or random with --count");
    fill_grid(variations, found);
  } else {
    for (const Variation& variation : variations)
      if (variation.kind != Variation::Kind::list && !variation.values.empty())
        throw UsageError("--vary " + variation.name + ": steps, \"/ " + std::to_string(variation.values.size()) +
                         "\", are for a grid; a sample is drawn from the whole range");
    if (count == 0 || count > most_points) throw UsageError("--sample lhs and random need --count, 1 to a million");
    found.points = sampled(variations, sampling, count, seed);
  }
  return found;
}

SweepPoints read_points(const std::filesystem::path& file) {
  std::ifstream input(file);
  if (!input) throw UsageError("cannot read the points " + file.string());
  SweepPoints found;
  CsvRows rows(input);
  const auto place = [&](std::uint32_t line) { return file.string() + ":" + std::to_string(line) + ": "; };
  const auto next = [&] {
    try {
      return rows.next();
    } catch (const CsvMistake& mistake) {
      throw UsageError(place(mistake.line()) + mistake.what());
    }
  };
  while (next()) {
    std::vector<std::string> cells(rows.cells().begin(), rows.cells().end());
    const std::string where = place(rows.line());
    if (found.names.empty()) {
      found.names = std::move(cells);
      const std::set<std::string> different(found.names.begin(), found.names.end());
      if (different.size() < found.names.size() || different.contains(""))
        throw UsageError(where + "the first line holds the names, each once");
      found.dimensions.resize(found.names.size());
      continue;
    }
    if (cells.size() != found.names.size())
      throw UsageError(where + std::to_string(cells.size()) + " values for " + std::to_string(found.names.size()) +
                       " names");
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const auto quantity = codegen::parse_quantity(cells[k]);
      if (!quantity) throw UsageError(where + quantity.error());
      note_dimension(found.dimensions[k], found.points.empty(), quantity->unit, where + found.names[k]);
      cells[k] = codegen::number_text(quantity->value);
    }
    found.points.push_back(std::move(cells));
  }
  if (found.points.empty()) throw UsageError(file.string() + " has no points");
  return found;
}

}  // namespace takt::tools
