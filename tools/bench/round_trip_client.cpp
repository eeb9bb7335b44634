// round_trip_client PORT TRIPS WINDOW_NS: the client of round_trip.py, compiled by it. It asks the virtual bus can0 on
// 127.0.0.1 by socketcand (frame 101, two bytes), waits for the same two bytes in frame 100, pauses, and asks again.
// For each trip a line: us until recvmsg() has returned, and until the kernel had the answer at the socket; then how
// many answers were of something else.

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr int warm_up = 50, priority = 60;  // below the I/O thread of a plant

std::int64_t now_ns(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

[[noreturn]] void fail(const char* what) {
  std::perror(what);
  std::exit(1);
}

int connected(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET, address.sin_port = htons(port), address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  for (int tries = 0; tries < 1000; ++tries) {  // the plant may not have opened its port yet
    const int link = ::socket(AF_INET, SOCK_STREAM, 0), on = 1;
    if (::connect(link, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) {
      ::setsockopt(link, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
      ::setsockopt(link, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
      const timeval patience{10, 0};
      ::setsockopt(link, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
      return link;
    }
    ::close(link);
    ::usleep(20'000);
  }
  fail("the plant does not open its port");
}

void say(int link, std::string_view text) {
  if (::send(link, text.data(), text.size(), 0) != static_cast<ssize_t>(text.size())) fail("send");
}

/// Takes what has come. @return the kernel's stamp of it, CLOCK_REALTIME
std::int64_t hear(int link, std::string& heard) {
  char bytes[4096];
  alignas(cmsghdr) char control[128];
  iovec place{bytes, sizeof bytes};
  msghdr message{};
  message.msg_iov = &place, message.msg_iovlen = 1;
  message.msg_control = control, message.msg_controllen = sizeof control;
  const ssize_t size = ::recvmsg(link, &message, 0);
  if (size <= 0) fail("no answer");
  heard.append(bytes, static_cast<std::size_t>(size));
  timespec stamp{};
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr; part = CMSG_NXTHDR(&message, part))
    if (part->cmsg_type == SCM_TIMESTAMPNS) std::memcpy(&stamp, CMSG_DATA(part), sizeof stamp);
  return std::int64_t{stamp.tv_sec} * 1'000'000'000 + stamp.tv_nsec;
}

/// Takes the answers out of what has been heard. @return how many there are of this text
int answers(std::string& heard, std::string_view data, int& others) {
  int found = 0;
  for (std::size_t end = 0; (end = heard.find('>')) != std::string::npos; heard.erase(0, end + 1)) {
    const std::string_view message(heard.data(), end);
    if (message.find("frame 100 ") == std::string_view::npos) continue;
    ++(message.find(data) != std::string_view::npos ? found : others);
  }
  return found;
}

struct Trip {
  double client_us, socket_us;
};

Trip ask(int link, int number, int& others) {
  char question[64], data[16];
  const int low = number & 0xFF, high = number >> 8;
  const int size = std::snprintf(question, sizeof question, "< send 101 2 %02X %02X >", low, high);
  std::snprintf(data, sizeof data, " %02X%02X ", low, high);
  std::string heard;
  const std::int64_t began = now_ns(CLOCK_MONOTONIC), began_day = now_ns(CLOCK_REALTIME);
  say(link, {question, static_cast<std::size_t>(size)});
  for (;;) {
    const std::int64_t stamp = hear(link, heard), ended = now_ns(CLOCK_MONOTONIC);
    if (answers(heard, data, others) == 0) continue;
    return {static_cast<double>(ended - began) / 1e3, static_cast<double>(stamp - began_day) / 1e3};
  }
}

/// Each pause is in a part of the window of its own, anywhere in it: even, and still at random.
std::vector<std::int64_t> pauses_ns(int count, double window_ns) {
  std::mt19937 random(std::random_device{}());
  std::uniform_real_distribution<> within(0.0, 1.0);
  std::vector<std::int64_t> pauses;
  for (int k = 0; k < count; ++k) pauses.push_back(static_cast<std::int64_t>((k + within(random)) / count * window_ns));
  std::shuffle(pauses.begin(), pauses.end(), random);
  return pauses;
}

}  // namespace

int main(int count, char** words) {
  if (count != 4) return 2;
  const int trips = std::atoi(words[2]);
  const auto pauses = pauses_ns(trips, std::atof(words[3]));
  ::mlockall(MCL_CURRENT | MCL_FUTURE);
  sched_param parameters{};
  parameters.sched_priority = priority;
  if (::sched_setscheduler(0, SCHED_FIFO, &parameters) != 0) std::perror("the client has no real-time priority");
  const int link = connected(static_cast<std::uint16_t>(std::atoi(words[1])));
  say(link, "< open can0 >< rawmode >< send 7FF 0 >");  // who sends, hears at once
  std::vector<Trip> found;
  int others = 0;
  for (int k = -warm_up; k < trips; ++k) {
    if (k == 0) others = 0;  // the plant's first frame answers nobody
    const std::int64_t pause = pauses[static_cast<std::size_t>((k + trips) % trips)];
    const timespec time{pause / 1'000'000'000, pause % 1'000'000'000};
    ::nanosleep(&time, nullptr);
    const Trip trip = ask(link, (k + warm_up) % 60'000 + 1, others);
    if (k >= 0) found.push_back(trip);
  }
  for (const Trip& trip : found) std::printf("%.3f %.3f\n", trip.client_us, trip.socket_us);
  std::printf("%d\n", others);
  return 0;
}
