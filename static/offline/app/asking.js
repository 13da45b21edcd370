// What pages know of the program in this phone: whether it is wanted, where its files lie, and what its worker says.
import { below, remember, wanted } from "../storage.js";
import { countLosses } from "./rows.js";

const WORKER_TIMEOUT = 5_000; // milliseconds until a worker that says nothing is left to itself
export { below, wanted };

// The build that this device is to run from now on; null: none.
/** @param {string | null} build */
export const want = (build) => remember("pocket", build);

// What browsers that keep nothing for us refuse.
function remembers() {
  try {
    return localStorage !== null;
  } catch {
    return false;
  }
}

const CACHES = `pocket:${below} `;
/** @param {string | null} build */
export const cacheOf = (build) => CACHES + build;
export const findCaches = async () => (window.caches ? (await caches.keys()).filter((name) => name.startsWith(CACHES)) : []);

// The worker that runs the program; undefined where the plain one, or none, is in charge.
export async function findWorker() {
  const registration = await navigator.serviceWorker?.getRegistration(below);
  const worker = registration?.active;
  return worker?.scriptURL.endsWith("/sw-pocket.js") ? worker : undefined;
}

/** @import { PageMessage, Status } from "../types.js" */

// What the worker answers: {ready, build, version, unsent, aside, fault}; undefined where it says nothing for too long.
// While it is at work it says how far it is, which `heed` hears.
/** @param {PageMessage["pocket"]} what @param {(progress: unknown) => void} heed @returns {Promise<Status | undefined>} */
export async function ask(what, patience = WORKER_TIMEOUT, heed = () => {}) {
  const worker = await findWorker();
  if (!worker) return undefined;
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    /** @type {number | undefined} */
    let timer;
    /** @param {Response} answer */
    /** @param {Status} [answer] */
    const end = (answer) => {
      clearTimeout(timer);
      port1.close();
      resolve(answer);
    };
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(() => end(), patience);
    };
    port1.onmessage = ({ data }) => {
      if (data?.progress === undefined) return end(data);
      wait();
      heed(data.progress);
    };
    wait();
    worker.postMessage({ pocket: what }, [port2]);
  });
}

// Whether the server answers: it, and not a café's page that wants to be clicked first.
export async function reaches() {
  try {
    const answer = await fetch(`${below}pocket/manifest.json`, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout?.(WORKER_TIMEOUT) });
    return answer.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  } catch {
    return false;
  }
}

// Why this browser could not run it: the name of a sentence on the page; undefined where it can.
export function findObstacle() {
  if (!window.isSecureContext) return "insecure";
  if (!navigator.serviceWorker || !window.caches || !window.indexedDB || !window.WebAssembly || !remembers() || !takesModules()) return "browser";
  return undefined;
}

// A browser that has no workers made of modules does not read which kind is asked for.
function takesModules() {
  let reads = false;
  /** @returns {WorkerType} */
  const read = () => { reads = true; throw new TypeError("only asked"); };
  const options = { get type() { return read(); } };
  navigator.serviceWorker.register("", options).catch(() => {});
  return reads;
}

// As players say it: 4.7 MB, 71 MB.
/** @param {number} bytes */
export function formatSize(bytes) {
  const size = bytes / 1e6, digits = size < 10 ? 1 : 0;
  const text = size.toLocaleString(document.documentElement.lang, { style: "unit", unit: "megabyte", minimumFractionDigits: digits, maximumFractionDigits: digits });
  return text.replace(/\s/g, "\u00a0");
}

// What lies in the caches of the program, in bytes.
/** @param {string[]} [names] */
export async function countRoom(names) {
  let sum = 0;
  for (const name of names ?? (await findCaches())) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) sum += (await (await cache.match(request))?.blob())?.size ?? 0;
  }
  return sum;
}

// How many entries would be lost with it. What is kept says so itself: the worker may be busy, or none of ours.
export const countUnsent = () => countLosses().catch(() => 0);

// All that belongs to the program, its worker too; the next page brings the plain one.
export async function removeAll() {
  remember("unsent", null); // somebody wants it so
  await ask("remove");
  want(null);
  for (const name of await findCaches()) await caches.delete(name);
  await new Promise((resolve) => {
    const request = indexedDB.deleteDatabase(`pocket:${below}`);
    request.onsuccess = request.onerror = request.onblocked = resolve;
    setTimeout(resolve, WORKER_TIMEOUT);
  });
  if (await findWorker()) await (await navigator.serviceWorker.getRegistration(below))?.unregister();
}
