#pragma once
// Moves coupling values between subsystems as the plan's exchanges say, and keeps the ledger of the fluxes.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "runtime/coupling/cell.hpp"
#include "runtime/coupling/mail.hpp"
#include "runtime/coupling/travel_line.hpp"
#include "runtime/plant/description.hpp"

namespace takt {

/// All couplings of one plant.
/// Phases: construct (allocates; throws std::invalid_argument where the plan contradicts itself), settle(), then per
/// window feed() before and collect() after the subsystem's run(), then ledger(). Workers call these two for their own
/// subsystems; that a message has been sent before it is taken, and taken before its place is used again, is their
/// matter (work_plan.hpp). Orders above 1 need a start-up: some
/// macro-steps, begin_with_first(), from the start again, order + 1 times: each sweep takes their error one order down.
/// What a worker writes is in memory of std::pmr::get_default_resource() at the time of construction.
/// Real-time: feed(), collect(), receipts_close() and prefetch_...() are wait-free, a few ns per exchange.
class Exchanges {
 public:
  struct Options {
    bool sample_fluxes = false;  ///< for tests only: break the conservation the ledger checks
    /// By subsystem, the worker that computes it; empty: one computes all. What is exchanged does not depend on it.
    std::span<const std::uint16_t> workers = {};
    /// They are hosts that do not wait for each other: a message that has not come is done without, and counted.
    bool apart = false;
  };

  Exchanges(const PlantDescription& plant, Options options);

  /// Consistent start: prepare all subsystems, then initialize() them in turn and hand their values on, until nothing
  /// changes or each has had its turn `subsystems + 2` times.
  /// @return index of the first exchange that still changed in the last sweep, or -1 where the start has settled.
  /// Real-time: not called during a run; bounded by subsystems + 2 calls of each initialize().
  int settle() noexcept;
  /// Constant histories at the outputs as they are: after settle(), where something else has moved the plant since.
  /// Real-time: not called during a run.
  void begin_histories() noexcept;
  /// As begin_histories(), with the first versions of the run that has just been in the histories.
  /// @pre that run had at least highest_order() + 2 macro-steps
  /// Real-time: not called during a run; allocates.
  void begin_with_first() noexcept;
  /// Everything that lies between subsystems, as bytes: for exchanges of the same plan, wherever their plant memory is
  /// and whoever computes them. @pre deliver() where several workers compute; restore() for one worker only
  [[nodiscard]] std::size_t state_size() const noexcept;
  /// Real-time: copies state_size() bytes.
  void save(std::byte* to) const noexcept;
  void restore(const std::byte* from) noexcept;
  /// Of what save() has left on another host, what belongs to the inputs of these subsystems (by index).
  /// @pre deliver() there  Real-time: not called during a run
  void restore_inputs(const std::byte* from, const std::vector<bool>& of) noexcept;
  /// Of all couplings.
  [[nodiscard]] int highest_order() const noexcept;

  /// Coupled and plant inputs of the subsystem for its next window.
  void feed(std::uint16_t subsystem, const double* plant_inputs) noexcept;
  /// The same with the plant inputs in plant memory.
  void feed(std::uint16_t subsystem) noexcept { feed(subsystem, plant_inputs_); }
  /// What the subsystem has sent and received in that window.
  void collect(std::uint16_t subsystem) noexcept;

  /// Of what the subsystem receives: whether every ledger is off by no more than this share of its throughput. After
  /// collect().
  [[nodiscard]] bool receipts_close(std::uint16_t subsystem, double share) const noexcept;
  /// What has been sent and not yet been taken: as if one worker had computed all. Between macro-steps, while nobody
  /// computes; before save() and ledger(). Real-time: bounded.
  void deliver() noexcept;
  /// So many messages of a mail may be on their way, where so many are sent in a macro-step.
  [[nodiscard]] static std::uint32_t mail_depth(std::int64_t sent_in_macro_step) noexcept {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(8 * sent_in_macro_step, 8, 256));
  }

  /// Asks for what the next feed() of this subsystem will touch: two windows before it, one window before it, and as it
  /// begins.
  void prefetch_ports(std::uint16_t subsystem) const noexcept { __builtin_prefetch(&ports_[subsystem]); }
  void prefetch_inputs(std::uint16_t subsystem) const noexcept;
  void prefetch_outputs(std::uint16_t subsystem) const noexcept;

  /// Those between workers: who sends and who takes each, and how many windows of the sender one message is about.
  struct MailRoute {
    std::uint16_t producer = 0, consumer = 0;  ///< subsystems
    std::uint32_t windows = 1;
  };
  [[nodiscard]] const std::vector<MailRoute>& mail_routes() const noexcept { return mail_routes_; }
  [[nodiscard]] Mail& mail(std::size_t number) noexcept { return mails_[number]; }

  [[nodiscard]] std::size_t size() const noexcept { return links_.size(); }
  /// Where stands what has been put last: the potential, or the integral of the flux. For the digest, when the producer
  /// has ended a macro-step.
  [[nodiscard]] const double* value_at(std::size_t exchange) const noexcept;
  [[nodiscard]] double value(std::size_t exchange) const noexcept { return *value_at(exchange); }
  /// The ledger of a flux is off by no more than this share of its throughput; true for a potential.
  [[nodiscard]] bool closes(std::size_t exchange, double share) const noexcept;
  /// Zeroes for a potential.
  [[nodiscard]] LedgerEntry ledger(std::size_t exchange) const noexcept;
  /// Of a delay: the account of what is under way; nullptr of others.
  [[nodiscard]] const TravelLine::Account* travel(std::size_t exchange) const noexcept;
  /// A delay that is no multiple of the time between its samples.
  [[nodiscard]] bool interpolates(std::size_t exchange) const noexcept;

 private:
  /// Windows of a subsystem since the start, counted in H of an exchange.
  struct Beat {
    std::uint32_t windows = 1;  // of the subsystem in one H
    std::uint32_t done = 0;     // in this H
    std::int64_t number = 0;    // of this H
    void next() noexcept {
      if (++done == windows) done = 0, ++number;
    }
  };
  struct Link {  // by exchange, for all that is not in a window; pointers into plant memory, fixed for the run
    const double* output = nullptr;  // the potential, or the instantaneous flux
    InputPolynomial* input = nullptr;
    CrossingRule rule;
    CouplingKind kind = CouplingKind::potential;
    std::uint32_t cell = 0;  // index into potentials_ or fluxes_
    std::int32_t mail = -1;  // index into mails_, where it crosses between workers
    std::uint32_t place_in_mail = 0;
    std::int32_t line = -1;  // index into lines_, of a delay
  };
  // What a window needs stands in the order of the windows, so that it streams through the caches, however large the
  // plant.
  struct Incoming {
    std::uint32_t input;     // place in plant memory, in doubles; so the others
    std::uint32_t received;  // flux only
    std::uint32_t cell, beat;
  };
  struct Outgoing {
    std::uint32_t output;
    std::uint32_t sent;  // flux only
    std::uint32_t cell;
    std::uint32_t beat : 31;
    std::uint32_t plain : 1;  // flux only: CrossingRule::plain_flux()
  };
  /// Where the consumer has several windows in one H.
  struct Opened {
    InputPolynomial polynomial;  // of this H
    double window_s = 0.0;       // its own window
  };
  struct Route {
    std::uint32_t plant_input;
    std::uint32_t input;  // place in plant memory
  };
  struct Range {
    std::uint32_t begin = 0, end = 0;
  };
  struct Travel {  // a delay, as its producer or its consumer sees it; places in plant memory
    std::uint32_t line = 0, block = 0, beat = 0;
    std::uint32_t input = 0, under_way = 0;  // of the consumer
  };
  struct TravelPorts {  // of one subsystem
    std::vector<Travel> out, in;
  };
  struct alignas(64) Ports {  // of one subsystem
    Range potentials_in, fluxes_in, potentials_out, fluxes_out, beats, routes;
    std::uint32_t first_potential = 0, first_flux = 0;  // cells of its inputs
    std::uint32_t plain_fluxes = 0;                     // so many of them come first
  };
  struct Post {  // a mail, as its sender or its receiver sees it
    std::uint32_t mail = 0, beat = 0;
    std::uint8_t lag = 0;
  };
  struct MailPorts {  // of one subsystem
    std::vector<Post> out, in;
  };

  [[nodiscard]] Link make_link(const ExchangePlan& plan) const;
  [[nodiscard]] std::uint32_t place_of(std::size_t offset) const;
  [[nodiscard]] double* memory(std::uint32_t place) const noexcept {
    return reinterpret_cast<double*>(plant_.memory) + place;
  }
  [[nodiscard]] std::int64_t period_of(const ExchangePlan& plan) const;
  void lay_out(const std::vector<std::uint16_t>& order);
  void lay_out_mails();
  void lay_out_lines();
  void begin_lines() noexcept;
  void feed_lines(std::uint16_t subsystem) noexcept;
  void collect_lines(std::uint16_t subsystem) noexcept;
  template <class Self, class Call>
  static void for_all_state(Self& self, const Call& call);
  void take_messages(std::uint16_t subsystem) noexcept;
  void take(Mail& mail) noexcept;
  void isolate(const Mail& mail) noexcept;
  [[nodiscard]] std::uint32_t beat_of(Range range, std::uint32_t windows) const;
  template <CouplingKind kind>
  [[nodiscard]] InputPolynomial open(std::uint32_t cell, std::int64_t window) noexcept;
  template <CouplingKind kind>
  void feed(Range range) noexcept;
  bool hand_on(std::uint16_t producer, int& changed) noexcept;

  const PlantDescription plant_;
  Options options_;
  std::vector<Link> links_;
  std::vector<std::vector<std::uint32_t>> sends_;  // by subsystem: indices into links_
  std::vector<Incoming> incoming_;
  std::vector<Outgoing> outgoing_;
  std::pmr::vector<Opened> opened_;  // parallel to incoming_
  std::pmr::vector<Beat> beats_;
  std::vector<Route> routes_;
  std::pmr::vector<PotentialCell> potentials_;
  std::pmr::vector<FluxCell> fluxes_;
  std::vector<Ports> ports_;
  const double* plant_inputs_;
  std::pmr::vector<Mail> mails_;
  std::vector<MailPorts> mail_ports_;   // by subsystem; empty: one worker computes all
  std::vector<MailRoute> mail_routes_;  // by mail
  std::vector<TravelLine> lines_;
  std::pmr::vector<TravelLine::Account> travels_;  // parallel to lines_
  std::pmr::vector<double> samples_;
  std::vector<TravelPorts> travel_ports_;  // by subsystem; empty: there are no delays
};

}  // namespace takt
