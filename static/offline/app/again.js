// On the list of matches, once the app is on the home screen: a quiet line offers it there too, until it is taken or declined.
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
