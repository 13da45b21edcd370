// What this phone alone has: how much that is, and what may become of it.
import { findWaiting } from "./outbox.js";
import { recall, remember, wanted } from "./storage.js";

// Whether the app was opened from the home screen, where that makes a difference: undefined on all but iPhones and iPads.
export const isOnHomeScreen = /** @type {boolean | undefined} */ (Reflect.get(navigator, "standalone"));

// Safari, on a Mac too. In a window of its own, from the Dock, it lets what is stored last.
const isSafari = () => navigator.vendor?.startsWith("Apple") && !matchMedia("(display-mode: standalone)").matches;

// How many entries no server has.
export async function countHere() {
  const waiting = await findWaiting().then(({ length }) => length, () => 0);
  if (wanted() === null) return waiting;
  const { countUnsent } = await import("./app/asking.js");
  return waiting + (await countUnsent());
}

// What the browser does with what is stored: deletes it after a "week" without a visit, or when space runs short ("passes"),
// or never ("lasts"); undefined where it does not say.
/** @returns {Promise<"week" | "passes" | "lasts" | undefined>} */
export async function findRisk() {
  if (isOnHomeScreen === false || (isOnHomeScreen === undefined && isSafari())) return "week";
  const lasts = await navigator.storage?.persisted?.();
  if (lasts === undefined) return undefined;
  return lasts ? "lasts" : "passes";
}

// On a board, and on the list of matches.
async function show() {
  const place = document.getElementById("at-risk");
  if (!place) return;
  const count = await countHere(), risk = count ? await findRisk() : undefined;
  const text = ((risk && place.dataset[risk]) || "").replace("{count}", String(count));
  if (place.textContent !== text) place.textContent = text;
  place.hidden = text === "";
}

// What was on this phone alone, and is gone with the database that its browser has deleted: said until somebody has read it.
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
show().then(showLoss); // when the database was opened
