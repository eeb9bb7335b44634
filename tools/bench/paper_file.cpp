#include "tools/bench/paper_file.hpp"

#include <algorithm>
#include <functional>

#include "codegen/library/read_value.hpp"
#include "codegen/library/toml_tree.hpp"

namespace takt::tools {

using namespace takt::codegen;

namespace {

constexpr const char* code = "N004";

class PaperReader {
 public:
  PaperReader(const std::filesystem::path& file, Diagnostics& diagnostics)
      : folder_(file.parent_path()), diagnostics_(diagnostics) {}

  PaperFile read(const TomlValue& root) {
    check_keys(root, {"title", "elapsed", "row", "reference", "accuracy", "figure", "series"}, code, "paper.toml",
               diagnostics_);
    result_.title = text(root, "title");
    result_.elapsed = text(root, "elapsed");
    each(root, "row", [&](const TomlValue& row) { read_row(row); });
    each(root, "figure", [&](const TomlValue& figure) {
      result_.figures.push_back({text(figure, "title"), texts(figure, "signals")});
    });
    each(root, "series", [&](const TomlValue& series) { read_series(series); });
    if (const TomlValue* reference = table(root, "reference")) {
      result_.tight = path(*reference, "solve");
      result_.loose = path(*reference, "coarser");
      result_.loose_is = text(*reference, "coarser_is");
    }
    if (const TomlValue* accuracy = table(root, "accuracy")) {
      if (accuracy->get("rms") != nullptr) result_.rms = texts(*accuracy, "rms");
      if (accuracy->get("max") != nullptr) result_.largest = texts(*accuracy, "max");
    }
    return std::move(result_);
  }

 private:
  void error(const Location& where, const std::string& message, const std::string& hint = {}) {
    diagnostics_.error(code, where, message, hint);
  }

  void each(const TomlValue& root, const char* key, const std::function<void(const TomlValue&)>& read) {
    const TomlValue* list = root.get(key);
    if (list == nullptr) return;
    if (!list->is_array())
      return error(list->where, std::string("'") + key + "' is a list", std::string("write [[") + key + "]]");
    for (const TomlValue& item : list->items) {
      if (item.is_table())
        read(item);
      else
        error(item.where, std::string("'") + key + "' is a list of tables", std::string("write [[") + key + "]]");
    }
  }

  const TomlValue* table(const TomlValue& root, const char* key) {
    const TomlValue* value = root.get(key);
    if (value != nullptr && value->is_table()) return value;
    error(root.where, std::string("section [") + key + "] is missing");
    return nullptr;
  }

  std::string text(const TomlValue& of, const char* key) {
    const TomlValue* value = of.get(key);
    if (value != nullptr && value->is_string()) return value->text;
    error(value == nullptr ? of.where : value->where, std::string("'") + key + "' must be given as a text");
    return {};
  }

  std::vector<std::string> texts(const TomlValue& of, const char* key) {
    std::vector<std::string> result;
    const TomlValue* value = of.get(key);
    if (value == nullptr)
      error(of.where, std::string("'") + key + "' is missing");
    else
      for (const auto& [item, unused] : read_strings(*value, std::string("'") + key + "'", diagnostics_))
        result.push_back(item);
    return result;
  }

  double number(const TomlValue& of, const char* key) {
    const TomlValue* value = of.get(key);
    if (value != nullptr && value->is_number() && value->number > 0.0) return value->number;
    error(value == nullptr ? of.where : value->where, std::string("'") + key + "' must be given as a number above 0");
    return 0.0;
  }

  std::filesystem::path path(const TomlValue& of, const char* key) {
    std::filesystem::path result = folder_ / text(of, key);
    std::error_code unreadable;  // such as a name that is too long
    if (of.get(key) != nullptr && !std::filesystem::is_regular_file(result, unreadable))
      error(of.get(key)->where, "there is no file " + result.string());
    return result;
  }

  void read_row(const TomlValue& row) {
    check_keys(row, {"name", "solve", "cpu_s", "rtf"}, code, "a row", diagnostics_);
    result_.rows.push_back({text(row, "name"), path(row, "solve"), number(row, "cpu_s"), number(row, "rtf")});
  }

  void read_series(const TomlValue& table) {
    check_keys(table, {"name", "text", "values", "line"}, code, "a series", diagnostics_);
    PaperSeries series{text(table, "name"), text(table, "text"), {}};
    if (const TomlValue* line = table.get("line")) series.joined = line->flag;
    const TomlValue* values = table.get("values");
    if (values == nullptr || !values->is_array())
      return error(table.where, "'values' is a list", "values = [[\"1 ms\"], [\"2 ms\"]]");
    for (const TomlValue& point : values->items) {
      series.values.emplace_back();
      if (!point.is_array()) error(point.where, "a point is a list of texts", "values = [[\"1 ms\"], [\"2 ms\"]]");
      for (const TomlValue& value : point.items) series.values.back().push_back(value.text);
    }
    result_.series.push_back(std::move(series));
  }

  std::filesystem::path folder_;
  Diagnostics& diagnostics_;
  PaperFile result_;
};

}  // namespace

PaperFile read_paper_file(const std::filesystem::path& file, Diagnostics& diagnostics) {
  const std::optional<TomlValue> root = read_toml(file, diagnostics);
  if (!root) return {};
  PaperFile result = PaperReader(file, diagnostics).read(*root);
  if (result.rows.empty() && !diagnostics.has_errors())
    diagnostics.error(code, {file.string(), 0, 0}, "no row is given", "[[row]]");
  return result;
}

}  // namespace takt::tools
