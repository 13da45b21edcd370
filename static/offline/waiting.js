// The strip of waiting entries on every page: each can be changed or thrown away, and all tried again.
import { findWaiting, matchOf, throwAway, trySending } from "./outbox.js";
import { restore } from "./drafts.js";
import { controlsOf } from "./fields.js";
import { formatTime } from "./times.js";
/** @import { Entry } from "./types.js" */

const here = matchOf(location.pathname);
const opened = new URLSearchParams(location.hash.slice(1)).get("waiting");

async function show() {
  const strip = document.getElementById("waiting");
  if (!strip) return;
  const entries = await findWaiting(here || null), lines = describeStates(entries);
  document.body.classList.toggle("behind", here !== "" && entries.length > 0);
  strip.querySelector("[data-count]").textContent = String(entries.length);
  drawLines(strip, lines);
  const later = lines.find(({ state }) => state === "later");
  strip.querySelector("[data-some-later]").textContent = later ? ` · ${sentenceOf(strip, later)}` : "";
  strip.querySelector("[data-some-refused]").hidden = !entries.some(({ state }) => state === "refused");
  if (!entries.length && strip.contains(document.activeElement)) document.getElementById("main").focus({ preventScroll: true });
  strip.hidden = entries.length === 0;
}

/** @typedef {{entry: Entry, state: "refused" | "held" | "later" | "silent"}} Line */

// Says what each entry waits for: one that was refused, or is to be sent later, holds back those of its match.
/** @param {Entry[]} entries */
function describeStates(entries) {
  const held = new Set(), now = Date.now();
  return entries.map((entry) => {
    /** @type {Line} */
    const line = { entry, state: entry.state === "refused" ? "refused" : held.has(entry.match) ? "held" : (entry.until ?? 0) > now ? "later" : "silent" };
    if (line.state === "refused" || line.state === "later") held.add(entry.match);
    return line;
  });
}

/** @param {HTMLElement} strip @param {Line} line */
const sentenceOf = (strip, { entry, state }) => (strip.dataset[state] ?? "").replace("{time}", () => formatTime(entry.until ?? 0));

/** @param {HTMLElement} strip @param {Line[]} lines */
function drawLines(strip, lines) {
  const list = strip.querySelector("ol"), { content } = /** @type {HTMLTemplateElement} */ (strip.querySelector("template"));
  for (const line of [...list.querySelectorAll("li")]) if (!lines.some(({ entry }) => entry.id === Number(line.dataset.id))) line.remove();
  for (const line of lines) {
    const { entry, state } = line, sentence = sentenceOf(strip, line);
    const element = list.querySelector(`[data-id="${entry.id}"]`) ?? /** @type {HTMLElement} */ (content.querySelector("li").cloneNode(true));
    drawLine(element, entry, state === "later" && entry.why ? `${entry.why} ${sentence}` : sentence);
    if (!element.isConnected) list.append(element); // a line that is there stays: it may have been asked a question
  }
}

/** @param {HTMLElement} line @param {Entry} entry @param {string} sentence */
function drawLine(line, entry, sentence) {
  line.dataset.id = String(entry.id);
  line.querySelector("[data-name]").textContent = entry.name;
  line.querySelector("[data-text]").textContent = entry.text;
  const time = /** @type {HTMLTimeElement} */ (line.querySelector("time"));
  time.dateTime = entry.at;
  time.textContent = formatTime(entry.at);
  line.querySelector("[data-state]").textContent = sentence;
  line.classList.toggle("refused", entry.state === "refused");
  /** @type {HTMLAnchorElement} */ (line.querySelector("[data-open]")).href = `${entry.page}#waiting=${entry.id}`;
}

document.addEventListener("click", async (event) => {
  const target = /** @type {Element} */ (event.target), strip = target.closest("#waiting");
  const button = /** @type {HTMLAnchorElement} a button, or the link that opens */ (target.closest("button, a"));
  if (!strip || !button) return;
  const line = button.closest("li");
  if ("try" in button.dataset) {
    button.setAttribute("aria-busy", "true");
    await trySending(true);
    button.removeAttribute("aria-busy");
  } else if ("open" in button.dataset && button.pathname === location.pathname && button.search === location.search) {
    event.preventDefault();
    location.hash = button.hash;
    location.reload();
  } else if ("drop" in button.dataset || "spare" in button.dataset) {
    line.querySelector("[data-question]").hidden = "spare" in button.dataset;
    line.querySelector("[data-does]").hidden = "drop" in button.dataset;
    line.querySelector("drop" in button.dataset ? "[data-spare]" : "[data-drop]").focus();
  } else if ("surely" in button.dataset) {
    strip.querySelector("summary").focus();
    await throwAway(Number(line.dataset.id));
  }
});

// Opens a waiting entry on the page it was typed on; a refused one is sent once more, to show why.
/** @param {number} id */
async function openEntry(id) {
  const entry = (await findWaiting()).find((waiting) => waiting.id === id);
  history.replaceState(null, "", location.pathname + location.search);
  if (!entry) return;
  const forms = [...document.forms].filter((form) => form.method === "post" && matchOf(form.action) === entry.match);
  const form = forms.find(({ action }) => action === entry.action) ?? forms.find(({ dataset }) => dataset.entry === entry.name);
  if (!form) return document.getElementById("waiting").scrollIntoView({ block: "center" }); // only to be thrown away
  await restore(form, entry);
  const filled = /** @type {HTMLFormElement} */ ((form.id && document.getElementById(form.id)) || form);
  filled.dataset.waiting = String(id);
  filled.closest("details")?.setAttribute("open", "");
  if (entry.state !== "refused") return;
  filled.requestSubmit(findButton(filled, entry));
}

/** @param {HTMLFormElement} form @param {Entry} entry */
const findButton = (form, entry) => {
  const buttons = controlsOf(form).filter((control) => control.type === "submit" && control.name);
  return /** @type {HTMLButtonElement | undefined} */ (buttons.find((button) => entry.fields.some(([name, value]) => name === button.name && value === button.value)));
};

document.addEventListener("outbox:changed", show);
show();
if (opened) openEntry(Number(opened));
