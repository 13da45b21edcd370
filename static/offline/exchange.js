// Updates the live parts of a page from its current version; whatever is the same stays as it is.
import { holdStill } from "./outbox.js";

const page = document.documentElement;
const QUIET = 300; // milliseconds after a finger was lifted, or the page moved
const AFTER = 5_000; // milliseconds in which what an answer in place of the page says is not new
let down = false, moved = 0, answered = 0;
/** @type {[name: string, is?: boolean][]} */
const MOVES = [["pointerdown", true], ["touchstart", true], ["pointerup", false], ["touchend", false], ["touchcancel", false], ["scroll"]];
for (const [name, is] of MOVES) {
  addEventListener(name, (/** @type {any} a touch event has `touches` */ { touches }) => {
    down = is === undefined ? down : is || touches?.length > 0;
    moved = Date.now();
  }, { capture: true, passive: true });
}
addEventListener("pointercancel", ({ pointerType }) => { if (pointerType !== "touch") down = false; }, true);
document.addEventListener("page:exchanged", () => { answered = Date.now(); });

// True for a field that holds something that the server did not send.
/** @param {any} field of whatever kind */
const isTouched = (field) => field.type !== "hidden" && (field.options
  ? [...field.options].some(({ selected, defaultSelected }) => selected !== defaultSelected) && field.selectedIndex > 0
  : field.value !== field.defaultValue || field.checked !== field.defaultChecked);
const FIELDS = "[data-live] :is(input, select, textarea)";
const isBusy = () => down || Date.now() - moved < QUIET || !getSelection()?.isCollapsed ||
  document.querySelector("form[data-sent], [data-live] .asked-first[open]") ||
  document.activeElement?.matches(FIELDS) || [...document.querySelectorAll(FIELDS)].some(isTouched);

/** @param {Response} answer */
export async function exchange(answer) {
  if (answer.status !== 200) return;
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
  while (isBusy()) await new Promise((go) => setTimeout(go, 100));
  if (answer.headers.get("X-Version") !== page.dataset.version) return location.reload();
  if (Date.now() - answered < AFTER || !document.querySelector("[data-live]")) return;
  const before = describeBars(), settle = holdView();
  exchangeParts(fresh);
  document.title = fresh.title;
  settle();
  if (describeBars() !== before) holdStill();
  document.dispatchEvent(new Event("live:exchanged"));
  if (answer.headers.has("X-Keep")) keepLater();
}

/** @param {Document} fresh */
function exchangeParts(fresh) {
  for (const part of fresh.querySelectorAll("header.top, [data-live]")) {
    const old = document.querySelector(part.id ? `#${part.id}` : "header.top");
    if (old) morph(old, part);
    else document.getElementById("main").append(document.importNode(part, true));
  }
  for (const old of document.querySelectorAll("[data-live]")) if (!fresh.getElementById(old.id)) old.remove();
  page.toggleAttribute("data-lacking", "lacking" in fresh.documentElement.dataset);
}

// The links and buttons in bars of actions, and at the table of a session.
const describeBars = () => [...document.querySelectorAll(":is(.actions, .log-top, #fool) :is(a, button)")].map((/** @type {any} a link or a button */ { textContent, href, form, value }) => textContent + (href ?? form?.action + value)).join();

// --- one part --------------------------------------------------------------------------------------

// The key of an element among its siblings; a line of a list is known by its link.
/** @param {any} node an element, or a text without any of this */
const keyOf = (node) => node.id || (/^(TR|LI)$/.test(node.nodeName) ? node.querySelector("a[href]")?.getAttribute("href") : node.nodeName === "FORM" ? node.getAttribute("action") : "") || "";
/** @param {Node} node @param {Node} other */
const isSame = (node, other) => node.nodeName === other.nodeName && keyOf(node) === keyOf(other);

/** @param {any} old @param {any} fresh of the same kind */
function morph(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if ("own" in old.dataset) return;
  /** @param {string} name */
  const isOwn = (name) => name === "open" && old.nodeName === "DETAILS"; // whoever looks at it has opened it
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !isOwn(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value && !isOwn(name)) old.setAttribute(name, value);
  let place = old.firstChild;
  /** @param {Node | null} end */
  const removeUntil = (end) => {
    while (place && place !== end) {
      const gone = place;
      place = place.nextSibling;
      gone.remove();
    }
  };
  const wanted = /** @type {Node[]} */ ([...fresh.childNodes]);
  for (const [n, child] of wanted.entries()) {
    const same = findSame(place, child, wanted.slice(n + 1));
    if (same) {
      removeUntil(same);
      morph(same, child);
      place = same.nextSibling;
    } else old.insertBefore(document.importNode(child, true), place);
  }
  removeUntil(null);
}

// Finds the old node that becomes this child, unless a later child needs a node before it.
/** @param {Node | null} place @param {Node} child @param {Node[]} later @returns {Node | null} */
function findSame(place, child, later) {
  for (let node = place; node; node = node.nextSibling) {
    if (isSame(node, child)) return node;
    if (child.nodeType !== Node.ELEMENT_NODE || (node.nodeType === Node.ELEMENT_NODE && later.some((other) => isSame(node, other)))) return null;
  }
  return null;
}

// Remembers what is in view; returns a function that scrolls back to it afterwards, and sets the focus if it was lost.
function holdView() {
  const focused = document.activeElement;
  /** @type {[element: Element, top: number][]} */
  const places = [];
  for (let y = 8; y < innerHeight; y += 48) {
    const element = scrollY > 0 && document.elementFromPoint(innerWidth / 2, y)?.closest("[data-live]:not(.actions) *");
    if (element) places.push([element, element.getBoundingClientRect().top]);
  }
  page.style.overflowAnchor = "none";
  return () => {
    const [element, top = 0] = places.find(([place]) => place.isConnected) ?? [];
    if (element) scrollBy({ top: element.getBoundingClientRect().top - top, behavior: "instant" });
    page.style.overflowAnchor = "";
    if (!focused?.isConnected) document.getElementById("main").focus({ preventScroll: true });
  };
}

// --- stored in the phone ---------------------------------------------------------------------------

// Lets the worker store the page again, with what goes with it: each phone at its own time, and only while it is in use.
const SOONEST = 4_000, SPREAD = 16_000;
/** @type {number | undefined} */
let due;
function keepLater() {
  due ??= setTimeout(() => {
    due = undefined;
    if (document.hidden) document.addEventListener("visibilitychange", keepLater, { once: true });
    else navigator.serviceWorker?.controller?.postMessage({ seen: location.href });
  }, SOONEST + Math.random() * SPREAD);
}
