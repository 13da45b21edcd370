// The files of the pocket, in Cache Storage: a cache for each build, with the app's own files of the same version.
const { pathname } = new URL("./", location);
const CACHES = `pocket:${pathname} `; // another app of the same host has caches of its own
const nameOf = (build) => CACHES + build;

// Once is enough in the phone, but for modules: of these its worker is made.
const cacheFor = (address) => (address.endsWith(".mjs") || !address.includes("/pocket/") ? "default" : "no-store");

// What is missing is fetched; the page that offers the pocket may have done so already.
export async function fill({ build, files }) {
  const cache = await caches.open(nameOf(build));
  for (const address of files) {
    if (await cache.match(address)) continue;
    const answer = await fetch(address, { cache: cacheFor(address) });
    if (!answer.ok || answer.headers.get("Cache-Control")?.includes("no-store")) throw new Error(`no file ${address}`);
    await cache.put(address, answer);
  }
}

export async function find({ build }, address) {
  return (await caches.open(nameOf(build))).match(address, { ignoreVary: true });
}

export async function keep({ build }, address, content) {
  await (await caches.open(nameOf(build))).put(address, new Response(content));
}

export async function drop({ build }, address) {
  await (await caches.open(nameOf(build))).delete(address);
}

// All builds but the one that is named.
export async function dropOthers(build) {
  for (const name of await caches.keys()) if (name.startsWith(CACHES) && name !== nameOf(build)) await caches.delete(name);
}
