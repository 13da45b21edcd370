// Shows how many entries only this phone has, and the risk of losing them.
import { findWaiting } from "./outbox.js";
import { recall, remember, wanted } from "./storage.js";

// True if the app was opened from the home screen; undefined except on iPhones and iPads, where it makes a difference.
export const isOnHomeScreen = /** @type {boolean | undefined} */ (Reflect.get(navigator, "standalone"));

// True for Safari, on a Mac too, unless it runs as an app in its own window: that keeps what is stored.
const isSafari = () => navigator.vendor?.startsWith("Apple") && !matchMedia("(display-mode: standalone)").matches;

// Counts the entries that no server has.
export async function countHere() {
  const waiting = await findWaiting().then(({ length }) => length, () => 0);
  if (wanted() === null) return waiting;
  const { countUnsent } = await import("./app/asking.js");
  return waiting + (await countUnsent());
}

// When the browser deletes what is stored: after a "week" without a visit, when space runs short ("passes"), or never
// ("lasts"); undefined if it does not say.
/** @returns {Promise<"week" | "passes" | "lasts" | undefined>} */
export async function findRisk() {
  if (isOnHomeScreen === false || (isOnHomeScreen === undefined && isSafari())) return "week";
  const lasts = await navigator.storage?.persisted?.();
  if (lasts === undefined) return undefined;
  return lasts ? "lasts" : "passes";
}

// Shows the risk on a board and on the list of matches.
async function show() {
  const place = document.getElementById("at-risk");
  if (!place) return;
  const count = await countHere(), risk = count ? await findRisk() : undefined;
  const text = ((risk && place.dataset[risk]) || "").replace("{count}", String(count));
  if (place.textContent !== text) place.textContent = text;
  place.hidden = text === "";
}

// Shows how many entries were lost with a database that the browser has deleted, until somebody has read it.
const note = document.getElementById("lost");
function showLoss() {
  const count = recall("lost");
  if (!note) return;
  note.querySelector("p").textContent = (note.dataset.said ?? "").replace("{count}", count ?? "");
  note.hidden = !count;
}
note?.querySelector("button").addEventListener("click", () => {
  remember("lost", null);
  showLoss();
  document.getElementById("main").focus({ preventScroll: true });
});

for (const look of [show, showLoss]) document.addEventListener("outbox:changed", look);
navigator.serviceWorker?.addEventListener("message", ({ data }) => data.pocket && show());
show().then(showLoss); // after the database was opened
