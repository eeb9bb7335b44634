// What the tests of rigs and codecs need from the generator, as a program:
//   rig_probe emit RIG.toml FOLDER     sources of a rig bound to the sample plant
//   rig_probe describe FILE.dbc        messages and their C++ names as JSON
//   rig_probe codecs FILE.dbc SPACE    the emitted codecs
//   rig_probe walk FILE.dbc            E/D lines on stdin coded by walking the database; see
//   tests/codegen/dbc/compare_cantools.py
#include <charconv>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>

#include "codegen/dbc/codec.hpp"
#include "codegen/dbc/emit_codec.hpp"
#include "codegen/text/quantity.hpp"
#include "tests/codegen/rig/sample_target.hpp"

namespace {

using namespace takt::codegen;

int emit(const std::string& rig_file, const std::string& folder) {
  Diagnostics diagnostics;
  const auto rig = load_rig(rig_file, sample_target(), diagnostics);
  std::cerr << diagnostics.render();
  if (!rig) return 1;
  for (const auto& source : emit_rig(*rig)) std::ofstream(folder + "/" + source.name) << source.text.bytes();
  return 0;
}

Dbc load(const std::string& file) {
  Diagnostics diagnostics;
  auto dbc = load_dbc(file, diagnostics);
  if (!dbc || diagnostics.has_errors()) {
    std::cerr << diagnostics.render();
    std::exit(1);
  }
  return *dbc;
}

void describe(const Dbc& dbc) {
  const auto types = message_types(dbc);
  nlohmann::ordered_json messages = nlohmann::ordered_json::array();
  for (std::size_t m = 0; m < dbc.messages.size(); ++m) {
    const auto& message = dbc.messages[m];
    const auto members = member_names(message);
    nlohmann::ordered_json signals = nlohmann::ordered_json::array();
    for (std::size_t s = 0; s < message.signals.size(); ++s) {
      const auto& signal = message.signals[s];
      signals.push_back({{"name", signal.name},
                         {"member", members[s]},
                         {"usable", signal.usable},
                         {"multiplexer", signal.multiplexer},
                         {"multiplexed", signal.multiplexed_by.has_value()},
                         {"choices", signal.values.size()}});
    }
    messages.push_back({{"name", message.name},
                        {"type", types[m]},
                        {"id", message.id},
                        {"extended", message.extended},
                        {"fd", message.fd},
                        {"length", message.length},
                        {"one_frame", message.is_one_frame()},
                        {"cycle_ms", message.cycle_ms.value_or(0)},
                        {"signals", std::move(signals)}});
  }
  std::cout << messages.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) << '\n';
}

void walk(const Dbc& dbc) {
  std::string line;
  while (std::getline(std::cin, line)) {
    std::istringstream in(line);
    char what = 0;
    std::size_t index = 0;
    in >> what >> index;
    const auto& message = dbc.messages.at(index);
    std::string out, word;
    if (what == 'E') {
      SignalValues values;
      while (in >> word) values.push_back(word == "-" ? std::nullopt : std::optional(std::stod(word)));
      for (const auto byte : encode_message(message, values)) {
        char text[3];
        std::snprintf(text, sizeof text, "%02x", byte);
        out += text;
      }
    } else {
      std::vector<std::uint8_t> data;
      in >> word;
      for (std::size_t k = 0; k + 1 < word.size(); k += 2)
        data.push_back(static_cast<std::uint8_t>(std::stoi(word.substr(k, 2), nullptr, 16)));
      for (const auto& value : decode_message(message, data)) out += (value ? number_text(*value) : "-") + " ";
    }
    std::cout << out << "\n";
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc > 1 ? argv[1] : "";
  if (command == "emit" && argc == 4) return emit(argv[2], argv[3]);
  if (command == "describe" && argc == 3) return describe(load(argv[2])), 0;
  if (command == "codecs" && argc == 4) return std::cout << emit_codecs(load(argv[2]), argv[3]).bytes(), 0;
  if (command == "walk" && argc == 3) return walk(load(argv[2])), 0;
  std::cerr << "usage: rig_probe emit|describe|codecs|walk ...\n";
  return 2;
}
