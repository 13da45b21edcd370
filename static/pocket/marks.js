// What a page says of the program in this phone: that it comes from here, what is not yet at the server, what waits for a decision.
import { ask, reaches } from "./asking.js";
import { matchOf } from "../phone/outbox.js";

const root = document.documentElement, strip = document.getElementById("pocket-strip");
const SOON = 3_000, LATER = 20_000; // milliseconds; the worker, which is asked, lives on
let timer, asking = false;

async function look() {
  clearTimeout(timer);
  if (document.hidden || asking) return;
  asking = true;
  const isHere = "pocket" in root.dataset, hasNetwork = isHere && (await reaches());
  const status = await ask(hasNetwork ? "deliver" : "status");
  asking = false;
  show(status ?? {});
  if (hasNetwork && status && !status.unsent) delete root.dataset.pocket; // from now on it is a page like any other
  const isSettled = status && !status.unsent && !("pocket" in root.dataset);
  timer = setTimeout(look, isSettled ? LATER : SOON);
}

function show({ unsent = 0, aside = 0, apart = [], fault }) {
  const count = strip.querySelector("[data-unsent]");
  fill(count, strip.dataset.said, unsent);
  strip.classList.toggle("has-unsent", unsent > 0);
  const decide = document.getElementById("pocket-aside"), link = decide.firstElementChild;
  const here = matchOf(location.pathname), id = apart.includes(here) ? here : apart[0];
  fill(link, decide.dataset.said, aside);
  decide.hidden = !aside || !id;
  if (id) link.href = decide.dataset.address.replace("ID", id);
  document.getElementById("pocket-outdated").hidden = fault !== "outdated";
}

// Only what changes is written: whoever listens to the page hears it once.
function fill(place, said, count) {
  const text = said.replace("{count}", count);
  if (place.textContent !== text) place.textContent = text;
  place.hidden = !count;
}

for (const name of ["online", "pageshow"]) addEventListener(name, look);
document.addEventListener("visibilitychange", look);
document.addEventListener("outbox:changed", look);
look();
