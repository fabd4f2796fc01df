// Commands to the server, and the stream of "something changed" from it.

/** POSTs JSON with the CSRF token. The same `key` is sent again after a lost connection, so nothing is done twice. */
export async function post(url, body, tries = 3) {
  for (let attempt = 1; ; attempt++) {
    try {
      const response = await fetch(url, {
        method: 'POST', credentials: 'same-origin', body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', Accept: 'application/json', 'X-CSRFToken': csrf() },
      });
      if (response.status >= 502 && attempt < tries) throw new TypeError('gateway');
      return { status: response.status, data: await response.json().catch(() => null) };
    } catch (error) {
      if (attempt >= tries) return { status: 0, data: null };
      await new Promise(done => setTimeout(done, 500 * 2 ** attempt));
    }
  }
}

export async function get(url) {
  try {
    const response = await fetch(url, { credentials: 'same-origin', headers: { Accept: 'application/json' } });
    return { status: response.status, data: await response.json().catch(() => null) };
  } catch { return { status: 0, data: null }; }
}

const csrf = () => document.querySelector('[name=csrfmiddlewaretoken]')?.value ?? '';
/** A key for one command. randomUUID needs a secure context, and a home network has none. */
export const newKey = () => crypto.randomUUID?.() ?? Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(16)).join('-');

/**
 * Calls `changed(topic, version)` for each message and heartbeat, and `state(up, failures)` when the line goes down or comes back;
 * after a few failures in a row the pass may have expired, so the page should be asked for anew.
 * Several tabs of one browser that watch the same topics share one stream: the holder of a Web Lock listens and passes on.
 */
export class Live {
  constructor({ url, name, topics = [], changed, state }) {
    Object.assign(this, { url, topics, changed, state, wait: 500, failures: 0, source: null, timer: 0, heard: performance.now() });
    this.channel = 'BroadcastChannel' in self ? new BroadcastChannel(`live ${name}`) : null;
    if (this.channel) this.channel.onmessage = ({ data }) => this.take(data);
    // The lock is held for as long as this page lives; the next tab in the queue takes over when it closes.
    if (navigator.locks && this.channel) navigator.locks.request(`live ${name}`, () => { this.open(); return new Promise(() => {}); });
    else this.open();
    addEventListener('online', () => this.again());
    addEventListener('offline', () => { if (this.leads) this.lost(); else this.state(false); });
    document.addEventListener('visibilitychange', () => { if (document.visibilityState === 'visible') this.awake(); });
    setInterval(() => this.check(), 5000);
  }

  open() {
    this.leads = true;
    this.source?.close();
    this.source = new EventSource(this.url);
    this.source.onopen = () => { this.wait = 500; this.failures = 0; this.tell({ up: true }); };
    this.source.onerror = () => this.lost();
    this.source.onmessage = ({ data }) => this.tell({ text: data });
    this.source.addEventListener('versions', ({ data }) => this.tell({ text: data }));
    this.source.addEventListener('heartbeat', ({ data }) => this.tell({ text: data }));
  }

  tell(message) { this.take(message); this.channel?.postMessage(message); }

  take({ up = true, text, failures = 0 }) {
    this.heard = performance.now();
    this.state(up, failures);
    for (const line of (text ?? '').split(/[\n,;]/)) {
      const [topic, version] = line.trim().split(' ');
      if (version && /^\d+$/.test(version)) this.changed(topic, Number(version));
    }
  }

  lost() {
    this.source?.close();
    this.source = null;
    this.failures += 1;
    this.tell({ up: false, failures: this.failures });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.renew().then(() => this.open()), this.wait * (0.75 + Math.random() / 2));
    this.wait = Math.min(this.wait * 2, 30000);
  }

  /** A pass lasts for minutes, so that it dies soon after a log-out; whoever is still logged in gets a new one. */
  async renew() {
    if (!this.topics.length) return;
    const { status, data } = await get(`/api/v1/live/?${this.topics.map(topic => `topic=${encodeURIComponent(topic)}`).join('&')}`);
    if (status === 200) this.url = `/live/?token=${encodeURIComponent(data.token)}`;
  }

  again() { if (this.leads && !this.source) { clearTimeout(this.timer); this.wait = 500; this.open(); } }
  /** A page that slept missed messages: ask for the present state, and for a new stream if this one is dead. */
  awake() { this.again(); this.changed('*', Infinity); this.check(); }
  /** Heartbeats come every 15 s; a line that is silent for 35 s is dead even if the browser does not know it. */
  check() { if (performance.now() - this.heard > 35000) { if (this.leads) this.lost(); else this.state(false); } }
}
