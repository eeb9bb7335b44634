#include "codegen/model/joins.hpp"

#include <algorithm>
#include <array>

#include "codegen/library/names.hpp"
#include "codegen/library/read_value.hpp"
#include "codegen/model/fmu_units.hpp"
#include "codegen/model/join_groups.hpp"
#include "codegen/model/values.hpp"
#include "codegen/text/nearest.hpp"

namespace takt::codegen {
namespace {

constexpr const char* form =
    "write shaft = { a = { fmu = \"m1\", across = \"v\", through = \"F\" }, b = { fmu = \"m2\", "
    "across = \"v\", through = \"F\" } }";

Dimension divided(const Dimension& a, const Dimension& b, int seconds) {
  Dimension made;
  for (std::size_t k = 0; k < made.exponent.size(); ++k)
    made.exponent[k] = static_cast<std::int8_t>(a.exponent[k] - b.exponent[k]);
  const Dimension second = parse_unit("s").value_or(Unit{}).dimension;
  for (std::size_t k = 0; k < made.exponent.size(); ++k)
    made.exponent[k] = static_cast<std::int8_t>(made.exponent[k] + seconds * second.exponent[k]);
  return made;
}

class JoinReader {
 public:
  JoinReader(Workspace& work, const TomlEntry& entry) : work_(work), entry_(entry) {}

  [[nodiscard]] std::optional<ReadJoin> read() {
    Diagnostics findings;
    const bool is_table =
        expect_kind(entry_.value, TomlValue::Kind::table, "join '" + entry_.key + "'", findings);
    if (is_table)
      check_keys(entry_.value,
                 {"a", "b", "way", "stiffness", "damper", "gain", "iterations", "limit"}, "M005",
                 "a join", findings);
    work_.forward(findings);
    if (!is_table || findings.has_errors()) return std::nullopt;
    if (!is_name(entry_.key))
      return refuse("M006", entry_.where, "'" + entry_.key + "' is no name");
    made_.join.name = entry_.key, made_.join.where = entry_.where;
    const bool sides = read_side("a", made_.join.a) && read_side("b", made_.join.b);
    if (!sides || !sides_fit() || !read_way() || !read_settings()) return std::nullopt;
    return made_;
  }

 private:
  std::optional<ReadJoin> refuse(std::string_view code, const Location& where,
                                 const std::string& message, const std::string& hint = {}) {
    work_.error(code, where, message, hint);
    return std::nullopt;
  }
  bool no(std::string_view code, const Location& where, const std::string& message,
          const std::string& hint = {}) {
    return refuse(code, where, message, hint).has_value();
  }

  bool read_side(const char* key, ForeignJoin::Side& side) {
    const TomlValue* given = entry_.value.get(key);
    if (given == nullptr || !given->is_table())
      return no("Y120", given != nullptr ? given->where : entry_.where,
                "join '" + entry_.key + "' does not say its side " + key, form);
    if (const TomlValue* circuit = given->get("at"))
      return no("Y126", circuit->where, "a side of a join is an FMU, not a node of a circuit",
                "give the FMU a port ([fmu] `ports`), with a spring and a damper of the circuit "
                "between two storages; or make an FMU of the circuit: put it into a [part], `takt "
                "fmu export PLANT --part NAME --kind me`, and join outside.NODE of that");
    Diagnostics findings;
    check_keys(*given, {"fmu", "across", "through", "sign"}, "M005", "a side of a join", findings);
    work_.forward(findings);
    if (findings.has_errors()) return false;
    for (const char* word : {"fmu", "across", "through"})
      if (const TomlValue* text = given->get(word); text == nullptr || !text->is_string())
        return no(
            "Y120", given->where,
            std::string("side ") + key + " of join '" + entry_.key + "' does not say its " + word,
            form);
    return find_model(*given->get("fmu"), side) &&
           find_variable(*given->get("across"), false, side) &&
           find_variable(*given->get("through"), true, side) && read_sign(given->get("sign"), side);
  }

  bool read_sign(const TomlValue* sign, ForeignJoin::Side& side) {
    if (sign == nullptr) return true;
    if (!sign->is_string() || (sign->text != "+" && sign->text != "-"))
      return no("Y120", sign->where,
                "the sign of a side is \"+\" (its through value counts into it) or \"-\"");
    side.sign = sign->text == "-" ? -1.0 : 1.0;
    return true;
  }

  bool find_model(const TomlValue& name, ForeignJoin::Side& side) {
    std::vector<std::string> known;
    const auto& models = work_.network.foreign;
    for (std::size_t index = 0; index < models.size(); ++index) {
      if (models[index].path == "fmu." + name.text) return side.member = index, true;
      known.push_back(models[index].path.substr(4));
    }
    return no("Y122", name.where, "[fmu] has no '" + name.text + "'", name_hint(name.text, known));
  }

  bool find_variable(const TomlValue& name, bool input, ForeignJoin::Side& side) {
    const ForeignModel& model = work_.network.foreign[side.member];
    const auto& variables = model.fmu->variables;
    std::vector<std::string> fit;
    std::size_t found = variables.size();
    for (std::size_t index = 0; index < variables.size(); ++index) {
      if ((variables[index].causality == FmuCausality::input) == input)
        fit.push_back(variables[index].name);
      if (variables[index].name == name.text) found = index;
    }
    if (found == variables.size())
      return no("Y122", name.where, model.path + " has no variable '" + name.text + "'",
                name_hint(name.text, fit));
    const FmuVariable& of = variables[found];
    const bool smooth = of.type == FmuType::float64 && of.size == 1 && of.dimensions.empty() &&
                        of.variability == FmuVariability::continuous;
    const bool computed =
        of.causality == FmuCausality::output || of.causality == FmuCausality::local;
    if (!smooth || (input ? of.causality != FmuCausality::input : !computed))
      return no(
          "Y122", name.where,
          "'" + name.text + "' of " + model.path + " cannot be the " +
              (input ? "through" : "across") + " value of a join",
          input
              ? "it is a continuous input of type Float64 (Real): a force, a torque, a current"
              : "it is a continuous output of type Float64 (Real): a velocity, a speed, a voltage");
    if (input &&
        std::any_of(model.inputs.begin(), model.inputs.end(),
                    [&](const ForeignModel::Fed& fed) { return fed.port.variable == found; }))
      return no("Y122", name.where,
                "'" + name.text + "' of " + model.path + " is fed by the plant already",
                "leave it out of `inputs`: the join sets it");
    const FmuQuantity quantity = quantity_of(*model.fmu, of);
    (input ? side.through : side.across) = {found, quantity.factor, quantity.offset};
    std::optional<Dimension>& known = input ? through_ : across_;
    std::string& unit = input ? made_.through_unit : made_.across_unit;
    if (unit.empty())
      known = quantity.dimension, unit = quantity.unit;
    else if (known && quantity.dimension &&
             (!(*known == *quantity.dimension) ||
              wrong_kind(kind_of_unit(quantity.unit), kind_of_unit(unit))))
      return no("Y125", name.where,
                "'" + name.text + "' of " + model.path + " is in " + quantity.unit +
                    ", that of the other side in " + unit,
                "joined are storages of one kind: mass and mass, capacitor and capacitor");
    return true;
  }

  bool sides_fit() {
    if (made_.join.a.member == made_.join.b.member)
      return no("Y120", entry_.where, "join '" + entry_.key + "' joins an FMU with itself");
    const Dimension watt = parse_unit("W").value_or(Unit{}).dimension;
    if (across_ && through_) {
      Dimension power = divided(*across_, Dimension{}, 0);
      for (std::size_t k = 0; k < power.exponent.size(); ++k)
        power.exponent[k] = static_cast<std::int8_t>(power.exponent[k] + through_->exponent[k]);
      if (!(power == watt))
        return no("Y125", entry_.where,
                  "across times through of join '" + entry_.key + "' is in " +
                      dimension_text(power) + ", and must be a power",
                  "pairs are velocity and force, speed and torque, voltage and current");
    }
    return true;
  }

  bool read_way() {
    const TomlValue* way = entry_.value.get("way");
    if (way == nullptr) return true;
    constexpr std::array known{"spring", "index", "implicit", "loop"};
    if (way->is_string() && way->text == "substitute")
      return no(
          "Y121", way->where,
          "nobody can substitute one state for two inside of FMUs: their equations are not known",
          "write both storages as elements of one circuit in this file, where it happens by "
          "itself; or way = \"index\", which is as exact");
    if (!way->is_string() || std::find(known.begin(), known.end(), way->text) == known.end())
      return no("Y121", way->where,
                "ways of a join are \"spring\", \"index\", \"implicit\" and \"loop\"");
    made_.settings.way = way->text;
    return true;
  }

  /// A positive number of a dimension, through^1 across^-1 s^seconds or across.
  bool read_number(const char* key, std::optional<Dimension> dimension, double& to) {
    const TomlValue* given = entry_.value.get(key);
    if (given == nullptr) return true;
    const Reading reading{&work_.scopes.front(), "", std::nullopt};
    const auto value = lower_value(work_, *given, reading);
    if (!value) return false;
    const std::string what = std::string("the ") + key + " of join '" + entry_.key + "'";
    if (dimension) {
      const Unit unit{*dimension, 1.0, 0.0};
      if (!check_dimension(work_, *value, {unit, dimension_text(*dimension)},
                           {given->where, what, given->is_number()}))
        return false;
    }
    const auto number = structural_value(work_, value->value, given->where, what);
    if (!number) return false;
    const bool zero_is_fine = std::string_view(key) == "damper";
    if (!(*number > 0.0) && !(zero_is_fine && *number == 0.0))
      return no("Y127", given->where, what + " must be above zero",
                "leave it out: it is proposed from what is measured");
    to = *number;
    return true;
  }

  bool read_settings() {
    const auto per = [&](int seconds) {
      return across_ && through_ ? std::optional(divided(*through_, *across_, seconds))
                                 : std::nullopt;
    };
    ForeignJoinSettings& to = made_.settings;
    if (!read_number("stiffness", per(-1), to.stiffness) ||
        !read_number("damper", per(0), to.damper) || !read_number("gain", per(1), to.gain) ||
        !read_number("limit", across_, to.limit))
      return false;
    if (const TomlValue* given = entry_.value.get("iterations")) {
      const Reading reading{&work_.scopes.front(), "", std::nullopt};
      const auto count = read_count(work_, *given, reading, {"the number of iterations", 1, 100});
      if (!count) return false;
      to.iterations = *count;
    }
    return true;
  }

  Workspace& work_;
  const TomlEntry& entry_;
  ReadJoin made_;
  std::optional<Dimension> across_, through_;
};

}  // namespace

void declare_joins(Workspace& work, const TomlValue& section) {
  const std::size_t before = work.diagnostics.error_count();
  std::vector<ReadJoin> joins;
  for (const TomlEntry& entry : section.entries)
    if (auto read = JoinReader(work, entry).read()) joins.push_back(std::move(*read));
  if (work.diagnostics.error_count() != before) work.broken.insert("join");
  if (!work.diagnostics.has_errors() && !joins.empty()) make_join_groups(work, joins);
}

}  // namespace takt::codegen
