#include "tools/picture/grid_layout.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <set>
#include <utility>

using takt::picture::Cell;
using takt::picture::grid_layout;
using takt::picture::GridGraph;
using takt::picture::GridLayout;
using takt::picture::Pin;
using takt::picture::Trunk;

namespace {

GridGraph graph(std::size_t boxes, std::vector<std::vector<std::size_t>> nets) {
  GridGraph made{.boxes = boxes, .nets = std::move(nets), .hubs = {}, .leads = std::vector<int>(boxes, 0)};
  made.hubs.assign(made.nets.size(), takt::picture::no_box);
  made.leads[0] = 1;
  return made;
}

/// No two boxes in one cell; each net reaches all its boxes, from the channel beside them.
void check(const GridGraph& graph, const GridLayout& layout) {
  std::set<std::pair<int, int>> taken;
  for (const Cell& cell : layout.cells) {
    REQUIRE(taken.insert({cell.column, cell.row}).second);
    REQUIRE(cell.column >= 0);
    REQUIRE(cell.column < layout.columns);
    REQUIRE(cell.row >= 0);
    REQUIRE(cell.row < layout.rows);
  }
  std::vector<std::set<std::size_t>> reached(graph.nets.size());
  for (const Trunk& trunk : layout.trunks)
    for (const Pin& pin : trunk.pins) {
      REQUIRE((reached[trunk.net].insert(pin.box).second || pin.box == graph.hubs[trunk.net]));
      REQUIRE(layout.cells[pin.box].column == (pin.on_the_left ? trunk.channel + 1 : trunk.channel));
    }
  for (std::size_t net = 0; net < graph.nets.size(); ++net)
    REQUIRE(reached[net] == std::set<std::size_t>(graph.nets[net].begin(), graph.nets[net].end()));
}

GridGraph ladder(std::size_t sections) {
  std::vector<std::vector<std::size_t>> nets;  // a box along, a box across, and so on
  for (std::size_t k = 0; k + 1 < sections; ++k) nets.push_back({2 * k, 2 * k + 1, 2 * k + 2});
  return graph(2 * sections - 1, nets);
}

}  // namespace

TEST_CASE("a_chain_keeps_to_its_row") {
  const GridGraph chain = graph(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}});
  const GridLayout layout = grid_layout(chain);
  check(chain, layout);
  for (std::size_t box = 0; box < 5; ++box) CHECK(layout.cells[box] == Cell{static_cast<int>(box), 0});
}

TEST_CASE("a_loop_closes_without_a_wire_over_a_box") {
  const GridGraph loop = graph(8, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}, {5, 6}, {6, 7}, {7, 0}});
  const GridLayout layout = grid_layout(loop);
  check(loop, layout);
  CHECK(layout.columns == 5);
  CHECK(layout.rows == 2);
}

TEST_CASE("what_hangs_on_a_net_stands_beside_it") {
  const GridGraph star = graph(9, {{0, 1, 2, 3, 4, 5, 6, 7, 8}});
  const GridLayout layout = grid_layout(star);
  check(star, layout);
  CHECK(layout.columns == 2);
  CHECK(layout.rows <= 5);  // nine boxes in two columns
}

TEST_CASE("a_box_that_is_a_node_stands_between_those_it_joins") {
  GridGraph pipes = graph(6, {{0, 1, 2, 3}, {2, 4}, {3, 4}, {4, 5}});  // 1 is the first net
  pipes.hubs[0] = 1;
  const GridLayout layout = grid_layout(pipes);
  check(pipes, layout);
  CHECK(layout.cells[1] == Cell{1, 0});
  CHECK(layout.cells[2] == Cell{2, 0});
  CHECK(layout.cells[3] == Cell{2, 1});
  CHECK(layout.cells[4] == Cell{3, 0});
}

TEST_CASE("a_long_ladder_goes_on_below_and_stays_as_wide_as_it_is_high") {
  const GridGraph long_one = ladder(500);
  const GridLayout layout = grid_layout(long_one);
  check(long_one, layout);
  CHECK(layout.columns < 60);
  CHECK(layout.rows < 80);
}

TEST_CASE("boxes_that_nothing_joins_fill_rows") {
  const GridGraph apart = graph(40, {});
  const GridLayout layout = grid_layout(apart);
  check(apart, layout);
  CHECK(layout.rows <= 4);
}

TEST_CASE("one_more_on_a_net_moves_little") {
  GridGraph before = ladder(13);
  const GridLayout first = grid_layout(before);
  before.nets[3].push_back(before.boxes++);
  before.leads.push_back(0);
  const GridLayout second = grid_layout(before);
  check(before, second);
  std::size_t moved = 0;
  for (std::size_t box = 0; box < first.cells.size(); ++box) moved += first.cells[box] == second.cells[box] ? 0 : 1;
  CHECK(moved * 10 <= first.cells.size());
}
