// The new match: names by a tap, everything that speaks of a player called by that name, and a form that
// follows the game and how many play. The server makes every form; what is typed stays in it.

// Looked up when they are used: a refused form brings new ones, and so does the next match after one that waits.
const form = () => /** @type {HTMLFormElement} */ (document.getElementById("new"));
const bar = () => document.querySelector(".actions");

/** @param {string} selector */
const all = (selector) => [...form().querySelectorAll(selector)];
const findField = () => /** @type {HTMLInputElement} */ (document.getElementById("find-game"));
/** @param {Element} tile of a game */
const titleOf = (tile) => tile.querySelector(".choice-text").textContent;
const fields = () => /** @type {HTMLInputElement[]} */ (all("input[data-seat]"));
/** @type {HTMLInputElement | null} */
let focusedField = null;
let pointed = false; // whether the last choice was made by a finger, and not by the arrow keys
let asked = 0;
/** @type {string | null} */
let unanswered = null; // the step that has no answer yet

/** @param {string} kind @param {(event: any) => void} work */
const onForm = (kind, work) => document.addEventListener(kind, (event) => { if (/** @type {Element} */ (event.target).closest?.("#new")) work(event); });

// Where the next tapped name goes: another name is replaced only by somebody who is in its field.
function placeForName() {
  /** @param {HTMLInputElement} field */
  const isEmpty = (field) => !field.value.trim();
  if (focusedField && isEmpty(focusedField)) return focusedField;
  return fields().find(isEmpty) ?? focusedField;
}

function showNames() {
  const typed = new Map(fields().map((field) => [field.dataset.seat, field.value.trim()]));
  for (const place of all("[data-name-of]")) {
    const seat = place.dataset.nameOf;
    place.textContent = typed.get(seat) || form().querySelector(`[data-called="${seat}"]`).textContent;
  }
  const isFull = !placeForName();
  for (const chip of all("[data-name]")) {
    const isSeated = [...typed.values()].includes(chip.dataset.name ?? "");
    chip.setAttribute("aria-pressed", String(isSeated));
    chip.toggleAttribute("disabled", isFull && !isSeated);
  }
}

/** @param {any} rule a house rule */
const differs = (rule) => rule.querySelector("input:is(:checked, :not([type=radio]))")?.value.trim() !== rule.dataset.usual;

// A house rule stands on the page only while another one leaves something for it to say; folds say how many differ.
function showHouseRules() {
  /** @param {[name: string, value: string]} setting */
  const holds = ([name, value]) => {
    const choice = form().elements[`rule-${name}`];
    const element = choice instanceof RadioNodeList ? choice[0] : choice;
    if (!element || element.closest("[data-ways][hidden]")) return false;
    const [least, most] = value.split("..");
    if (most === undefined) return choice.value === value;
    return Number(choice.value) >= Number(least) && (most === "" || Number(choice.value) <= Number(most));
  };
  for (const element of all("[data-ways]")) {
    /** @type {Record<string, string>[]} */
    const ways = JSON.parse(element.dataset.ways ?? "[]");
    element.hidden = !ways.some((way) => Object.entries(way).every(holds));
  }
  const house = document.getElementById("house"), said = JSON.parse(house.dataset.differ ?? "[]");
  for (const fold of [house, ...all("[data-group]")]) {
    const count = [...fold.querySelectorAll(".house:not([hidden])")].filter(differs).length;
    fold.querySelector("small").textContent = count || fold === house ? said[count] : "";
    if (fold === house) all("p:has([value=usual])")[0].hidden = !count;
  }
}

// What is typed finds games by their names in any language, or else by the words of the game, with or without
// accents; one alone says what it is. The chosen one stays, so that the keyboard reaches the others from it.
/** @param {string} text */
const fold = (text) => text.normalize("NFKD").toLowerCase().replace(/[łđ]/g, (letter) => letter === "ł" ? "l" : "d").replace(/[^\p{L}\p{N}\s]/gu, "");

function findGames() {
  const typed = fold(findField().value).split(/\s+/).filter(Boolean), tiles = all("[data-titles]");
  /** @param {"titles" | "words"} kind */
  const saying = (kind) => tiles.filter(({ dataset }) => typed.every((word) => ` ${fold(dataset[kind] ?? "")}`.includes(` ${word}`)));
  const byTitle = saying("titles"), found = byTitle.length ? byTitle : saying("words");
  for (const tile of tiles) tile.hidden = !found.includes(tile) && !tile.querySelector(":checked");
  const folded = document.getElementById("more-games"); // a newcomer's
  if (folded) folded.hidden = !folded.querySelector(".choice:not([hidden])");
  if (typed.length) folded?.setAttribute("open", "");
  sayFound(found, typed.length > 0);
  return found;
}

/** @param {HTMLElement[]} found @param {boolean} isSought */
function sayFound(found, isSought) {
  const status = document.getElementById("games-found"), said = found.map(titleOf).join(", ") || (status.dataset.none ?? "");
  const about = found.length === 1 ? ` · ${all("#about dd")[all("[data-titles]").indexOf(found[0])].textContent.trim()}` : "";
  status.textContent = isSought ? said + about : "";
  status.classList.toggle("unseen", found.length > 1 || !isSought);
}

function prepareForm() {
  for (const chips of all("[data-chips]")) chips.hidden = false;
  for (const element of all("[data-nojs]")) element.hidden = true; // a tap shows it by itself
  focusedField = unanswered = null;
  showNames();
  showHouseRules();
  findGames();
}

// Where the focus was, to give it back to the same thing on the form that was exchanged.
/** @param {any} element whatever had the focus @returns {HTMLElement | undefined} */
function sameThing(element) {
  if (element.id) return document.getElementById(element.id);
  if (element.tagName === "SUMMARY") return document.querySelector(`#${element.parentElement.id} > summary`);
  return /** @type {HTMLInputElement[]} */ (all("input, button")).find(({ name, value }) => name === element.name && value === element.value);
}

/** @param {HTMLElement} next @param {string} name @param {string} value */
function fillIn(next, name, value) {
  for (const place of /** @type {NodeListOf<HTMLInputElement>} */ (next.querySelectorAll(`[name="${CSS.escape(name)}"]`))) {
    if (place.type === "radio") place.checked = place.value === value;
    else place.value = value;
  }
}

// Another game, variety or number of players has other places and other house rules: the form is exchanged
// for theirs. What was typed while the server was asked is kept.
/** @param {string} step */
async function exchange(step) {
  const data = new FormData(form());
  data.set("step", step);
  const number = ++asked;
  const page = await askServer(data).catch(() => null);
  if (number !== asked) return; // something else was chosen meanwhile
  if (page === null) return showSilence(step);
  const fresh = new DOMParser().parseFromString(page, "text/html");
  const next = fresh.getElementById("new");
  if (!next) return showSilence(step);
  for (const [name, value] of new FormData(form())) {
    const isNew = data.get(name) !== value && !(step === "usual" && name.startsWith("rule-"));
    if (isNew) fillIn(next, name, String(value));
  }
  exchangeParts(next, fresh);
  prepareForm();
  document.dispatchEvent(new Event("form:exchanged"));
}

// Folds and the focus stay as they are.
/** @param {HTMLElement} next @param {Document} fresh */
function exchangeParts(next, fresh) {
  const folds = () => /** @type {HTMLDetailsElement[]} */ (all("details"));
  const open = new Map(folds().map((element) => [element.id, element.open]));
  const focused = document.activeElement;
  next.querySelector("#find-game").replaceWith(findField());
  form().replaceChildren(...next.childNodes);
  bar().replaceChildren(...fresh.querySelector(".actions").childNodes);
  for (const element of folds()) element.open = open.get(element.id) ?? element.open;
  if (!focused?.isConnected) sameThing(focused)?.focus({ preventScroll: true });
}

// No answer in ten seconds, one that is no page of ours, or a server that fails: all the same to who waits for it.
/** @param {FormData} data */
async function askServer(data) {
  const waiting = new AbortController(), timer = setTimeout(() => waiting.abort(), 10000);
  try {
    const response = await fetch(form().action, { method: "POST", body: data, signal: waiting.signal });
    if (response.status >= 500 || response.status === 429 || !response.headers.has("X-Version")) throw new Error(String(response.status));
    return await response.text();
  } finally {
    clearTimeout(timer);
  }
}

// The page stays as it is; what was chosen is looked up when the network is back, or by a tap.
/** @param {string} step */
function showSilence(step) {
  const place = document.getElementById("not-started");
  place.textContent = form().dataset.offline ?? "";
  place.hidden = false;
  const again = form().querySelector('[data-nojs]:has(button[value="show"])');
  again?.removeAttribute("data-nojs");
  again?.removeAttribute("hidden");
  unanswered = step;
}
addEventListener("online", () => { if (unanswered) exchange(unanswered); });

// Names change seats by lot, so that partners are drawn too.
function drawTeams() {
  const seats = fields(), names = seats.map((field) => field.value);
  for (const [at, field] of seats.entries()) {
    const [drawn] = names.splice(crypto.getRandomValues(new Uint32Array(1))[0] % (seats.length - at), 1);
    field.value = drawn ?? "";
  }
  showNames();
}

// A game that was pointed at is chosen: the list folds away behind its name.
/** @param {string} title */
function foldGames(title) {
  const games = document.getElementById("games"), summary = games.querySelector("summary");
  summary.querySelector("[data-game]").textContent = title;
  games.removeAttribute("open");
  findField().value = "";
  findGames();
  summary.focus({ preventScroll: true });
  summary.scrollIntoView({ block: "nearest" });
}

onForm("pointerdown", () => { pointed = true; });
onForm("keydown", (event) => {
  pointed = event.target === findField() && event.key === "Enter";
  if (!pointed) return;
  event.preventDefault(); // it chooses the first that is found, and starts no match
  if (findField().value.trim()) findGames()[0]?.querySelector("input").click();
});
onForm("change", ({ target }) => {
  if (["game", "table"].includes(target.name)) exchange("show");
});
onForm("submit", (event) => {
  const step = event.submitter?.name === "step" && event.submitter.value;
  if (!step || step === "start") return;
  event.preventDefault();
  if (step === "teams") drawTeams();
  else exchange(step);
});
onForm("input", ({ target }) => {
  showNames();
  showHouseRules();
  if (target === findField()) findGames();
});
onForm("focusin", ({ target }) => {
  if (!target.dataset.seat) return;
  focusedField = target;
  showNames();
});
onForm("click", (event) => {
  if (event.target.name === "game" && pointed) foldGames(titleOf(event.target.closest("label")));
  const name = event.target.closest("[data-name]")?.dataset.name;
  if (!name) return;
  const holder = fields().find((field) => field.value.trim() === name);
  const place = holder ?? placeForName();
  if (!place) return;
  place.value = holder ? "" : name;
  focusedField = null;
  showNames();
});

// A browser that comes back to the page fills in what was chosen then, on the form that was there at first.
addEventListener("pageshow", () => {
  const { elements } = form();
  const outdated = ["game", "table"].some((name) => elements[name].value !== elements[`shown-${name}`].value);
  if (outdated) exchange("show");
  showNames();
});

for (const name of ["page:exchanged", "deal:exchanged"]) document.addEventListener(name, prepareForm);
prepareForm();
