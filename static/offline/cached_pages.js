// Pages stored for the time without network: registers the worker that stores them, and adapts a stored page.
import { renewKey } from "./fields.js";
import { askToPersist, wanted } from "./storage.js";
import { formatTime } from "./times.js";

const root = document.documentElement;

// A stored page may be used several times: each time its forms get other keys.
if (root.dataset.kept) {
  const strip = document.getElementById("kept");
  strip.querySelector("[data-said]").textContent = (strip.dataset.said ?? "").replace("{time}", formatTime(root.dataset.kept));
  strip.hidden = false;
  for (const form of document.forms) renewKey(form);
  for (const [name, value] of new URLSearchParams(location.search)) choose(name, value);
  addEventListener("DOMContentLoaded", tapMode); // when the scripts of the form listen
}

// Chooses what the address asks for, as the server does.
/** @param {string} name @param {string} value */
function choose(name, value) {
  const choices = /** @type {HTMLInputElement[]} */ ([...document.querySelectorAll(`form[method=post] input[type=radio][name="${CSS.escape(name)}"]`)]);
  const chosen = choices.find((choice) => choice.value === value);
  if (chosen) for (const choice of choices) choice.defaultChecked = choice === chosen;
  if (name === "open") document.getElementById(`entry-${value}`)?.closest("details").setAttribute("open", "");
}

function tapMode() {
  const mode = new URLSearchParams(location.search).get("mode");
  document.querySelector(`button[name=do][value="counting:${CSS.escape(mode ?? "")}"]:not([aria-pressed=true])`)?.click();
}

// Links the board on the placeholder of a page that is not stored.
const board = /^.*\/m\/[\w-]+/.exec(location.pathname)?.[0], link = /** @type {HTMLAnchorElement | null} */ (document.getElementById("to-board"));
if (link && board && board !== location.pathname) {
  link.href = board;
  link.hidden = false;
}

// Registers the worker that runs the app in this phone; if it cannot be fetched the present one stays, or the plain one comes.
/** @param {string} address */
const registerPocket = async (address) => {
  const { serviceWorker } = navigator;
  const made = await serviceWorker.register(address.replace("sw.js", "sw-pocket.js"), { type: "module" }).catch(() => serviceWorker.getRegistration());
  return made ?? serviceWorker.register(address);
};

async function keep() {
  if (matchMedia("(display-mode: standalone)").matches) askToPersist();
  const address = /** @type {HTMLMetaElement | null} */ (document.querySelector("meta[name=worker]"))?.content;
  if (!address) return; // the worker made this page
  const worker = await (wanted() ? registerPocket(address) : navigator.serviceWorker.register(address));
  if (!worker || navigator.serviceWorker.controller) return; // it stores what it opens by itself
  const { active } = await navigator.serviceWorker.ready;
  active?.postMessage({ seen: location.href });
}
if (window.isSecureContext && navigator.serviceWorker) keep().catch(() => {});
