#include "runtime/scenario/load_scenario.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>

#include "runtime/scenario/parse_expression.hpp"
#include "runtime/scenario/read_step.hpp"
#include "runtime/scenario/read_values.hpp"
#include "runtime/units/predefined.hpp"

namespace takt {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_steps = 10'000;
constexpr std::size_t most_points = 20'000'000;  // of all curves
constexpr int deepest_repeat = 8;
constexpr std::size_t most_included = 32;

bool is_name(std::string_view text) {
  const auto part = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  return !text.empty() && !(text[0] >= '0' && text[0] <= '9') && std::all_of(text.begin(), text.end(), part);
}

class Loader {
 public:
  explicit Loader(const PlantDescription& plant) : names_(plant) {}

  ScenarioProgram load(const std::string& text, const std::string& file) {
    program_.file = file;
    read_file(text, file, 0);
    if (program_.steps.empty()) throw ScenarioMistake({file, {1, 1}}, "the scenario has no steps", "add a [[step]]");
    return std::move(program_);
  }

 private:
  void read_file(const std::string& text, const std::string& file, int depth) {
    const ScenarioSource source{file, fs::path(file).parent_path().string(), names_};
    TomlNode root;
    try {
      root = parse_toml_text(text, file);
    } catch (const TomlError& error) {
      throw ScenarioMistake(source.place(error.where), error.what(), error.remedy);
    }
    allow_keys(root, {"scenario", "judge", "variables", "parameters", "step"}, source);
    read_head(root, source, depth);
    if (const TomlMember* judge = root.find("judge")) read_judge(*judge, source);
    if (const TomlMember* variables = root.find("variables")) read_variables(*variables, source);
    if (const TomlMember* parameters = root.find("parameters")) read_parameters(*parameters, source);
    if (const TomlMember* steps = root.find("step")) read_steps(*steps, {}, source, 0);
  }

  void read_head(const TomlNode& root, const ScenarioSource& source, int depth) {
    const TomlMember* head = root.find("scenario");
    if (head == nullptr) return;
    if (!head->value.is(TomlNode::Kind::table))
      throw ScenarioMistake(source.place(head->where), "scenario is a table, [scenario]");
    allow_keys(head->value, {"title", "duration", "timeout", "include"}, source);
    if (const TomlMember* include = head->value.find("include")) read_includes(*include, source, depth);
    if (const TomlMember* title = head->value.find("title")) program_.title = text_of(*title, source);
    if (const TomlMember* duration = head->value.find("duration")) program_.duration = duration_of(*duration, source);
    if (const TomlMember* timeout = head->value.find("timeout")) timeout_ = duration_of(*timeout, source);
  }

  /// What a run must have been for its verdict to count.
  void read_judge(const TomlMember& judge, const ScenarioSource& source) {
    if (!judge.value.is(TomlNode::Kind::table))
      throw ScenarioMistake(source.place(judge.where), "judge is a table, [judge]");
    allow_keys(judge.value, {"late", "needs"}, source);
    if (const TomlMember* late = judge.value.find("late")) {
      program_.late = late_tolerance(text_of(*late, source));
      if (!program_.late)
        throw ScenarioMistake(source.place(late->value.where), "late says how many deadlines may be missed",
                              std::string("give ") + late_tolerance_words);
    }
    if (const TomlMember* needs = judge.value.find("needs")) {
      if (!needs->value.is(TomlNode::Kind::array))
        throw ScenarioMistake(source.place(needs->value.where),
                              "needs is a list of messages, as in [\"can0.VCU_Command\"]; [] needs none");
      program_.needs.emplace();
      for (const TomlNode& item : needs->value.items) {
        if (!item.is(TomlNode::Kind::string))
          throw ScenarioMistake(source.place(item.where), "a message is a text in quotes");
        program_.needs->push_back(item.text);
      }
    }
  }

  void read_includes(const TomlMember& include, const ScenarioSource& source, int depth) {
    if (!include.value.is(TomlNode::Kind::array))
      throw ScenarioMistake(source.place(include.value.where), "include is a list of files, as in [\"start.toml\"]");
    for (const TomlNode& item : include.value.items) {
      if (!item.is(TomlNode::Kind::string))
        throw ScenarioMistake(source.place(item.where), "a file name is a text in quotes");
      const std::string path = source.path(item.text);
      if (std::find(open_.begin(), open_.end(), path) != open_.end() ||
          path == fs::path(program_.file).lexically_normal())
        throw ScenarioMistake(source.place(item.where), path + " includes itself");
      if (++included_ > most_included) throw ScenarioMistake(source.place(item.where), "too many files are included");
      std::string text;
      try {
        text = read_whole_file(path);
      } catch (const std::runtime_error& error) {
        throw ScenarioMistake(source.place(item.where), error.what());
      }
      open_.push_back(path);
      read_file(text, path, depth + 1);
      open_.pop_back();
    }
  }

  void read_variables(const TomlMember& variables, const ScenarioSource& source) {
    if (!variables.value.is(TomlNode::Kind::table))
      throw ScenarioMistake(source.place(variables.where), "variables is a table, [variables]");
    for (const TomlMember& member : variables.value.members) {
      const ScenarioPlace place = source.place(member.where);
      if (!is_name(member.key)) throw ScenarioMistake(place, "\"" + member.key + "\" is no name of a variable");
      if (const std::string_view meaning = predefined_meaning(member.key, NamePlace::scenario); !meaning.empty())
        throw ScenarioMistake(place, "\"" + member.key + "\" is predefined: " + std::string(meaning),
                              "take another name");
      if (names_.row(member.key))
        throw ScenarioMistake(place, "the plant has a \"" + member.key + "\" itself", "take another name");
      if (member.value.is(TomlNode::Kind::string))
        names_.variables[member.key] = parse_constant(member.value.text, source.place(member.value.text_where), names_);
      else
        names_.variables[member.key] = {quantity_of(member.value, Dimension{}, member.key, source), {}};
    }
  }

  void read_parameters(const TomlMember& parameters, const ScenarioSource& source) {
    if (!parameters.value.is(TomlNode::Kind::table))
      throw ScenarioMistake(source.place(parameters.where), "parameters is a table, [parameters]");
    for (const TomlMember& member : parameters.value.members) {
      const auto row = names_.row(member.key);
      const Role role = row ? names_.entry(*row).role : Role::signal;
      if (role == Role::structural)
        throw ScenarioMistake(source.place(member.where), "\"" + member.key + "\" is compiled in",
                              "build the plant with --set " + member.key + "=...");
      if (role != Role::parameter)
        throw ScenarioMistake(source.place(member.where), "the plant has no parameter \"" + member.key + "\"",
                              row ? "plant inputs are set in a step" : names_.hint(member.key));
      const double value = quantity_of(member.value, unit_as_written(names_.entry(*row).unit), member.key, source);
      std::erase_if(program_.parameters, [&](const auto& before) { return before.first == member.key; });
      program_.parameters.emplace_back(member.key, exact_text(value));
    }
  }

  void read_steps(const TomlMember& steps, const std::string& suffix, const ScenarioSource& source, int depth) {
    if (!steps.value.is(TomlNode::Kind::array))
      throw ScenarioMistake(source.place(steps.where), "steps are written [[step]]");
    for (const TomlNode& step : steps.value.items) {
      if (!step.is(TomlNode::Kind::table))
        throw ScenarioMistake(source.place(step.where), "a step is a table, [[step]]");
      if (step.find("repeat") != nullptr || step.find("step") != nullptr) {
        repeat(step, suffix, source, depth);
        continue;
      }
      if (program_.steps.size() >= most_steps)
        throw ScenarioMistake(source.place(step.where), "more than 10000 steps, loops unrolled", "repeat less often");
      StepReader(program_, source, timeout_).read(step, suffix);
      std::size_t points = 0;
      for (const Waveform& waveform : program_.waveforms) points += waveform.curve.seconds.size();
      if (points > most_points) throw ScenarioMistake(source.place(step.where), "the tables of all steps are too long");
    }
  }

  /// Loops are unrolled. `round` counts from 1, that of the inner loop where they nest.
  void repeat(const TomlNode& loop, const std::string& suffix, const ScenarioSource& source, int depth) {
    const TomlMember *count = loop.find("repeat"), *inner = loop.find("step");
    allow_keys(loop, {"repeat", "step", "name"}, source);
    if (count == nullptr || inner == nullptr)
      throw ScenarioMistake(source.place(loop.where), "a loop has repeat and steps of its own",
                            "repeat = 5 in [[step]], then [[step.step]]");
    if (depth >= deepest_repeat) throw ScenarioMistake(source.place(loop.where), "loops are nested too deeply");
    const double rounds = quantity_of(count->value, Dimension{}, "repeat", source);
    if (!(rounds >= 1.0 && rounds <= static_cast<double>(most_steps)) || rounds != std::floor(rounds))
      throw ScenarioMistake(source.place(count->value.where), "repeat is a whole number from 1 to 10000");
    const auto outer = names_.variables.find("round");
    const std::optional<ScenarioVariable> before =
        outer == names_.variables.end() ? std::nullopt : std::optional(outer->second);
    const TomlMember* name = loop.find("name");
    const std::string called = name == nullptr ? "round" : text_of(*name, source);
    for (int round = 1; round <= static_cast<int>(rounds); ++round) {
      names_.variables["round"] = {static_cast<double>(round), {}};
      read_steps(*inner, suffix + " (" + called + " " + std::to_string(round) + ")", source, depth + 1);
    }
    if (before)
      names_.variables["round"] = *before;
    else
      names_.variables.erase("round");
  }

  ScenarioNames names_;
  ScenarioProgram program_;
  SimDuration timeout_{60'000'000'000};
  std::vector<std::string> open_;
  std::size_t included_ = 0;
};

}  // namespace

ScenarioProgram load_scenario(const std::string& file, const PlantDescription& plant) {
  return read_scenario(read_whole_file(file), file, plant);
}

ScenarioProgram read_scenario(const std::string& text, const std::string& file, const PlantDescription& plant) {
  return Loader(plant).load(text, file);
}

}  // namespace takt
