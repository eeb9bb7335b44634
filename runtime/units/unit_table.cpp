#include "runtime/units/unit_table.hpp"

#include <array>
#include <numbers>

namespace takt {
namespace {

// Exponents of m, kg, s, A, K, mol, cd.
constexpr Dimension none{};
constexpr Dimension length{{1, 0, 0, 0, 0, 0, 0}};
constexpr Dimension volume{{3, 0, 0, 0, 0, 0, 0}};
constexpr Dimension mass{{0, 1, 0, 0, 0, 0, 0}};
constexpr Dimension time{{0, 0, 1, 0, 0, 0, 0}};
constexpr Dimension frequency{{0, 0, -1, 0, 0, 0, 0}};
constexpr Dimension force{{1, 1, -2, 0, 0, 0, 0}};
constexpr Dimension pressure{{-1, 1, -2, 0, 0, 0, 0}};
constexpr Dimension energy{{2, 1, -2, 0, 0, 0, 0}};
constexpr Dimension power{{2, 1, -3, 0, 0, 0, 0}};
constexpr Dimension current{{0, 0, 0, 1, 0, 0, 0}};
constexpr Dimension charge{{0, 0, 1, 1, 0, 0, 0}};
constexpr Dimension voltage{{2, 1, -3, -1, 0, 0, 0}};
constexpr Dimension resistance{{2, 1, -3, -2, 0, 0, 0}};
constexpr Dimension conductance{{-2, -1, 3, 2, 0, 0, 0}};
constexpr Dimension capacitance{{-2, -1, 4, 2, 0, 0, 0}};
constexpr Dimension inductance{{2, 1, -2, -2, 0, 0, 0}};
constexpr Dimension flux_linkage{{2, 1, -2, -1, 0, 0, 0}};
constexpr Dimension flux_density{{0, 1, -2, -1, 0, 0, 0}};
constexpr Dimension temperature{{0, 0, 0, 0, 1, 0, 0}};
constexpr Dimension amount{{0, 0, 0, 0, 0, 1, 0}};
constexpr Dimension luminous{{0, 0, 0, 0, 0, 0, 1}};

constexpr double pi = std::numbers::pi;

constexpr std::array units = std::to_array<NamedUnit>({
    {"1", none},
    {"%", none, 1.0, 100.0},
    {"ppm", none, 1.0, 1e6},
    {"rad", none, 1.0, 1.0, 0.0, true},
    {"deg", none, pi, 180.0},
    {"rev", none, 2.0 * pi},
    {"m", length, 1.0, 1.0, 0.0, true},
    {"L", volume, 1.0, 1000.0, 0.0, true},
    {"l", volume, 1.0, 1000.0, 0.0, true},
    {"s", time, 1.0, 1.0, 0.0, true},
    {"min", time, 60.0},
    {"h", time, 3600.0},
    {"Hz", frequency, 1.0, 1.0, 0.0, true},
    {"rpm", frequency, 2.0 * pi, 60.0},
    {"kg", mass},
    {"g", mass, 1.0, 1000.0, 0.0, true},
    {"t", mass, 1000.0},
    {"N", force, 1.0, 1.0, 0.0, true},
    {"Nm", energy, 1.0, 1.0, 0.0, true},
    {"Pa", pressure, 1.0, 1.0, 0.0, true},
    {"bar", pressure, 1e5, 1.0, 0.0, true},
    {"J", energy, 1.0, 1.0, 0.0, true},
    {"Wh", energy, 3600.0, 1.0, 0.0, true},
    {"eV", energy, 1.602176634e-19, 1.0, 0.0, true},
    {"W", power, 1.0, 1.0, 0.0, true},
    {"VA", power, 1.0, 1.0, 0.0, true},
    {"V", voltage, 1.0, 1.0, 0.0, true},
    {"A", current, 1.0, 1.0, 0.0, true},
    {"C", charge, 1.0, 1.0, 0.0, true},
    {"Ah", charge, 3600.0, 1.0, 0.0, true},
    {"Ohm", resistance, 1.0, 1.0, 0.0, true},
    {"\u03A9", resistance, 1.0, 1.0, 0.0, true},
    {"\u2126", resistance, 1.0, 1.0, 0.0, true},
    {"S", conductance, 1.0, 1.0, 0.0, true},
    {"F", capacitance, 1.0, 1.0, 0.0, true},
    {"H", inductance, 1.0, 1.0, 0.0, true},
    {"Wb", flux_linkage, 1.0, 1.0, 0.0, true},
    {"T", flux_density, 1.0, 1.0, 0.0, true},
    {"K", temperature, 1.0, 1.0, 0.0, true},
    {"degC", temperature, 1.0, 1.0, 273.15},
    {"\u00B0C", temperature, 1.0, 1.0, 273.15},
    {"degF", temperature, 5.0, 9.0, 459.67},
    {"mol", amount, 1.0, 1.0, 0.0, true},
    {"cd", luminous, 1.0, 1.0, 0.0, true},
});

constexpr std::array prefix_table = std::to_array<Prefix>({
    {"T", 1e12},
    {"G", 1e9},
    {"M", 1e6},
    {"k", 1e3},
    {"h", 1e2},
    {"d", 1.0, 1e1},
    {"c", 1.0, 1e2},
    {"m", 1.0, 1e3},
    {"u", 1.0, 1e6},
    {"\u00B5", 1.0, 1e6},
    {"\u03BC", 1.0, 1e6},
    {"n", 1.0, 1e9},
    {"p", 1.0, 1e12},
    {"f", 1.0, 1e15},
});

constexpr std::array synonyms = std::to_array<UnitSynonym>({
    {"volt", "V"},       {"volts", "V"},      {"amp", "A"},       {"amps", "A"},   {"ampere", "A"},  {"ohms", "Ohm"},
    {"R", "Ohm"},        {"sec", "s"},        {"secs", "s"},      {"second", "s"}, {"seconds", "s"}, {"minute", "min"},
    {"minutes", "min"},  {"hour", "h"},       {"hours", "h"},     {"hr", "h"},     {"watt", "W"},    {"watts", "W"},
    {"joule", "J"},      {"newton", "N"},     {"meter", "m"},     {"metre", "m"},  {"kph", "km/h"},  {"kmh", "km/h"},
    {"celsius", "degC"}, {"Celsius", "degC"}, {"\u2103", "degC"}, {"kelvin", "K"}, {"Kelvin", "K"},  {"degree", "deg"},
    {"degrees", "deg"},  {"percent", "%"},    {"pct", "%"},       {"farad", "F"},  {"henry", "H"},   {"hertz", "Hz"},
    {"tonne", "t"},      {"ton", "t"},        {"liter", "L"},     {"litre", "L"},  {"gram", "g"},    {"mho", "S"},
    {"RPM", "rpm"},      {"radian", "rad"},   {"radians", "rad"},
});

constexpr std::array display = std::to_array<std::string_view>({
    "1",     "m",     "kg",  "s",     "A",   "K",    "mol",    "cd",     "1/s",     "m^2",   "m^3",
    "m/s",   "m/s^2", "N",   "Pa",    "J",   "W",    "C",      "V",      "Ohm",     "S",     "F",
    "H",     "Wb",    "T",   "1/K",   "W/K", "J/K",  "J/kg/K", "W/m/K",  "W/m^2/K", "V/K",   "Ohm/K",
    "1/K^2", "N*s",   "J*s", "N*s/m", "N/m", "kg/s", "kg/m^3", "kg*m^2", "m^3/s",   "V/s",   "A/s",
    "W/s",   "K/s",   "K/W", "1/V",   "1/A", "1/m",  "1/s^2",  "s/m",    "s^2",     "V*s^2", "J/kg",
});

}  // namespace

std::span<const NamedUnit> named_units() { return units; }
std::span<const Prefix> prefixes() { return prefix_table; }
std::span<const UnitSynonym> unit_synonyms() { return synonyms; }
std::span<const std::string_view> display_units() { return display; }

}  // namespace takt
