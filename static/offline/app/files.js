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
    const answer = await fetch(address, { cache: cacheFor(address), signal: AbortSignal.timeout?.(FILE_TIMEOUT) }).catch(() => null);
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
