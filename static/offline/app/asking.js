// The program in this phone, as pages see it: whether it is wanted, where its files are, and what its worker says.
import { below, remember, wanted } from "../storage.js";
import { countLosses } from "./rows.js";

const WORKER_TIMEOUT = 5_000; // milliseconds until a silent worker is not waited for
export { below, wanted };

// Sets the build that this device runs from now on; null for none.
/** @param {string | null} build */
export const want = (build) => remember("pocket", build);

// False in browsers that refuse storage.
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

// The worker that runs the program; undefined if there is none, or only the plain one.
async function findWorker() {
  const registration = await navigator.serviceWorker?.getRegistration(below);
  const worker = registration?.active;
  return worker?.scriptURL.endsWith("/sw-pocket.js") ? worker : undefined;
}

/** @import { PageMessage, Status } from "../types.js" */

// Asks the worker; returns its status, or undefined if it is silent for too long. While it is at work it reports its
// progress to `onProgress`.
/** @param {PageMessage["pocket"]} what @param {(progress: unknown) => void} onProgress @returns {Promise<Status | undefined>} */
export async function ask(what, patience = WORKER_TIMEOUT, onProgress = () => {}) {
  const worker = await findWorker();
  if (!worker) return undefined;
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    /** @type {number | undefined} */
    let timer;
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
      onProgress(data.progress);
    };
    wait();
    worker.postMessage({ pocket: what }, [port2]);
  });
}

// True if the server answers, not a captive portal.
export async function reaches() {
  try {
    const answer = await fetch(`${below}pocket/manifest.json`, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout?.(WORKER_TIMEOUT) });
    return answer.headers.get("Content-Type")?.startsWith("application/json") ?? false;
  } catch {
    return false;
  }
}

// Why this browser cannot run the program, as the name of a sentence on the page; undefined if it can.
export function findObstacle() {
  if (!window.isSecureContext) return "insecure";
  if (!navigator.serviceWorker || !window.caches || !window.indexedDB || !window.WebAssembly || !remembers() || !takesModules()) return "browser";
  return undefined;
}

// True if the browser has module workers: one without them never reads the `type`.
function takesModules() {
  let reads = false;
  /** @returns {WorkerType} */
  const read = () => { reads = true; throw new TypeError("only asked"); };
  const options = { get type() { return read(); } };
  navigator.serviceWorker.register("", options).catch(() => {});
  return reads;
}

// Formats a number of bytes: 4.7 MB, 71 MB.
/** @param {number} bytes */
export function formatSize(bytes) {
  const size = bytes / 1e6, digits = size < 10 ? 1 : 0;
  const text = size.toLocaleString(document.documentElement.lang, { style: "unit", unit: "megabyte", minimumFractionDigits: digits, maximumFractionDigits: digits });
  return text.replace(/\s/g, "\u00a0");
}

// Counts the bytes in the program's caches.
/** @param {string[]} [names] */
export async function countRoom(names) {
  let sum = 0;
  for (const name of names ?? (await findCaches())) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) sum += (await (await cache.match(request))?.blob())?.size ?? 0;
  }
  return sum;
}

// Counts the entries that would be lost with the program, from its database: the worker may be busy, or not ours.
export const countUnsent = () => countLosses().catch(() => 0);

// Removes the program with its data and its worker; the next page installs the plain one.
export async function removeAll() {
  remember("unsent", null); // this is no loss: it is wanted
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
