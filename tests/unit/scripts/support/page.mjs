// A page in a browser: its document, address, clock, locks, network and the messages between its tabs.
import { countLoaded } from "./fresh.mjs";
import { FakeDocument, FakeElement, FakeEvent, Target } from "./dom.mjs";

const realTimeout = setTimeout, RealDate = Date, RealFormData = FormData;
const ORIGIN = "https://club.example";

const isReading = () => process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"));

/** Waits until nothing more happens by itself; a module that is still being read is waited for, however long. */
export async function settle(rounds = 150) {
  for (let before, loaded = await countLoaded(); before !== loaded; loaded = await countLoaded()) {
    before = loaded;
    for (const pause of [2, 2, 0]) {
      for (let n = 0; n < rounds; n = isReading() ? 0 : n + 1) await new Promise((go) => setImmediate(go));
      if (pause) await new Promise((go) => realTimeout(go, pause));
    }
  }
}

class FormDataOfForm extends RealFormData {
  constructor(form, submitter) {
    super();
    for (const element of form?.elements ?? []) {
      if (!element.name || element.disabled || ["submit", "button"].includes(element.type)) continue;
      if (["radio", "checkbox"].includes(element.type) && !element.checked) continue;
      this.append(element.name, element.value);
    }
    if (submitter?.name) this.append(submitter.name, submitter.value);
    form?.dispatchEvent(new FakeEvent("formdata", { bubbles: true, formData: this }));
  }
}

/** What all tabs of one browser share: locks, and messages. */
export function makeBrowser() {
  const turns = new Map(), channels = new Set();
  const locks = {
    request(name, work) {
      const done = (turns.get(name) ?? Promise.resolve()).then(work);
      turns.set(name, done.catch(() => {}));
      return done;
    },
  };
  class Channel {
    constructor(name) {
      this.name = name;
      channels.add(this);
    }
    postMessage(data) {
      for (const other of channels) if (other !== this && other.name === this.name) queueMicrotask(() => other.onmessage?.({ data: structuredClone(data) }));
    }
  }
  return { locks, Channel };
}

/**
 * Opens a page: everything that scripts find by name is its own from now on.
 * `session` and `local` are what their storages hold; `page.fetch` is what the network does, `page.advance(ms)` moves the clock.
 */
export function openPage(html, { path = "/", browser = makeBrowser(), cameBy = "navigate", session = {}, local = {} } = {}) {
  const window = new Target(), document = new FakeDocument(html), timers = new Set();
  document.window = window;
  let skew = 0;
  const now = () => RealDate.now() + skew;
  const address = new URL(path, ORIGIN);
  const page = {
    document, window, visited: [], reloads: 0, requests: [], online: true,
    fetch: () => Promise.reject(new TypeError("no network")),
    find: (selector) => document.querySelector(selector),
    async advance(ms) {
      await settle();
      const end = now() + ms;
      for (;;) {
        const next = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0];
        if (!next) break;
        timers.delete(next);
        skew += Math.max(0, next.at - now());
        next.work();
        await settle();
      }
      skew += Math.max(0, end - now());
      await settle();
    },
    send(type, options = {}) { window.dispatchEvent(new FakeEvent(type, options)); },
    type(element, value) {
      element.value = value;
      element.dispatchEvent(new FakeEvent("input", { bubbles: true }));
    },
    choose(element, checked = true) {
      element.checked = checked;
      for (const type of ["input", "change"]) element.dispatchEvent(new FakeEvent(type, { bubbles: true }));
    },
    tap(element, detail = 1) {
      for (const type of ["pointerdown", "pointerup"]) element.dispatchEvent(new FakeEvent(type, { bubbles: true }));
      const click = new FakeEvent("click", { bubbles: true, detail });
      element.dispatchEvent(click);
      return click;
    },
    key(element, key) {
      const event = new FakeEvent("keydown", { bubbles: true, key });
      element.dispatchEvent(event);
      return event;
    },
  };
  const storage = (values) => ({
    getItem: (name) => values[name] ?? null,
    setItem: (name, value) => { values[name] = String(value); },
    removeItem: (name) => { delete values[name]; },
  });
  class PageDate extends RealDate {
    constructor(...words) { super(...(words.length ? words : [now()])); }
    static now() { return now(); }
  }
  const location = {
    get href() { return address.href; },
    get pathname() { return address.pathname; },
    get search() { return address.search; },
    get hash() { return address.hash; },
    set hash(value) { address.hash = value; },
    toString: () => address.href,
    assign: (to) => page.visited.push(new URL(to, address).pathname),
    reload: () => { page.reloads++; },
  };
  const globals = {
    window, document, location, Date: PageDate, Event: FakeEvent, CustomEvent: FakeEvent, FormData: FormDataOfForm, Node: FakeElement,
    RadioNodeList: Array, HTMLElement: FakeElement, HTMLInputElement: FakeElement,
    addEventListener: window.addEventListener.bind(window),
    history: { replaceState: (_state, _title, to) => { address.href = new URL(to, address).href; } },
    navigator: { locks: browser.locks, get onLine() { return page.online; } },
    BroadcastChannel: browser.Channel,
    sessionStorage: storage(session), localStorage: storage(local),
    performance: { timeOrigin: now(), now: () => now(), getEntriesByType: () => [{ type: cameBy }] },
    getComputedStyle: ({ style }) => ({ position: "static", ...style }),
    matchMedia: () => ({ matches: true, addEventListener() {} }),
    scrollBy() {}, scrollTo() {}, innerHeight: 800, innerWidth: 400, scrollY: 0,
    requestAnimationFrame: (work) => setImmediate(work),
    ResizeObserver: class { observe() {} disconnect() {} },
    CSS: { escape: (text) => text.replace(/([^\w-])/g, "\\$1") },
    getSelection: () => ({ isCollapsed: true }),
    DOMParser: class { parseFromString(text) { return new FakeDocument(text); } },
    submitted: [],
    fetch(url, options = {}) {
      const request = { url: String(url), ...options, fields: options.body ? [...options.body] : [] };
      page.requests.push(request);
      return Promise.resolve().then(() => page.fetch(request));
    },
    setTimeout(work, ms = 0) {
      if (!ms) return realTimeout(work, 0);
      const timer = { at: now() + ms, work };
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => (timers.has(timer) ? timers.delete(timer) : clearTimeoutOf(timer)),
    setInterval: () => 0,
  };
  Object.assign(window, { isSecureContext: true, matchMedia: globals.matchMedia });
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  AbortSignal.timeout = () => undefined; // no timer that outlives its test
  return page;
}

const realClear = clearTimeout;
const clearTimeoutOf = (timer) => { if (timer && typeof timer === "object" && "hasRef" in timer) realClear(timer); };

/** An answer of the app. */
export function reply(body = "", { status = 200, headers = {} } = {}) {
  const isJson = typeof body !== "string";
  const all = { "X-Version": "1", "X-Browser": "me", "Content-Type": isJson ? "application/json" : "text/html", ...headers };
  for (const [name, value] of Object.entries(all)) if (value === null) delete all[name];
  return new Response(isJson ? JSON.stringify(body) : body, { status, headers: all });
}
