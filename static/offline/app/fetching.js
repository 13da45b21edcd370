// All files of one build of the program, fetched into the phone: what is there is not fetched again, and half is never used.
import { below, cacheOf } from "./asking.js";
/** @import { FetchedFile, Manifest } from "../types.js" */

const LANES = 3; // files at a time
const STALL_TIMEOUT = 20_000; // milliseconds without a byte until there is no network
const MANIFEST_TIMEOUT = 10_000; // the same for what is small

export class Damaged extends Error {}

// What the server offers; null where it offers nothing, undefined where it does not answer.
export async function findManifest() {
  try {
    const answer = await fetch(`${below}pocket/manifest.json`, { cache: "no-store", signal: AbortSignal.timeout?.(MANIFEST_TIMEOUT) });
    if (!answer.headers.get("Content-Type")?.startsWith("application/json")) return undefined;
    return answer.ok ? await answer.json() : null;
  } catch {
    return undefined;
  }
}

// The files with their addresses: those of the program, once in the phone but for those that its worker is made of,
// and what its pages need beside.
/** @param {string} name @returns {RequestCache} */
const cacheFor = (name) => (name.endsWith(".mjs") ? "default" : "no-store");
/** @param {Manifest} manifest @returns {FetchedFile[]} */
const filesOf = ({ build, version, files, static: others }) => [
  ...files.map((file) => ({ ...file, address: `${below}pocket/${build}/${file.name}`, cache: cacheFor(file.name) })),
  ...others.map((file) => ({ ...file, address: `${below}static/${version}/${file.name}`, cache: /** @type {RequestCache} */ ("default") })),
];

/** @param {FetchedFile[]} files @param {"bytes" | "raw"} what */
const sum = (files, what) => files.reduce((all, file) => all + file[what], 0);
/** @param {Manifest} manifest */
export const sizeOf = (manifest) => sum(filesOf(manifest), "bytes"); // to fetch
/** @param {Manifest} manifest */
export const roomOf = (manifest) => sum(filesOf(manifest), "raw"); // in the phone

/** @param {Cache} cache @param {FetchedFile} file */
async function isThere(cache, file) {
  const found = await cache.match(file.address);
  return found !== undefined && (await found.blob()).size === file.raw;
}

// How much of it is here, in bytes that need not be fetched.
/** @param {Manifest} manifest */
export async function countFetched(manifest) {
  if (!(await caches.has(cacheOf(manifest.build)))) return 0;
  const cache = await caches.open(cacheOf(manifest.build));
  let here = 0;
  for (const file of filesOf(manifest)) if (await isThere(cache, file)) here += file.bytes;
  return here;
}

// Fetches what is missing, and `tell`s how many bytes are here. Whatever fails, what arrived whole stays.
/** @param {Manifest} manifest @param {(bytes: number) => void} tell @param {AbortController} controller */
export async function fetchAll(manifest, tell, controller) {
  const cache = await caches.open(cacheOf(manifest.build)), here = new Map();
  /** @type {FetchedFile[]} */
  const missing = [];
  for (const file of filesOf(manifest)) {
    if (await isThere(cache, file)) here.set(file, file.bytes);
    else missing.push(file);
  }
  /** @type {number | undefined} */
  let timer;
  /** @param {FetchedFile} file @param {number} part */
  const heed = (file, part) => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(new DOMException("no network", "TimeoutError")), STALL_TIMEOUT);
    here.set(file, file.bytes * part);
    tell([...here.values()].reduce((all, size) => all + size, 0));
  };
  const fetchSome = async () => {
    for (let file = missing.shift(); file; file = missing.shift()) await fetchFile(cache, file, heed, controller.signal);
  };
  // Where one fails the others bring to an end what they have begun, and begin nothing more.
  /** @param {any} error */
  const stop = (error) => { missing.length = 0; throw error; };
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, () => fetchSome().catch(stop)));
  clearTimeout(timer);
  const failed = lanes.find(({ status }) => status === "rejected");
  if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
}

/** @param {Cache} cache @param {FetchedFile} file @param {(file: FetchedFile, part: number) => void} heed @param {AbortSignal} signal */
async function fetchFile(cache, file, heed, signal) {
  heed(file, 0);
  const answer = await fetch(file.address, { signal, cache: file.cache });
  if (!answer.ok) throw new Damaged(`${answer.status} ${file.address}`);
  if (!answer.body) throw new Damaged(`no body ${file.address}`);
  const parts = [], reader = answer.body.getReader();
  let read = 0;
  for (let { value } = await reader.read(); value; { value } = await reader.read()) {
    parts.push(value);
    read += value.length;
    heed(file, Math.min(1, read / file.raw));
  }
  if (read !== file.raw) throw new Damaged(`${read} of ${file.raw} bytes ${file.address}`);
  const type = answer.headers.get("Content-Type") ?? "";
  await cache.put(file.address, new Response(new Blob(parts, { type }), { headers: { "Content-Type": type } }));
  heed(file, 1);
}
