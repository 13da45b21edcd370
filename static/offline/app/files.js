// The files of the offline app, in Cache Storage: a cache for each build, with the app's own files of the same version.
const { pathname } = new URL("./", location.href);
const CACHES = `pocket:${pathname} `; // another app of the same host has caches of its own
/** @param {string} build */
const nameOf = (build) => CACHES + build;

const FILE_TIMEOUT = 120_000; // milliseconds until a file that does not arrive is given up for now

// A file is stored once in the phone, except modules: the worker is made of these.
/** @param {string} address */
const cacheFor = (address) => (address.endsWith(".mjs") || !address.includes("/pocket/") ? "default" : "no-store");

/** @import { Kit } from "../types.js" */

const PACKED = ".packed"; // ends the names of files that a folder of files has packed by gzip: no host treats them as such
const KINDS = { json: "application/json", wasm: "application/wasm", zip: "application/zip" };
/** @param {string} address */
const kindOf = (address) => KINDS[/** @type {keyof typeof KINDS} */ (address.split(".").pop())] ?? "application/octet-stream";

// Fetches a file; one that is packed is unpacked here. No browser shows an answer as a page to which its host has led on.
/** @param {string} address @param {boolean | undefined} isPacked @param {RequestInit} options */
export async function fetchFile(address, isPacked, options) {
  const answer = await fetch(isPacked ? address + PACKED : address, options), { body, headers, ok, redirected } = answer;
  if (!ok || !body || !(isPacked || redirected)) return answer;
  if (!isPacked) return new Response(body, { headers });
  return new Response(body.pipeThrough(new DecompressionStream("gzip")), { headers: { "Content-Type": kindOf(address) } });
}

// Thrown when files of the build are missing: a browser may delete them.
export class Missing extends Error {}

/** @param {Kit} kit */
export async function listMissing({ build, files }) {
  const here = new Set((await (await caches.open(nameOf(build))).keys()).map(({ url }) => url));
  return files.filter((address) => !here.has(address));
}

// Fetches missing files; the page that offers the app may have fetched them already.
/** @param {Kit} kit @param {() => void} onFile called after each file */
export async function fill(kit, onFile = () => {}) {
  const cache = await caches.open(nameOf(kit.build));
  for (const address of await listMissing(kit)) {
    const isPacked = kit.host === "alone" && address.startsWith(kit.base);
    /** @type {RequestInit} */
    const options = { cache: cacheFor(address), signal: AbortSignal.timeout?.(FILE_TIMEOUT) };
    const answer = await fetchFile(address, isPacked, options).catch(() => null);
    if (!answer?.ok || answer.headers.get("Cache-Control")?.includes("no-store")) throw new Missing(`no file ${address}`);
    await cache.put(address, answer);
    onFile();
  }
}

/** @param {Kit} kit @param {string} address */
export async function find({ build }, address) {
  return (await caches.open(nameOf(build))).match(address, { ignoreVary: true });
}

/** @param {Kit} kit @param {string} address @param {BodyInit} content */
export async function keep({ build }, address, content) {
  await (await caches.open(nameOf(build))).put(address, new Response(content));
}

/** @param {Kit} kit @param {string} address */
export async function drop({ build }, address) {
  await (await caches.open(nameOf(build))).delete(address);
}

// Deletes all builds except this one.
/** @param {string} build */
export async function dropOthers(build) {
  for (const name of await caches.keys()) if (name.startsWith(CACHES) && name !== nameOf(build)) await caches.delete(name);
}
