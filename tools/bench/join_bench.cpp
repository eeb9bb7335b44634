// takt-join-bench A.fmu B.fmu [OPTIONS]: two FMUs of kind model exchange, or co-simulations with their state, with
// inputs F and Fc and an output v, joined by v and Fc; 10 sin(3 t) on F of the first. The second may have no F, and
// other names (--b_across, --b_through). JSON of one run for joins.py.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "codegen/fmu/calls/call_table.hpp"
#include "runtime/fmu/join/group.hpp"
#include "runtime/fmu/join/slave_group.hpp"
#include "tools/takt/fmu_open.hpp"

namespace {

using namespace takt;
namespace join = takt::fmu::join;
using nlohmann::json;

std::optional<std::uint32_t> reference_if(const codegen::FmuDescription& fmu, const std::string& name) {
  for (const codegen::FmuVariable& variable : fmu.variables)
    if (variable.name == name) return variable.reference;
  return std::nullopt;
}

std::uint32_t reference_of(const codegen::FmuDescription& fmu, const std::string& name) {
  if (const auto reference = reference_if(fmu, name)) return *reference;
  throw std::runtime_error(fmu.file.string() + " has no variable " + name);
}

/// 10 sin(3 t), or nothing.
class Push final : public fmu::Inputs {
 public:
  Push(fmu::Version version, std::optional<std::uint32_t> reference, double amplitude) : amplitude_(amplitude) {
    if (!reference) return;
    const fmu::Row row{fmu::Type::float64, *reference, 0, 1, fmu::Use::input_continuous};
    rows_ = fmu::RowSet(version, std::span(&row, 1));
  }
  fmu::Result continuous(fmu::Instance& instance, double t) noexcept override {
    if (rows_.rows().empty()) return {};
    value_[0] = amplitude_ * std::sin(3.0 * t);
    return instance.set(rows_, value_);
  }
  fmu::Result all(fmu::Instance& instance, double t) noexcept override { return continuous(instance, t); }

 private:
  double amplitude_;
  fmu::RowSet rows_;
  std::array<double, 1> value_{};
};

struct Names {
  std::string across = "v", through = "Fc";
};

/// One of the two, initialised with its parameters.
struct Side {
  tools::OpenFmu open;
  fmu::Instance instance;
  Push push;
  join::ModelTerminals terminals;

  Side(const std::string& file, const std::string& kind, double amplitude, const Names& names = {})
      : open(tools::open_fmu(file, kind)),
        instance(open.table),
        push(open.table.version, reference_if(open.description, "F"), amplitude) {
    terminals.throughs = {{reference_of(open.description, names.through)}},
    terminals.acrosses = {{reference_of(open.description, names.across)}};
    for (const codegen::FmuUnknown& one : open.description.state_derivatives) {
      const codegen::FmuVariable& derivative = open.description.variables[one.variable];
      if (!derivative.derivative_of) continue;
      terminals.derivatives.push_back(derivative.reference);
      terminals.states.push_back(open.description.variables[*derivative.derivative_of].reference);
    }
  }
  void begin(const std::map<std::string, double>& parameters) {
    std::vector<fmu::Row> rows;
    std::vector<double> values;
    for (const auto& [name, value] : parameters) {
      rows.push_back({fmu::Type::float64, reference_of(open.description, name), static_cast<std::uint32_t>(rows.size()),
                      1, fmu::Use::start_exact});
      values.push_back(value);
    }
    fmu::RowSet set(open.table.version, rows);
    fmu::Result result = instance.instantiate({});
    if (result.done() && !rows.empty()) result = instance.set(set, values);
    if (result.done()) result = instance.enter_initialization({});
    if (result.done()) result = instance.exit_initialization();
    if (!result.done()) throw std::runtime_error(describe(result, instance));
  }
};

struct Options {
  std::map<std::string, std::string> text{
      {"way", "index"}, {"method", "rk4"}, {"kind", "me"}, {"b_across", "v"}, {"b_through", "Fc"}};
  std::map<std::string, double> number{{"step", 0.01}, {"for", 2.0}, {"every", 0.02}};
  std::map<std::string, double> a, b;  ///< parameters: --a.m 2
};

Options read(int argc, char** argv) {
  Options options;
  for (int k = 3; k + 1 < argc; k += 2) {
    const std::string name = std::string(argv[k]).substr(2);
    if (name.starts_with("a.") || name.starts_with("b."))
      (name[0] == 'a' ? options.a : options.b)[name.substr(2)] = std::atof(argv[k + 1]);
    else if (options.text.contains(name))
      options.text[name] = argv[k + 1];
    else
      options.number[name] = std::atof(argv[k + 1]);
  }
  return options;
}

join::Settings settings_of(const Options& options) {
  const auto number = [&](const char* name, double none) {
    const auto found = options.number.find(name);
    return found == options.number.end() ? none : found->second;
  };
  join::Settings settings;
  for (std::size_t k = 0; k < std::size(join::way_names); ++k)
    if (join::way_names[k] == options.text.at("way")) settings.way = static_cast<join::Way>(k);
  settings.method = fmu::find_tableau(options.text.at("method"));
  settings.step = options.number.at("step");
  settings.stiffness = number("stiffness", 0.0), settings.damper = number("damper", -1.0),
  settings.gain = number("gain", 0.0);
  settings.iterations = static_cast<int>(number("iterations", 0.0));
  settings.limit = number("limit", 0.0), settings.numeric = number("numeric", 0.0) != 0.0;
  settings.judged = number("judged", 1.0) != 0.0;
  return settings;
}

json run(Side& a, Side& b, const Options& options) {
  const join::Settings settings = settings_of(options);
  const std::vector<join::Constraint> constraints{{"pair", {0}, {1}}};
  join::ModelBody one(a.instance, a.push, a.terminals), two(b.instance, b.push, b.terminals);
  std::unique_ptr<join::Joint> joint;
  const bool slaves = options.text.at("kind") == "cs";
  if (slaves)
    joint = std::make_unique<join::SlaveGroup>(
        std::vector<join::Slave>{{&a.instance, &a.push, a.terminals}, {&b.instance, &b.push, b.terminals}}, constraints,
        settings);
  else
    joint = std::make_unique<join::Group>(std::vector<join::Body*>{&one, &two}, constraints, settings);
  join::Fault fault = joint->start(0.0);
  const double h = settings.step;
  const long steps = std::lround(options.number.at("for") / h), each = std::lround(options.number.at("every") / h);
  json times = json::array(), forces = json::array(), values = json::array();
  double violation = 0.0;
  const fmu::Row row{fmu::Type::float64, b.terminals.acrosses[0].reference, 0, 1, fmu::Use::read};
  fmu::RowSet rows(b.open.table.version, std::span(&row, 1));
  std::array<double, 1> v{};
  std::vector<double> costs;
  costs.reserve(static_cast<std::size_t>(steps));
  bool terminate = false;
  for (long k = 0; k < steps && fault.none(); ++k) {
    const auto before = std::chrono::steady_clock::now();
    fault = joint->advance(static_cast<double>(k) * h, static_cast<double>(k + 1) * h, terminate);
    costs.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - before).count());
    violation = std::max(violation, std::abs(joint->ledger(0).violation));
    if ((k + 1) % each != 0 || !fault.none()) continue;
    if (!b.instance.get(rows, v).done()) break;
    times.push_back(static_cast<double>(k + 1) * h), values.push_back(v[0]), forces.push_back(joint->ledger(0).through);
  }
  std::sort(costs.begin(), costs.end());
  const std::vector<std::string> names{"a", "b"};
  const auto* group = dynamic_cast<const join::Group*>(joint.get());
  const double of_steps = static_cast<double>(std::max(1L, steps)) * 2.0;
  const join::Ledger& ledger = joint->ledger(0);
  return {{"fault", describe(fault, *joint, names)},
          {"time", times},
          {"v", values},
          {"force", forces},
          {"violation", violation},
          {"given", ledger.given},
          {"unclosed", ledger.unclosed()},
          {"microseconds", costs.empty() ? 0.0 : costs[costs.size() / 2]},
          {"evaluations", group != nullptr
                              ? static_cast<double>(group->coupling().evaluations) / of_steps
                              : static_cast<double>(dynamic_cast<const join::SlaveGroup&>(*joint).steps()) / of_steps},
          {"derivatives", group != nullptr ? static_cast<double>(group->coupling().derivatives) / of_steps : 0.0},
          {"largest_step", std::isfinite(joint->found().largest_step) ? joint->found().largest_step : 0.0},
          {"inverse_mass", joint->found().largest},
          {"stiffness", joint->found().stiffness},
          {"radius", joint->found().radius}};
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3 || argc % 2 == 0) {
    std::fputs("takt-join-bench A.fmu B.fmu [--way W --method M --step S --kind me|cs --a.PARAMETER X ...]\n", stderr);
    return 2;
  }
  try {
    const Options options = read(argc, argv);
    Side a(argv[1], options.text.at("kind"), 10.0),
        b(argv[2], options.text.at("kind"), 0.0, {options.text.at("b_across"), options.text.at("b_through")});
    a.begin(options.a), b.begin(options.b);
    std::puts(run(a, b, options).dump().c_str());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
