// On the first page of a folder of files: leads on to where somebody wanted to go, as soon as the program is ready.
import { below } from "../storage.js";

const LEFT = "left", TOO_SOON = 20_000; // milliseconds in which a page that leads back here is not opened again by itself
const link = /** @type {HTMLAnchorElement} */ (document.getElementById("lead-on"));
const { origin, search, hash } = location;

// The address in `to`, if it is one of ours; else the match in the fragment, or the list of matches in the language of this page.
function findTarget() {
  const to = new URLSearchParams(search).get("to"), home = `${below}${document.documentElement.lang}/`;
  if (to?.startsWith(below) && new URL(to, origin).origin === origin) return to + hash;
  return home + (hash.startsWith("#give=") ? "given" : "") + hash; // with another fragment alone no page would be loaded
}

// An iPhone has another storage for what is opened from its home screen.
document.querySelector("[data-home-screen]").hidden = Reflect.get(navigator, "standalone") !== false;

document.addEventListener("program:ready", () => {
  const isAgain = Date.now() - Number(sessionStorage.getItem(LEFT)) < TOO_SOON;
  sessionStorage.setItem(LEFT, String(Date.now()));
  link.href = findTarget();
  if (!isAgain) return location.replace(link.href);
  link.hidden = false;
});
