// Moves to another phone: shows how long a code is valid and whether it was used, and what still waits in a phone that is to
// change its owner.
import { ask } from "./app/asking.js";
import { findWaiting } from "./outbox.js";
import { findAll, wanted } from "./storage.js";
import { countLosses } from "./app/rows.js";

const root = document.documentElement;
const shown = document.querySelector("#move-code[data-state=shown]"), form = /** @type {HTMLFormElement | null} */ (document.getElementById("become"));

// --- the phone that shows a code ---

const LOOK_INTERVAL = 3_000; // milliseconds

function countDown() {
  const place = shown.querySelector("[data-left]"), left = Math.max(0, Math.round((Date.parse(place.dataset.left ?? "") - Date.now()) / 1000));
  const time = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  place.textContent = left < 600 ? (place.dataset.said ?? "").replace("{time}", time) : "";
}

async function look() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { headers: { "X-Keep": "1" } }).catch(() => null);
  const page = answer?.ok && new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("move-code");
  if (page && page.dataset.state !== shown.dataset.state) location.reload();
}

if (shown) {
  countDown();
  setInterval(countDown, 1_000);
  setInterval(look, LOOK_INTERVAL);
}

// --- the phone that takes matches over ---

// Blocks the form while something waits, which would be sent as somebody else, or never; drafts are found again with the
// archived list.
async function check() {
  if (wanted()) await ask("deliver");
  const kept = wanted() ? await countLosses(root.dataset.browser).catch(() => 0) : 0;
  const waits = kept > 0 || (await findWaiting()).length > 0;
  const begun = (await findAll("drafts").catch(() => [])).some(({ mark }) => mark === root.dataset.browser);
  document.getElementById("waits").hidden = !waits;
  if (!form) return;
  form.elements.yes.disabled = waits;
  form.elements.begun.value = begun ? "1" : "";
}

if (form) {
  document.addEventListener("outbox:changed", check);
  navigator.serviceWorker?.addEventListener("message", ({ data }) => data.pocket && check());
  check();
}
