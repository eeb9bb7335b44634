// Text of users that must stay text.

#include "codegen/text/escape.hpp"

#include <catch2/catch.hpp>

using namespace takt::codegen;

TEST_CASE("nothing leaves a comment") {
  CHECK(comment_text("plain: 5 V, a/b*c") == "plain: 5 V, a/b*c");
  CHECK(comment_text("one\ntwo\r\nthree") == "one two  three");
  CHECK(comment_text("the next line \\") == "the next line |");
  CHECK(comment_text("a trigraph ?"
                     "?/") == "a trigraph ? ?/");
  CHECK(comment_text("*/ int x; /*") == "* / int x; / *");
  CHECK(comment_text("\xFF Gr\xC3\xBC\xC3\x9F\x65 \xE2\x80\xAE") == "? Gr\xC3\xBC\xC3\x9F\x65 ?");
  CHECK(comment_text(std::string("a\0b", 3)) == "a b");
  CHECK(comment_text(std::string(1000, 'x')).size() < 310);
}

TEST_CASE("nothing leaves a literal of C++") {
  CHECK(string_literal("a\"b\\\n") == "\"a\\\"b\\\\\\012\"");
  CHECK(string_literal("?"
                       "?/") == "\"?\\?/\"");
  CHECK(string_literal(std::string("\0001", 2)) == "\"\\0001\"");  // octal numbers end after three digits
  CHECK(string_literal("\xFF\xC3\xBC") == "\"\\377\xC3\xBC\"");
  CHECK(string_literal("\xE2\x80\xAE") == "\"\\342\\200\\256\"");
}

TEST_CASE("nothing leaves a label of Graphviz") {
  CHECK(dot_literal("a\"];x[\\\nb") == "\"a\\\"];x[\\\\\\nb\"");
  CHECK(dot_literal("&lt;\x01") == "\"&amp;lt; \"");
}

TEST_CASE("a source's name needs no quoting") {
  CHECK(is_plain_file_name("electric_2.cpp"));
  for (const char* name : {"", ".hidden", "a b", "a;b", "a/b", "$(x)", "a\nb", "\xC3\xBC"})
    CHECK_FALSE(is_plain_file_name(name));
}
