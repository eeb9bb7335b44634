// Values of the last minutes: a ring of rows, and over each column pyramids of its smallest and largest values, so that one sample far from
// the others is seen however much time a pixel stands for.

const factor = 16, level_count = 3;

class Column {
  constructor(capacity) {
    this.values = new Float64Array(capacity).fill(NaN);
    this.levels = Array.from({length: level_count}, (_, k) => {
      const size = capacity / factor ** (k + 1);
      return {rows: factor ** (k + 1), size, low: new Float64Array(size).fill(NaN), high: new Float64Array(size).fill(NaN)};
    });
  }

  put(row, value) {
    this.values[row % this.values.length] = value;
    for (const level of this.levels) {
      const block = Math.floor(row / level.rows) % level.size;
      if (row % level.rows === 0) level.low[block] = level.high[block] = value;
      else if (value === value) {  // NaN counts for nothing
        if (!(level.low[block] <= value)) level.low[block] = value;
        if (!(level.high[block] >= value)) level.high[block] = value;
      }
    }
  }
}

export class Store {
  /// @param capacity  rows; whole blocks of the coarsest level
  constructor(capacity = 1 << 18) {
    this.capacity = capacity;
    this.times = new Float64Array(capacity);
    this.columns = new Map();
    this.count = 0;
  }

  /// The oldest row that is there.
  get first() { return Math.max(0, this.count - this.capacity); }
  get oldest() { return this.count > 0 ? this.times[this.first % this.capacity] : NaN; }
  get newest() { return this.count > 0 ? this.times[(this.count - 1) % this.capacity] : NaN; }
  time(row) { return this.times[row % this.capacity]; }

  keep(paths) {
    for (const path of paths) if (!this.columns.has(path)) this.columns.set(path, new Column(this.capacity));
    for (const path of [...this.columns.keys()]) if (!paths.includes(path)) this.columns.delete(path);
  }

  /// @param values  rows of time in ns and the values of these paths
  push(paths, rows, width, values) {
    const columns = [...this.columns.entries()].map(([path, column]) => [column, paths.indexOf(path)]);
    for (let row = 0; row < rows; ++row) {
      const time = values[row * width] / 1e9;
      if (this.count > 0 && time <= this.newest) continue;  // of a watch that takes over from another
      for (const [column, place] of columns) column.put(this.count, place < 0 ? NaN : values[row * width + 1 + place]);
      this.times[this.count % this.capacity] = time;
      ++this.count;
    }
  }

  /// The last row that is not after this time; the one before the oldest where all are.
  row_at(time) {
    let below = this.first - 1, above = this.count;
    while (above - below > 1) {
      const middle = Math.floor((below + above) / 2);
      if (this.time(middle) <= time) below = middle; else above = middle;
    }
    return below;
  }

  value(path, row) {
    const column = this.columns.get(path);
    return column && row >= this.first && row < this.count ? column.values[row % this.capacity] : NaN;
  }

  /// [smallest, largest] of rows from <= row < to; NaN where there are none.
  extremes(path, from, to) {
    const column = this.columns.get(path);
    let low = NaN, high = NaN;
    if (!column) return [low, high];
    const end = Math.min(to, this.count);
    for (let row = Math.max(from, this.first); row < end;) {
      let level = null;
      for (const one of column.levels) if (row % one.rows === 0 && row + one.rows <= end) level = one; else break;
      const place = level ? Math.floor(row / level.rows) % level.size : row % this.capacity;
      const below = level ? level.low[place] : column.values[place], above = level ? level.high[place] : below;
      if (!(low <= below) && below === below) low = below;
      if (!(high >= above) && above === above) high = above;
      row += level ? level.rows : 1;
    }
    return [low, high];
  }
}
