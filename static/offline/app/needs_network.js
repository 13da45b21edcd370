// A page that needs the network: its link works when there is one.
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

// A browser that reports no network is right; one that reports a network may be wrong.
open(navigator.onLine);
addEventListener("online", () => { open(true); look(); });
addEventListener("offline", () => { open(false); sentence.hidden = true; });
document.addEventListener("visibilitychange", look);
setInterval(look, LOOK_INTERVAL);
look();
