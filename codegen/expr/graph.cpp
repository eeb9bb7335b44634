// Storage of the Graph: nodes, hash-consing, symbols, tables, walks.

#include <algorithm>
#include <bit>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "codegen/expr/expr.hpp"

namespace takt::codegen {
namespace {

std::uint64_t mix(std::uint64_t hash, std::uint64_t value) {
  hash ^= value + 0x9E37'79B9'7F4A'7C15ULL + (hash << 6U) + (hash >> 2U);
  hash *= 0xFF51'AFD7'ED55'8CCDULL;
  return hash ^ (hash >> 32U);
}

bool commutes(Op op) {
  return op == Op::add || op == Op::mul || op == Op::equal || op == Op::logical_and ||
         op == Op::logical_or;
}

/// The same for a+b and b+a, which are the same bits.
std::uint64_t hash_of(const Node& node) {
  const auto [first, second] = commutes(node.op)
                                   ? std::minmax(node.a, node.b)
                                   : std::pair<const Expr&, const Expr&>(node.a, node.b);
  std::uint64_t hash = static_cast<std::uint64_t>(node.op);
  hash = mix(hash, std::bit_cast<std::uint64_t>(node.value));
  hash = mix(hash, node.payload);
  hash = mix(hash, static_cast<std::uint64_t>(first) << 32U | static_cast<std::uint64_t>(second));
  return mix(hash, static_cast<std::uint64_t>(node.c));
}

bool same(const Node& a, const Node& b) {
  return a.op == b.op &&
         std::bit_cast<std::uint64_t>(a.value) == std::bit_cast<std::uint64_t>(b.value) &&
         a.payload == b.payload && a.c == b.c &&
         ((a.a == b.a && a.b == b.b) || (commutes(a.op) && a.a == b.b && a.b == b.a));
}

std::uint32_t hash_of(std::string_view path) {
  const std::uint64_t hash = std::hash<std::string_view>{}(path);
  return static_cast<std::uint32_t>(hash ^ (hash >> 32U));
}

std::uint32_t index_of(Expr e) { return static_cast<std::uint32_t>(e); }

}  // namespace

SymbolId Graph::make_symbol(std::string path, std::string unit) {
  const auto id = static_cast<SymbolId>(symbols_.size());
  if (2 * (symbols_.size() + 1) > path_slots_.size()) {
    const std::vector<PathSlot> before = std::exchange(
        path_slots_, std::vector<PathSlot>(std::max<std::size_t>(64, 2 * path_slots_.size())));
    for (const PathSlot& slot : before)
      if (slot.symbol != none) path_slots_[slot_of(symbols_[slot.symbol].path, slot.hash)] = slot;
  }
  const std::uint32_t hash = hash_of(path);
  PathSlot& slot = path_slots_[slot_of(path, hash)];
  if (slot.symbol != none) throw std::logic_error("symbol made twice: " + path);
  slot = {hash, static_cast<std::uint32_t>(id)};
  symbols_.push_back({std::move(path), std::move(unit)});
  symbol_nodes_.push_back(none);
  return id;
}

SymbolId Graph::find_or_make_symbol(const std::string& path, const std::string& unit) {
  const auto known = find_symbol(path);
  return known ? *known : make_symbol(path, unit);
}

const Symbol& Graph::symbol(SymbolId id) const { return symbols_.at(static_cast<std::size_t>(id)); }
std::size_t Graph::symbol_count() const { return symbols_.size(); }

std::optional<SymbolId> Graph::find_symbol(std::string_view path) const {
  if (path_slots_.empty()) return std::nullopt;
  const std::uint32_t found = path_slots_[slot_of(path, hash_of(path))].symbol;
  return found == none ? std::nullopt : std::optional(static_cast<SymbolId>(found));
}

std::size_t Graph::slot_of(std::string_view path, std::uint32_t hash) const {
  const std::size_t mask = path_slots_.size() - 1;
  std::size_t slot = hash & mask;
  while (path_slots_[slot].symbol != none &&
         (path_slots_[slot].hash != hash || symbols_[path_slots_[slot].symbol].path != path))
    slot = (slot + 1) & mask;
  return slot;
}

TableId Graph::make_table(Table table) {
  tables_.push_back(std::move(table));
  return static_cast<TableId>(tables_.size() - 1);
}

const Table& Graph::table(TableId id) const { return tables_.at(static_cast<std::size_t>(id)); }
std::size_t Graph::table_count() const { return tables_.size(); }

bool Graph::find(const Node& node, Expr& found) const {
  if (slots_.empty()) return false;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t slot = hash_of(node) & mask; slots_[slot] != none; slot = (slot + 1) & mask) {
    if (same(nodes_[slots_[slot]], node)) {
      found = static_cast<Expr>(slots_[slot]);
      return true;
    }
  }
  return false;
}

void Graph::insert(std::uint32_t index) {
  const std::size_t mask = slots_.size() - 1;
  std::size_t slot = hash_of(nodes_[index]) & mask;
  while (slots_[slot] != none) slot = (slot + 1) & mask;
  slots_[slot] = index;
}

void Graph::grow() {
  slots_.assign(std::max<std::size_t>(64, 2 * slots_.size()), none);
  for (std::uint32_t index = 0; index < nodes_.size(); ++index) insert(index);
}

Expr Graph::intern(const Node& node) {
  Expr found{};
  if (find(node, found))
    return found;  // of operators that commute the order of the first user is kept for reading
  if (nodes_.size() >= none - 1) throw std::length_error("expression graph has too many nodes");
  nodes_.push_back(node);
  if (2 * nodes_.size() > slots_.size()) {
    grow();
  } else {
    insert(static_cast<std::uint32_t>(nodes_.size() - 1));
  }
  return static_cast<Expr>(nodes_.size() - 1);
}

Expr Graph::constant(double value) {
  if (value == 0.0) value = 0.0;             // one zero
  if (value != value) value = std::nan("");  // one NaN
  return intern({.op = Op::constant, .value = value});
}

Expr Graph::use(SymbolId id) {
  const Expr e = intern({.op = Op::symbol, .payload = static_cast<std::uint32_t>(id)});
  symbol_nodes_.at(static_cast<std::size_t>(id)) = index_of(e);
  return e;
}

const Node& Graph::node(Expr e) const { return nodes_[index_of(e)]; }
std::size_t Graph::size() const { return nodes_.size(); }

int Graph::arity(Op op) {
  switch (op) {
    case Op::constant:
    case Op::symbol:
      return 0;
    case Op::neg:
    case Op::sqrt:
    case Op::exp:
    case Op::log:
    case Op::sin:
    case Op::cos:
    case Op::tan:
    case Op::asin:
    case Op::acos:
    case Op::atan:
    case Op::tanh:
    case Op::abs:
    case Op::sign:
    case Op::floor:
    case Op::logical_not:
    case Op::table:
    case Op::table_slope:
      return 1;
    case Op::select:
      return 3;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::div:
    case Op::pow:
    case Op::atan2:
    case Op::min:
    case Op::max:
    case Op::mod:
    case Op::less:
    case Op::less_equal:
    case Op::equal:
    case Op::logical_and:
    case Op::logical_or:
    case Op::table2:
    case Op::table2_x:
    case Op::table2_y:
    case Op::table2_xy:
      return 2;
  }
  return 0;  // not reached: the compiler warns of an operation without a case
}

bool Graph::is_constant(Expr e) const { return node(e).op == Op::constant; }
bool Graph::is_constant(Expr e, double value) const {
  return is_constant(e) && node(e).value == value;
}

bool Graph::is_condition(Expr e) const {
  // A chain of selects is followed a few steps only; the answer "no" is always safe.
  const auto simple = [this](Expr x) {
    const Node& n = node(x);
    switch (n.op) {
      case Op::constant:
        return n.value == 0.0 || n.value == 1.0;
      case Op::less:
      case Op::less_equal:
      case Op::equal:
      case Op::logical_and:
      case Op::logical_or:
      case Op::logical_not:
        return true;
      default:
        return false;
    }
  };
  const Node& n = node(e);
  return simple(e) || (n.op == Op::select && simple(n.b) && simple(n.c));
}

std::uint32_t Graph::node_of(SymbolId id) const {
  return symbol_nodes_.at(static_cast<std::size_t>(id));
}

std::vector<std::uint32_t> Graph::collect(const std::vector<Expr>& roots,
                                          std::uint32_t lowest) const {
  // Small walks of a large graph must not cost its size: which walk has seen a node is noted, and
  // never cleared.
  thread_local std::vector<std::uint32_t> seen_in, stack;
  thread_local std::uint32_t walk = 0;
  if (++walk == 0) {
    std::fill(seen_in.begin(), seen_in.end(), 0);
    walk = 1;
  }
  if (seen_in.size() < nodes_.size()) seen_in.resize(nodes_.size(), 0);
  std::vector<std::uint32_t> found;
  const auto visit = [&](std::uint32_t index) {
    if (index < lowest || seen_in[index] == walk) return;
    seen_in[index] = walk;
    found.push_back(index);
    stack.push_back(index);
  };
  for (const Expr root : roots) visit(index_of(root));
  while (!stack.empty()) {
    const Node& n = nodes_[stack.back()];
    stack.pop_back();
    const int operands = arity(n.op);
    if (operands > 0) visit(index_of(n.a));
    if (operands > 1) visit(index_of(n.b));
    if (operands > 2) visit(index_of(n.c));
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::vector<Expr> Graph::reachable(const std::vector<Expr>& roots) const {
  std::vector<Expr> result;
  for (const std::uint32_t index : collect(roots, 0)) result.push_back(static_cast<Expr>(index));
  return result;
}

bool Graph::depends_on(Expr e, SymbolId id) const {
  const std::uint32_t wanted = node_of(id);
  if (wanted == none || wanted > index_of(e)) return false;
  const std::vector<std::uint32_t> walk = collect({e}, wanted);
  return !walk.empty() && walk.front() == wanted;
}

std::vector<SymbolId> Graph::symbols_of(Expr e) const { return symbols_of(std::vector<Expr>{e}); }

std::vector<SymbolId> Graph::symbols_of(const std::vector<Expr>& roots) const {
  std::vector<SymbolId> symbols;
  for (const std::uint32_t index : collect(roots, 0)) {
    if (nodes_[index].op == Op::symbol)
      symbols.push_back(static_cast<SymbolId>(nodes_[index].payload));
  }
  std::sort(symbols.begin(), symbols.end());
  return symbols;
}

}  // namespace takt::codegen
