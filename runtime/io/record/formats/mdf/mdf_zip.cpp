#include "runtime/io/record/formats/mdf/mdf_zip.hpp"

#include <cstdint>
#include <cstring>
#include <stdexcept>

#include "runtime/io/record/formats/mdf/mdf_blocks.hpp"

namespace takt {
namespace {

constexpr std::size_t size_of_head = 24;  // what was zipped and how, its length before and after

template <class T>
T field(std::string_view data, std::size_t offset) {
  T value{};
  std::memcpy(&value, data.data() + offset, sizeof value);
  return value;
}

}  // namespace

void transpose(std::string_view bytes, std::size_t record, std::string& out) {
  out.assign(bytes);
  const std::size_t records = bytes.size() / record;
  for (std::size_t column = 0; column < record; ++column)
    for (std::size_t row = 0; row < records; ++row) out[column * records + row] = bytes[row * record + column];
}

std::string transposed_back(std::string_view bytes, std::size_t record) {
  std::string out(bytes);
  const std::size_t records = bytes.size() / record;
  if (records == 0) return out;  // a file may claim records of 4 GB
  for (std::size_t column = 0; column < record; ++column)
    for (std::size_t row = 0; row < records; ++row) out[row * record + column] = bytes[column * records + row];
  return out;
}

std::string_view SampleZip::block_of(std::string_view samples, std::size_t record) {
  transpose(samples, record, transposed_);
  data_.assign(size_of_head, '\0');
  deflater_.append(transposed_, data_);
  MdfFields head;
  head.text("DT").add(std::uint8_t{mdf::transposed}).fill(1).add(static_cast<std::uint32_t>(record));
  head.add(std::uint64_t{samples.size()}).add(std::uint64_t{data_.size() - size_of_head});
  const std::string_view bytes = head;
  data_.replace(0, size_of_head, bytes);
  return data_;
}

std::string unzipped_samples(std::string_view data) {
  if (data.size() < size_of_head) throw std::runtime_error("compressed data without their head");
  const auto zip = field<std::uint8_t>(data, 2);
  const auto record = field<std::uint32_t>(data, 4);
  const auto before = field<std::uint64_t>(data, 8), after = field<std::uint64_t>(data, 16);
  if (!data.starts_with("DT") || zip > mdf::transposed || (zip == mdf::transposed && record == 0))
    throw std::runtime_error("data compressed in another way");
  if (after > data.size() - size_of_head) throw std::runtime_error("compressed data are cut short");
  std::string samples = inflated(data.substr(size_of_head, after), before);
  return zip == mdf::transposed ? transposed_back(samples, record) : samples;
}

}  // namespace takt
