// SHA-256 against the examples of FIPS 180-4 and what sha256sum says.

#include "codegen/text/sha256.hpp"

#include <catch2/catch.hpp>

using takt::codegen::Sha256;

TEST_CASE("the hashes are those of the standard, however the bytes are dealt out") {
  const auto hash = [](std::string_view text, std::size_t at_once) {
    Sha256 sum;
    for (; !text.empty(); text.remove_prefix(std::min(at_once, text.size()))) sum.add(text.substr(0, at_once));
    return sum.finish();
  };
  const std::string many(1'000'000, 'a');
  for (const std::size_t at_once : {1UL, 7UL, 55UL, 56UL, 64UL, 1UL << 20U}) {
    CHECK(hash("", at_once) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(hash("abc", at_once) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(hash("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", at_once) ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(hash(many, at_once) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
  }
}
