// A service worker in a device: its caches, events, clock, network and the pages that it speaks to.
import { FakeEvent, Target } from "./dom.mjs";
import { settle } from "./page.mjs";

const RealRequest = Request, RealDate = Date;
export const SCOPE = "https://club.example/";

/** Cache Storage, empty. Like a browser's it takes no answer to another method than GET, and keeps the order. */
export function makeCaches() {
  const all = new Map();
  const urlOf = (request) => (typeof request === "string" ? new URL(request, SCOPE).href : request.url);
  class FakeCache {
    entries = new Map();
    async match(request) { return this.entries.get(urlOf(request))?.clone(); }
    async put(request, answer) {
      await fakes.full?.(urlOf(request));
      const body = answer.body ? await answer.arrayBuffer() : null;
      const { status, headers } = answer;
      this.entries.delete(urlOf(request));
      this.entries.set(urlOf(request), new Response(body, { status, headers }));
    }
    async delete(request) { return this.entries.delete(urlOf(request)); }
    async keys() { return [...this.entries.keys()].map((url) => ({ url })); }
  }
  const fakes = {
    full: null,
    open: async (name) => {
      if (!all.has(name)) all.set(name, new FakeCache());
      return all.get(name);
    },
    has: async (name) => all.has(name),
    keys: async () => [...all.keys()],
    delete: async (name) => all.delete(name),
    async match(request) {
      for (const cache of all.values()) if (cache.entries.has(urlOf(request))) return cache.match(request);
      return undefined;
    },
    /** What lies in them: the addresses below the app, by the name of the cache. */
    list: () => Object.fromEntries([...all].map(([name, cache]) => [name, [...cache.entries.keys()].map((url) => url.replace(SCOPE, "/"))])),
  };
  return fakes;
}

/** Everything that a worker finds by name is this one's from now on. */
export function openWorker({ caches = makeCaches(), pages = [] } = {}) {
  const scope = new Target(), timers = new Set();
  let skew = 0;
  const now = () => RealDate.now() + skew;
  const worker = {
    caches, requests: [], messages: [], pages, online: true,
    fetch: () => Promise.reject(new TypeError("no network")),
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
    /** An event of the worker; gives what it responds with, and waits for what it is kept alive for. */
    async event(type, more = {}) {
      const waits = [];
      let answer;
      const event = new FakeEvent(type, { ...more, waitUntil: (done) => waits.push(done), respondWith: (given) => { answer = given; } });
      scope.dispatchEvent(event);
      const done = async () => {
        await Promise.resolve(answer).catch(() => {});
        for (let at = 0; at < waits.length; at++) await waits[at].catch(() => {});
      };
      return { answer, done: done() };
    },
    /** A page is opened, or a script of it asks; gives the answer, once all is done that follows. */
    async ask(path, { mode = "navigate", method = "GET", body, referrer = SCOPE, waits = true, headers = {} } = {}) {
      const request = new RealRequest(SCOPE + path, { method, body, headers });
      Object.defineProperty(request, "mode", { value: mode });
      Object.defineProperty(request, "referrer", { value: referrer });
      const { answer, done } = await worker.event("fetch", { request });
      const given = answer && (await answer);
      if (waits) await Promise.race([done, settle().then(() => settle())]);
      return given;
    },
    async tell(data) {
      const said = [];
      const { done } = await worker.event("message", { data, ports: [{ postMessage: (answer) => said.push(answer) }] });
      await Promise.race([done, settle().then(() => settle())]);
      return said;
    },
  };
  class WorkerDate extends RealDate {
    constructor(...words) { super(...(words.length ? words : [now()])); }
    static now() { return now(); }
  }
  const globals = {
    self: globalThis, location: new URL(`${SCOPE}sw.js`), caches, Date: WorkerDate, offlineApp: undefined,
    addEventListener: scope.addEventListener.bind(scope),
    skipWaiting: () => { worker.skipped = true; },
    clients: { claim: async () => {}, matchAll: async () => pages.map((url) => ({ url, postMessage: (data) => worker.messages.push(data) })) },
    registration: { update: async () => { worker.updates = (worker.updates ?? 0) + 1; } },
    navigator: { languages: ["pl", "en"], get onLine() { return worker.online; } },
    performance: { now },
    fetch(request, options = {}) {
      const url = typeof request === "string" ? request : request.url;
      const asked = { url, path: url.replace(SCOPE, ""), method: request.method ?? options.method ?? "GET", options, request };
      worker.requests.push(asked);
      return Promise.resolve().then(() => worker.fetch(asked));
    },
    setTimeout(work, ms = 0) {
      if (!ms) return setImmediate(work);
      const timer = { at: now() + ms, work };
      timers.add(timer);
      return timer;
    },
    clearTimeout: (timer) => timers.delete(timer),
  };
  for (const [name, value] of Object.entries(globals)) Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  AbortSignal.timeout = () => undefined;
  return worker;
}
