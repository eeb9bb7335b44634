#include "tools/dds/bridge.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "tools/dds/interface.hpp"
#include "tools/dds/own_cpus.hpp"
#include "tools/takt/arguments.hpp"
#include "tools/takt/command.hpp"
#include "tools/takt/tap_socket.hpp"

namespace takt::dds {
namespace {

namespace fs = std::filesystem;
using Json = RunLink::Json;
using tools::UsageError;

constexpr std::int64_t status_every_ns = 100'000'000, look_every_ns = 1'000'000'000;
constexpr std::int64_t reconnect_for_ns = 10'000'000'000;  // the tap's keeper starts a service again within 3 s
constexpr std::int64_t answer_within_ns = 10'000'000'000;
constexpr dds_duration_t discovery_takes = DDS_MSECS(1000), settling_takes = DDS_MSECS(1000);

std::int64_t steady_ns() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000LL + now.tv_nsec;
}

std::string host_name() {
  char name[256] = "";
  (void)::gethostname(name, sizeof name - 1);
  return name;
}

/// A process and when it began, in ticks since this machine did: no other run has the same.
std::string identity_of(std::int64_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text((std::istreambuf_iterator<char>(file)), {});
  text.erase(0, std::min(text.rfind(')'), text.size()));
  std::size_t at = 0;
  for (int field = 0; field < 20 && at != std::string::npos; ++field) at = text.find(' ', at + 1);
  const std::string ticks = at == std::string::npos ? "0" : text.substr(at + 1, text.find(' ', at + 1) - at - 1);
  return "process " + std::to_string(process) + " of " + host_name() + ", begun at tick " + ticks;
}

}  // namespace

Bridge::Bridge(const Options& options, int wake) : options_(options), wake_(wake) {
  const Interface interface = find_interface(options.interface);
  const std::string settings = domain_settings(interface, options.config);
  directory_ = options.plant.empty() ? tools::run_directory(options.run) : fs::path(options.run);
  origin_.run = fs::absolute(directory_).lexically_normal().string();
  origin_.bridge = "process " + std::to_string(::getpid()) + " of " + host_name();
  std::random_device random;
  origin_.session = (std::uint64_t{random()} << 32U) | random();
  if (options.plant.empty() || ::access((directory_ / "tap").c_str(), F_OK) == 0) greet();

  std::string name = !options.name.empty()    ? options.name
                     : !origin_.plant.empty() ? origin_.plant
                                              : fs::path(options.plant.front()).filename().string();
  if (!is_topic_word(name))
    throw UsageError("'" + name + "' cannot be part of a topic: give --name, of letters, digits and '_'");
  origin_.prefix = "rt/takt/" + name + "/";
  domain_ = std::make_unique<Domain>(options.domain, settings);
  telemetry_ = std::make_unique<Telemetry>(
      *domain_, domain_->writer(takt_msgs_msg_dds__Description__desc, origin_.prefix + "description",
                                {.depth = 1, .latched = true}));
  refuse_second_bridge();
  reports_ = std::make_unique<Reports>(*domain_, origin_);
  commands_ = std::make_unique<Commands>(*domain_, origin_, wake_);
  commands_->on_start = [this](const Asker& asker) { start(asker); };
  commands_->why_no_run = "there is no run yet: the command start begins one";
  if (link_)
    attach();
  else
    telemetry_->describe(origin_);
}

void Bridge::say(const std::string& text) {
  fmt::print(stderr, "takt-dds: {}\n", text);
  if (reports_) reports_->tell(text);
}

/// Waits for the answer; rows and events that come meanwhile are dealt with.
/// @param at_once  called with an answer that is good before any line behind it is looked at
Json Bridge::ask_now(const Json& request, const RunLink::Then& at_once) {
  Json found;
  link_->ask(request, [&](const Json& answer) {
    found = answer;
    if (at_once && found.value("ok", false)) at_once(found);
  });
  for (const std::int64_t until = steady_ns() + answer_within_ns; found.is_null();) {
    if (steady_ns() > until) throw std::runtime_error("the tap of the run does not answer");
    pollfd state{link_->socket(), link_->waits_for(), 0};
    (void)::poll(&state, 1, 100);
    link_->serve();
  }
  if (!found.value("ok", false)) throw std::runtime_error(found.value("error", "refused"));
  return found;
}

/// Who runs here. Nothing of it before DDS has begun: its threads keep off the plant's CPUs from the beginning.
void Bridge::greet() {
  const auto ignored = [](const Json&) {};
  link_ = std::make_unique<RunLink>(directory_, "takt-dds", ignored);
  const Json hello = ask_now({{"verb", "hello"}, {"name", "takt-dds"}});
  if (was_attached_ && hello.at("hash") != origin_.hash)
    throw std::runtime_error("another plant runs in '" + directory_.string() + "' now");
  origin_.plant = hello.at("plant").get<std::string>();
  origin_.hash = hello.at("hash").get<std::string>();
  origin_.generator = hello.at("generator").get<std::string>();
  origin_.macro_step_ns = hello.at("macro_step_ns").get<std::int64_t>();
  origin_.run_id = identity_of(hello.at("process").get<std::int64_t>());
  if (const std::string text = keep_off(hello.at("cpus").get<std::vector<int>>()); !text.empty() && !was_attached_)
    say(text);
}

void Bridge::refuse_second_bridge() {
  const std::string topic = origin_.prefix + "description";
  const dds_entity_t reader =
      domain_->reader(takt_msgs_msg_dds__Description__desc, topic, -1, {.depth = 1, .latched = true});
  std::string other;
  for (const dds_time_t until = dds_time() + discovery_takes; dds_time() < until && other.empty();) {
    dds_sleepfor(DDS_MSECS(20));
    void* sample = nullptr;
    dds_sample_info_t info;
    if (dds_take(reader, &sample, &info, 1, 1) == 1) {
      const auto* description = static_cast<const Description*>(sample);
      if (info.valid_data && description->session != origin_.session)
        other = std::string(description->bridge) + " with the run in " + description->run;
      (void)dds_return_loan(reader, &sample, 1);
    }
  }
  if (other.empty() && domain_->others_write(topic)) other = "somebody who has not described himself";
  domain_->remove(reader);
  if (!other.empty())
    throw std::runtime_error("another bridge serves " + origin_.prefix + " in domain " +
                             std::to_string(options_.domain) + " already: " + other +
                             "; give another --domain, or --name");
}

std::vector<BlockPlan> Bridge::plans() {
  if (!options_.blocks.empty()) return options_.blocks;
  std::vector<BlockPlan> found;
  const Json answer = ask_now({{"verb", "records"}});
  for (const Json& record : answer.at("records")) {
    const auto period = record.at("every_ns").get<std::int64_t>();
    auto paths = record.at("paths").get<std::vector<std::string>>();
    if (!paths.empty()) found.push_back({.name = default_name(period), .period_ns = period, .paths = std::move(paths)});
  }
  if (found.empty()) say("the plant records nothing, and no --block says what to send: there are no blocks");
  return found;
}

void Bridge::watch_all() {
  telemetry_->forget_watches();
  for (const BlockPlan& plan : plans_) {
    std::string note;
    const auto begin = [&](const Json& answer) {
      if (answer.value("as", "") != "doubles")
        throw std::runtime_error(
            "the tap of this run sends no rows as doubles: build the plant with this version of Takt");
      note = telemetry_->begin(origin_, plan, answer);
    };
    try {
      (void)ask_now({{"verb", "watch"}, {"paths", plan.paths}, {"every_ns", plan.period_ns}, {"as", "doubles"}}, begin);
    } catch (const std::runtime_error& error) {
      throw std::runtime_error("block " + plan.name + ": " + error.what());
    }
    if (!note.empty() && !was_attached_) say(note);
  }
}

/// @pre greet()
void Bridge::attach() {
  link_->on_row = [this](const RunLink::Row& row) { telemetry_->publish(row); };
  link_->on_line = [this](const Json& line) { take_line(line); };
  if (!was_attached_) plans_ = plans();
  reports_->take_status(ask_now({{"verb", "status"}}));
  watch_all();
  telemetry_->describe(origin_);
  const Json answer = ask_now({{"verb", "events"}, {"since", 0}, {"follow", true}});
  for (const Json& event : answer.at("events")) reports_->take_event(event);
  commands_->set_run(directory_, origin_.macro_step_ns);
  was_attached_ = true;
}

void Bridge::take_line(const Json& line) {
  reports_->take_event(line);
  if (!line.value("ended", false)) return;
  reports_->take_status(line);
  ended_ = line.value("phase", "") == "ended" ? Ended::in_order : Ended::lost;
  if (ended_ == Ended::lost) say("the run is lost: the plant's process ended without its last words");
}

void Bridge::start(const Asker& asker) {
  try {
    if (options_.plant.empty())
      throw std::runtime_error("this bridge may not start a plant: it was not started with --may-start");
    if (was_attached_ || link_) throw std::runtime_error("the run is under way already");
    if (starter_) throw std::runtime_error("the plant is being started already");
    if (plant_.is_started()) throw std::runtime_error("the plant was started already");
    plant_.start(options_.plant, options_.run);
    starter_ = std::make_unique<Asker>(asker);
    reports_->set_phase("starting");
    say("start of the plant by " + asker.author);
  } catch (const std::runtime_error& error) {
    commands_->refuse(asker, error.what());
  }
}

/// Until the plant that was started can be asked.
void Bridge::look_after_start() {
  if (!starter_) return;
  const std::string end = plant_.end();
  if (end.empty()) {
    if (::access((directory_ / "tap").c_str(), F_OK) != 0) return;
    try {
      greet();
      attach();
    } catch (const std::runtime_error& error) {
      if (!was_attached_ && (link_ == nullptr || !link_->is_open())) return link_.reset();  // not yet
      throw;
    }
    commands_->accept(*starter_, 0);
  } else {
    commands_->refuse(*starter_, "the plant has ended with " + end + " before it could be asked");
    say("the plant has ended with " + end + " before it could be asked");
    reports_->set_phase("no run");
  }
  starter_.reset();
}

/// The tap's service has ended without a word: its keeper starts another one, or nobody does.
void Bridge::reconnect() {
  if (!was_attached_ || (link_ && link_->is_open())) return;
  if (link_) {
    link_.reset();
    lost_since_ns_ = steady_ns();
    reports_->set_phase("unreachable");
    say("the tap of the run has closed the connection: trying again");
    commands_->set_run({}, 0);
    commands_->why_no_run = "the run cannot be reached at the moment: try again later";
  }
  try {
    greet();
    attach();
    say("the tap of the run is there again");
  } catch (const std::runtime_error& error) {
    link_.reset();
    if (steady_ns() - lost_since_ns_ < reconnect_for_ns) return;
    say(std::string("the run is lost: ") + error.what());
    ended_ = Ended::lost;
  }
}

void Bridge::look_around() {
  for (const std::string& text : domain_->misfits()) say(text);
}

void Bridge::tick() {
  const std::int64_t now = steady_ns();
  if (now >= next_status_ns_) {
    next_status_ns_ = now + status_every_ns;
    if (!starter_) (void)plant_.end();
    if (link_ && link_->is_open())
      link_->ask({{"verb", "status"}}, [this](const Json& answer) {
        if (answer.value("ok", false)) reports_->take_status(answer);
        reports_->write_status(telemetry_->counts());
      });
    else
      reports_->write_status(telemetry_->counts());
    look_after_start();
    reconnect();
  }
  if (now < next_look_ns_) return;
  next_look_ns_ = now + look_every_ns;
  look_around();
}

void Bridge::serve(const volatile int& stop, int patience_ms) {
  std::vector<RunLink*> links = commands_->links();
  if (link_ && link_->is_open()) links.push_back(link_.get());
  std::vector<pollfd> states{{wake_, POLLIN, 0}};
  for (const RunLink* link : links) states.push_back({link->socket(), link->waits_for(), 0});
  const timespec patience{patience_ms / 1000, patience_ms % 1000 * 1'000'000L};
  sigset_t none;
  ::sigemptyset(&none);
  if (stop != 0 || ::ppoll(states.data(), states.size(), &patience, &none) < 0) return;
  for (std::size_t k = 0; k < links.size(); ++k)
    if (states[k + 1].revents != 0) links[k]->serve();
  commands_->tidy();
  if (states[0].revents == 0) return;
  std::uint64_t count = 0;
  (void)!::read(wake_, &count, sizeof count);
  commands_->take();
}

int Bridge::run(const volatile int& stop) {
  say(fmt::format("{}* in domain {} on {}", origin_.prefix, options_.domain, options_.interface));
  while (stop == 0 && ended_ == Ended::no) {
    tick();
    const std::int64_t left = std::max<std::int64_t>(next_status_ns_ - steady_ns(), 0);
    serve(stop, static_cast<int>(left / 1'000'000) + 1);
  }
  return finish();
}

/// Readers get the last blocks, events and acknowledgements before this participant is gone.
int Bridge::finish() {
  const auto is_asked = [](const RunLink* link) { return link->waiting() > 0; };
  for (int round = 0; round < 50; ++round) {  // the tap's last answers
    const auto links = commands_->links();
    if (std::none_of(links.begin(), links.end(), is_asked)) break;
    volatile int goes_on = 0;
    serve(goes_on, 10);
  }
  if (ended_ != Ended::no) reports_->set_phase(ended_ == Ended::in_order ? "ended" : "lost");
  if (ended_ == Ended::no) say("the bridge ends; the run goes on");
  reports_->write_status(telemetry_->counts());
  telemetry_->settle(settling_takes);
  commands_->settle(settling_takes);
  reports_->settle(settling_takes);
  return ended_ == Ended::lost ? tools::exit_failed : tools::exit_ok;
}

}  // namespace takt::dds
