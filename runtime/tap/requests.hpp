#pragma once
// What a client may ask for, verb by verb. runtime/tap/README.md lists requests and answers.

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "runtime/tap/session.hpp"

namespace takt {

/// One request of a session.
class TapRequests {
 public:
  using Json = nlohmann::ordered_json;

  explicit TapRequests(Session& session) : session_(session), desk_(session.desk_) {}
  /// Answers at once or when the plant has done it; what is wrong is answered, too.
  void perform(std::string_view line);

 private:
  using Verb = void (TapRequests::*)();
  struct Row {
    std::string_view name;
    Verb verb;
  };
  static const Row* find(std::string_view verb);

  void hello();
  void list();
  void records();
  void read();
  void watch();
  void unwatch();
  void await();
  void unawait();
  void lease();
  void detach();
  void scope();
  void unscope();
  void faults();
  [[nodiscard]] std::uint64_t span_of(const char* name, std::uint64_t usual, std::int64_t unit_ns) const;
  [[nodiscard]] std::uint16_t scoped_subsystem(std::span<const std::uint32_t> wanted) const;
  [[nodiscard]] std::optional<Expression> scope_trigger(std::uint16_t subsystem) const;
  void act();
  void events();
  void status();
  void control();
  void reply(Json fields);
  void refuse(const std::string& why);
  void send(std::span<TapCommand> commands, Json fields);
  [[nodiscard]] std::vector<Action> actions() const;
  /// One entry of "actions", or a request that is one. "values" has several for one verb.
  void add_actions(const Json& request, std::vector<Action>& actions) const;
  /// The connection that these actions are bound to, where the request asks for that; 0: none.
  [[nodiscard]] std::uint32_t owner_of(std::span<const Action> actions) const;
  [[nodiscard]] std::vector<TapCommand> then_commands() const;
  [[nodiscard]] std::int64_t within_ns() const;
  /// @throw std::runtime_error  some take effect later than others
  static void refuse_mixed(std::span<const Action> actions);
  // Of one object of a request.  @throw std::runtime_error  it has none of that name and kind
  [[nodiscard]] static std::string string_in(const Json& object, const char* key);
  [[nodiscard]] static Json::array_t list_in(const Json& object, const char* key);
  [[nodiscard]] std::vector<std::uint32_t> rows() const;
  [[nodiscard]] Json described(std::span<const std::uint32_t> rows) const;
  [[nodiscard]] std::string text_of(const char* key, const std::string& otherwise) const;
  [[nodiscard]] std::uint64_t number_of(const char* key, std::uint64_t otherwise) const;

  Session& session_;
  TapDesk& desk_;
  Json request_;
  Json id_;  ///< null: none was given
  std::string verb_;
};

}  // namespace takt
