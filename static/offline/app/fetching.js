// Fetches all files of a build into the phone. Files that are there are not fetched again, half a file is never stored.
import { below, cacheOf } from "./asking.js";
import { fetchFile } from "./files.js";
/** @import { FetchedFile, Manifest } from "../types.js" */

const LANES = 3; // files at a time
const STALL_TIMEOUT = 20_000; // milliseconds without a byte until the network counts as lost
const MANIFEST_TIMEOUT = 10_000; // the same for the manifest

export class Damaged extends Error {}

// The server's offer; null if it offers nothing, undefined if it does not answer.
export async function findManifest() {
  try {
    const answer = await fetch(`${below}pocket/manifest.json`, { cache: "no-store", signal: AbortSignal.timeout?.(MANIFEST_TIMEOUT) });
    if (!answer.headers.get("Content-Type")?.startsWith("application/json")) return undefined;
    return answer.ok ? await answer.json() : null;
  } catch {
    return undefined;
  }
}

// The files with their addresses: those of the program, stored once in the phone except modules (the worker is made of
// these, and they are never packed), and those of its pages.
/** @param {string} name */
const isModule = (name) => /\.m?js$/.test(name);
/** @param {Manifest} manifest @returns {FetchedFile[]} */
const filesOf = ({ build, version, files, static: others, packed }) => [
  ...files.map((file) => ({
    ...file, address: `${below}pocket/${build}/${file.name}`, packed: packed && !isModule(file.name),
    cache: /** @type {RequestCache} */ (isModule(file.name) ? "default" : "no-store"),
  })),
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

// Counts the bytes that are here and need not be fetched.
/** @param {Manifest} manifest */
export async function countFetched(manifest) {
  if (!(await caches.has(cacheOf(manifest.build)))) return 0;
  const cache = await caches.open(cacheOf(manifest.build));
  let here = 0;
  for (const file of filesOf(manifest)) if (await isThere(cache, file)) here += file.bytes;
  return here;
}

// Fetches missing files; `onProgress` gets the number of bytes here. If it fails, the files that arrived stay.
/** @param {Manifest} manifest @param {(bytes: number) => void} onProgress @param {AbortController} controller */
export async function fetchAll(manifest, onProgress, controller) {
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
  const onPart = (file, part) => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(new DOMException("no network", "TimeoutError")), STALL_TIMEOUT);
    here.set(file, file.bytes * part);
    onProgress([...here.values()].reduce((all, size) => all + size, 0));
  };
  const fetchSome = async () => {
    for (let file = missing.shift(); file; file = missing.shift()) await store(cache, file, onPart, controller.signal);
  };
  // After a failure the other lanes finish their files and begin no more.
  /** @param {any} error */
  const stop = (error) => { missing.length = 0; throw error; };
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, () => fetchSome().catch(stop)));
  clearTimeout(timer);
  const failed = lanes.find(({ status }) => status === "rejected");
  if (failed) throw /** @type {PromiseRejectedResult} */ (failed).reason;
}

/** @param {Cache} cache @param {FetchedFile} file @param {(file: FetchedFile, part: number) => void} onPart @param {AbortSignal} signal */
async function store(cache, file, onPart, signal) {
  onPart(file, 0);
  const answer = await fetchFile(file.address, file.packed, { signal, cache: file.cache });
  if (!answer.ok) throw new Damaged(`${answer.status} ${file.address}`);
  if (!answer.body) throw new Damaged(`no body ${file.address}`);
  const parts = [], reader = answer.body.getReader();
  let read = 0;
  for (let { value } = await reader.read(); value; { value } = await reader.read()) {
    parts.push(value);
    read += value.length;
    onPart(file, Math.min(1, read / file.raw));
  }
  if (read !== file.raw) throw new Damaged(`${read} of ${file.raw} bytes ${file.address}`);
  const type = answer.headers.get("Content-Type") ?? "";
  await cache.put(file.address, new Response(new Blob(parts, { type }), { headers: { "Content-Type": type } }));
  onPart(file, 1);
}
