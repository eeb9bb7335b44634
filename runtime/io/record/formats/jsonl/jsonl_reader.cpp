#include "runtime/io/record/formats/jsonl/jsonl_reader.hpp"

#include <charconv>
#include <fstream>
#include <stdexcept>

#include "runtime/json/parse_json.hpp"

namespace takt {
namespace {

using Json = nlohmann::json;  // by name: rows may have thousands of members

constexpr std::string_view begins = R"({"takt":{"signals":1,)";

class LinesReader {
 public:
  explicit LinesReader(const std::filesystem::path& file) : file_(file), text_(file) {
    if (!text_) throw std::runtime_error("cannot open " + file.string());
  }

  std::vector<RecordedGroup> read() {
    std::string line;
    // One without its end is still being written.
    while (std::getline(text_, line) && !text_.eof()) {
      ++line_;
      try {
        take(parse_json<Json>(line));
      } catch (const Json::exception&) {
        fail("this is not as Takt records it");
      } catch (const JsonError& error) {
        fail(error.what());
      }
    }
    return std::move(groups_);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(file_.string() + ":" + std::to_string(line_) + ": " + what);
  }

  void take(const Json& line) {
    if (line_ == 1) return take_head(line.at("takt").at("rates"));
    if (!line.is_object()) fail("no object");
    const auto time = line.find("time [s]");
    if (time != line.end() && !line.contains("event")) take_row(line, value_of(*time));
  }

  void take_head(const Json& rates) {
    for (const Json& rate : rates) {
      RecordedGroup& group = groups_.emplace_back();
      std::vector<std::string>& keys = keys_.emplace_back();
      for (const Json& column : rate.at("columns")) {
        group.signals.push_back(
            {.path = column.at("path").get<std::string>(), .unit = column.at("unit").get<std::string>(), .values = {}});
        keys.push_back(jsonl_key(group.signals.back().path, group.signals.back().unit));
      }
      if (keys.empty()) fail("a rate without signals");
    }
  }

  /// Of each rate all signals or none, and nothing else.
  void take_row(const Json& line, double time) {
    std::size_t known = 1;
    for (std::size_t rate = 0; rate < groups_.size(); ++rate) {
      if (!line.contains(keys_[rate].front())) continue;
      groups_[rate].time_s.push_back(time);
      for (std::size_t column = 0; column < keys_[rate].size(); ++column, ++known) {
        const auto member = line.find(keys_[rate][column]);
        if (member == line.end()) fail("'" + keys_[rate][column] + "' is missing");
        groups_[rate].signals[column].values.push_back(value_of(*member));
      }
    }
    if (known != line.size()) fail("a value of a signal that the head does not name");
  }

  [[nodiscard]] double value_of(const Json& json) const {
    if (json.is_number()) return json.get<double>();
    const auto text = json.get<std::string>();
    double value = 0.0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) fail("'" + text + "' is not a number");
    return value;
  }

  const std::filesystem::path& file_;
  std::ifstream text_;
  std::uint64_t line_ = 0;
  std::vector<std::vector<std::string>> keys_;  // of each group
  std::vector<RecordedGroup> groups_;
};

}  // namespace

std::string jsonl_key(std::string_view path, std::string_view unit) {
  return std::string(path) + " [" + std::string(unit.empty() ? "1" : unit) + "]";
}

bool is_jsonl(const std::filesystem::path& file) {
  std::string begin(begins.size(), '\0');
  std::ifstream text(file, std::ios::binary);
  return text.read(begin.data(), static_cast<std::streamsize>(begin.size())) && begin == begins;
}

std::vector<RecordedGroup> read_jsonl(const std::filesystem::path& file) { return LinesReader(file).read(); }

}  // namespace takt
