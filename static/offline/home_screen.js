// Helps to put the app on the home screen of an iPhone, where it has its own storage, and to take matches along.
import { ask } from "./app/asking.js";
import { trySending } from "./outbox.js";
import { countHere, isOnHomeScreen } from "./risk.js";

const DECLINED = "home-screen-declined";
const line = document.getElementById("home-screen-line"), first = document.getElementById("send-first");
const advice = document.querySelectorAll("[data-unless-waiting]"); // waiting entries would stay behind

// Shows the parts for an app opened in the browser ("false"), from the home screen ("true"), or on a phone that does not tell
// the two apart ("undefined").
for (const part of document.querySelectorAll("[data-home-screen]:not([data-unless-waiting])")) part.hidden = !(part.dataset.homeScreen ?? "").split(" ").includes(String(isOnHomeScreen));

line?.querySelector("button").addEventListener("click", () => {
  localStorage.setItem(DECLINED, "1");
  line.hidden = true;
  document.getElementById("main").focus({ preventScroll: true });
});

// Counts what waits: until it is sent nothing leads away from here.
async function count() {
  const here = await countHere();
  for (const part of advice) part.hidden = here > 0 || (part === line && localStorage.getItem(DECLINED) !== null);
  if (!first) return;
  first.hidden = here === 0;
  first.querySelector("[data-said]").textContent = (first.querySelector("[data-said]").dataset.said ?? "").replace("{count}", String(here));
  for (const button of /** @type {NodeListOf<HTMLButtonElement>} */ (document.querySelectorAll("#take-along button"))) button.disabled = here > 0;
}

if (isOnHomeScreen === false) {
  first?.querySelector("button").addEventListener("click", async () => {
    await Promise.all([trySending(true), ask("deliver")]);
    await count();
  });
  document.addEventListener("outbox:changed", count);
  navigator.serviceWorker?.addEventListener("message", ({ data }) => data.pocket && count());
  count();
}
