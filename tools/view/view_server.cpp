#include "tools/view/view_server.hpp"

#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <boost/asio.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>
#include <deque>
#include <list>
#include <optional>

#include "runtime/executive/realtime_thread.hpp"
#include "tools/takt/tap_socket.hpp"
#include "tools/view/foxglove_words.hpp"
#include "tools/view/http.hpp"
#include "tools/view/peer_user.hpp"
#include "tools/view/talk.hpp"
#include "tools/view/tap_lines.hpp"

namespace takt::view {
namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using tcp = asio::ip::tcp;
using Error = beast::error_code;
using Clock = std::chrono::steady_clock;
using HttpRequest = http::request<http::empty_body>;

std::string_view view_of(beast::string_view text) { return {text.data(), text.size()}; }

LocalEnd end_of(const tcp::endpoint& end) {
  LocalEnd found{.port = end.port()};
  const auto address = end.address();
  const bool mapped = address.is_v6() && address.to_v6().is_v4_mapped();
  if (address.is_v6() && !mapped) {
    found.is_v6 = true;
    const auto bytes = address.to_v6().to_bytes();
    std::copy(bytes.begin(), bytes.end(), found.address.begin());
  } else {
    const auto four = mapped ? asio::ip::make_address_v4(asio::ip::v4_mapped, address.to_v6()) : address.to_v4();
    const auto bytes = four.to_bytes();
    std::copy(bytes.begin(), bytes.end(), found.address.begin());
  }
  return found;
}

bool is_own_user(const tcp::socket& socket) {
  Error error;
  const auto theirs = socket.remote_endpoint(error), ours = socket.local_endpoint(error);
  return !error && is_of_own_user(end_of(theirs), end_of(ours));
}

/// What all clients share.
struct Hall {
  const ServerSettings& settings;
  Runs runs;
  Counts counts{};
  Clock::time_point last_talk = Clock::now();
  asio::io_context io{1};  // goes first: with it clients that are under way
};

/// One conversation: between a WebSocket and a tap.
class TalkClient : public std::enable_shared_from_this<TalkClient>, public Outlet {
 public:
  TalkClient(Hall& hall, beast::tcp_stream&& stream, int tap)
      : hall_(hall), socket_(std::move(stream)), tap_(hall.io), timer_(hall.io) {
    tap_.assign(asio::local::stream_protocol(), tap);
    ++hall_.counts.talks;
  }
  ~TalkClient() override {
    --hall_.counts.talks;
    hall_.last_talk = Clock::now();
  }

  void start(const HttpRequest& request, const std::string& language, TalkSettings settings) {
    talk_ = (language.empty() ? page_talk : foxglove_talk)(*this, std::move(settings));
    beast::get_lowest_layer(socket_).expires_never();
    websocket::stream_base::timeout patience{limits.longest_request, limits.longest_silence, true};
    socket_.set_option(patience);
    socket_.read_message_max(Talk::longest_message);
    socket_.set_option(websocket::stream_base::decorator([language](websocket::response_type& answer) {
      if (!language.empty()) answer.set(http::field::sec_websocket_protocol, language);
    }));
    socket_.async_accept(request, [self = shared_from_this()](Error error) {
      if (error) return self->close();
      self->accepted_ = true;
      self->talk_->begin();
      self->read();
      self->read_tap();
      self->tick();
    });
  }

  void say(std::string text) override { queue({true, std::move(text)}); }
  void say_binary(std::string bytes) override { queue({false, std::move(bytes)}); }
  void ask(const Json& request) override {
    asked_ += request.dump(-1, ' ', false, Json::error_handler_t::replace);
    asked_ += '\n';
    write_tap();
  }
  void hang_up(const std::string& why) override {
    if (last_words_) return;
    last_words_ = why.substr(0, 120);
    write();
  }

 private:
  struct Message {
    bool is_text;
    std::string bytes;
  };

  void queue(Message message) {
    if (closed_ || last_words_) return;
    queued_ += message.bytes.size();
    messages_.push_back(std::move(message));
    write();
  }

  void write() {
    if (writing_ || closed_ || !accepted_) return;
    if (messages_.empty()) {
      if (last_words_) say_good_bye();
      return;
    }
    writing_ = true;
    writing_since_ = Clock::now();
    socket_.text(messages_.front().is_text);
    socket_.async_write(asio::buffer(messages_.front().bytes), [self = shared_from_this()](Error error, std::size_t) {
      self->writing_ = false;
      if (error || self->closed_) return self->close();
      self->queued_ -= self->messages_.front().bytes.size();
      self->messages_.pop_front();
      self->write();
      self->read();
      self->read_tap();
    });
  }

  void say_good_bye() {
    writing_ = true;
    writing_since_ = Clock::now();
    const websocket::close_reason reason(websocket::close_code::going_away, last_words_->c_str());
    socket_.async_close(reason, [self = shared_from_this()](Error) { self->close(); });
  }

  void read() {
    if (reading_ || closed_ || last_words_ || queued_ > limits.queued_bytes || asked_.size() > limits.asked_bytes)
      return;
    reading_ = true;
    socket_.async_read(buffer_, [self = shared_from_this()](Error error, std::size_t) {
      self->reading_ = false;
      if (error || self->closed_) return self->close();
      const auto bytes = self->buffer_.cdata();
      const std::string_view message(static_cast<const char*>(bytes.data()), bytes.size());
      if (self->socket_.got_text())
        self->talk_->take(message);
      else
        self->talk_->take_binary(message);
      self->buffer_.consume(self->buffer_.size());
      self->read();
    });
  }

  void read_tap() {
    if (reading_tap_ || closed_ || tap_lost_ || queued_ > limits.queued_bytes) return;
    reading_tap_ = true;
    tap_.async_read_some(asio::buffer(piece_), [self = shared_from_this()](Error error, std::size_t size) {
      self->reading_tap_ = false;
      if (self->closed_) return;
      const auto told = [&](const Json& line, std::string_view bytes) { self->told(line, bytes); };
      if (!error && self->lines_.take({self->piece_.data(), size}, told)) return self->read_tap();
      self->tap_lost_ = true;
      self->talk_->lost();
      self->hang_up("the run has ended, or its tap");
    });
  }

  void told(const Json& line, std::string_view bytes) {
    if (const auto cpus = line.find("cpus"); cpus != line.end() && cpus->is_array())
      for (const Json& cpu : *cpus)
        if (cpu.is_number_integer() && cpu.get<int>() >= 0) avoid_cpu(cpu.get<int>());
    talk_->told(line, bytes);
  }

  void write_tap() {
    if (writing_tap_ || closed_ || tap_lost_ || asked_.empty()) return;
    writing_tap_ = true;
    sent_.swap(asked_);
    asked_.clear();
    asio::async_write(tap_, asio::buffer(sent_), [self = shared_from_this()](Error error, std::size_t) {
      self->writing_tap_ = false;
      if (error) return;  // what is read says more
      self->write_tap();
      self->read();
    });
  }

  void tick() {
    if (closed_) return;
    timer_.expires_after(limits.between_flushes);
    timer_.async_wait([self = shared_from_this()](Error error) {
      if (error || self->closed_) return;
      if (self->writing_ && Clock::now() - self->writing_since_ > limits.longest_write) {
        ++self->hall_.counts.too_slow;
        return self->close();
      }
      if (!self->last_words_) self->talk_->flush();
      self->tick();
    });
  }

  /// Both ends; what is under way is called back with an error.
  void close() {
    if (closed_) return;
    closed_ = true;
    Error ignored;
    timer_.cancel(ignored);
    tap_.close(ignored);
    beast::get_lowest_layer(socket_).close();
  }

  Hall& hall_;
  websocket::stream<beast::tcp_stream> socket_;
  asio::local::stream_protocol::socket tap_;
  asio::steady_timer timer_;
  std::unique_ptr<Talk> talk_;
  beast::flat_buffer buffer_;
  std::array<char, 1U << 16U> piece_{};
  TapLines lines_;
  std::deque<Message> messages_;
  std::size_t queued_ = 0;
  std::string asked_, sent_;
  std::optional<std::string> last_words_;
  Clock::time_point writing_since_{};
  bool accepted_ = false, reading_ = false, writing_ = false, reading_tap_ = false, writing_tap_ = false,
       tap_lost_ = false, closed_ = false;
};

/// One request of HTTP; a connection serves one.
class HttpClient : public std::enable_shared_from_this<HttpClient> {
 public:
  HttpClient(Hall& hall, tcp::socket&& socket) : hall_(hall), stream_(std::move(socket)) {
    ++hall_.counts.clients;
    parser_.header_limit(static_cast<std::uint32_t>(limits.header_bytes));
    parser_.body_limit(0);
  }
  ~HttpClient() { --hall_.counts.clients; }

  void start() {
    stream_.expires_after(limits.longest_request);
    http::async_read(stream_, buffer_, parser_, [self = shared_from_this()](Error error, std::size_t) {
      if (!error) return self->serve();
      if (error == http::error::header_limit || error == http::error::body_limit)
        self->reply(refusal(413, "this request is too large"));
    });
  }
  void give_way() { stream_.close(); }

 private:
  void serve() {
    const HttpRequest& request = parser_.get();
    const auto field = [&](http::field name) { return view_of(request[name]); };
    const Caller caller{.host = field(http::field::host),
                        .origin = field(http::field::origin),
                        .cookies = field(http::field::cookie),
                        .query = {},
                        .is_own_user = is_own_user(stream_.socket())};
    if (websocket::is_upgrade(request)) return talk(request, caller);
    reply(
        answer(hall_.settings.door, hall_.runs, {view_of(request.method_string()), view_of(request.target()), caller}));
  }

  void talk(const HttpRequest& request, Caller caller) {
    caller.query = split(view_of(request.target())).query;
    const Entry entry = entry_of(hall_.settings.door, caller);
    if (entry.right == Right::none) return refuse(403, entry.why);
    if (hall_.counts.talks >= limits.talks) return refuse(503, "too many pages are open here");
    const std::optional<Run> run = hall_.runs.find(query_value(caller.query, "run"));
    const int tap = run ? tools::connect_to_tap(run->directory, SOCK_NONBLOCK) : -1;
    if (tap < 0) return refuse(404, run ? tools::why_no_tap(run->directory, errno) : "no such run is under way here");
    const std::string language = foxglove::language_of(view_of(request[http::field::sec_websocket_protocol]));
    std::make_shared<TalkClient>(hall_, std::move(stream_), tap)
        ->start(request, language, {.right = entry.right, .name = hall_.settings.name, .run = run->directory.string()});
  }

  void refuse(unsigned status, const std::string& why) { ++hall_.counts.refused, reply(refusal(status, why)); }

  void reply(const Answer& answer) {
    response_ = {static_cast<http::status>(answer.status), 11};
    response_.set(http::field::content_type, answer.type);
    for (const auto& [name, value] : answer.headers) response_.set(name, value);
    response_.body() = answer.body;
    response_.keep_alive(false);
    response_.prepare_payload();
    stream_.expires_after(limits.longest_write);
    http::async_write(stream_, response_, [self = shared_from_this()](Error, std::size_t) {
      Error ignored;
      self->stream_.socket().shutdown(tcp::socket::shutdown_send, ignored);
    });
  }

  Hall& hall_;
  beast::tcp_stream stream_;
  beast::flat_buffer buffer_;
  http::request_parser<http::empty_body> parser_;
  http::response<http::string_body> response_;
};

class Server {
 public:
  Server(Hall& hall, tcp::acceptor&& acceptor)
      : hall_(hall), acceptor_(std::move(acceptor)), pause_(hall.io), watch_(hall.io) {}

  void accept() {
    acceptor_.async_accept([this](Error error, tcp::socket socket) {
      if (error) return accept_later();  // no descriptor is left: the next may be luckier
      admit(std::move(socket));
      accept();
    });
  }

  /// Ends with the process that this one stands beside, some time after the last page has been closed.
  void watch() {
    watch_.expires_after(std::chrono::milliseconds(500));
    watch_.async_wait([this](Error) {
      const bool runs_on = ::kill(hall_.settings.beside, 0) == 0 || errno == EPERM;
      if (runs_on || hall_.counts.talks > 0) hall_.last_talk = Clock::now();
      if (Clock::now() - hall_.last_talk > std::chrono::seconds(60)) return hall_.io.stop();
      watch();
    });
  }

 private:
  void admit(tcp::socket socket) {
    std::erase_if(waiting_, [](const auto& client) { return client.expired(); });
    if (waiting_.size() >= limits.waiting_clients) {
      ++hall_.counts.gave_way;
      if (const auto oldest = waiting_.front().lock()) oldest->give_way();
      waiting_.pop_front();
    }
    Error ignored;
    socket.set_option(tcp::no_delay(true), ignored);
    const auto client = std::make_shared<HttpClient>(hall_, std::move(socket));
    waiting_.push_back(client);
    client->start();
  }

  void accept_later() {
    pause_.expires_after(std::chrono::milliseconds(100));
    pause_.async_wait([this](Error) { accept(); });
  }

  Hall& hall_;
  tcp::acceptor acceptor_;
  asio::steady_timer pause_, watch_;
  std::list<std::weak_ptr<HttpClient>> waiting_;
};

tcp::acceptor open_door(Hall& hall) {
  Error error;
  const auto address = asio::ip::make_address(hall.settings.address, error);
  if (error) throw std::runtime_error("'" + hall.settings.address + "' is no address of this machine, as 127.0.0.1 is");
  tcp::acceptor acceptor(hall.io);
  const tcp::endpoint place(address, hall.settings.port);
  acceptor.open(place.protocol(), error);
  acceptor.set_option(tcp::acceptor::reuse_address(true), error);
  acceptor.bind(place, error);
  if (!error) acceptor.listen(asio::socket_base::max_listen_connections, error);
  if (error)
    throw std::runtime_error("cannot listen on " + hall.settings.address + ":" + std::to_string(hall.settings.port) +
                             ": " + error.message() + "; --listen names another place");
  return acceptor;
}

}  // namespace

Counts serve(const ServerSettings& settings, const std::function<void(std::uint16_t)>& on_open) {
  Hall hall{.settings = settings, .runs = Runs(settings.runs)};
  tcp::acceptor acceptor = open_door(hall);
  on_open(acceptor.local_endpoint().port());
  asio::signal_set signals(hall.io, SIGINT, SIGTERM);
  signals.async_wait([&](Error, int) { hall.io.stop(); });
  Server server(hall, std::move(acceptor));
  server.accept();
  if (settings.beside > 0) server.watch();
  hall.io.run();
  return hall.counts;
}

}  // namespace takt::view
