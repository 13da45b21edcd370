// Whatever is typed or tapped together keeps itself in the phone, by form, until it is saved or discarded.
// What stands in a form is compared with what the server made it with: changed back, it is no draft.
import { readFields, withoutCarried, writeFields } from "./fields.js";
import { find, findAll, keep, remove } from "./storage.js";
import { formatTime } from "./times.js";

const page = document.documentElement;
const texts = document.getElementById("draft-texts");
const TYPED = 'input:not([type="hidden"], [type="submit"], [type="button"]), select, textarea';
const PATIENCE = 5_000; // milliseconds until the form is put together without the server

const states = new Map(); // by key: how the server made the form, what stood in it last, what is being written
const grows = (form) => "look" in form.dataset; // with what is typed in it: made anew by the server at every step
const isKept = (form) => grows(form) || (form.method === "post" && !("plain" in form.dataset) && (!!form.querySelector(TYPED) || states.has(keyOf(form))));

// A form is the same in every language. One whose facts stand in its address is another one for other facts, and
// so is one that changes an entry of the outbox.
function keyOf(form) {
  const { pathname, search } = new URL(form.getAttribute("action") || location.pathname, location);
  const owner = /^\/[^/]+\/ask\//.test(pathname) ? "anyone" : page.dataset.browser; // a question of no match names nobody
  const path = owner + pathname.replace(/^\/[^/]+/, "");
  if (form.method === "post") return form.dataset.waiting ? `${path}#${form.dataset.waiting}` : path;
  const facts = new URLSearchParams(location.search);
  for (const name of ["asked", "entry", "objection"]) facts.delete(name);
  return `${path}${search}${facts.size ? `?${facts}` : ""}`;
}

// What was typed, to be compared.
const textOf = (fields) => JSON.stringify(withoutCarried(fields).filter(([name, value]) => value !== "" && name !== "asked").sort());

const stampOf = (form) => textOf(readFields(form)) + (form.elements.seq?.value ?? "");

// What the server put in, whatever the browser has filled in since.
function madeFields(form) {
  const copy = form.cloneNode(true);
  copy.reset();
  return readFields(copy);
}

function stateOf(form) {
  const key = keyOf(form);
  if (!states.has(key)) states.set(key, { key, made: textOf(madeFields(form)), look: form.className, html: form.innerHTML, last: stampOf(form), busy: 0 });
  return states.get(key);
}

// --- kept ------------------------------------------------------------------------------------------

// One after the other; while one is written, the latest waits. Who leaves the page waits for nothing.
function write(state, draft) {
  state.wanted = draft;
  state.kept = draft !== null;
  if (document.visibilityState === "hidden") writeWanted(state);
  state.writing ??= writeWanted(state).finally(() => { state.writing = undefined; });
  return state.writing;
}

async function writeWanted(state) {
  while (state.wanted !== undefined) {
    const draft = state.wanted;
    state.wanted = undefined;
    try {
      await (draft ? keep("drafts", draft) : remove("drafts", state.key));
      if (draft) checkLasting();
    } catch {
      if (draft) sayUnkept();
    }
  }
}

const draftOf = (form, state) => ({
  key: state.key,
  mark: page.dataset.browser,
  at: new Date().toISOString(),
  fields: readFields(form),
  html: grows(form) ? form.outerHTML : undefined,
  search: location.search,
  seq: form.elements.seq?.value,
  waiting: form.dataset.waiting,
  opened: Number(form.dataset.opened ?? performance.timeOrigin), // it knows what was written before
  version: page.dataset.version,
  lang: page.lang,
});

// Kept where it has changed since it was looked at last.
function look(form) {
  const state = stateOf(form), now = stampOf(form);
  if (state.busy || now === state.last) return;
  state.last = now;
  clearLine(form, "afresh");
  if (textOf(readFields(form)) !== state.made) write(state, draftOf(form, state));
  else if (state.kept !== false) write(state, null);
}

// The same for what was typed while nobody looked.
function lookSince(form, before) {
  if (textOf(readFields(form)) === textOf(before)) return;
  stateOf(form).last = "";
  look(form);
}

function lookAtAll() {
  for (const form of document.forms) if (isKept(form)) look(form);
}

// After whatever else is done about it.
for (const name of ["input", "change", "click"]) document.addEventListener(name, () => setTimeout(lookAtAll), true);
for (const name of ["deal:exchanged", "form:exchanged"]) document.addEventListener(name, () => setTimeout(lookAtAll));
// What was tapped is at the server, which made the form anew: no draft.
document.addEventListener("form:written", ({ target: form }) => {
  Object.assign(stateOf(form), { made: textOf(madeFields(form)), last: "" });
  look(form);
});
addEventListener("pagehide", lookAtAll);
document.addEventListener("visibilitychange", lookAtAll);

// The form was saved, or lies in the outbox: nothing of it is kept any more.
export async function forget(form) {
  if (!isKept(form)) return;
  const state = stateOf(form);
  state.last = stampOf(form);
  clearLine(form);
  await write(state, null);
}

// What stands in the form now is kept, whatever the server made it with.
export async function keepNow(form) {
  if (!isKept(form)) return;
  const state = stateOf(form);
  state.last = stampOf(form);
  await write(state, draftOf(form, state));
}

// --- taken up --------------------------------------------------------------------------------------

// What was typed stands in the form again; `saved` is a draft or a waiting entry: {fields, html, at}.
// What the form has otherwise than `before` was typed since, and is newer.
export async function restore(form, saved, before = readFields(form)) {
  const focused = document.activeElement, waiting = saved.id ?? saved.waiting;
  if (waiting) form.dataset.waiting = waiting;
  form.dataset.opened = saved.opened ?? 0;
  const state = stateOf(form);
  state.busy += 1;
  try {
    const changed = saved.id && (await find("drafts", state.key).catch(() => null));
    const { fields, html } = changed ?? saved;
    if (grows(form)) await growAgain(form, fields, html, before);
    else writeFields(form, typedSince(before, readFields(form), fields));
    openFolds(form, state);
    announce(form);
    if (!focused.isConnected) findSame(form, focused)?.focus({ preventScroll: true });
  } finally {
    state.busy -= 1;
    state.last = stampOf(form);
  }
}

// What had the focus, in the form as it is now.
const findSame = (form, element) => [...form.elements].find(
  (other) => other.tagName === element.tagName && other.id === element.id && other.name === element.name && (other.value === element.value || other.type === "text"));

// To the scripts of the page: its form has other things in it.
let announces = false;
function announce(form) {
  announces = true;
  document.dispatchEvent(new Event(form.id === "deal" ? "deal:exchanged" : "page:exchanged"));
  announces = false;
}

// A form that grows is made by the server; without it, as it stood in the phone.
async function growAgain(form, saved, html, before) {
  const made = await askServer(form, saved), fresh = made ?? parseForm(form, html);
  const fields = made ? readFields(made) : saved, typed = typedSince(before, readFields(form), fields);
  const token = form.elements.csrf_token?.value;
  if (fresh) {
    form.className = fresh.className;
    form.replaceChildren(...fresh.childNodes);
    if (token) form.elements.csrf_token.value = token;
  }
  if (!made || typed !== fields) writeFields(form, typed);
}

async function askServer(form, fields) {
  if ("kept" in page.dataset) return null;
  const [step, value] = form.dataset.look.split("="), token = form.elements.csrf_token?.value;
  const sent = new URLSearchParams(fields.filter(([name]) => name !== "csrf_token" && name !== step));
  if (token) sent.append("csrf_token", token);
  if (step) sent.append(step, value);
  const asks = form.method === "get";
  const options = asks ? {} : { method: "POST", body: sent };
  try {
    const answer = await fetch(asks ? `${form.action.split("?")[0]}?${sent}` : form.action,
      { ...options, headers: { "X-Part": "form" }, signal: AbortSignal.timeout?.(PATIENCE) });
    return answer.ok && !answer.redirected ? parseForm(form, await answer.text()) : null;
  } catch {
    return null;
  }
}

const parseForm = (form, html) => new DOMParser().parseFromString(html ?? "", "text/html").getElementById(form.id);

// What was typed while it was being taken up is newer.
function typedSince(before, now, fields) {
  const values = (some, name) => JSON.stringify(some.filter((field) => field[0] === name));
  const changed = new Set([...before, ...now].map(([name]) => name).filter((name) => values(before, name) !== values(now, name)));
  if (!changed.size) return fields;
  return [...fields.filter(([name]) => !changed.has(name)), ...now.filter(([name]) => changed.has(name))];
}

// What was typed is in view.
function openFolds(form, state) {
  const made = new Set(JSON.parse(state.made ?? "[]").map(String));
  form.closest("details")?.setAttribute("open", "");
  for (const element of form.querySelectorAll(`details.fold:not(.games) :is(${TYPED})`)) {
    const isSaid = element.type !== "radio" && element.type !== "checkbox" ? element.value : element.checked && element.value;
    if (isSaid && !made.has(`${element.name},${element.value}`)) element.closest("details.fold").open = true;
  }
}

async function takeUp(form, state, before = readFields(form)) {
  state.busy += 1;
  const saved = await findDraft(state.key).catch(() => null);
  if (saved !== null) form.autocomplete = "off"; // or the browser brings back what was saved
  state.kept = !!saved;
  state.busy -= 1;
  if (!saved) return lookSince(form, before);
  if (saved.done ? cameBy !== "back_forward" : textOf(saved.fields) === state.made) {
    write(state, null);
    return lookSince(form, before);
  }
  const takes = async (since) => {
    await restore(form, { ...saved, fields: tappedSince(form, saved) }, since);
    if (textOf(readFields(form)) !== textOf(saved.fields) || saved.key !== keyOf(form)) await keepNow(form);
    if (saved.key !== keyOf(form)) await remove("drafts", saved.key);
    showLine(form, "taken-up", saved.at, () => startAfresh(form));
  };
  if (!isOvertaken(form, saved)) return takes(before);
  showLine(form, "not-taken-up", saved.at, () => takes());
  lookSince(form, before);
}

// The latest of what was typed in this form, be it to change an entry that waits in the outbox.
async function findDraft(key) {
  const drafts = (await findAll("drafts")).filter((draft) => draft.key === key || draft.key.startsWith(`${key}#`));
  const waiting = new Set((await findAll("waiting")).map((entry) => String(entry.id)));
  const own = drafts.filter((draft) => !draft.waiting || waiting.has(draft.waiting));
  if (!own.length) return drafts.map((draft) => ({ ...draft, waiting: undefined, opened: 0 }))[0]; // what it was to change has been sent
  return own.sort((one, other) => (one.at < other.at ? -1 : 1)).at(-1);
}

// Other names were asked for, or a deal in progress was kept, since it was typed.
function isOvertaken(form, saved) {
  const asksAgain = saved.search !== location.search && new URLSearchParams(location.search).has("like");
  const { seq } = form.elements;
  return asksAgain || (seq && Number(saved.seq) < Number(seq.value) && new Date(form.dataset.since ?? 0) > new Date(saved.at));
}

// What was tapped to come here, as who plays which suit, is newer than what was typed.
function tappedSince(form, saved) {
  if (saved.search === location.search || form.method === "get") return saved.fields;
  const tapped = new Set([...new URLSearchParams(location.search).keys(), form.dataset.tapped]);
  const newer = readFields(form).filter(([name]) => tapped.has(name));
  return [...saved.fields.filter(([name]) => !newer.some((one) => one[0] === name)), ...newer];
}

// A question that was answered is done: it is there once more for who goes back, but not for who asks the next one.
async function closeAsked(form) {
  const path = keyOf(form).split("?")[0];
  for (const draft of await findAll("drafts").catch(() => [])) {
    if (draft.key.split("?")[0] === path) await keep("drafts", { ...draft, done: true });
    else if (draft.done) await remove("drafts", draft.key);
  }
}

// --- said ------------------------------------------------------------------------------------------

function clearLine(form, kind = "") {
  const line = form.previousElementSibling;
  if (line?.matches(`.draft-line[data-kind^="${kind}"]`)) line.remove();
}

function showLine(form, kind, at, act) {
  clearLine(form);
  const line = texts.content.querySelector(`[data-kind="${kind}"]`).cloneNode(true), time = line.querySelector("time");
  if (time) Object.assign(time, { dateTime: at, textContent: formatTime(at) });
  line.querySelector("button").addEventListener("click", async () => {
    line.remove();
    await act();
    form.previousElementSibling?.closest(".draft-line")?.lastElementChild.focus({ preventScroll: true }); // what takes that back
  });
  form.before(line);
}

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

// Browsers with a window that forgets give no folder of files there.
let checked;
const checkLasting = () => (checked ??= navigator.storage?.getDirectory?.().catch(sayUnkept) ?? Promise.resolve());

let unkept;
function sayUnkept() {
  if (unkept || sessionStorage.getItem("unkept-said")) return;
  sessionStorage.setItem("unkept-said", "1");
  unkept = texts.content.querySelector(".unkept").cloneNode(true);
  const form = document.activeElement?.form ?? [...document.forms].find(isKept);
  (document.querySelector(".dock-inside, .dock, .actions") ?? form).prepend(unkept);
}

// --- from the beginning ----------------------------------------------------------------------------

const cameBy = performance.getEntriesByType("navigation")[0]?.type;

// A page that was called up anew holds what the server put in, and what was typed before this script was there; one
// loaded once more, also what the browser remembers.
const firstFields = (form) => (cameBy === "navigate" ? madeFields(form) : readFields(form));

function begin() {
  const isAnswer = "answer" in texts.dataset, opens = location.hash.startsWith("#waiting=");
  for (const form of document.forms) {
    if (!isKept(form) || states.has(keyOf(form))) continue;
    const state = stateOf(form);
    const before = firstFields(form);
    if ("asked" in form.dataset) closeAsked(form).then(() => lookSince(form, before));
    else if (isAnswer && form.method === "post" && new URL(form.action).pathname === location.pathname) {
      state.made = null; // what was sent is all that the server put in
      keepNow(form);
    } else if (!opens) takeUp(form, state, before);
  }
}

// The page of an answer stands in place of this one: what was typed in its other forms is taken up again.
document.addEventListener("page:exchanged", () => {
  if (announces) return;
  begin();
  for (const form of [...document.forms].filter(isKept)) {
    const state = stateOf(form);
    state.last = stampOf(form);
    if (state.kept) takeUp(form, state);
  }
});
begin();
