#include "runtime/io/joined_ports.hpp"

#include <nlohmann/json.hpp>

#include "runtime/json/parse_json.hpp"

namespace takt {
namespace {

class JoinedSenders final : public SafeSender {
 public:
  explicit JoinedSenders(std::vector<std::unique_ptr<SafeSender>> parts) : parts_(std::move(parts)) {}

  void prepare() override {
    for (auto& part : parts_) part->prepare();
  }
  void adopt(std::uint32_t bus, int connection) override {
    const auto owner = std::find_if(parts_.begin(), parts_.end(), [&](const auto& part) { return part->owns(bus); });
    (owner != parts_.end() ? *owner : parts_.front())->adopt(bus, connection);
  }
  void add_to(std::vector<pollfd>& polled) const override {
    for (const auto& part : parts_) part->add_to(polled);
  }
  void tidy() override {
    for (auto& part : parts_) part->tidy();
  }
  void take_over() override {
    for (auto& part : parts_) part->take_over();
  }
  std::uint64_t send_all(WallTime now) override {
    std::uint64_t sent = 0;
    for (auto& part : parts_) sent += part->send_all(now);
    return sent;
  }
  std::uint64_t send_due(WallTime now) override {
    std::uint64_t sent = 0;
    for (auto& part : parts_) sent += part->send_due(now);
    return sent;
  }
  [[nodiscard]] WallTime next_due() const override {
    WallTime next = parts_.front()->next_due();
    for (const auto& part : parts_) next = std::min(next, part->next_due());
    return next;
  }
  [[nodiscard]] std::string text() const override {
    std::string names;
    for (const auto& part : parts_) names += (names.empty() ? "" : ", ") + part->text();
    return names;
  }

 private:
  std::vector<std::unique_ptr<SafeSender>> parts_;
};

}  // namespace

std::unique_ptr<SafeSender> join_senders(std::vector<std::unique_ptr<SafeSender>> parts) {
  std::erase(parts, nullptr);
  if (parts.empty()) return nullptr;
  return std::make_unique<JoinedSenders>(std::move(parts));
}

std::string join_statistics(const std::vector<std::string>& parts) {
  using Json = nlohmann::ordered_json;
  Json all = Json::object();
  for (const std::string& part : parts) {
    const Json read = parse_json<Json>(part);
    for (const auto& [name, value] : read.items()) {
      Json& list = all[name];
      if (value.is_array() && list.is_array())
        list.insert(list.end(), value.begin(), value.end());
      else
        list = value;
    }
  }
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace takt
