"use strict";
// Lines of a figure as the page holds them (plot_json.cpp), with pyramids of their smallest and largest values.

async function bytes_of(text, packed) {
  const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  if (!packed) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/// The decimal numbers that were put in: see Numbers of plot_json.cpp.
async function values_of(line, count, packed) {
  const bytes = await bytes_of(line.values, packed);
  const words = new Uint32Array(line.band ? 2 * count : count), n = words.length;
  for (let i = 0; i < n; ++i)
    words[i] = (bytes[i] << 24) | (bytes[n + i] << 16) | (bytes[2 * n + i] << 8) | bytes[3 * n + i];
  for (let i = 1; i < count; ++i) words[i] ^= words[i - 1];
  for (let i = count; i < n; ++i) words[i] ^= words[i - count];
  const value = (f) => Number((line.offset + line.scale * f).toPrecision(line.digits));
  const all = Float64Array.from(new Float32Array(words.buffer), value);
  const low = all.slice(0, count);
  return {low, high: line.band ? all.slice(count) : low};
}

function places_of(grid) {
  if (grid.x) return Float64Array.from(grid.x);
  const step = grid.count > 1 ? (grid.to - grid.from) / (grid.count - 1) : 0;
  return Float64Array.from({length: grid.count}, (_, i) => Number((grid.from + step * i).toPrecision(12)));
}

/// NaN is no value: the other one counts.
const least = (a, b) => (a < b || b !== b ? a : b);
const most = (a, b) => (a > b || b !== b ? a : b);

class Line {
  constructor(number, label, digits) {
    Object.assign(this, {number, label, digits, shown: false});
  }

  static async read(json, number, figure) {
    const line = new Line(number, json.label, json.digits);
    const grid = figure.grids[json.grid];
    line.grid = json.grid;
    line.x = places_of(grid);
    line.recorded = await values_of(json, grid.count, figure.packed);
    line.samples = (i) =>
      Array.isArray(grid.samples) ? grid.samples[i]
      : i === grid.count - 1 && grid.last ? grid.last : grid.samples || 1;
    line.is_sorted = line.x.every((x, i) => i === 0 || x >= line.x[i - 1]);
    line.convert(1, 0);
    return line;
  }

  /// To another unit.
  convert(factor, offset) {
    const to = (value) => Number((value * factor + offset).toPrecision(this.digits));
    const same = factor === 1 && offset === 0;
    const {low, high} = this.recorded;
    this.low = same ? low : low.map(to);
    this.high = same ? high : low === high ? this.low : high.map(to);
    this.levels = [{low: this.low, high: this.high}];
    while (this.levels.at(-1).low.length > 1) this.levels.push(Line.merged(this.levels.at(-1)));
  }

  /// Neighbours in pairs: one sample far from the others is in every level above it.
  static merged(below) {
    const n = Math.ceil(below.low.length / 2);
    const pair = (choose, values) =>
      Float64Array.from({length: n}, (_, i) => choose(values[2 * i], 2 * i + 1 < values.length ? values[2 * i + 1] : NaN));
    return {low: pair(least, below.low), high: pair(most, below.high)};
  }

  /// The last point that is not after x; -1 before the first.
  index_at(x) {
    let below = -1, above = this.x.length;
    while (above - below > 1) {
      const middle = (below + above) >> 1;
      if (this.x[middle] <= x) below = middle; else above = middle;
    }
    return below;
  }

  /// Points that a view from, to shows, with one more at both ends.
  range(from, to) {
    if (!this.is_sorted) return [0, this.x.length - 1];
    return [Math.max(0, this.index_at(from)), Math.min(this.x.length - 1, this.index_at(to) + 1)];
  }

  /// Smallest and largest value of what lies inside; NaN where nothing does.
  extremes(from, to) {
    let low = NaN, high = NaN;
    let [i, end] = this.range(from, to);
    if (this.is_sorted && end > i && this.x[end] > to) --end;
    if (this.is_sorted && end > i && this.x[i] < from && this.samples(i) === 1 && this.x[i + 1] <= to) ++i;
    while (i <= end) {  // by the largest blocks of the pyramid
      let level = 0;
      while ((i >> level) % 2 === 0 && i + (2 << level) - 1 <= end) ++level;
      low = least(this.levels[level].low[i >> level], low);
      high = most(this.levels[level].high[i >> level], high);
      i += 1 << level;
    }
    return [low, high];
  }

  /// What is known of the line at x: of a merged point the two bounds and how many samples lie between them.
  at(x) {
    const i = this.index_at(x);
    if (i < 0) return null;
    return {low: this.low[i], high: this.high[i], samples: this.samples(i), x: this.x[i]};
  }

  /// At most so many blocks over the view: where they begin, their bounds, and whether one stands for a stretch of x.
  blocks(from, to, columns) {
    const [begin, end] = this.range(from, to);
    let level = 0;
    while (this.is_sorted && (end - begin + 1) >> level > columns) ++level;
    const blocks = [];
    for (let k = begin >> level; k <= end >> level; ++k) {
      const next = Math.min((k + 1) << level, this.x.length - 1);
      blocks.push({x: this.x[k << level], next: this.x[next], low: this.levels[level].low[k],
                   high: this.levels[level].high[k], wide: level === 0 && this.samples(k) > 1});
    }
    return blocks;
  }
}
