// Verbs that bind what is done to the connection of who does it.

#include <algorithm>
#include <stdexcept>

#include "runtime/tap/requests.hpp"

namespace takt {

std::uint32_t TapRequests::owner_of(std::span<const Action> actions) const {
  if (!request_.contains("lease")) return 0;
  if (!request_["lease"].is_boolean()) throw std::runtime_error("\"lease\" is true or false");
  if (request_["lease"] == false) return 0;
  using Verb = Action::Verb;
  const auto lasts = [](const Action& action) {
    return action.verb == Verb::set || action.verb == Verb::override || action.verb == Verb::inject ||
           action.verb == Verb::fault || (action.verb == Verb::disturb && action.word != 0);
  };
  if (!std::all_of(actions.begin(), actions.end(), lasts))
    throw std::runtime_error(
        "a lease is of set, override and inject, which can be undone: give the rest in a request of its own");
  return session_.owner();
}

void TapRequests::lease() {
  TapCommand command{.kind = TapCommand::Kind::lease, .owner = session_.owner()};
  send({&command, 1}, Json::object());
}

/// What has been asked for before on this connection is done before.
void TapRequests::detach() {
  TapCommand command{.kind = TapCommand::Kind::detach, .owner = session_.owner()};
  command.author = desk_.end.author(session_.name_);
  desk_.end.send({&command, 1}, [session = session_.weak_from_this(), id = id_](const TapAnswer& answer) {
    const auto alive = session.lock();
    if (!alive) return;
    Json line;
    if (!id.is_null()) line["id"] = id;
    line.update({{"ok", true}, {"kept", answer.count}});
    alive->put(line);
  });
}

}  // namespace takt
