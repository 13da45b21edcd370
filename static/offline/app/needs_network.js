// On a page that waits for the network: the way on opens when there is one.
import { reaches } from "./asking.js";

const LOOK_INTERVAL = 5_000; // milliseconds
const again = /** @type {HTMLAnchorElement} */ (document.getElementById("again")), sentence = document.getElementById("network-back"), { href } = again;

/** @param {boolean} isOpen */
function open(isOpen) {
  if (isOpen) again.href = href;
  else again.removeAttribute("href");
  again.ariaDisabled = isOpen ? null : "true";
}

async function look() {
  if (document.hidden || !sentence.hidden || !(await reaches())) return;
  open(true);
  sentence.hidden = false;
}

// A browser that knows of no network has none; one that believes to have one may still be wrong.
open(navigator.onLine);
addEventListener("online", () => { open(true); look(); });
addEventListener("offline", () => { open(false); sentence.hidden = true; });
document.addEventListener("visibilitychange", look);
setInterval(look, LOOK_INTERVAL);
look();
