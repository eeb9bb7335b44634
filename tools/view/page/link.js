// The connection to one run: requests and answers, rows of values, what has become of the run.

const rows_of_watch = 1, rows_of_scope = 2;

export class Link {
  /// @param on  hello, events, event, active, dropped, rows, scope, ended, lost: functions
  constructor(run, on) {
    Object.assign(this, {run, on, number: 0, waiting: new Map(), is_over: false, is_open: false});
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    this.socket = new WebSocket(`${scheme}://${location.host}/talk?run=${encodeURIComponent(run)}`);
    this.socket.binaryType = "arraybuffer";
    this.socket.onmessage = (message) => (typeof message.data === "string" ? this.take(JSON.parse(message.data)) : this.take_block(message.data));
    this.socket.onclose = (event) => this.closed(event.reason);
  }

  ask(verb, fields = {}) {
    if (this.socket.readyState !== WebSocket.OPEN) return Promise.reject(new Error("the run cannot be asked now"));
    const id = ++this.number;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, {resolve, reject});
      this.socket.send(JSON.stringify(verb === "act" ? {id, ...fields} : {id, verb, ...fields}));
    });
  }

  take(message) {
    if (message.view === "hello") this.is_open = true;
    if (message.view) return message.view === "lost" ? this.closed("the tap of the run is gone") : this.on[message.view]?.(message);
    if (message.id !== undefined) {
      const asked = this.waiting.get(message.id);
      this.waiting.delete(message.id);
      if (message.ok) asked?.resolve(message); else asked?.reject(new Error(message.error));
      return;
    }
    if (message.ended) {
      this.is_over = true;
      return this.on.ended(message);
    }
    if (message.event) this.on.event(message);
    if (message.scope !== undefined) this.on.scope(message, null);
    if (message.ok === false) this.on.problem(message.error);
  }

  take_block(bytes) {
    const [kind, number, rows, columns] = new Uint32Array(bytes, 0, 4);
    const values = new Float64Array(bytes, 16);
    if (kind === rows_of_watch) this.on.rows(number, rows, columns, values);
    if (kind === rows_of_scope) this.on.scope({scope: number, rows, columns}, values);
  }

  closed(why) {
    if (this.is_closed) return;
    this.is_closed = true;
    for (const {reject} of this.waiting.values()) reject(new Error("the connection was lost before this was answered"));
    this.waiting.clear();
    this.on.lost(why || "");
  }

  close() {
    this.is_closed = true;
    this.socket.close();
  }
}
