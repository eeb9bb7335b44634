#include <stdexcept>

#include "runtime/io/record/deflate.hpp"

namespace takt {
namespace {

[[noreturn]] void fail() { throw std::runtime_error("this plant was built without zlib of its machine"); }

}  // namespace

bool can_deflate() noexcept { return false; }
struct Deflater::Stream {};
Deflater::Deflater() { fail(); }
Deflater::~Deflater() = default;
void Deflater::append(std::string_view /*bytes*/, std::string& /*out*/) { fail(); }
std::string deflated(std::string_view /*bytes*/) { fail(); }
std::string inflated(std::string_view /*stream*/, std::size_t /*size*/) { fail(); }

}  // namespace takt
