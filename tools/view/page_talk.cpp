// The language of the page: requests of the tap as they are (runtime/tap/README.md), each checked against what its
// client may do; rows of values in blocks of bytes. README.md has it.

#include <bit>
#include <cstring>
#include <map>

#include "runtime/json/parse_json.hpp"
#include "tools/view/active.hpp"
#include "tools/view/talk.hpp"

namespace takt::view {
namespace {

using Json = Talk::Json;
constexpr std::size_t most_members = 200;
constexpr std::size_t largest_block = std::size_t{1} << 20U;

bool is_one_of(std::string_view verb, std::initializer_list<std::string_view> verbs) {
  for (const std::string_view one : verbs)
    if (one == verb) return true;
  return false;
}

bool looks(std::string_view verb) {
  return is_one_of(verb,
                   {"list", "records", "read", "watch", "unwatch", "events", "status", "faults", "scope", "unscope"});
}

bool steers(std::string_view verb) {
  return is_one_of(verb, {"set", "override", "release", "inject", "clear", "tune", "checkpoint", "act", "pause",
                          "resume", "step", "stop", "lease", "detach", "await", "unawait"});
}

/// Head of a block, then rows of doubles: time in ns and the values. Little-endian.
struct BlockHead {
  std::uint32_t kind, number, rows, columns;  // columns: the time is one
};
static_assert(std::endian::native == std::endian::little);
constexpr std::uint32_t rows_of_watch = 1, rows_of_scope = 2;

std::string block(const BlockHead& head, std::string_view doubles) {
  std::string bytes(sizeof head, '\0');
  std::memcpy(bytes.data(), &head, sizeof head);
  bytes += doubles;
  return bytes;
}

class PageTalk : public Talk {
 public:
  PageTalk(Outlet& outlet, TalkSettings settings) : outlet_(outlet), settings_(std::move(settings)) {}

  void begin() override {
    outlet_.ask({{"id", "view:hello"}, {"verb", "hello"}, {"name", settings_.name}});
    outlet_.ask({{"id", "view:events"}, {"verb", "events"}, {"follow", true}});
  }

  void take(std::string_view text) override {
    Json id;
    try {
      const Json request = parse_json<Json>(text, most_members);
      if (!request.is_object()) throw std::runtime_error("a request is an object");
      if (request.contains("id")) id = request["id"];
      perform(request);
    } catch (const std::exception& error) {
      refuse(id, error.what());
    }
  }

  void take_binary(std::string_view) override { refuse({}, "requests are texts"); }

  void told(const Json& line, std::string_view bytes) override {
    const auto id = line.find("id");
    if (id != line.end() && id->is_string()) return told_to_us(id->get_ref<const std::string&>(), line);
    if (!bytes.empty() && line.contains("watch")) return add_row(line, bytes);
    if (!bytes.empty() && line.contains("scope")) return pass_piece(line, bytes);
    if (line.contains("event") && active_.note(line)) outlet_.say(active_text());
    outlet_.say(dumped(line));
  }

  void lost() override {
    flush();
    outlet_.say(dumped({{"view", "lost"}}));
  }

  void flush() override {
    for (auto& [number, rows] : blocks_) {
      if (rows.count > 0) outlet_.say_binary(block({rows_of_watch, number, rows.count, rows.columns}, rows.doubles));
      rows.count = 0;
      rows.doubles.clear();
    }
  }

 private:
  struct Rows {
    std::uint32_t count = 0, columns = 0;
    std::uint64_t dropped = 0;
    std::string doubles;
  };

  static std::string dumped(const Json& line) { return line.dump(-1, ' ', false, Json::error_handler_t::replace); }

  void refuse(const Json& id, const std::string& why) {
    Json answer;
    if (!id.is_null()) answer["id"] = id;
    answer["ok"] = false;
    answer["error"] = why;
    outlet_.say(dumped(answer));
  }

  void perform(const Json& request) {
    if (!request.contains("id") || !request["id"].is_number_unsigned())
      throw std::runtime_error("\"id\" is a whole number, not below 0");
    const bool is_list = request.contains("actions") && !request.contains("verb");
    if (!is_list && !(request.contains("verb") && request["verb"].is_string()))
      throw std::runtime_error("\"verb\" is missing, or no text");
    const std::string verb = is_list ? "act" : request["verb"].get<std::string>();
    if (verb == "release_all") return release_all(request["id"]);
    if (!looks(verb) && !steers(verb)) throw std::runtime_error("unknown verb \"" + verb.substr(0, 64) + "\"");
    if (!looks(verb) && settings_.right != Right::steer)
      throw std::runtime_error("this page may look at the run, not steer it: its token is one for reading");
    Json passed = request;
    if (verb == "watch") passed["as"] = "doubles";
    if (verb == "unwatch" && request.contains("watch") && request["watch"].is_number_unsigned())
      blocks_.erase(request["watch"].get<std::uint32_t>());
    if (verb == "events") passed["follow"] = true;  // what is active follows from them
    outlet_.ask(passed);
  }

  void release_all(const Json& id) {
    if (settings_.right != Right::steer)
      throw std::runtime_error("this page may look at the run, not steer it: its token is one for reading");
    if (releases_ > 0) throw std::runtime_error("all is being released already");
    const auto requests = active_.release_all();
    release_id_ = id;
    release_error_.clear();
    releases_ = requests.size();
    for (Json request : requests) {
      request["id"] = "view:release";
      outlet_.ask(request);
    }
    if (requests.empty()) outlet_.say(dumped({{"id", id}, {"ok", true}}));
  }

  void released(const Json& line) {
    if (!line.value("ok", false)) release_error_ = line.value("error", "refused");
    if (releases_ == 0 || --releases_ > 0) return;
    if (!release_error_.empty()) return refuse(release_id_, release_error_);
    Json answer{{"id", release_id_}, {"ok", true}};
    if (line.contains("effective_s")) answer["effective_s"] = line["effective_s"];
    outlet_.say(dumped(answer));
  }

  /// Answers to what this side has asked.
  void told_to_us(const std::string& id, const Json& line) {
    if (id == "view:release") return released(line);
    if (!line.value("ok", false)) return outlet_.hang_up(line.value("error", "the tap refuses to talk"));
    if (id == "view:hello") {
      Json greeting{
          {"view", "hello"}, {"run", settings_.run}, {"right", settings_.right == Right::steer ? "steer" : "look"}};
      for (const auto& [key, value] : line.items())
        if (key != "id" && key != "ok") greeting[key] = value;
      return outlet_.say(dumped(greeting));
    }
    const auto events = line.find("events");
    if (events == line.end()) return;
    for (const Json& event : *events) (void)active_.note(event);
    outlet_.say(dumped({{"view", "events"}, {"events", *events}}));
    outlet_.say(active_text());
  }

  std::string active_text() {
    return dumped({{"view", "active"}, {"active", active_.list()}, {"whole", active_.is_whole()}});
  }

  void add_row(const Json& line, std::string_view bytes) {
    const auto number = line["watch"].get<std::uint32_t>();
    Rows& rows = blocks_[number];
    const double time = static_cast<double>(line.value("time_ns", std::int64_t{0}));
    rows.columns = static_cast<std::uint32_t>(1 + bytes.size() / sizeof(double));
    rows.doubles.append(reinterpret_cast<const char*>(&time), sizeof time);
    rows.doubles += bytes;
    ++rows.count;
    if (const auto dropped = line.value("dropped", std::uint64_t{0}); dropped != rows.dropped) {
      rows.dropped = dropped;
      outlet_.say(dumped({{"view", "dropped"}, {"watch", number}, {"dropped", dropped}}));
    }
    if (rows.doubles.size() >= largest_block) flush();
  }

  /// Times are in s there, as the tap has them.
  void pass_piece(const Json& line, std::string_view bytes) {
    const auto rows = line.value("rows", std::uint32_t{0});
    const auto number = line["scope"].get<std::uint32_t>();
    if (rows == 0) return;
    const auto columns = static_cast<std::uint32_t>(bytes.size() / sizeof(double) / rows);
    outlet_.say_binary(block({rows_of_scope, number, rows, columns}, bytes));
  }

  Outlet& outlet_;
  TalkSettings settings_;
  Active active_;
  std::map<std::uint32_t, Rows> blocks_;
  std::size_t releases_ = 0;
  Json release_id_;
  std::string release_error_;
};

}  // namespace

std::unique_ptr<Talk> page_talk(Outlet& outlet, TalkSettings settings) {
  return std::make_unique<PageTalk>(outlet, std::move(settings));
}

}  // namespace takt::view
