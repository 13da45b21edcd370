// What waits in this phone, in view on every page: its lines, changed or thrown away, and tried again.
import { findWaiting, matchOf, throwAway, trySending } from "./outbox.js";
import { restore } from "./drafts.js";
import { formatTime } from "./times.js";

const here = matchOf(location.pathname);
const opened = new URLSearchParams(location.hash.slice(1)).get("waiting");

async function show() {
  const strip = document.getElementById("waiting");
  if (!strip) return;
  const entries = await findWaiting(here || null), held = new Set(), now = Date.now();
  let later = "";
  document.body.classList.toggle("behind", here !== "" && entries.length > 0);
  strip.querySelector("[data-count]").textContent = entries.length;
  const list = strip.querySelector("ol");
  for (const line of [...list.children]) if (!entries.some(({ id }) => id === Number(line.dataset.id))) line.remove();
  for (const entry of entries) {
    const line = list.querySelector(`[data-id="${entry.id}"]`) ?? strip.querySelector("template").content.cloneNode(true).firstElementChild;
    const state = entry.state === "refused" ? "refused" : held.has(entry.match) ? "held" : entry.until > now ? "later" : "silent";
    if (state === "refused" || state === "later") held.add(entry.match);
    const said = strip.dataset[state].replace("{time}", () => formatTime(entry.until));
    drawLine(line, entry, state === "later" && entry.why ? `${entry.why} ${said}` : said);
    if (state === "later") later ||= said;
    if (!line.isConnected) list.append(line); // a line that is there stays: it may have been asked a question
  }
  strip.querySelector("[data-some-later]").textContent = later && ` · ${later}`;
  strip.querySelector("[data-some-refused]").hidden = !entries.some(({ state }) => state === "refused");
  if (!entries.length && strip.contains(document.activeElement)) document.getElementById("main").focus({ preventScroll: true });
  strip.hidden = entries.length === 0;
}

function drawLine(line, entry, state) {
  line.dataset.id = entry.id;
  line.querySelector("[data-name]").textContent = entry.name;
  line.querySelector("[data-text]").textContent = entry.text;
  const time = line.querySelector("time");
  time.dateTime = entry.at;
  time.textContent = formatTime(entry.at);
  line.querySelector("[data-state]").textContent = state;
  line.classList.toggle("refused", entry.state === "refused");
  line.querySelector("[data-open]").href = `${entry.page}#waiting=${entry.id}`;
}

document.addEventListener("click", async (event) => {
  const strip = event.target.closest("#waiting"), button = event.target.closest("button, a");
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

// An entry that waits is changed on the page it was typed on; one that was refused is asked about once more, to see why.
async function openEntry(id) {
  const entry = (await findWaiting()).find((one) => one.id === id);
  history.replaceState(null, "", location.pathname + location.search);
  if (!entry) return;
  const forms = [...document.forms].filter((form) => form.method === "post" && matchOf(form.action) === entry.match);
  const form = forms.find((one) => one.action === entry.action) ?? forms.find((one) => one.dataset.entry === entry.name);
  if (!form) return document.getElementById("waiting").scrollIntoView({ block: "center" }); // only to be thrown away
  await restore(form, entry);
  const filled = (form.id && document.getElementById(form.id)) || form;
  filled.dataset.waiting = id;
  filled.closest("details")?.setAttribute("open", "");
  if (entry.state !== "refused") return;
  filled.requestSubmit(findButton(filled, entry));
}

const findButton = (form, entry) => {
  const buttons = [...form.elements].filter((element) => element.type === "submit" && element.name);
  return buttons.find((button) => entry.fields.some(([name, value]) => name === button.name && value === button.value));
};

document.addEventListener("outbox:changed", show);
show();
if (opened) openEntry(Number(opened));
