// Offers the program on the list of matches, in a quiet line, once the app is on the home screen, until that is accepted or
// declined.
import { findObstacle, wanted } from "./asking.js";
import { findManifest } from "./fetching.js";

const DECLINED = "pocket-declined";
const line = document.getElementById("pocket-again");

async function offer() {
  const isInstalled = matchMedia("(display-mode: standalone)").matches;
  if (!isInstalled || wanted() || localStorage.getItem(DECLINED) || findObstacle() || !(await findManifest())) return;
  line.hidden = false;
}

line.querySelector("button").addEventListener("click", () => {
  localStorage.setItem(DECLINED, "1");
  line.hidden = true;
  document.getElementById("main").focus({ preventScroll: true });
});
matchMedia("(display-mode: standalone)").addEventListener("change", offer);
offer();
