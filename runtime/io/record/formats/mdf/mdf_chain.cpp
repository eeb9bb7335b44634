#include "runtime/io/record/formats/mdf/mdf_chain.hpp"

#include <array>

namespace takt {

using mdf::no_link;

bool MdfChain::append(MdfBlocks& blocks, std::string_view samples, SampleZip* zip) {
  const std::uint64_t block =
      zip != nullptr ? blocks.append("DZ", {}, zip->block_of(samples, width_)) : blocks.append("DT", {}, samples);
  const std::array<std::uint64_t, 2> of_list{no_link, block};
  const std::uint64_t list =
      blocks.append("DL", of_list, MdfFields().fill(4).add(std::uint32_t{1}).add(std::uint64_t{width_ * count_}));
  if (list_ != no_link) {
    blocks.link(list_, 0, list);
  } else if (zip != nullptr) {  // a list of compressed blocks stands behind a head of its own
    const std::array<std::uint64_t, 1> of_head{list};
    blocks.link(data_group_, mdf::data,
                blocks.append("HL", of_head, MdfFields().fill(2).add(std::uint8_t{mdf::transposed}).fill(5)));
  } else {
    blocks.link(data_group_, mdf::data, list);
  }
  list_ = list;
  const std::uint64_t more = samples.size() / width_;
  blocks.overwrite(channel_group_, 6 * 8 + 8, MdfFields().add(count_ + more));
  if (blocks.ok()) count_ += more;
  return blocks.ok();
}

}  // namespace takt
