#include "codegen/flat_source/flat_source.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "codegen/code/print.hpp"
#include "codegen/emit/banner.hpp"
#include "codegen/emit/instant_functions.hpp"
#include "codegen/emit/names.hpp"
#include "codegen/emit/plant_source.hpp"
#include "codegen/emit/statements.hpp"
#include "codegen/reference/usual_size.hpp"
#include "codegen/text/literal.hpp"

namespace takt::codegen {
namespace {

using Kind = FlatPlace::Kind;

std::string role_of(const FlatPlace& place) {
  switch (place.kind) {
    case Kind::input:
      return place.at_events ? "event_input" : "input";
    case Kind::parameter:
      return place.structural ? "structural" : place.at_start_only ? "fixed" : "tunable";
    case Kind::hidden:
      return "hidden";
    default:
      return "computed";
  }
}

class SourceWriter {
 public:
  SourceWriter(const FlatModel& model, const FlatLayout& layout, const EmitOptions& options)
      : model_(model),
        network_(model.network),
        graph_(model.network.graph()),
        layout_(layout),
        options_(options) {}

  SourceFile run() {
    head();
    names();
    rows();
    blocks("algebra", layout_.algebra);
    blocks("start_blocks", layout_.start_blocks);
    held();
    switches();
    impulses();
    limits();
    tables_of_points();
    text_.close("}  // namespace");
    description();
    text_.line("}  // namespace takt_plant");
    return {"flat.cpp", text_.page()};
  }

 private:
  void head() {
    write_banner(text_, network_, options_, "All equations");
    for (const char* include : {"<array>", "<cstdint>", "<limits>"})
      text_.line(std::string("#include ") + include);
    text_.blank();
    for (const char* include : {"flat.hpp", "runtime/math/elementary.hpp", "tables.hpp"})
      text_.line(std::string("#include \"") + include + "\"");
    text_.blank();
    text_.line("namespace takt_plant {");
    text_.open("namespace");
    text_.line("using takt::flat::Place;");
  }

  /// The places by name.
  void names() {
    UniqueNames unique;
    text_.blank();
    text_.open("enum : Place");
    for (const FlatPlace& place : layout_.places) {
      names_.push_back(unique.make(
          place.symbol
              ? identifier_of(place.path) + "_"
              : "rate_of_" + identifier_of(place.path.substr(4, place.path.size() - 5)) + "_"));
      text_.line(names_.back() + ",  // " + place.path + " [" + place.unit + "]");
    }
    text_.close("};");
  }

  [[nodiscard]] const std::string& name(SymbolId symbol) const {
    return names_[layout_.place_of.at(symbol)];
  }

  Statements body_of(const std::vector<Expr>& roots) const {
    Statements body(graph_, nullptr);
    for (const SymbolId symbol : graph_.symbols_of(roots))
      body.bind(symbol, body.values().element_at(body.values().variable("p"),
                                                 body.values().variable(name(symbol))));
    for (const Expr root : roots) body.count(root);
    return body;
  }

  /// void NAME(const double* p, double* r): r[k] = roots[k].
  void function(const std::string& named, const std::vector<Expr>& roots) {
    Statements body = body_of(roots);
    for (std::size_t k = 0; k < roots.size(); ++k)
      body.block().assign(body.values().element("r", k), body.value(roots[k]));
    text_.blank();
    text_.open("void " + named +
               "([[maybe_unused]] const double* p, [[maybe_unused]] double* r) noexcept");
    code::print(text_, body.values(), {body.body().statements()});
    text_.close();
  }

  /// The name of double NAME(const double* p).
  std::string value(const std::string& wished, Expr root) {
    if (const auto known = values_.find(root); known != values_.end()) return known->second;
    const std::string named = unique_.make(wished);
    Statements body = body_of({root});
    body.block().give(body.value(root));
    text_.blank();
    text_.open("double " + named + "([[maybe_unused]] const double* p) noexcept");
    code::print(text_, body.values(), {body.body().statements()});
    text_.close();
    return values_.emplace(root, named).first->second;
  }

  /// The name of double NAME(const double* p, double t): the first instant after t at which a
  /// function of the time jumps or bends.
  std::string first_after(const std::string& wished, Expr root) {
    const TimeInstants instants = time_instants(network_, Surrogate{}, {root});
    if (instants.empty()) return "nullptr";
    const std::string named = unique_.make(wished);
    Statements body = body_of(roots_of(instants));
    codegen::first_after(graph_, instants, body);
    text_.blank();
    text_.open("double " + named + "([[maybe_unused]] const double* p, double t) noexcept");
    code::print(text_, body.values(), {body.body().statements()});
    text_.close();
    return named;
  }

  template <class Item>
  void list(const std::string& type, const std::string& named, const std::vector<Item>& items,
            const std::function<std::string(const Item&)>& print) {
    text_.blank();
    text_.line("const std::array<" + type + ", " + std::to_string(items.size()) + "> " + named +
               "{" + (items.empty() ? "};" : "{"));
    if (items.empty()) return;
    std::string line;
    for (const Item& item : items) {
      const std::string piece = print(item);
      if (line.size() + piece.size() > 110 && !line.empty()) text_.line("  " + line), line.clear();
      line += (line.empty() ? "" : " ") + piece + ",";
    }
    text_.line("  " + line);
    text_.line("}};");
  }

  void numbers(const std::string& named, const std::vector<std::uint32_t>& values) {
    list<std::uint32_t>("std::uint32_t", named, values,
                        [](const std::uint32_t& value) { return std::to_string(value); });
  }
  void doubles(const std::string& named, const std::vector<double>& values) {
    list<double>("double", named, values,
                 [](const double& value) { return double_literal(value); });
  }

  void family(const std::string& named, const std::vector<Expr>& roots, const FlatSlopes& slopes) {
    function(named + "_values", roots);
    function(named + "_slopes", slopes.value);
    numbers(named + "_row_start", slopes.row_start);
    numbers(named + "_column", slopes.column);
  }

  void rows() {
    std::vector<Expr> rows, variables;
    for (const FlatRow& row : model_.flat.rows) rows.push_back(row.value);
    for (const FlatVariable& variable : model_.flat.variables) {
      const bool indicator =
          layout_.places[layout_.place_of.at(variable.symbol)].kind == Kind::indicator;
      // A mode disagrees from there on, so that one that has just changed does not change back by
      // rounding.
      variables.push_back(indicator ? graph_.sub(variable.value, graph_.constant(1e-9))
                                    : variable.value);
    }
    family("rows", rows, layout_.rows);
    family("start_rows", model_.flat.start_rows, layout_.start_rows);
    family("variable", variables, layout_.variable_rows);
    std::vector<Expr> guesses;
    for (const SymbolId unknown : model_.flat.unknowns) {
      const auto guess = model_.flat.guesses.find(unknown);
      guesses.push_back(guess == model_.flat.guesses.end()
                            ? graph_.constant(std::numeric_limits<double>::quiet_NaN())
                            : guess->second);
    }
    function("guesses", guesses);
  }

  void blocks(const std::string& named, const FlatBlocks& of) {
    numbers(named + "_start", of.start);
    numbers(named + "_row", of.row);
    numbers(named + "_unknown", of.unknown);
  }

  void items(const std::string& type, const std::string& named,
             const std::vector<std::string>& texts) {
    list<std::string>("takt::flat::" + type, named, texts,
                      [](const std::string& item) { return item; });
  }

  void held() {
    std::vector<std::string> outputs, states;
    for (const BlockOutput& output : layout_.outputs)
      outputs.push_back("{" + value("output_" + name(output.symbol), output.value) + ", " +
                        name(output.symbol) + ", " +
                        std::to_string(network_.blocks[output.block].period_ns) + "}");
    for (const ControlBlock& block : network_.blocks)
      for (const ControlBlock::State& state : block.states) {
        const auto given = model_.block_starts.find(state.symbol);
        const Expr start =
            given == model_.block_starts.end() ? state.start : graph_.constant(given->second);
        states.push_back("{" + value("next_" + name(state.symbol), state.next) + ", " +
                         value("start_" + name(state.symbol), start) + ", " + name(state.symbol) +
                         ", " + std::to_string(block.period_ns) + "}");
      }
    items("BlockOutput", "outputs", outputs);
    items("BlockState", "block_states", states);
  }

  void switches() {
    std::vector<std::string> legs, timed, gates, modes, edges, befores;
    for (const PwmLeg& leg : network_.legs) {
      const std::string of = name(leg.high);
      legs.push_back(
          "{" + value("duty_" + of, leg.duty) + ", " + value("frequency_" + of, leg.frequency) +
          ", " + value("phase_" + of, leg.phase) + ", " + value("dead_time_" + of, leg.dead_time) +
          ", static_cast<takt::Carrier>(" + std::to_string(static_cast<int>(leg.carrier)) +
          "), static_cast<takt::DutyUpdate>(" + std::to_string(static_cast<int>(leg.update)) +
          "), " + of + ", " + name(leg.low) + ", " + first_after("turn_after_" + of, leg.duty) +
          "}");
    }
    for (const TimedGate& gate : network_.timed_gates)
      timed.push_back("{" + value("level_" + name(gate.symbol), gate.level) + ", " +
                      value("delay_" + name(gate.symbol), gate.delay) + ", " + name(gate.symbol) +
                      "}");
    for (const Gate& gate : network_.gates)
      gates.push_back("{" + value("signal_" + name(gate.symbol), gate.signal) + ", " +
                      name(gate.symbol) + ", " +
                      (graph_.depends_on(gate.signal, network_.time) ? "true" : "false") + "}");
    for (std::size_t k = 0; k < network_.modes.size(); ++k) {
      const Mode& mode = network_.modes[k];
      modes.push_back("{" + value("begin_" + name(mode.symbol), mode.start) + ", " +
                      name(mode.symbol) + ", " + names_[layout_.indicators[k]] + "}");
    }
    for (const EdgeEnergy& edge : network_.edge_energies) {
      const auto pulse = model_.flat.pulses.find(edge.heat);
      edges.push_back(
          "{" + value("rise_" + name(edge.total), edge.rise) + ", " +
          value("fall_" + name(edge.total), edge.fall) + ", " + name(edge.of) + ", " +
          name(edge.total) + ", " +
          (pulse == model_.flat.pulses.end() ? "takt::flat::no_place" : name(pulse->second)) + "}");
      for (const EdgeEnergy::Before& before : edge.before)
        befores.push_back("{" + name(before.symbol) + ", " + name(before.of) + "}");
    }
    items("Leg", "legs", legs);
    items("Timed", "timed", timed);
    items("Gate", "gates", gates);
    items("Mode", "modes", modes);
    items("Edge", "edges", edges);
    items("Before", "befores", befores);
  }

  void impulses() {
    std::vector<std::string> texts;
    for (std::size_t k = 0; k < model_.flat.impulses.size(); ++k) {
      const Impulse& impulse = model_.flat.impulses[k];
      std::vector<std::uint32_t> stored;
      std::vector<double> shares;
      for (const Impulse::Share& share : impulse.shares) {
        stored.push_back(layout_.place_of.at(share.stored));
        shares.push_back(share.share);
      }
      const std::string number = std::to_string(k);
      numbers("impulse_" + number, stored);
      doubles("impulse_share_" + number, shares);
      texts.push_back("{" + string_literal(impulse.text(graph_)) + ", impulse_" + number +
                      ", impulse_share_" + number + "}");
    }
    items("Impulse", "impulses", texts);
  }

  void limits() {
    std::vector<std::string> texts;
    for (const ParameterLimit& limit : network_.limits)
      texts.push_back("{" + value("limit", limit.holds) + ", " + string_literal(limit.text) + "}");
    items("Limit", "limits", texts);
  }

  void tables_of_points() {
    std::vector<double> start, usual;
    std::vector<std::string> paths, roles;
    std::vector<std::uint32_t> units;
    std::map<std::string, std::uint32_t> unit_number;
    for (const FlatPlace& place : layout_.places) {
      start.push_back(place.start);
      paths.push_back(string_literal(place.path));
      roles.push_back("takt::flat::Role::" + role_of(place));
      if (units.size() == layout_.time) continue;
      usual.push_back(usual_size(place.unit));
      units.push_back(
          unit_number.try_emplace(place.unit, static_cast<std::uint32_t>(unit_number.size()))
              .first->second);
    }
    doubles("start_values", start);
    list<std::string>("const char*", "paths", paths, [](const std::string& item) { return item; });
    items("Role", "roles", roles);
    doubles("usual", usual);
    numbers("units", units);
    numbers("states", layout_.states);
    numbers("rate_row", layout_.rate_row);
    doubles("turns", model_.turns_s);
  }

  static std::string range(std::uint32_t first, std::uint32_t end) {
    return "{" + std::to_string(first) + ", " + std::to_string(end - first) + "}";
  }

  void description() {
    const auto family = [](const std::string& of) {
      return "{" + of + "_values, " + of + "_slopes, " + of + "_row_start, " + of + "_column}";
    };
    const auto total = static_cast<std::uint32_t>(layout_.places.size());
    text_.blank();
    text_.open("const takt::flat::Description& flat_plant() noexcept");
    text_.open("static const takt::flat::Description description");
    const auto field = [&](const std::string& named, const std::string& value) {
      text_.line("." + named + " = " + value + ",");
    };
    field("time", std::to_string(layout_.time));
    field("points", std::to_string(total));
    field("inputs", range(layout_.inputs,
                          layout_.inputs + static_cast<std::uint32_t>(network_.inputs.size())));
    field("parameters", range(layout_.parameters, layout_.variables));
    field("variables", range(layout_.variables, layout_.rates));
    field("rates", range(layout_.rates, total));
    field("start", "start_values");
    field("role", "roles");
    field("path", "paths");
    field("usual", "usual");
    field("unit", "units");
    field("states", "states");
    field("rate_row", "rate_row");
    field("rows", family("rows"));
    field("start_rows", family("start_rows"));
    field("variable_rows", family("variable"));
    field("algebra", "{algebra_start, algebra_row, algebra_unknown}");
    field("start_blocks", "{start_blocks_start, start_blocks_row, start_blocks_unknown}");
    field("guesses", "guesses");
    for (const char* same : {"outputs", "block_states", "legs", "timed", "gates", "modes", "edges",
                             "befores", "limits", "impulses"})
      field(same, same);
    field("turns_s", "turns");
    field("look_s", double_literal(model_.look_s));
    text_.close("};");
    text_.line("return description;");
    text_.close();
    text_.blank();
  }

  const FlatModel& model_;
  const Network& network_;
  Graph& graph_;
  const FlatLayout& layout_;
  const EmitOptions& options_;
  Writer text_;
  std::vector<std::string> names_;
  std::map<Expr, std::string> values_;
  UniqueNames unique_;
};

SourceFile header(const FlatModel& model, const EmitOptions& options) {
  Writer text;
  text.line("#pragma once");
  write_banner(text, model.network, options, "All equations");
  text.line("#include \"runtime/flat/description.hpp\"");
  text.blank();
  text.line("namespace takt_plant {");
  text.blank();
  text.line("[[nodiscard]] const takt::flat::Description& flat_plant() noexcept;");
  text.blank();
  text.line("}  // namespace takt_plant");
  return {"flat.hpp", text.as_written()};
}

}  // namespace

Sources flat_sources(const FlatModel& model, const FlatLayout& layout, const EmitOptions& options) {
  return {{"tables.hpp", tables_header(model.network, options).as_written()},
          header(model, options),
          SourceWriter(model, layout, options).run()};
}

}  // namespace takt::codegen
