// Shows what is stored in this phone and whether it lasts, and deletes it.
import { askToPersist, below, findAll, remember, removeAll } from "./storage.js";
import { findRisk } from "./risk.js";
import { countRoom, countUnsent, findCaches as findProgram, formatSize, removeAll as removeProgram, wanted } from "./app/asking.js";

const WORKER_TIMEOUT = 2_000; // milliseconds until a silent worker is not waited for
/** @type {(keyof import("./types.js").Stores)[]} */
const STORES = ["waiting", "drafts", "written"];
const part = document.getElementById("in-phone");
/** @param {string} name */
const find = (name) => part.querySelector(`[data-${name}]`);
const lossText = find("loses").textContent, unsentText = find("unsent").textContent;

// The caches of this app, as the worker names them.
async function findCaches() {
  const kept = below === "/" ? "kept " : `kept:${below} `;
  return window.caches ? (await caches.keys()).filter((name) => name.startsWith(kept)) : [];
}

async function countPages() {
  const addresses = new Set();
  for (const name of await findCaches()) {
    for (const { url } of await (await caches.open(name)).keys()) if (!/\/static\/|\/whole$/.test(url)) addresses.add(url);
  }
  return addresses.size;
}

async function count() {
  const [waiting, drafts] = await Promise.all(STORES.map((store) => findAll(store).then((all) => all.length, () => 0)));
  const { usage } = (await navigator.storage?.estimate?.()) ?? {};
  const hasProgram = wanted() !== null || (await findProgram()).length > 0;
  const unsent = hasProgram ? await countUnsent() : 0, program = hasProgram ? formatSize(await countRoom()) : "";
  return { waiting, drafts, unsent, program, hasProgram, pages: await countPages(), room: usage === undefined ? "" : formatSize(usage) };
}

async function show() {
  const counts = await count();
  for (const cell of part.querySelectorAll("[data-count]")) {
    cell.textContent = String(counts[/** @type {keyof typeof counts} */ (cell.dataset.count)]);
    if (cell.dataset.count === "room") cell.closest("tr").hidden = counts.room === "";
  }
  const loses = find("loses");
  loses.hidden = counts.waiting + counts.drafts === 0;
  loses.textContent = lossText.replace("{waiting}", String(counts.waiting)).replace("{drafts}", String(counts.drafts));
  for (const line of part.querySelectorAll("[data-of-pocket]")) line.hidden = !counts.hasProgram;
  find("unsent").hidden = counts.unsent === 0;
  find("unsent").textContent = unsentText.replace("{unsent}", String(counts.unsent));
  const lasts = await navigator.storage?.persisted?.();
  find("lasting").textContent = lasts === undefined ? "" : part.dataset[(await findRisk()) ?? ""] ?? "";
  find("persist").hidden = lasts !== false;
  part.hidden = false;
}

async function forget() {
  const registration = await navigator.serviceWorker?.getRegistration();
  await removeProgram().catch(() => {}); // as far as this browser can; then all else
  await quieten(registration?.active);
  for (const name of await findCaches()) await caches.delete(name);
  for (const store of STORES) await removeAll(store).catch(() => {});
  for (const name of ["awake", "pocket-declined", "home-screen-declined"]) localStorage.removeItem(name);
  sessionStorage.removeItem("unkept-said");
  for (const name of ["waiting", "lost"]) remember(name, null);
  await registration?.unregister();
  document.dispatchEvent(new Event("outbox:changed"));
}

// Lets the worker drop what it is about to store.
/** @param {ServiceWorker | null | undefined} worker @returns {Promise<unknown>} */
const quieten = (worker) => new Promise((resolve) => {
  if (!worker) return resolve(undefined);
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = resolve;
  setTimeout(resolve, WORKER_TIMEOUT);
  worker.postMessage({ forget: true }, [port2]);
});

/** @param {boolean} asking */
const ask = (asking) => {
  find("question").hidden = !asking;
  find("forget").hidden = asking;
  find(asking ? "spare" : "forget").focus();
};

part.addEventListener("click", async ({ target }) => {
  const does = /** @type {Element} */ (target).closest("button")?.dataset ?? {};
  if ("forget" in does) {
    await show();
    ask(true);
  } else if ("spare" in does) ask(false);
  else if ("persist" in does) {
    find("lasting").textContent = part.dataset.asks ?? "";
    await askToPersist();
    await show();
  } else if ("surely" in does) {
    await forget();
    await show();
    ask(false);
    document.querySelector("[data-forgotten]").hidden = false;
  }
});
document.getElementById("unscripted").hidden = true;
show();
