// Stores what is typed in each form on the phone until it is saved or discarded.
// A form that is changed back to what the server sent is no draft.
import { controlsOf, fieldOf, readFields, withoutCarried, writeFields } from "./fields.js";
import { find, findAll, keep, remove } from "./storage.js";
import { formatTime } from "./times.js";
/** @import { Draft, Entry, Field } from "./types.js" */

const page = document.documentElement;
const texts = /** @type {HTMLTemplateElement} */ (document.getElementById("draft-texts"));
const TYPED = 'input:not([type="hidden"], [type="submit"], [type="button"]), select, textarea';
const TIMEOUT = 5_000; // milliseconds until the form is rebuilt without the server

/**
 * @typedef {object} State of a form
 * @property {string} key
 * @property {string | null} made its fields as the server sent them
 * @property {string} look
 * @property {string} html
 * @property {string} last its fields at the last look
 * @property {number} busy
 * @property {boolean} [stored] whether a draft of it is stored
 * @property {Draft | null} [wanted] the draft to write next; null deletes it
 * @property {Promise<void>} [writing]
 */

/** @type {Map<string, State>} */
const states = new Map(); // by key
/** @param {HTMLFormElement} form */
const grows = (form) => "look" in form.dataset; // while it is filled in: the server makes it again at every step
/** @param {HTMLFormElement} form */
const keepsDrafts = (form) => grows(form) || (form.method === "post" && !("plain" in form.dataset) && (!!form.querySelector(TYPED) || states.has(keyOf(form))));

// The key of a form: the same in every language, another one for other facts in its address, and for each entry of the
// outbox that it changes.
/** @param {HTMLFormElement} form */
function keyOf(form) {
  const { pathname, search } = new URL(form.getAttribute("action") || location.pathname, location.href);
  const owner = /^\/[^/]+\/ask\//.test(pathname) ? "anyone" : page.dataset.browser; // a question of no match names nobody
  const path = owner + pathname.replace(/^\/[^/]+/, "");
  if (form.method === "post") return form.dataset.waiting ? `${path}#${form.dataset.waiting}` : path;
  const facts = new URLSearchParams(location.search);
  for (const name of ["asked", "entry", "objection"]) facts.delete(name);
  return `${path}${search}${facts.size ? `?${facts}` : ""}`;
}

// What was typed, as text to compare.
/** @param {Field[]} fields */
const textOf = (fields) => JSON.stringify(withoutCarried(fields).filter(([name, value]) => value !== "" && name !== "asked").sort());

/** @param {HTMLFormElement} form */
const stampOf = (form) => textOf(readFields(form)) + (fieldOf(form, "seq")?.value ?? "");

// The fields as the server sent them, whatever the browser has filled in since.
/** @param {HTMLFormElement} form */
function madeFields(form) {
  const copy = /** @type {HTMLFormElement} */ (form.cloneNode(true));
  copy.reset();
  return readFields(copy);
}

/** @param {HTMLFormElement} form */
function stateOf(form) {
  const key = keyOf(form);
  const found = states.get(key);
  if (found) return found;
  /** @type {State} */
  const state = { key, made: textOf(madeFields(form)), look: form.className, html: form.innerHTML, last: stampOf(form), busy: 0 };
  states.set(key, state);
  return state;
}

// --- stored ----------------------------------------------------------------------------------------

// Writes one draft after another; of those that come meanwhile only the latest is written. A page that is left writes at once.
/** @param {State} state @param {Draft | null} draft */
function write(state, draft) {
  state.wanted = draft;
  state.stored = draft !== null;
  if (document.visibilityState === "hidden") writeWanted(state);
  state.writing ??= writeWanted(state).finally(() => { state.writing = undefined; });
  return state.writing;
}

/** @param {State} state */
async function writeWanted(state) {
  while (state.wanted !== undefined) {
    const draft = state.wanted;
    state.wanted = undefined;
    try {
      await (draft ? keep("drafts", draft) : remove("drafts", state.key));
      if (draft) checkLasting();
    } catch {
      if (draft) reportUnkept();
    }
  }
}

/** @param {HTMLFormElement} form @param {State} state */
const draftOf = (form, state) => ({
  key: state.key,
  mark: page.dataset.browser,
  at: new Date().toISOString(),
  fields: readFields(form),
  html: grows(form) ? form.outerHTML : undefined,
  search: location.search,
  seq: fieldOf(form, "seq")?.value,
  waiting: form.dataset.waiting,
  opened: Number(form.dataset.opened ?? performance.timeOrigin), // it knows what was written before
  version: page.dataset.version,
  lang: page.lang,
});

// Stores a draft if the form has changed since the last look.
/** @param {HTMLFormElement} form */
function look(form) {
  const state = stateOf(form), now = stampOf(form);
  if (state.busy || now === state.last) return;
  state.last = now;
  clearLine(form, "afresh");
  if (textOf(readFields(form)) !== state.made) write(state, draftOf(form, state));
  else if (state.stored !== false) write(state, null);
}

// The same for what was typed since the form had these fields.
/** @param {HTMLFormElement} form @param {Field[]} before */
function lookSince(form, before) {
  if (textOf(readFields(form)) === textOf(before)) return;
  stateOf(form).last = "";
  look(form);
}

function lookAtAll() {
  for (const form of document.forms) if (keepsDrafts(form)) look(form);
}

// After all other listeners.
for (const name of ["input", "change", "click"]) document.addEventListener(name, () => setTimeout(lookAtAll), true);
for (const name of ["deal:exchanged", "form:exchanged"]) document.addEventListener(name, () => setTimeout(lookAtAll));
// The server has what was tapped and has made the form again: no draft.
document.addEventListener("form:written", ({ target }) => {
  const form = /** @type {HTMLFormElement} */ (target);
  Object.assign(stateOf(form), { made: textOf(madeFields(form)), last: "" });
  look(form);
});
addEventListener("pagehide", lookAtAll);
document.addEventListener("visibilitychange", lookAtAll);

// Deletes the draft of a form that was saved, or is in the outbox.
/** @param {HTMLFormElement} form */
export async function forget(form) {
  if (!keepsDrafts(form)) return;
  const state = stateOf(form);
  state.last = stampOf(form);
  clearLine(form);
  await write(state, null);
}

// Stores what is in the form now, also if that is what the server sent.
/** @param {HTMLFormElement} form */
export async function keepNow(form) {
  if (!keepsDrafts(form)) return;
  const state = stateOf(form);
  state.last = stampOf(form);
  await write(state, draftOf(form, state));
}

// --- taken up --------------------------------------------------------------------------------------

// Fills a form from a draft or a waiting entry. Fields that differ from `before` were typed since and stay.
/** @param {HTMLFormElement} form @param {Draft | Entry} saved */
export async function restore(form, saved, before = readFields(form)) {
  const waiting = saved.id ?? ("waiting" in saved ? saved.waiting : undefined);
  if (waiting) form.dataset.waiting = String(waiting);
  form.dataset.opened = String(saved.opened ?? 0);
  const state = stateOf(form);
  state.busy += 1;
  try {
    const changed = saved.id ? await find("drafts", state.key).catch(() => null) : null;
    const { fields, html } = changed ?? saved;
    let focused = /** @type {HTMLElement} */ (document.activeElement);
    if (grows(form)) focused = await growAgain(form, fields, html, before);
    else writeFields(form, typedSince(before, readFields(form), fields));
    openFolds(form, state);
    announce(form);
    if (!focused.isConnected) findSame(form, focused)?.focus({ preventScroll: true });
  } finally {
    state.busy -= 1;
    state.last = stampOf(form);
  }
}

// Finds the control that had the focus in the rebuilt form.
/** @param {HTMLFormElement} form @param {any} element whatever had the focus */
const findSame = (form, element) => controlsOf(form).find(
  (other) => other.tagName === element.tagName && other.id === element.id && other.name === element.name && (other.value === element.value || other.type === "text"));

// Notifies the scripts of the page that the contents of its form have changed.
let announces = false;
/** @param {HTMLFormElement} form */
function announce(form) {
  announces = true;
  document.dispatchEvent(new Event(form.id === "deal" ? "deal:exchanged" : "page:exchanged"));
  announces = false;
}

// Rebuilds a form with added rows, by the server or, offline, from the draft; returns what had focus.
/** @param {HTMLFormElement} form @param {Field[]} saved @param {string | undefined} html @param {Field[]} before */
async function growAgain(form, saved, html, before) {
  const made = await askServer(form, saved), fresh = made ?? parseForm(form, html);
  const focused = /** @type {HTMLElement} */ (document.activeElement);
  const fields = made ? readFields(made) : saved, typed = typedSince(before, readFields(form), fields);
  const token = fieldOf(form, "csrf_token")?.value;
  if (fresh) {
    form.className = fresh.className;
    form.replaceChildren(...fresh.childNodes);
    const field = fieldOf(form, "csrf_token");
    if (field && token) field.value = token;
  }
  if (!made || typed !== fields) writeFields(form, typed);
  return focused;
}

/** @param {HTMLFormElement} form @param {Field[]} fields */
async function askServer(form, fields) {
  if ("kept" in page.dataset) return null;
  const sent = fieldsToAsk(form, fields), asks = form.method === "get";
  const options = asks ? {} : { method: "POST", body: sent };
  try {
    const answer = await fetch(asks ? `${form.action.split("?")[0]}?${sent}` : form.action,
      { ...options, headers: { "X-Part": "form" }, signal: AbortSignal.timeout?.(TIMEOUT) });
    return answer.ok && !answer.redirected ? parseForm(form, await answer.text()) : null;
  } catch {
    return null;
  }
}

// The fields to send, with the step that the form asks for and the token of this page.
/** @param {HTMLFormElement} form @param {Field[]} fields */
function fieldsToAsk(form, fields) {
  const [step, value = ""] = (form.dataset.look ?? "").split("="), token = fieldOf(form, "csrf_token")?.value;
  const sent = new URLSearchParams(fields.filter(([name]) => name !== "csrf_token" && name !== step));
  if (token) sent.append("csrf_token", token);
  if (step) sent.append(step, value);
  return sent;
}

/** @param {HTMLFormElement} form @param {string} [html] @returns {HTMLFormElement | null} */
const parseForm = (form, html) => /** @type {HTMLFormElement | null} */ (new DOMParser().parseFromString(html ?? "", "text/html").getElementById(form.id));

// The fields of a draft, except those that were typed meanwhile: these are newer.
/** @param {Field[]} before @param {Field[]} now @param {Field[]} fields */
function typedSince(before, now, fields) {
  /** @param {Field[]} some @param {string} name */
  const values = (some, name) => JSON.stringify(some.filter((field) => field[0] === name));
  const changed = new Set([...before, ...now].map(([name]) => name).filter((name) => values(before, name) !== values(now, name)));
  if (!changed.size) return fields;
  return [...fields.filter(([name]) => !changed.has(name)), ...now.filter(([name]) => changed.has(name))];
}

// Opens the folds that contain something typed.
/** @param {HTMLFormElement} form @param {State} state */
function openFolds(form, state) {
  const made = new Set(JSON.parse(state.made ?? "[]").map(String));
  form.closest("details")?.setAttribute("open", "");
  for (const field of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll(`details.fold:not(.games) :is(${TYPED})`))) {
    const hasText = field.type !== "radio" && field.type !== "checkbox" ? field.value : field.checked && field.value;
    if (!hasText || made.has(`${field.name},${field.value}`)) continue;
    for (const fold of form.querySelectorAll("details")) if (fold.contains(field)) fold.setAttribute("open", "");
  }
}

// Restores the stored draft of a form, or offers it if the form is newer.
/** @param {HTMLFormElement} form @param {State} state */
async function takeUp(form, state, before = readFields(form)) {
  state.busy += 1;
  const saved = await findDraft(state.key).catch(() => null);
  if (saved !== null) form.autocomplete = "off"; // or the browser brings back what was saved
  state.stored = !!saved;
  state.busy -= 1;
  if (!saved) return lookSince(form, before);
  if (saved.done ? cameBy !== "back_forward" : textOf(saved.fields) === state.made) {
    write(state, null);
    return lookSince(form, before);
  }
  /** @param {Field[]} [since] */
  const takes = async (since) => {
    await restore(form, { ...saved, fields: since ? tappedSince(form, saved) : saved.fields }, since);
    if (textOf(readFields(form)) !== textOf(saved.fields) || saved.key !== keyOf(form)) await keepNow(form);
    if (saved.key !== keyOf(form)) await remove("drafts", saved.key);
    showLine(form, "taken-up", saved.at, () => startAfresh(form));
  };
  if (!isStale(form, saved)) return takes(before);
  showLine(form, "not-taken-up", saved.at, () => takes());
  lookSince(form, before);
}

// The latest draft of this form, also if it changes a waiting entry.
/** @param {string} key */
async function findDraft(key) {
  const drafts = (await findAll("drafts")).filter((draft) => draft.key === key || draft.key.startsWith(`${key}#`));
  const waiting = new Set((await findAll("waiting")).map((entry) => String(entry.id)));
  const own = drafts.filter((draft) => !draft.waiting || waiting.has(draft.waiting));
  if (!own.length) return drafts.map((draft) => ({ ...draft, waiting: undefined, opened: 0 }))[0]; // the entry it changed has been sent
  return own.sort((draft, other) => (draft.at < other.at ? -1 : 1)).at(-1);
}

// True if other names were asked for, another contract was tapped, or a deal in progress was saved, since the draft was
// typed: its count is of that other contract.
/** @param {HTMLFormElement} form @param {Draft} saved */
function isStale(form, saved) {
  const facts = new URLSearchParams(location.search), bid = facts.get("bid");
  const bidThen = saved.fields.find(([name]) => name === "bid")?.[1];
  const asksAgain = saved.search !== location.search && (facts.has("like") || (bid && bidThen && bid !== bidThen));
  const { seq } = form.elements;
  return asksAgain || (seq && Number(saved.seq) < Number(seq.value) && new Date(form.dataset.since ?? 0) > new Date(saved.at));
}

// The fields of a draft, except those that were tapped to come here (who plays which suit): these are newer.
/** @param {HTMLFormElement} form @param {Draft} saved */
function tappedSince(form, saved) {
  if (saved.search === location.search || form.method === "get") return saved.fields;
  const tapped = new Set([...new URLSearchParams(location.search).keys(), form.dataset.tapped]);
  const newer = readFields(form).filter(([name]) => tapped.has(name));
  return [...saved.fields.filter(([name]) => !newer.some((field) => field[0] === name)), ...newer];
}

// Marks the draft of an answered question as done: going back restores it, the next question does not.
/** @param {HTMLFormElement} form */
async function closeAsked(form) {
  const path = keyOf(form).split("?")[0];
  for (const draft of await findAll("drafts").catch(() => [])) {
    if (draft.key.split("?")[0] === path) await keep("drafts", { ...draft, done: true });
    else if (draft.done) await remove("drafts", draft.key);
  }
}

// --- lines at a form ---------------------------------------------------------------------------------------

/** @param {HTMLFormElement} form */
function clearLine(form, kind = "") {
  const line = form.previousElementSibling;
  if (line?.matches(`.draft-line${kind && `[data-kind="${kind}"]`}`)) line.remove();
}

/** @param {HTMLFormElement} form @param {string} kind @param {string} at @param {() => any} act */
function showLine(form, kind, at, act) {
  clearLine(form);
  const line = /** @type {HTMLElement} */ (texts.content.querySelector(`[data-kind="${kind}"]`).cloneNode(true)), time = line.querySelector("time");
  if (time) Object.assign(time, { dateTime: at, textContent: formatTime(at) });
  line.querySelector("button").addEventListener("click", async () => {
    line.remove();
    await act();
    /** @type {HTMLElement | null | undefined} */ (form.previousElementSibling?.closest(".draft-line")?.lastElementChild)?.focus({ preventScroll: true }); // what takes that back
  });
  form.before(line);
}

/** @param {HTMLFormElement} form */
async function startAfresh(form) {
  const state = stateOf(form), typed = draftOf(form, state);
  form.className = state.look;
  form.innerHTML = state.html;
  announce(form);
  state.last = stampOf(form);
  await write(state, null);
  delete form.dataset.waiting;
  delete form.dataset.opened;
  stateOf(form);
  showLine(form, "afresh", typed.at, async () => {
    await restore(form, typed);
    await keepNow(form);
    showLine(form, "taken-up", typed.at, () => startAfresh(form));
  });
}

// Private windows, which forget what is stored, give no folder of files.
let checked;
const checkLasting = () => (checked ??= navigator.storage?.getDirectory?.().catch(reportUnkept) ?? Promise.resolve());

/** @type {HTMLElement | undefined} */
let unkept;
function reportUnkept() {
  if (unkept || sessionStorage.getItem("unkept-said")) return;
  sessionStorage.setItem("unkept-said", "1");
  unkept = /** @type {HTMLElement} */ (texts.content.querySelector(".unkept").cloneNode(true));
  const form = /** @type {HTMLInputElement | null} */ (document.activeElement)?.form ?? [...document.forms].find(keepsDrafts);
  (document.querySelector(".dock-inside, .dock, .actions") ?? form).prepend(unkept);
}

// --- from the beginning ----------------------------------------------------------------------------

const cameBy = /** @type {PerformanceNavigationTiming | undefined} */ (performance.getEntriesByType("navigation")[0])?.type;

// The fields before anything was typed. A page that was opened by a link has them as the server sent them, whatever was typed
// before this script came; on any other page the browser may have filled in what it remembers.
/** @param {HTMLFormElement} form */
const firstFields = (form) => (cameBy === "navigate" ? madeFields(form) : readFields(form));

function begin() {
  const isAnswer = "answer" in texts.dataset, opens = location.hash.startsWith("#waiting=");
  for (const form of document.forms) {
    if (!keepsDrafts(form) || states.has(keyOf(form))) continue;
    const state = stateOf(form);
    if (grows(form)) form.autocomplete = "off"; // or the browser would fill in controls of a form of another shape
    const before = firstFields(form);
    if ("asked" in form.dataset) closeAsked(form).then(() => lookSince(form, before));
    else if (isAnswer && form.method === "post" && new URL(form.action).pathname === location.pathname) {
      state.made = null; // the server put in only what was sent
      keepNow(form);
    } else if (!opens) takeUp(form, state, before);
  }
}

// An answer has replaced the page: the drafts of its other forms are restored.
document.addEventListener("page:exchanged", () => {
  if (announces) return;
  begin();
  for (const form of [...document.forms].filter(keepsDrafts)) {
    const state = stateOf(form);
    state.last = stampOf(form);
    if (state.stored) takeUp(form, state);
  }
});
begin();
