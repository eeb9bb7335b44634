// Search where the manual is opened as a file: browsers start no Worker from file://, so its script runs in a hidden frame.
(() => {
  if (location.protocol !== "file:") return
  window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      this.waiting = []
      this.frame = document.createElement("iframe")
      this.frame.hidden = true
      this.frame.srcdoc = "<!doctype html><script></" + "script>"
      this.frame.addEventListener("load", () => this.start(String(url)), { once: true })
      document.body.appendChild(this.frame)
    }

    start(url) {
      const inside = this.frame.contentWindow
      inside.postMessage = data => this.tell(data)
      const script = inside.document.createElement("script")
      script.src = url
      script.onload = () => {
        this.inside = inside
        this.waiting.forEach(data => this.give(data))
      }
      inside.document.body.appendChild(script)
    }

    tell(data) {
      const event = new MessageEvent("message", { data })
      this.dispatchEvent(event)
      if (this.onmessage) this.onmessage(event)
    }

    postMessage(data) {
      this.inside ? this.give(data) : this.waiting.push(data)
    }

    give(data) {
      this.inside.dispatchEvent(new MessageEvent("message", { data }))
    }

    terminate() {
      this.frame.remove()
    }
  }
})()
