#include "tools/dds/commands.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "tools/dds/requests.hpp"

namespace takt::dds {

Commands::Commands(Domain& domain, const Origin& origin, int wake)
    : reader_(domain.reader(takt_msgs_msg_dds__Command__desc, origin.prefix + "commands", wake, {.depth = 0})),
      acknowledgements_(
          domain.writer(takt_msgs_msg_dds__Acknowledgement__desc, origin.prefix + "acknowledgements", {.depth = 4096})),
      session_(origin.session) {}

void Commands::set_run(const std::filesystem::path& directory, std::int64_t macro_step_ns) {
  directory_ = directory, macro_step_ns_ = macro_step_ns;
}

void Commands::take() {
  constexpr std::size_t at_once = 64;
  for (;;) {
    std::array<void*, at_once> samples{};
    std::array<dds_sample_info_t, at_once> infos{};
    const int count = dds_take(reader_, samples.data(), infos.data(), at_once, at_once);
    if (count <= 0) return;
    for (std::size_t k = 0; k < static_cast<std::size_t>(count); ++k)
      if (infos[k].valid_data) perform(*static_cast<const Command*>(samples[k]));
    (void)dds_return_loan(reader_, samples.data(), count);
  }
}

void Commands::perform(const Command& command) {
  const std::string author = command.author;
  const Asker asker{.author = author.substr(0, longest_text), .id = command.id};
  try {
    if (command.layout != the_layout)
      throw std::runtime_error("a command of layout " + std::to_string(command.layout) +
                               ": this bridge understands layout " + std::to_string(the_layout) +
                               " (takt.idl of its version)");
    check_author(author);
    if (command.verb == std::string("start")) return on_start(asker);
    const auto request = request_of(command);
    if (directory_.empty()) throw std::runtime_error(why_no_run);
    link_of(author).ask(request, [this, asker](const RunLink::Json& answer) {
      if (answer.value("ok", false))
        accept(asker, answer.value("effective_ns", std::int64_t{0}));
      else
        refuse(asker, answer.value("error", "refused") +
                          (answer.contains("closed") ? "; it may have taken effect: see the events" : ""));
    });
  } catch (const std::runtime_error& error) {
    refuse(asker, error.what());
  }
}

RunLink& Commands::link_of(const std::string& author) {
  auto found = authors_.find(author);
  if (found != authors_.end() && !found->second.link->is_open()) authors_.erase(found), found = authors_.end();
  if (found == authors_.end()) {
    make_room();
    const auto ignored = [](const RunLink::Json&) {};
    found = authors_.emplace(author, Author{.link = std::make_unique<RunLink>(directory_, author, ignored)}).first;
  }
  RunLink& link = *found->second.link;
  if (link.waiting() >= most_waiting)
    throw std::runtime_error(std::to_string(most_waiting) +
                             " commands of this author wait for the plant: try again later");
  found->second.used = ++uses_;
  return link;
}

/// The one that has been silent for longest goes; what it has done stays.
void Commands::make_room() {
  if (authors_.size() < most_authors) return;
  auto oldest = authors_.end();
  for (auto each = authors_.begin(); each != authors_.end(); ++each)
    if (each->second.link->waiting() == 0 && (oldest == authors_.end() || each->second.used < oldest->second.used))
      oldest = each;
  if (oldest == authors_.end())
    throw std::runtime_error("commands of " + std::to_string(most_authors) +
                             " other authors are under way: try again later");
  authors_.erase(oldest);
}

std::vector<RunLink*> Commands::links() const {
  std::vector<RunLink*> all;
  for (const auto& [name, author] : authors_) all.push_back(author.link.get());
  return all;
}

void Commands::tidy() {
  std::erase_if(authors_, [](const auto& author) { return !author.second.link->is_open(); });
}

void Commands::accept(const Asker& asker, std::int64_t effective_ns) const { acknowledge(asker, "", effective_ns); }

void Commands::refuse(const Asker& asker, const std::string& why) const {
  acknowledge(asker, why.empty() ? "refused" : why, -1);
}

void Commands::acknowledge(const Asker& asker, const std::string& error, std::int64_t effective_ns) const {
  const bool good = error.empty();
  const Acknowledgement all{.session = session_,
                            .author = borrowed(asker.author),
                            .id = asker.id,
                            .ok = good,
                            .error = borrowed(error),
                            .effective_ns = effective_ns,
                            .window = good && macro_step_ns_ > 0 ? effective_ns / macro_step_ns_ : -1};
  (void)dds_write(acknowledgements_, &all);
}

}  // namespace takt::dds
