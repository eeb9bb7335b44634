#include <unistd.h>

#include <array>
#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "runtime/io/record/deflate.hpp"
#include "runtime/io/record/formats/mdf/mdf_file.hpp"
#include "runtime/io/record/formats/mdf/mdf_reader.hpp"
#include "runtime/io/record/formats/mdf/mdf_zip.hpp"
#include "runtime/io/record/record_trigger.hpp"
#include "runtime/io/record/recorded_file.hpp"
#include "runtime/io/record/recorder.hpp"
#include "runtime/io/record/run_events.hpp"

using namespace takt;

namespace {

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

SimTime ms(std::int64_t count) { return SimTime{count * 1'000'000}; }

/// Two signals each millisecond, one each 20 ms; 100 ms, flushed five times.
std::filesystem::path written(bool compress) {
  const auto path = std::filesystem::temp_directory_path() / ("takt_mdf_test_" + std::to_string(getpid()) + ".mf4");
  MdfFile file;
  file.open(path, {.title = "a & b",
                   .properties = {{"host", "<here>"}},
                   .rates = {{SimDuration{1'000'000}, {{"a.v", "V"}, {"a.k", ""}}},
                             {SimDuration{20'000'000}, {{"b.t", "K"}}}},
                   .compress = compress,
                   .attachments = {}});
  file.begin_at(1'700'000'000'000'000'000, 37);
  for (int k = 0; k < 100; ++k) {
    const std::array<std::uint64_t, 2> fast{std::bit_cast<std::uint64_t>(std::sin(k)),
                                            std::bit_cast<std::uint64_t>(k * 1.0)};
    const std::uint64_t slow = std::bit_cast<std::uint64_t>(300.0 + k);
    file.add({.plan = 0, .time = ms(k), .values = fast});
    if (k % 20 == 0) file.add({.plan = 1, .time = ms(k), .values = {&slow, 1}});
    if (k % 20 == 19) file.flush();
  }
  file.add_event({.time = ms(7), .text = "<something>"});
  file.finish();
  file.conclude(
      {.events = {}, .properties = {}, .summary = {.name = "summary.json", .type = "application/json", .text = "{}"}});
  return path;
}

struct Gate {
  /// @param samples  of the only signal, one each millisecond  @return times in ms of what is written
  static std::vector<std::int64_t> through(const std::vector<double>& samples, RecordTrigger trigger) {
    TriggerGate gate(std::move(trigger), {}, 1000);
    std::vector<std::int64_t> times;
    for (std::size_t k = 0; k < samples.size(); ++k) {
      const std::uint64_t bits = std::bit_cast<std::uint64_t>(samples[k]);
      (void)gate.take({.plan = 0, .time = ms(static_cast<std::int64_t>(k)), .values = {&bits, 1}},
                      [&](const RecordedRow& row) { times.push_back(row.time.ns() / 1'000'000); });
    }
    return times;
  }
};

RecordTrigger above_one(int before, int after) {
  return {.text = "s > 1",
          .value = 1.0,
          .before = SimDuration{before * 1'000'000},
          .after = SimDuration{after * 1'000'000}};
}

}  // namespace

TEST_CASE("what is written is read again, plain and compressed") {
  for (const bool compress : {false, true}) {
    if (compress && !can_deflate()) continue;
    const auto path = written(compress);
    CHECK(is_mdf(path));
    const auto groups = read_mdf(path);
    REQUIRE(groups.size() == 2);
    REQUIRE(groups[0].signals.size() == 2);
    CHECK(groups[0].signals[0].path == "a.v");
    CHECK(groups[0].signals[0].unit == "V");
    CHECK(groups[0].signals[1].unit.empty());
    REQUIRE(groups[0].time_s.size() == 100);
    REQUIRE(groups[1].time_s.size() == 5);
    for (int k = 0; k < 100; ++k) {
      CHECK(groups[0].time_s[static_cast<std::size_t>(k)] == k * 1'000'000 / 1e9);
      CHECK(groups[0].signals[0].values[static_cast<std::size_t>(k)] == std::sin(k));
    }
    CHECK(groups[1].signals[0].values == std::vector<double>{300.0, 320.0, 340.0, 360.0, 380.0});
    CHECK(csv_text(groups).starts_with("time [s],a.v [V],a.k [1],b.t [K]\n0,0,0,300\n0.001,0.8414709848078965,1,\n"));
    std::filesystem::remove(path);
  }
}

TEST_CASE("a file that ends anywhere is refused or gives what was counted") {
  const auto path = written(true);
  const std::string whole = content(path);
  std::size_t refused = 0;
  for (std::size_t length = 0; length < whole.size(); length += 29) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << whole.substr(0, length);
    try {
      const auto groups = read_mdf(path);
      CHECK(groups.at(0).time_s.size() == 100);
    } catch (const std::runtime_error& error) {
      CHECK(std::string(error.what()).starts_with(path.string() + ": byte "));
      ++refused;
    }
  }
  CHECK(refused > whole.size() / 58);
  std::filesystem::remove(path);
}

TEST_CASE("a file with any byte changed is refused or read, and never gives times that are not there") {
  for (const bool compress : {false, true}) {
    if (compress && !can_deflate()) continue;
    const auto path = written(compress);
    const std::string whole = content(path);
    const auto put = [&](std::size_t place, char byte) {
      std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
      file.seekp(static_cast<std::streamoff>(place)).put(byte);
    };
    for (std::size_t place = 0; place < whole.size(); ++place) {
      put(place, static_cast<char>(whole[place] ^ 0x55));
      try {
        for (const RecordedGroup& group : read_mdf(path))
          for (const RecordedGroup::Signal& signal : group.signals)
            REQUIRE(signal.values.size() == group.time_s.size());
      } catch (const std::runtime_error& error) {
        REQUIRE(std::string(error.what()).starts_with(path.string() + ": byte "));
      }
      put(place, whole[place]);
    }
    std::filesystem::remove(path);
  }
}

TEST_CASE("transposed bytes stand by their place in the record, what is no whole record at the end") {
  const auto transposed = [](std::string_view bytes, std::size_t record) {
    std::string out;
    transpose(bytes, record, out);
    return out;
  };
  CHECK(transposed("abcABCxyz12", 3) == "aAxbBycCz12");
  CHECK(transposed_back("aAxbBycCz12", 3) == "abcABCxyz12");
  CHECK(transposed_back(transposed("0123456789", 4), 4) == "0123456789");
}

TEST_CASE("a stream that is damaged, or of another length, is refused") {
  if (!can_deflate()) return;
  const std::string text(1000, 'x');
  CHECK(inflated(deflated(text), text.size()) == text);
  CHECK_THROWS(inflated(deflated(text), text.size() - 1));
  CHECK_THROWS(inflated(deflated(text), text.size() + 1));
  CHECK_THROWS_WITH(inflated(deflated(text), std::size_t{1} << 60U), Catch::Contains("length"));
  CHECK_THROWS(inflated("no stream", 10));
  Deflater deflater;
  std::string streams = "head";
  deflater.append(text, streams);
  const std::size_t first = streams.size();
  deflater.append("other", streams);
  CHECK(inflated(std::string_view(streams).substr(4, first - 4), text.size()) == text);
  CHECK(inflated(std::string_view(streams).substr(first), 5) == "other");
}

TEST_CASE("a directory's recording is its CSV, else its MDF") {
  const auto folder = std::filesystem::temp_directory_path() / ("takt_recorded_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  CHECK(recorded_file(folder) == folder / "signals.csv");
  std::ofstream(folder / "signals.mf4") << "x";
  CHECK(recorded_file(folder) == folder / "signals.mf4");
  std::ofstream(folder / "signals.csv") << "x";
  CHECK(recorded_file(folder) == folder / "signals.csv");
  CHECK(recorded_file(folder / "signals.mf4") == folder / "signals.mf4");
  CHECK_FALSE(is_mdf(folder / "signals.mf4"));
  std::filesystem::remove_all(folder);
}

TEST_CASE("events of other threads are in the recording, and the run goes on while they come") {
  static std::array<double, 2> memory{1.0, 2.0};
  static const std::array<MemoryEntry, 2> table{
      {{"a.v", "V", Role::signal, 0, 0}, {"b.t", "K", Role::signal, 0, sizeof(double)}}};
  static const std::array<std::uint32_t, 1> fast{0}, slow{1};
  static const std::array<RecordPlan, 2> records{{{1'000'000, fast}, {10'000'000, slow}}};
  PlantDescription plant{};
  plant.name = plant.title = plant.input_hash = "sample";
  plant.macro_step_ns = 1'000'000;
  plant.memory = reinterpret_cast<std::byte*>(memory.data());
  plant.table = table;
  plant.records = records;
  const auto folder = std::filesystem::temp_directory_path() / ("takt_events_" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  Recorder recorder(plant, {.directory = folder, .formats = formats_named("both")});
  recorder.start();
  std::vector<std::thread> others;
  for (int number = 0; number < 2; ++number)
    others.emplace_back([&recorder, number] {
      for (int k = 0; k < 50; ++k)
        recorder.note_event(ms(k), "event " + std::to_string(number) + "." + std::to_string(k) + ";");
    });
  for (int k = 0; k < 1000; ++k) {
    memory[0] = k;
    while (!recorder.try_record(ms(k))) std::this_thread::yield();
  }
  for (std::thread& other : others) other.join();
  CHECK(recorder.finish(1000).empty());
  RunResults results;
  recorder.report(results);
  CHECK(results.rows_recorded == 1000);
  CHECK(recorder.conclude(results, "{}").empty());
  const std::string bytes = content(folder / "signals.mf4");
  for (int number = 0; number < 2; ++number)
    for (int k = 0; k < 50; ++k)
      CHECK(bytes.find("event " + std::to_string(number) + "." + std::to_string(k) + ";") != std::string::npos);
  const auto groups = read_mdf(folder / "signals.mf4");
  REQUIRE(groups.at(0).signals.at(0).values.size() == 1000);
  CHECK(groups[0].signals[0].values[999] == 999.0);
  CHECK(groups.at(1).time_s.size() == 100);
  std::filesystem::remove_all(folder);
}

TEST_CASE("rows around a trigger pass, others do not") {
  const std::vector<double> samples{0, 0, 0, 0, 2, 2, 0, 0, 0, 0, 0, 2, 0, 0};
  CHECK(Gate::through(samples, above_one(2, 1)) == std::vector<std::int64_t>{2, 3, 4, 5, 9, 10, 11, 12});
  CHECK(Gate::through(samples, above_one(0, 0)) == std::vector<std::int64_t>{4, 11});
  CHECK(Gate::through(samples, above_one(100, 3)) ==
        std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13});
  CHECK(Gate::through({2, 2, 2}, above_one(5, 1)) == std::vector<std::int64_t>{0, 1});
  CHECK(Gate::through({0, NAN, 0}, above_one(5, 1)).empty());
  CHECK(Gate::through({0, 2, 0, 2, 0, 0, 0}, above_one(0, 2)) == std::vector<std::int64_t>{1, 2, 3, 4, 5});
}

TEST_CASE("a ring that is too small keeps the newest rows") {
  TriggerGate gate(above_one(100, 0), {}, 12);  // three rows of four words
  std::vector<std::int64_t> times;
  for (int k = 0; k < 10; ++k) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(k == 9 ? 2.0 : 0.0);
    const bool triggered = gate.take({.plan = 0, .time = ms(k), .values = {&bits, 1}},
                                     [&](const RecordedRow& row) { times.push_back(row.time.ns() / 1'000'000); });
    CHECK(triggered == (k == 9));
  }
  CHECK(times == std::vector<std::int64_t>{6, 7, 8, 9});
}

TEST_CASE("what happened in a run is in its events, in order of time") {
  RunResults results;
  results.simulated_s = 3.0;
  results.stopped_because = "the tank is empty";
  OverrunIncident incident;
  incident.start = ms(2000);
  incident.late = WallDuration{12'000};
  incident.cause = OverrunCause::blocked;
  results.overruns.incidents.push_back(incident);
  results.io_events.push_back({1.0, "can0: BMS_State timed out"});
  results.verdicts.push_back({.code = "X014", .where = "fluid", .text = "tank overdrawn", .first_s = 2.5});
  const auto events = run_events(results);
  REQUIRE(events.size() == 4);
  CHECK(events[0].text == "can0: BMS_State timed out");
  CHECK(events[1].text == "overrun: 12 us late, blocked");
  CHECK(events[2].text == "verdict X014: fluid: tank overdrawn, first at 2.5 s");
  CHECK(events[3].time == ms(3000));
}
