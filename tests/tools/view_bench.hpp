#pragma once
// A conversation of takt view with the desk of a tap, in one process.

#include <memory>
#include <string>
#include <vector>

#include "tests/runtime/tap/desk_bench.hpp"
#include "tools/view/talk.hpp"
#include "tools/view/tap_lines.hpp"

namespace takt::test {

class ViewBench : public view::Outlet {
 public:
  using Speak = std::unique_ptr<view::Talk> (*)(view::Outlet&, view::TalkSettings);

  ViewBench(Speak speak, view::Right right) : talk(speak(*this, {.right = right, .name = "ana", .run = "/runs/a"})) {
    talk->begin();
    settle();
  }
  void say(std::string text) override { texts.push_back(std::move(text)); }
  void say_binary(std::string bytes) override { blocks.push_back(std::move(bytes)); }
  void ask(const Json& request) override {
    asked.push_back(request);
    desk().session->take(request.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  void hang_up(const std::string& why) override { last_words = why; }

  /// Some boundaries of the plant, and what the tap says at them.
  void settle() {
    for (int k = 0; k < 6; ++k) {
      desk().boundary();
      desk().session->tell_events();
      const std::string output = std::move(desk().session->output);
      desk().session->output.clear();
      if (!lines_.take(output, [this](const Json& line, std::string_view bytes) { talk->told(line, bytes); }))
        std::abort();
    }
    talk->flush();
  }
  void take(std::string_view text) {
    talk->take(text);
    settle();
  }
  /// Of what was said as text.
  [[nodiscard]] std::vector<Json> said() const {
    std::vector<Json> all;
    for (const std::string& text : texts) all.push_back(Json::parse(text));
    return all;
  }
  static DeskBench& desk() {
    static DeskBench bench;
    return bench;
  }

  std::vector<std::string> texts, blocks;
  std::vector<Json> asked;
  std::string last_words;
  std::unique_ptr<view::Talk> talk;

 private:
  view::TapLines lines_;
};

}  // namespace takt::test
