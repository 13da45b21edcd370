// The outbox: a form that writes is stored on the device first, until the server has it.
// Entries of a match are sent in order; one that is refused holds those behind it back.
import { forget, keepNow } from "./drafts.js";
import { describe, readFields, renewKey } from "./fields.js";
import { showAnswer } from "./answer.js";
import { post } from "./sending.js";
import { alone, find, findAll, keep, remember, remove } from "./storage.js";
/** @import { Draft, Entry, NewEntry, Outcome, Stores, Written } from "./types.js" */
/** @import { Button } from "./fields.js" */

const mark = document.documentElement.dataset.browser ?? "";
const tabs = new BroadcastChannel("outbox");

/** @param {string} address */
export const matchOf = (address) => /\/m\/([\w-]+)/.exec(address)?.[1] ?? "";
const here = matchOf(location.pathname);

// The waiting entries of this identity, and of the time before it had one, oldest first; of one match, or of all.
/** @param {string | null} match */
export async function findWaiting(match = null) {
  const entries = await findAll("waiting").catch(() => []);
  return entries.filter((entry) => [mark, "nobody"].includes(entry.mark) && (match === null || entry.match === match));
}

// Notifies this page and the other tabs that the outbox has changed; `written` is an entry that has left it.
/** @typedef {Omit<Written, "key">} Left */
/** @param {Left | null} written */
function announce(written = null) {
  tabs.postMessage(written);
  onChange(written);
}
tabs.onmessage = ({ data }) => onChange(data);

/** @param {Left | null} written */
function onChange(written) {
  if (written?.match === here) renumberForms(written);
  document.dispatchEvent(new Event("outbox:changed"));
  findAll("waiting").then(({ length }) => remember("waiting", length), () => {});
}

// What was saved before this page was opened is known to whoever fills in its forms: they are numbered to follow it.
let opened = performance.timeOrigin;
/** @param {HTMLFormElement | null} [form] */
const openedOf = (form) => Number(form?.dataset.opened ?? opened); // a restored draft is as old as it was then
/** @param {number} time @param {string | undefined} seq @param {Partial<Left>} written */
const knows = (time, seq, { seq: next, at = "", seen = 0 }) => next && Date.parse(at) < time && Number(seq) <= seen;

/** @param {Partial<Left>} written */
function renumberForms(written) {
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (document.querySelectorAll("input[name=seq]"))) {
    const changesIt = Number(field.form?.dataset.waiting) === written.id; // the entry it changes has left the outbox
    if (!changesIt && knows(openedOf(field.form), field.value, written)) field.value = String(written.seq);
  }
}

// The last entry of a match that this device wrote; the page may be older.
/** @param {string} match */
const keyOf = (match) => `${mark} ${match}`;
/** @param {string} match @returns {Promise<Partial<Written>>} */
const lastWritten = async (match) => (await find("written", keyOf(match)).catch(() => null)) ?? {};
lastWritten(here).then(renumberForms);

findWaiting(here).then((entries) => {
  if (entries.some(({ at }) => Date.now() - Date.parse(at) < SETTLING_TIME)) holdStill();
});

/** @param {number} id */
export async function throwAway(id) {
  await alone("outbox", () => remove("waiting", id));
  announce();
  await trySending();
}

// Disables buttons for a moment: a second tap of the thumb that has just sent a form writes nothing.
const SETTLING_TIME = 2_000;
export function holdStill() {
  for (const bar of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".actions, .log-top, #fool"))) {
    bar.classList.remove("settling");
    void bar.offsetWidth; // so that it begins again
    bar.classList.add("settling");
  }
}

// --- sending ---------------------------------------------------------------------------------------

// Sends the waiting entries in order; returns the outcomes of those that were sent, by their ids. `again` is a refused entry
// to be sent once more. An entry that the server wants later waits, unless a player `asks`.
/** @param {number | null} again @param {boolean} asks @returns {Promise<Map<number, Outcome>>} */
function sendAll(again = null, asks = false) {
  return alone("outbox", async () => {
    const answers = new Map(), held = new Set();
    for (const { id } of await findWaiting()) {
      const entry = (await findWaiting()).find((waiting) => waiting.id === id); // as it is after those before it
      if (!entry || held.has(entry.match)) continue;
      if (id !== again && !isDue(entry, asks)) {
        held.add(entry.match);
        continue;
      }
      const answer = await sendEntry(entry);
      answers.set(id, answer);
      if (holdsBack(answer)) held.add(entry.match);
      else if (answer.outcome === "silent") break;
    }
    if (answers.size) announce();
    return answers;
  });
}

/** @type {Map<number, Outcome>} */
const reached = new Map(); // the outcomes of what this page has sent
/** @param {Entry} stored */
async function sendEntry(stored) {
  const last = await lastWritten(stored.match);
  const isOlder = last.id !== stored.id && knows(stored.opened, seqOf(stored), last);
  const entry = isOlder && last.seq ? withSeq(stored, last.seq) : stored, answer = await post(entry);
  if (answer.outcome === "written") {
    reached.set(entry.id, answer);
    await settle(entry, answer.seq);
  } else await update("waiting", { ...entry, state: answer.outcome, until: answer.until, why: answer.why });
  return answer;
}

// Removes a written entry from the outbox.
/** @param {Entry} entry @param {number} [seq] */
async function settle(entry, seq) {
  const written = { id: entry.id, match: entry.match, at: entry.at, seen: Number(seqOf(entry)), seq: seq ?? 0 };
  if (seq) {
    await renumber(entry, written);
    await update("written", { key: keyOf(entry.match), ...written });
  }
  await remove("waiting", entry.id);
  announce(written);
}

// Renumbers later entries and drafts that were made on top of this entry, so that they follow it.
/** @param {Entry} entry @param {Left} written */
async function renumber(entry, { seen, seq }) {
  /** @param {Entry | Draft} later */
  const sawNoMore = (later) => Number(seqOf(later)) <= seen;
  for (const later of await findWaiting(entry.match)) {
    if (later.id > entry.id && sawNoMore(later)) await update("waiting", withSeq(later, seq));
  }
  for (const draft of await findAll("drafts")) {
    const isOnTop = draft.at > entry.at && sawNoMore(draft) && Number(draft.waiting) !== entry.id;
    if (isOnTop && draft.mark === mark && matchOf(draft.key) === entry.match) await update("drafts", withSeq(draft, seq));
  }
}

/** @param {Entry} entry @param {boolean} asks */
const isDue = ({ state, until = 0 }, asks) => state !== "refused" && (asks || until <= Date.now());
/** @param {Outcome} outcome */
const holdsBack = ({ outcome, failed, isTooMuch }) => outcome === "refused" || failed || isTooMuch;
/** @template {keyof Stores} N @param {N} store @param {Stores[N]} row */
const update = (store, row) => keep(store, row).catch(() => {}); // without room it stays as it was
/** @template {Entry | Draft} T @param {T} row @param {number} seq @returns {T} */
const withSeq = (row, seq) => ({ ...row, seq, fields: row.fields.map(([name, value]) => [name, name === "seq" ? String(seq) : value]) });
/** @param {Entry | Draft} row */
const seqOf = (row) => row.fields.find(([name]) => name === "seq")?.[1];

// Sends what waits, again and again at growing intervals; at once when the network may be back.
/** @type {number | undefined} */
let timer;
let pause = 5_000;
export async function trySending(asks = false) {
  clearTimeout(timer);
  const waiting = (await findWaiting()).filter((entry) => entry.state !== "refused");
  if (!waiting.length) return;
  const answers = await sendAll(null, asks);
  const written = waiting.filter(({ id }) => answers.get(id)?.outcome === "written");
  if (written.length) pause = 5_000;
  // A page to look at, with no field that somebody may be typing in, shows what has been written.
  const shows = document.querySelector("[data-board]") && written.some(({ match }) => match === here || here === "");
  if (shows && !leaves) return location.reload();
  timer = setTimeout(() => document.hidden || trySending(), pause);
  pause = Math.min(pause * 2, 60_000);
}
export let leaves = false; // for the page that somebody has tapped
addEventListener("beforeunload", () => { leaves = true; });
addEventListener("pageshow", () => { leaves = false; });
addEventListener("online", () => trySending());
document.addEventListener("visibilitychange", () => document.hidden || trySending());
addEventListener("pageshow", () => trySending());

// --- a form is sent --------------------------------------------------------------------------------

/** @param {HTMLFormElement} form @param {Button | null} submitter */
const writes = (form, submitter) =>
  form.method === "post" && !("plain" in form.dataset) && new RegExp(form.dataset.saves ?? "").test(submitter?.value ?? "");

/** @type {Map<string, string>} */
const untouched = new Map(); // forms that grow while they are filled in, as the page came
for (const form of document.querySelectorAll("form[data-look]")) untouched.set(form.id, form.innerHTML);

// Sends a form once, however often its button is tapped.
addEventListener("submit", async (event) => {
  const form = /** @type {HTMLFormElement} */ (event.target), submitter = /** @type {Button | null} */ (event.submitter);
  if (event.defaultPrevented || form.method !== "post") return;
  if (form.dataset.sent) return event.preventDefault();
  form.dataset.sent = "1";
  submitter?.setAttribute("aria-busy", "true");
  if (!writes(form, submitter)) return;
  event.preventDefault();
  navigator.vibrate?.(15);
  let to;
  try {
    to = await send(form, submitter);
  } finally {
    if (to) location.assign(to);
    else release(form, submitter);
  }
});
/** @param {HTMLFormElement} form @param {Button | null} [button] */
const release = (form, button) => {
  delete form.dataset.sent;
  button?.removeAttribute("aria-busy");
};
// Lets forms be sent again when the browser returns to a page from its memory.
addEventListener("pageshow", ({ persisted }) => {
  if (!persisted) return;
  for (const form of document.forms) release(form);
  for (const button of document.querySelectorAll("form [aria-busy]")) button.removeAttribute("aria-busy");
});

/** @param {HTMLFormElement} form @param {Button | null} submitter @returns {NewEntry} */
function readEntry(form, submitter) {
  const action = submitter?.getAttribute("formaction") ? submitter.formAction : form.action;
  const changed = Number(form.dataset.waiting);
  return {
    mark,
    match: matchOf(action),
    action,
    page: location.pathname + location.search,
    fields: readFields(form, submitter),
    name: form.dataset.entry ?? submitter?.textContent?.trim() ?? "",
    text: describe(form, submitter),
    at: new Date().toISOString(),
    opened: openedOf(form),
    html: "look" in form.dataset ? form.outerHTML : undefined,
    state: "new",
    ...(changed ? { id: changed } : {}),
  };
}

// Sends a form; returns the address to go on to, if it is another page.
/** @param {HTMLFormElement} form @param {Button | null} submitter */
async function send(form, submitter) {
  const fresh = readEntry(form, submitter);
  /** @type {Entry} */
  let entry;
  try {
    entry = { ...fresh, id: await (fresh.id ? alone("outbox", () => keep("waiting", fresh)) : keep("waiting", fresh)) };
  } catch {
    return sendUnkept(form, fresh);
  }
  await forget(form);
  // Behind others it waits; the board finds out whether there is a network again.
  if ((await findWaiting(entry.match)).some(({ id }) => id < entry.id)) return goOn(form, entry);
  const answer = (await sendAll(entry.id)).get(entry.id) ?? reached.get(entry.id);
  if (answer?.outcome === "written") return answer.to;
  if (answer?.outcome !== "refused") return goOn(form, entry);
  await takeBack(form, entry, answer);
}

// Shows a refused entry to the player. It stays in the outbox if others wait behind it, or the answer shows no form.
/** @param {HTMLFormElement} form @param {Entry} entry @param {Outcome} answer */
async function takeBack(form, entry, answer) {
  const others = (await findWaiting(entry.match)).length > 1;
  const shown = await showRefusal(form, answer, others ? entry.id : null);
  if (!others && (shown || !form.id)) await remove("waiting", entry.id);
  announce();
}

// Sends an entry that cannot be stored: without an answer the page stays as it is.
/** @param {HTMLFormElement} form @param {NewEntry} entry */
async function sendUnkept(form, entry) {
  const answer = await post(entry);
  if (answer.outcome === "written") return answer.to;
  if (answer.outcome === "refused") {
    await showRefusal(form, answer, null);
    return;
  }
  const notice = /** @type {HTMLElement} */ (document.getElementById("unkept"));
  notice.hidden = false;
  notice.scrollIntoView({ block: "center" });
}

/** @param {HTMLFormElement} form @param {Outcome} answer @param {number | null} id */
async function showRefusal(form, answer, id) {
  showAnswer(answer.html ?? "");
  const shown = form.isConnected ? form : null;
  if (id && shown) shown.dataset.waiting = String(id);
  if (shown) await keepNow(shown);
  return shown;
}

// Goes on while the entry waits: at the board, or on this page if no other can be opened.
/** @param {HTMLFormElement} form @param {Entry} entry */
function goOn(form, entry) {
  announce();
  const home = /** @type {HTMLAnchorElement} */ (document.querySelector("[data-home]"));
  const board = entry.match ? entry.action.slice(0, entry.action.indexOf(entry.match) + entry.match.length) : home.href;
  if (navigator.serviceWorker?.controller) return board;
  const html = untouched.get(form.id);
  if (html === undefined) form.reset();
  else form.innerHTML = html;
  renewKey(form);
  for (const name of ["deal:exchanged", "page:exchanged"]) document.dispatchEvent(new Event(name));
  delete form.dataset.waiting;
  delete form.dataset.opened;
  opened = Date.now();
  holdStill();
  document.getElementById("waiting")?.scrollIntoView({ block: "center" });
  trySending();
}
