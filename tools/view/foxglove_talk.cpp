// A run for clients of Foxglove: signals are channels, plant inputs and parameters are parameters, what else can be
// done are services; a client may publish to the topic of a plant input.

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "runtime/json/parse_json.hpp"
#include "tools/view/active.hpp"
#include "tools/view/foxglove_words.hpp"
#include "tools/view/talk.hpp"

namespace takt::view {
namespace {

using namespace foxglove;

constexpr std::size_t most_members = 200, most_subscriptions = 4000, most_read = 4000, most_advertised = 1000;
constexpr std::int64_t usual_period_ns = 10'000'000;
enum Level { info, warning, error };

class FoxgloveTalk : public Talk {
 public:
  FoxgloveTalk(Outlet& outlet, TalkSettings settings) : outlet_(outlet), settings_(std::move(settings)) {}

  void begin() override {
    ask({{"verb", "hello"}, {"name", settings_.name}}, [this](const Json& hello) { greet(hello); });
  }

  void take(std::string_view text) override {
    try {
      const Json request = parse_json<Json>(text, most_members * 20);
      if (!request.is_object()) throw std::runtime_error("a message is an object");
      perform(request);
    } catch (const std::exception& problem) {
      tell(error, problem.what());
    }
  }

  void take_binary(std::string_view bytes) override {
    const std::optional<ClientBytes> found = client_bytes(bytes);
    if (!found || (found->kind != 1 && found->kind != 2)) return tell(error, "a binary message that is none");
    if (found->kind == 2) return call(*found);
    try {
      publish(*found);
    } catch (const std::exception& problem) {
      tell(error, problem.what());
    }
  }

  void told(const Json& line, std::string_view bytes) override {
    if (const auto id = line.find("id"); id != line.end()) return answered(*id, line);
    if (!bytes.empty() && line.contains("watch")) return add_row(line, bytes);
    if (line.value("ended", false)) return tell(warning, "the run has ended");
    if (!line.contains("event")) return;
    (void)active_.note(line);
    if (const auto action = line.find("action"); action != line.end()) changed(action->value("path", ""));
  }

  void lost() override { tell(error, "the run is no more"); }

  void flush() override {
    if (is_changed_ && !is_watching_) watch();
    if (time_ns_ > said_time_ns_) outlet_.say_binary(time_message(said_time_ns_ = time_ns_));
  }

 private:
  using Then = std::function<void(const Json&)>;
  struct Row {
    std::string path, unit, role;
  };

  [[nodiscard]] bool may_steer() const { return settings_.right == Right::steer; }

  void say(const Json& line) { outlet_.say(line.dump(-1, ' ', false, Json::error_handler_t::replace)); }
  void tell(Level level, const std::string& text) { say({{"op", "status"}, {"level", level}, {"message", text}}); }

  void ask(Json request, Then then) {
    request["id"] = ++number_;
    waiting_[number_] = std::move(then);
    outlet_.ask(request);
  }

  void answered(const Json& id, const Json& line) {
    if (!id.is_number_unsigned()) return;
    const auto found = waiting_.find(id.get<std::uint64_t>());
    if (found == waiting_.end()) return;
    const Then then = std::move(found->second);
    waiting_.erase(found);
    then(line);
  }

  void greet(const Json& hello) {
    if (!hello.value("ok", false)) return outlet_.hang_up(hello.value("error", "the tap refuses to talk"));
    period_ns_ = std::max<std::int64_t>(usual_period_ns, hello.value("macro_step_ns", std::int64_t{0}));
    Json capabilities = Json::array({"time", "parameters", "parametersSubscribe"});
    if (may_steer()) capabilities.push_back("clientPublish"), capabilities.push_back("services");
    say({{"op", "serverInfo"},
         {"name", "takt: " + hello.value("plant", std::string())},
         {"capabilities", capabilities},
         {"supportedEncodings", Json::array({"json"})},
         {"metadata", {{"run", settings_.run}, {"hash", hello.value("hash", "")}}},
         {"sessionId", settings_.run}});
    ask({{"verb", "events"}, {"follow", true}}, [this](const Json& answer) {
      if (answer.contains("events"))
        for (const Json& event : answer["events"]) (void)active_.note(event);
    });
    list(0);
  }

  void list(std::uint64_t from) {
    ask({{"verb", "list"}, {"from", from}}, [this](const Json& answer) {
      if (!answer.contains("rows")) return tell(error, answer.value("error", "no list of values"));
      Json channels = Json::array();
      for (const Json& row : answer["rows"]) {
        rows_.push_back({row.value("path", ""), row.value("unit", ""), row.value("role", "")});
        const Row& one = rows_.back();
        if (one.role != "parameter" && one.role != "structural")
          channels.push_back(channel(static_cast<std::uint32_t>(rows_.size()), one.path, one.unit));
      }
      if (!channels.empty()) say({{"op", "advertise"}, {"channels", std::move(channels)}});
      if (answer.contains("next")) return list(answer["next"].get<std::uint64_t>());
      if (may_steer()) say({{"op", "advertiseServices"}, {"services", service_list()}});
    });
  }

  void perform(const Json& request) {
    const std::string op = request.at("op").get<std::string>();
    if (op == "subscribe") return subscribe(request.at("subscriptions"));
    if (op == "unsubscribe") return unsubscribe(request.at("subscriptionIds"));
    if (op == "advertise") return advertise(request.at("channels"));
    if (op == "unadvertise") {
      for (const Json& id : request.at("channelIds")) published_.erase(id.get<std::uint32_t>());
      return;
    }
    if (op == "getParameters") return get(names_in(request), request.value("id", ""));
    if (op == "setParameters") return set(request.at("parameters"), request.value("id", ""));
    if (op == "subscribeParameterUpdates" || op == "unsubscribeParameterUpdates") {
      for (const std::string& name : names_in(request))
        if (op.front() == 's')
          followed_.insert(name);
        else
          followed_.erase(name);
      return;
    }
    if (op != "clientInfo") tell(warning, "\"" + op.substr(0, 64) + "\" is not served here");
  }

  void subscribe(const Json& wanted) {
    for (const Json& one : wanted) {
      const auto id = one.at("id").get<std::uint32_t>(), number = one.at("channelId").get<std::uint32_t>();
      if (number < 1 || number > rows_.size()) throw std::runtime_error("no channel " + std::to_string(number));
      if (subscriptions_.size() >= most_subscriptions) throw std::runtime_error("too many subscriptions");
      subscriptions_[id] = number - 1;
      is_changed_ = true;
    }
  }

  void unsubscribe(const Json& ids) {
    for (const Json& id : ids) is_changed_ = subscriptions_.erase(id.get<std::uint32_t>()) > 0 || is_changed_;
  }

  /// One watch for all that is subscribed to; the one before ends when it has begun, so that nothing is missed.
  void watch() {
    is_changed_ = false;
    Json paths = Json::array();
    std::set<std::size_t> rows;
    for (const auto& [id, row] : subscriptions_) rows.insert(row);
    std::vector<std::size_t> columns(rows.begin(), rows.end());
    for (const std::size_t row : columns) paths.push_back(rows_[row].path);
    if (columns.empty()) return take_over(0, {});
    is_watching_ = true;
    ask({{"verb", "watch"}, {"paths", paths}, {"every_ns", period_ns_}, {"as", "doubles"}},
        [this, columns = std::move(columns)](const Json& answer) {
          is_watching_ = false;
          if (!answer.value("ok", false)) return tell(error, answer.value("error", "no watch"));
          take_over(answer["watch"].get<std::uint64_t>(), columns);
        });
  }

  void take_over(std::uint64_t watch, std::vector<std::size_t> columns) {
    if (watch_ != 0) ask({{"verb", "unwatch"}, {"watch", watch_}}, [](const Json&) {});
    watch_ = watch;
    columns_ = std::move(columns);
  }

  void add_row(const Json& line, std::string_view bytes) {
    const auto time = line.value("time_ns", std::int64_t{0});
    if (line["watch"] != watch_ || time <= time_ns_ || bytes.size() != columns_.size() * sizeof(double)) return;
    time_ns_ = time;
    for (const auto& [id, row] : subscriptions_) {
      const auto column = std::lower_bound(columns_.begin(), columns_.end(), row);
      if (column == columns_.end() || *column != row) continue;
      double value = 0.0;
      std::memcpy(&value, bytes.data() + static_cast<std::size_t>(column - columns_.begin()) * sizeof value,
                  sizeof value);
      outlet_.say_binary(message(id, time, value));
    }
  }

  [[nodiscard]] static std::vector<std::string> names_in(const Json& request) {
    const auto found = request.find("parameterNames");
    return found == request.end() ? std::vector<std::string>{} : found->get<std::vector<std::string>>();
  }

  [[nodiscard]] const Row* parameter(const std::string& name) const {
    const auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.path == name; });
    return found != rows_.end() && (found->role == "parameter" || found->role == "plant_input") ? &*found : nullptr;
  }

  /// @param names  none: all
  void get(const std::vector<std::string>& names, const std::string& id) {
    Json paths = Json::array();
    for (const Row& row : rows_) {
      const bool wanted = names.empty() || std::find(names.begin(), names.end(), row.path) != names.end();
      if (wanted && parameter(row.path) != nullptr && paths.size() < most_read) paths.push_back(row.path);
    }
    if (paths.empty()) return say_parameters(Json::array(), id);
    ask({{"verb", "read"}, {"paths", paths}}, [this, id](const Json& answer) {
      if (!answer.value("ok", false)) return tell(error, answer.value("error", "no values"));
      Json found = Json::array();
      for (std::size_t k = 0; k < answer["paths"].size(); ++k)
        found.push_back({{"name", answer["paths"][k]}, {"value", answer["values"][k]}, {"type", "float64"}});
      say_parameters(std::move(found), id);
    });
  }

  void say_parameters(Json found, const std::string& id) {
    Json line{{"op", "parameterValues"}, {"parameters", std::move(found)}};
    if (!id.empty()) line["id"] = id;
    say(line);
  }

  void refuse_lookers() const {
    if (!may_steer()) throw std::runtime_error("this connection may look at the run, not steer it");
  }

  void set(const Json& parameters, const std::string& id) {
    refuse_lookers();
    std::vector<std::string> names;
    for (const Json& one : parameters) {
      const std::string name = one.at("name").get<std::string>();
      const Row* row = parameter(name);
      if (row == nullptr) throw std::runtime_error("no parameter \"" + name.substr(0, 200) + "\"");
      const Json value = one.contains("value") ? one["value"] : Json();
      if (!value.is_number()) throw std::runtime_error("the value of " + name + " is a number");
      Json request{{"verb", row->role == "parameter" ? "tune" : "set"}, {"path", name}, {"value", value}};
      if (row->role != "parameter") request["lease"] = true;
      names.push_back(name);
      const bool is_last = names.size() == parameters.size();
      ask(request, [this, names, id, is_last](const Json& answer) {
        if (!answer.value("ok", false)) tell(error, answer.value("error", "refused"));
        if (is_last) get(names, id);
      });
    }
  }

  /// Somebody has done something to it.
  void changed(const std::string& path) {
    if (followed_.contains(path)) get({path}, "");
  }

  void advertise(const Json& channels) {
    refuse_lookers();
    for (const Json& one : channels) {
      const std::string topic = one.at("topic").get<std::string>();
      const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& candidate) {
        return candidate.role == "plant_input" && topic_of(candidate.path) == topic;
      });
      if (row == rows_.end())
        tell(warning, topic.substr(0, 200) + " is no input of this plant: what is published there goes nowhere");
      else if (one.at("encoding") != "json")
        tell(warning, topic + ": inputs are published as json, {\"value\": 1.5}");
      else if (published_.size() < most_advertised)
        published_[one.at("id").get<std::uint32_t>()] = row->path;
    }
  }

  void publish(const ClientBytes& bytes) {
    refuse_lookers();
    const auto found = published_.find(bytes.id);
    if (found == published_.end()) return;
    const Json message = parse_json<Json>(bytes.payload, most_members);
    const Json& value = message.is_object() && message.contains("value") ? message["value"] : message;
    if (!value.is_number()) throw std::runtime_error(found->second + ": expected {\"value\": 1.5}");
    ask({{"verb", "set"}, {"path", found->second}, {"value", value}, {"lease", true}}, [this](const Json& answer) {
      if (!answer.value("ok", false)) tell(error, answer.value("error", "refused"));
    });
  }

  void call(const ClientBytes& bytes) {
    const std::uint32_t service = bytes.id, number = bytes.call;
    const auto fail = [this, service, number](const std::string& why) {
      say({{"op", "serviceCallFailure"}, {"serviceId", service}, {"callId", number}, {"message", why}});
    };
    try {
      refuse_lookers();
      if (service < 1 || service > services.size()) throw std::runtime_error("no such service");
      const Service& wanted = services.at(service - 1);
      const Json given = bytes.payload.empty() ? Json::object() : parse_json<Json>(bytes.payload, most_members);
      std::vector<Json> requests;
      if (std::string_view(wanted.verb) == "release_all") {
        requests = active_.release_all();
      } else {
        Json request{{"verb", wanted.verb}};
        if (wanted.has_path) request["path"] = given.at("path");
        if (wanted.has_value && given.contains("value") && given["value"] != "") request["value"] = given["value"];
        requests.push_back(std::move(request));
      }
      if (requests.empty()) return outlet_.say_binary(service_response(service, number, "{}"));
      for (std::size_t k = 0; k < requests.size(); ++k)
        ask(requests[k], [this, fail, service, number, is_last = k + 1 == requests.size()](const Json& answer) {
          if (!answer.value("ok", false)) return fail(answer.value("error", "refused"));
          if (!is_last) return;
          outlet_.say_binary(
              service_response(service, number, Json{{"effective_s", answer.value("effective_s", 0.0)}}.dump()));
        });
    } catch (const std::exception& problem) {
      fail(problem.what());
    }
  }

  Outlet& outlet_;
  TalkSettings settings_;
  Active active_;
  std::vector<Row> rows_;
  std::map<std::uint32_t, std::size_t> subscriptions_;  // of its client -> row
  std::map<std::uint32_t, std::string> published_;      // channel of its client -> plant input
  std::set<std::string> followed_;                      // parameters
  std::map<std::uint64_t, Then> waiting_;
  std::vector<std::size_t> columns_;  // rows of the watch, ascending
  std::uint64_t number_ = 0, watch_ = 0;
  std::int64_t period_ns_ = usual_period_ns, time_ns_ = -1, said_time_ns_ = -1;
  bool is_changed_ = false, is_watching_ = false;
};

}  // namespace

std::unique_ptr<Talk> foxglove_talk(Outlet& outlet, TalkSettings settings) {
  return std::make_unique<FoxgloveTalk>(outlet, std::move(settings));
}

}  // namespace takt::view
