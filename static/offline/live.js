// Asks again and again whether a page of a match is current. Pages to look at are updated, the others say that something
// happened.
const page = document.documentElement;
const shows = document.querySelector("[data-live]") !== null;
const PACE = [[5, 1_500], [30, 3_500], [Infinity, 15_000]]; // minutes without a change, and how often it asks then, in milliseconds
const SLOWEST = 30_000, TIMEOUT = 10_000;
let { seen = "" } = page.dataset, since = seen, changed = Date.now(), failed = 0, asking = false;
/** @type {number | undefined} */
let timer;

// The number of the log that the form here is based on; what this phone wrote later was written on another page.
const readSeq = () => /** @type {HTMLInputElement | null} */ (document.querySelector("input[name=seq]"))?.value ?? "";
const address = () => (shows ? location.pathname + location.search : `${page.dataset.news}&since=${since}&own=${readSeq()}`);

async function ask() {
  clearTimeout(timer);
  if (document.hidden || asking) return;
  asking = true;
  try {
    const answer = await fetch(address(), { headers: { "X-Seen": seen }, cache: "no-store", signal: AbortSignal.timeout?.(TIMEOUT) });
    failed = 0;
    const now = answer.headers.get("X-Seen");
    if (answer.status !== 304) await handleAnswer(answer, now);
    if (now && now !== seen) changed = Date.now();
    seen = now ?? seen;
  } catch {
    failed += 1; // no network, or nobody there
  }
  asking = false;
  const [, calm] = PACE.find(([minutes]) => Date.now() - changed < minutes * 60_000) ?? PACE[2];
  const pause = failed ? Math.min(calm * 2 ** failed, Math.max(calm, SLOWEST)) : calm;
  timer = setTimeout(ask, pause * (0.9 + Math.random() / 5)); // many phones, not all at once
}

/** @param {Response} answer @param {string | null} now */
async function handleAnswer(answer, now) {
  if (now && shows) return (await import("./exchange.js")).exchange(answer);
  if (now && answer.status === 200) return say(await answer.text(), now);
  if (!now && !answer.headers.has("X-Version")) throw new Error("no answer of ours");
  if (!now && shows) location.reload(); // this phone may not see the page any more
}

// Shows news in the place of the header, so that nothing moves while somebody types.
/** @param {string} html @param {string} now */
function say(html, now) {
  const strip = document.getElementById("news");
  strip.innerHTML = html;
  strip.querySelector("button").addEventListener("click", () => {
    since = now;
    strip.replaceChildren();
  });
}
// An answer has replaced the page, and says itself what happened.
document.addEventListener("page:exchanged", () => {
  const value = readSeq(), [log, access] = since.split(".");
  if (!(Number(value) > Number(log))) return;
  since = `${value}.${access}`;
  document.getElementById("news").replaceChildren();
});

document.addEventListener("visibilitychange", ask);
for (const name of ["pageshow", "online"]) addEventListener(name, ask);
timer = setTimeout(ask, 1_000);
