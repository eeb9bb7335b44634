#include "tools/picture/picture.hpp"

namespace takt::picture {

Picture picture_of(const codegen::Checked& checked) {
  Picture picture;
  picture.title = checked.network.title.empty() ? checked.network.name : checked.network.title;
  picture.diagrams = diagrams_of(checked);
  picture.facts = facts_of(checked);
  std::vector<Frame> outer;
  for (std::size_t index = 0; index < picture.diagrams.size(); ++index) {
    picture.frames.push_back(frame_of(picture.diagrams[index], index));
    if (!picture.diagrams[index].within) outer.push_back(picture.frames.back());
  }
  picture.size = put_together(outer);
  for (const Frame& frame : outer) picture.frames[frame.diagram].place = frame.place;
  return picture;
}

}  // namespace takt::picture
