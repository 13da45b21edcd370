// Shows on a page that the program in this phone made it, what is unsent, and what waits for a decision. The worker reports
// changes; it is asked now and then to keep it alive.
import { leaves } from "../outbox.js";
import { recall, recordLoss, remember } from "../storage.js";
import { ask, reaches } from "./asking.js";
import { readBrowser } from "./rows.js";
/** @import { Status } from "../types.js" */

const root = document.documentElement, strip = document.getElementById("pocket-strip");
const SOON = 5_000, LATER = 20_000; // milliseconds
const isReloaded = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0])?.type === "reload"; // once is enough
/** @type {number | undefined} */
let timer;
let asking = false;

async function look() {
  clearTimeout(timer);
  if (document.hidden || asking) return;
  asking = true;
  const isHere = "pocket" in root.dataset, hasNetwork = isHere && (await reaches());
  const status = await ask(hasNetwork ? "deliver" : "status").catch(() => undefined); // asked again later
  asking = false;
  if (status) show(status);
  if (hasNetwork && isDelivered(status)) delete root.dataset.pocket; // a page like any other from now on
  timer = setTimeout(look, "pocket" in root.dataset || status?.unsent ? SOON : LATER);
}

/** @param {Status | undefined} status */
const isDelivered = (status) => status !== undefined && !status.unsent && !status.fault && status.mark === root.dataset.browser;

/** @param {Status} status */
function show({ mark, unsent, aside, outdated }) {
  const belongsToAnother = "pocket" in root.dataset && mark && mark !== root.dataset.browser;
  if (belongsToAnother && !isReloaded && !leaves) return location.reload();
  if (mark) remember("unsent", unsent + aside);
  else checkLoss().catch(() => {}); // a disk that does not answer has lost nothing
  fill(strip.querySelector("[data-unsent]"), strip.dataset.said, unsent);
  strip.classList.toggle("has-unsent", unsent > 0);
  if (!unsent) delete root.dataset.lacking;
  const decide = document.getElementById("pocket-aside");
  fill(decide.querySelector("*"), decide.dataset.said, aside);
  decide.hidden = !aside;
  document.getElementById("pocket-outdated").hidden = !outdated;
}

// Records a loss if there was something unsent and the program's database knows no identity any more.
async function checkLoss() {
  if (!recall("unsent") || (await readBrowser())) return;
  recordLoss("unsent");
  document.dispatchEvent(new Event("outbox:changed"));
}

// Writes only what changes: a screen reader says it once.
/** @param {HTMLElement} place @param {string | undefined} sentence @param {number} count */
function fill(place, sentence, count) {
  const text = (sentence ?? "").replace("{count}", String(count));
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !count;
}

navigator.serviceWorker?.addEventListener("message", ({ data }) => {
  if (data.pocket) show(data.pocket);
  if (data.late === location.href.split("#")[0]) showMade();
});

// Reloads a stored page when the current one is made, unless it is in use already.
function showMade() {
  if ("late" in root.dataset && !isReloaded && !navigator.userActivation?.hasBeenActive) location.reload();
}

for (const name of ["online", "pageshow"]) addEventListener(name, look);
document.addEventListener("visibilitychange", look);
look();
