// Taps that build the deal up (calls, runs, cards of the pad) without loading the page again.
// Without this script the same buttons send the form, and the page comes back with the tap carried out.
// Where the server does not answer, what can be done without it is done here.
import { showAnswer } from "../offline/answer.js";
import { canTakeHere, takeStepHere } from "./unanswered.js";

/** @type {string[]} */
const queue = [];
const narrow = matchMedia("(max-width: 56.24em)");
const dealForm = () => /** @type {HTMLFormElement} */ (document.getElementById("deal"));
let busy = false;
let silentUntil = 0; // it kept us waiting: for a while nobody waits again for what can be done here

class NoAnswer extends Error {}
class Refusal extends Error {} // with the page that says why

/** @param {string} action */
const takeStep = async (action) => {
  const form = dealForm(), data = new FormData(form), sent = new FormData(form);
  const here = canTakeHere(form, action);
  if (here && action.startsWith("counting:")) return describeHere(form, action);
  if (here && Date.now() < silentUntil) throw new NoAnswer();
  data.set("do", action);
  const html = await askServer(form.action, data, here ? 3000 : 10000);
  exchangeForm(form, html, action, sent);
};

// Whatever it is counted by, all that was typed is on the page already: nobody waits for the server.
/** @param {HTMLFormElement} form @param {string} action */
const describeHere = (form, action) => {
  takeHere(form, action);
  form.elements.counting.dispatchEvent(new Event("input", { bubbles: true })); // what it comes to is asked
};

/** @param {string} address @param {FormData} data @param {number} patience */
const askServer = async (address, data, patience) => {
  const waiting = new AbortController(), timer = setTimeout(() => waiting.abort(), patience);
  let response, html;
  try {
    response = await fetch(address, { method: "POST", body: data, headers: { "X-Part": "form" }, signal: waiting.signal });
    html = await response.text();
  } catch {
    if (waiting.signal.aborted) silentUntil = Date.now() + 15000;
    throw new NoAnswer();
  } finally {
    clearTimeout(timer);
  }
  if (response.status >= 500 || response.status === 429 || !response.headers.has("X-Version")) throw new NoAnswer(); // something between may have answered
  if (!response.ok) throw new Refusal(html);
  if (response.redirected) throw new Error("redirected");
  return html;
};

// What was typed or tapped while the answer was on its way is carried over.
/** @param {HTMLFormElement} form @param {HTMLFormElement} fresh @param {FormData} sent */
const carryOver = (form, fresh, sent) => {
  for (const [name, value] of new FormData(form)) {
    const place = fresh.elements[name];
    if (value === sent.get(name) || !place || place.type === "checkbox") continue;
    place.value = value;
    (place.length ? [...place].find((input) => input.checked) : place)?.dispatchEvent(new Event("input", { bubbles: true }));
  }
};

/** @param {HTMLFormElement} form @param {string} html @param {string} action @param {FormData} sent */
const exchangeForm = (form, html, action, sent) => {
  const focused = findAgain(document.activeElement), open = /** @type {HTMLDetailsElement | null} */ (form.querySelector("details.more"))?.open;
  const holder = document.createElement("template");
  holder.innerHTML = html;
  const fresh = /** @type {HTMLFormElement} */ (holder.content.querySelector("#deal"));
  if (open) fresh.querySelector("details.more").setAttribute("open", "");
  for (const name of ["waiting", "opened"]) if (name in form.dataset) fresh.dataset[name] = form.dataset[name]; // it changes the same entry
  form.replaceWith(fresh);
  document.dispatchEvent(new CustomEvent("deal:exchanged"));
  carryOver(form, fresh, sent);
  (focused(fresh) || nextFocus(fresh, action))?.focus({ preventScroll: true });
  showStep(fresh, action);
};

// The meld that was just declared; it has the highest number.
/** @param {HTMLFormElement} form @param {string} action */
const lastRow = (form, action) => {
  const verb = action.split(":")[0], all = form.querySelectorAll(`[data-row="${verb}"]`);
  return form.querySelector(`[name="${verb}s-${all.length - 1}-seat"]`)?.closest(".run");
};

/** @param {HTMLFormElement} form @param {string} action */
const showStep = (form, action) => {
  const row = lastRow(form, action);
  row?.scrollIntoView({ block: "nearest" });
  row?.closest(".melds")?.scrollIntoView({ block: "nearest" }); // with the tile, where there is room
  if (action === "counting:cards" && narrow.matches) form.querySelector("#head-made").closest(".part-head").scrollIntoView();
};

/** @param {HTMLFormElement} form @param {string} action */
const takeHere = (form, action) => {
  const before = document.activeElement, focused = findAgain(before);
  takeStepHere(form, action);
  document.dispatchEvent(new CustomEvent("deal:exchanged"));
  if (!before?.isConnected) (focused(form) || nextFocus(form, action))?.focus({ preventScroll: true });
  showStep(form, action);
};

// The server did not answer: done without it where that is possible. False: it has to be tapped again later.
/** @param {string} action */
const goOnHere = (action) => {
  const form = dealForm(), possible = canTakeHere(form, action);
  if (possible) takeHere(form, action);
  form.querySelector("#comes-to").textContent = form.dataset[possible ? "offline" : whatIsNeeded(form, action)] ?? "";
  document.dispatchEvent(new CustomEvent("deal:unanswered"));
  for (const key of form.querySelectorAll(".cardkey[data-tapped]")) key.removeAttribute("disabled");
  return possible;
};

// Which sentence says what to do instead.
/** @param {HTMLFormElement} form @param {string} action */
const whatIsNeeded = (form, action) => {
  const verb = action.split(":")[0];
  if (verb === "look") return "offline";
  if (/^(card|uncard|counting)$/.test(verb)) return "offlineCards";
  return /^(way|call|uncall)$/.test(verb) || form.elements.way.value === "calls" ? "offlineCalls" : "offlineStep";
};

// What has the focus, to be found in the fresh form: it stays where it is.
/** @param {any} element whatever has the focus @returns {(fresh: HTMLFormElement) => HTMLElement | null | undefined} */
const findAgain = (element) => (fresh) => {
  if (element?.matches("#deal summary")) return fresh.querySelector("summary");
  if (!element?.form || element.disabled) return null;
  /** @param {HTMLInputElement} other */
  const same = (other) => other.name === element.name && other.id === element.id && (other.type === "text" || other.value === element.value);
  return /** @type {HTMLInputElement[]} */ ([...fresh.elements]).find((other) => other.type !== "hidden" && !other.disabled && same(other));
};

// Where the keyboard goes on when the tapped button is gone; what only looks again moves nothing.
/** @param {HTMLFormElement} form @param {string} action */
const nextFocus = (form, action) => {
  if (action === "look") return null;
  const same = form.querySelector(`button[name="do"][value="${CSS.escape(action)}"]:not(:disabled)`);
  if (same) return same;
  const kind = action.split(":")[0];
  /** @type {Record<string, string>} */
  const places = { call: ".legal button", uncall: ".legal button", turn: ".legal button", card: ".dock .cardkey:not(:disabled)" };
  const row = lastRow(form, action);
  if (row) return row.querySelector("input[type=radio]");
  const candidates = /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll(places[kind] || ".tab[aria-pressed=true]"));
  return [...candidates].find((candidate) => candidate.offsetParent);
};

// Sent as if there were no script, by a button of its own.
/** @param {string} action */
const sendForm = (action) => {
  const form = dealForm(), button = document.createElement("button");
  button.name = "do";
  button.value = action;
  button.hidden = true;
  form.append(button);
  form.requestSubmit(button);
};

const workQueue = async () => {
  if (busy) return;
  busy = true;
  for (let action = queue.shift(); action; action = queue.shift()) {
    try {
      if (leavesPage(action)) sendForm(action);
      else await takeStep(action);
    } catch (error) {
      if (error instanceof NoAnswer && goOnHere(action)) continue;
      queue.length = 0;
      if (error instanceof Refusal) showAnswer(error.message);
      else if (!(error instanceof NoAnswer)) sendForm(action); // the server has to say it itself
    }
  }
  busy = false;
};

/** @param {string} action */
const leavesPage = (action) => /^(save|draft|drop|audit)/.test(action);

document.addEventListener("click", (event) => {
  const button = /** @type {HTMLButtonElement | null} */ (/** @type {Element} */ (event.target).closest('#deal button[name="do"]'));
  if (!button || (leavesPage(button.value) && !busy)) return;
  event.preventDefault();
  if (button.classList.contains("cardkey")) {
    button.disabled = true; // at once, so that a quick hand sees it
    button.dataset.tapped = "1";
  }
  queue.push(button.value);
  workQueue();
});

// Who plays which suit says also which row of the card pad is trumps.
document.addEventListener("change", (event) => {
  const { form, name } = /** @type {HTMLInputElement} */ (event.target);
  if (form?.id !== "deal" || !/^(bid|dealer)$/.test(name)) return;
  if (name === "bid" && form.elements.counting.value !== "cards") return;
  queue.push("look");
  workQueue();
});
