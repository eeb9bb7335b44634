// Protects and checks messages for protection_oracles.py. Of standard input each line is one message, words of
// key=value; of standard output each line the answer:
//   do=protect data=HEX counter=N ...   the protected bytes
//   do=check data=HEX ...               the verdict by number, to a receiver that has seen nothing
// Keys: profile=1|2|4|5|6|7|11|22|0 id=N mode=0..3 offset=N crc=N at=N nibble=N list=HEX, and of the plain form (0)
// counter_field=, checksum_field=BYTE.LOW.WIDTH.RAW,...  width= polynomial= start= xor= reflected= from= to= first=
// counters=.

#include <cstdio>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/io/can/protect/settings.hpp"

namespace {

using namespace takt::can;
using Words = std::map<std::string, std::string>;

std::uint64_t number(const Words& words, const char* key, std::uint64_t without = 0) {
  const auto it = words.find(key);
  return it == words.end() ? without : std::stoull(it->second, nullptr, 0);
}

std::vector<std::uint8_t> bytes(const std::string& hex) {
  std::vector<std::uint8_t> result;
  for (std::size_t k = 0; k + 1 < hex.size(); k += 2)
    result.push_back(static_cast<std::uint8_t>(std::stoul(hex.substr(k, 2), nullptr, 16)));
  return result;
}

Field field(const std::string& text) {
  Field result;
  std::istringstream pieces(text);
  for (std::string piece; std::getline(pieces, piece, ',');) {
    unsigned byte = 0, low = 0, width = 0, raw = 0;
    if (std::sscanf(piece.c_str(), "%u.%u.%u.%u", &byte, &low, &width, &raw) != 4) continue;
    result.pieces.at(result.count++) = {static_cast<std::uint8_t>(byte), static_cast<std::uint8_t>(low),
                                        static_cast<std::uint8_t>(width), static_cast<std::uint8_t>(raw)};
    result.width = static_cast<std::uint8_t>(result.width + width);
  }
  return result;
}

ProtectionSettings settings(Words& words, std::size_t length) {
  const std::map<std::uint64_t, Profile> profiles{{0, Profile::plain}, {1, Profile::p01},  {2, Profile::p02},
                                                  {4, Profile::p04},   {5, Profile::p05},  {6, Profile::p06},
                                                  {7, Profile::p07},   {11, Profile::p11}, {22, Profile::p22}};
  ProtectionSettings s;
  s.profile = profiles.at(number(words, "profile"));
  s.length = static_cast<std::uint16_t>(length);
  s.data_id = static_cast<std::uint32_t>(number(words, "id"));
  s.data_id_mode = static_cast<DataIdMode>(number(words, "mode"));
  s.offset = static_cast<std::uint16_t>(number(words, "offset"));
  s.crc_offset = static_cast<std::uint16_t>(number(words, "crc"));
  s.counter_offset = static_cast<std::uint16_t>(number(words, "at", 8));
  s.data_id_nibble_offset = static_cast<std::uint16_t>(number(words, "nibble", 12));
  for (const std::uint8_t id : bytes(words["list"])) s.data_id_list.at(s.data_id_count++) = id;
  s.counter = field(words["counter_field"]);
  s.checksum = field(words["checksum_field"]);
  s.counters = number(words, "counters");
  s.crc = {.width = static_cast<std::uint8_t>(number(words, "width", 8)),
           .polynomial = number(words, "polynomial"),
           .start = number(words, "start"),
           .exclusive_or = number(words, "xor"),
           .reflected = number(words, "reflected") != 0};
  s.from = static_cast<std::uint16_t>(number(words, "from"));
  s.to = static_cast<std::uint16_t>(number(words, "to"));
  s.data_ids_first = number(words, "first") != 0;
  return s;
}

}  // namespace

int main() {
  for (std::string line; std::getline(std::cin, line);) {
    Words words;
    std::istringstream in(line);
    for (std::string word; in >> word;) words[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    auto data = bytes(words["data"]);
    const Protection protection = make_protection(settings(words, data.size()));
    if (words["do"] == "check") {
      Receiver receiver;
      std::printf("%d\n", static_cast<int>(check(protection, receiver, data).verdict));
      continue;
    }
    protect(protection, number(words, "counter"), data);
    for (const std::uint8_t byte : data) std::printf("%02x", byte);
    std::printf("\n");
  }
  return 0;
}
