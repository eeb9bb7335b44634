#include "tools/picture/fold_parts.hpp"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace takt::picture {
namespace {

/// "electric.pack[0].cell[1].r0": pack[0], cell[1], r0.
std::vector<std::string> steps_of(const std::string& path) {
  std::vector<std::string> steps;
  std::size_t from = path.find('.');
  while (from != std::string::npos) {
    const std::size_t to = path.find('.', from + 1);
    steps.push_back(path.substr(from + 1, to == std::string::npos ? to : to - from - 1));
    from = to;
  }
  if (steps.empty()) steps.push_back(path);
  return steps;
}

/// The first so many steps with the section in front.
std::string beginning(const std::string& path, std::size_t steps) {
  std::size_t end = path.find('.');
  for (std::size_t step = 0; step < steps && end != std::string::npos; ++step) end = path.find('.', end + 1);
  return path.substr(0, end);
}

std::string without_section(const std::string& path) {
  const std::size_t dot = path.find('.');
  return dot == std::string::npos ? path : path.substr(dot + 1);
}

/// "cell[2]" before "cell[10]".
bool before(std::string_view one, std::string_view other) {
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t a = 0, b = 0;
  while (a < one.size() && b < other.size()) {
    if (is_digit(one[a]) && is_digit(other[b])) {
      std::size_t end_a = a, end_b = b;
      while (end_a < one.size() && is_digit(one[end_a])) ++end_a;
      while (end_b < other.size() && is_digit(other[end_b])) ++end_b;
      if (end_a - a != end_b - b) return end_a - a < end_b - b;
      if (const int order = one.compare(a, end_a - a, other, b, end_b - b); order != 0) return order < 0;
      a = end_a, b = end_b;
    } else if (one[a] != other[b]) {
      return one[a] < other[b];
    } else {
      ++a, ++b;
    }
  }
  return one.size() - a < other.size() - b;
}

template <class Row, class Path>
std::vector<std::size_t> places_by_path(const std::vector<Row>& rows, Path path) {
  std::vector<std::size_t> order(rows.size()), place(rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) order[k] = k;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return before(path(rows[a]), path(rows[b])); });
  for (std::size_t k = 0; k < order.size(); ++k) place[order[k]] = k;
  return place;
}

/// By path, not by the line of the file: what comes between changes the order of nothing else.
Flat sorted(Flat flat) {
  const std::vector<std::size_t> item_place =
      places_by_path(flat.items, [](const Item& item) -> const std::string& { return item.box.path; });
  const std::vector<std::size_t> end_place =
      places_by_path(flat.ends, [](const End& end) -> const std::string& { return end.path; });
  Flat made{.name = flat.name,
            .domain = flat.domain,
            .note = flat.note,
            .items = std::vector<Item>(flat.items.size()),
            .ends = std::vector<End>(flat.ends.size())};
  for (std::size_t item = 0; item < flat.items.size(); ++item) {
    for (std::size_t& end : flat.items[item].ends) end = end_place[end];
    std::sort(flat.items[item].ends.begin(), flat.items[item].ends.end());
    made.items[item_place[item]] = std::move(flat.items[item]);
  }
  for (std::size_t end = 0; end < flat.ends.size(); ++end) {
    if (flat.ends[end].producer) flat.ends[end].producer = item_place[*flat.ends[end].producer];
    made.ends[end_place[end]] = std::move(flat.ends[end]);
  }
  return made;
}

}  // namespace

void PartFolder::add(Flat unsorted) {
  Flat flat = sorted(std::move(unsorted));
  Open open{flats_.size(), {}, 0, diagrams_.size()};
  for (std::size_t item = 0; item < flat.items.size(); ++item) open.items.push_back(item);
  diagrams_.push_back({.name = flat.name, .domain = flat.domain, .note = flat.note});
  flats_.push_back(std::move(flat));
  waiting_.push_back(std::move(open));
}

std::vector<Diagram> PartFolder::diagrams() && {
  for (std::size_t next = 0; next < waiting_.size(); ++next) {  // grows on the way
    const Open open = waiting_[next];
    fill(open);
  }
  return std::move(diagrams_);
}

/// Of an item itself, or of the part that holds it, which is made where it is the first.
std::size_t PartFolder::box_of(const Open& open, std::size_t item, Parts& parts) {
  const Box& box = flats_[open.flat].items[item].box;
  std::vector<Box>& boxes = diagrams_[open.diagram].boxes;
  const std::vector<std::string> steps = steps_of(box.path);
  if (steps.size() <= open.depth + 1) {
    boxes.push_back(box);
    return boxes.size() - 1;
  }
  const std::string& part = steps[open.depth];
  const auto [known, fresh] = parts.box.try_emplace(part, boxes.size());
  parts.items[known->second].push_back(item);
  if (!fresh) {
    boxes[known->second].leads = std::max(boxes[known->second].leads, box.leads);
    return known->second;
  }
  boxes.push_back({.path = beginning(box.path, open.depth + 1),
                   .name = part,
                   .look = Look::part,
                   .domain = box.domain,
                   .leads = box.leads,
                   .where = box.where});
  return known->second;
}

void PartFolder::fill(const Open& open) {
  Parts parts;
  std::vector<std::size_t> boxes;  // parallel to the items
  for (const std::size_t item : open.items) boxes.push_back(box_of(open, item, parts));
  join(open, boxes);
  for (auto& [box, items] : parts.items) {
    const std::string path = diagrams_[open.diagram].boxes[box].path;
    diagrams_[open.diagram].boxes[box].inside = diagrams_.size();
    diagrams_[open.diagram].boxes[box].holds = items.size();
    waiting_.push_back({open.flat, std::move(items), open.depth + 1, diagrams_.size()});
    diagrams_.push_back({.name = path, .domain = diagrams_[open.diagram].domain, .within = open.diagram});
  }
}

/// Nets among the boxes; inside of a part, ports where a net goes on outside.
void PartFolder::join(const Open& open, const std::vector<std::size_t>& boxes) {
  const Flat& flat = flats_[open.flat];
  Diagram& diagram = diagrams_[open.diagram];
  std::vector<std::size_t> joined_everywhere(flat.ends.size(), 0);
  for (const Item& item : flat.items)
    for (const std::size_t end : item.ends) ++joined_everywhere[end];
  std::map<std::size_t, std::vector<std::size_t>> nets;  // of an end: boxes
  std::map<std::size_t, std::size_t> joined_here, made_by;
  for (std::size_t k = 0; k < open.items.size(); ++k)
    for (const std::size_t end : flat.items[open.items[k]].ends) {
      ++joined_here[end];
      if (flat.ends[end].producer == open.items[k]) made_by.emplace(end, boxes[k]);
      std::vector<std::size_t>& net = nets[end];
      if (std::find(net.begin(), net.end(), boxes[k]) == net.end()) net.push_back(boxes[k]);
    }
  for (auto& [end, net] : nets) {
    const End& of = flat.ends[end];
    if (const auto maker = made_by.find(end); maker != made_by.end())
      std::stable_partition(net.begin(), net.end(), [&](std::size_t box) { return box == maker->second; });
    if (joined_here[end] < joined_everywhere[end]) {
      diagram.boxes.push_back(
          {.path = of.path, .name = without_section(of.path), .look = Look::port, .domain = diagram.domain});
      const bool comes_in = of.producer && !made_by.contains(end);
      net.insert(comes_in ? net.begin() : net.end(), diagram.boxes.size() - 1);
    }
    if (net.size() > 1) diagram.nets.push_back({of.path, std::move(net), of.producer.has_value(), of.value});
  }
}

}  // namespace takt::picture
