// A match that came in a link: shows what is in it. Nothing of it leaves the phone before the form is sent.
import { readGiven } from "./giving.js";

const form = /** @type {HTMLFormElement} */ (document.getElementById("take-in")), field = form.elements.link;
const preview = document.getElementById("preview"), fault = document.getElementById("link-error");
const asked = /** @type {HTMLElement} */ (fault.parentElement), actions = document.querySelector(".actions"), titles = JSON.parse(form.dataset.titles ?? "");

/** @param {string} name @param {number} total */
function makeSide(name, total) {
  const side = document.createElement("span"), player = document.createElement("bdi"), points = document.createElement("b");
  side.className = "standing-side";
  player.className = "player";
  player.textContent = name;
  points.textContent = String(total);
  side.append(player, " ", points);
  return side;
}

async function show() {
  const link = field.value;
  try {
    const { shown, record } = await readGiven(link);
    if (field.value !== link) return; // it was changed meanwhile
    const standing = preview.querySelector(".standing"), facts = preview.querySelector(".facts");
    standing.classList.toggle("of-two", shown.sides.length === 2);
    standing.replaceChildren(...shown.sides.map((/** @type {[string, number]} */ side) => makeSide(...side)));
    facts.textContent = `${titles[record.game] ?? record.game} · ${(facts.dataset.entries ?? "").replace("{n}", shown.entries)}`;
    actions.hidden = preview.hidden = false;
  } catch {
    actions.hidden = preview.hidden = true;
    if (link) say(fault.dataset.damaged ?? "");
  }
}

/** @param {string} text */
function say(text) {
  fault.hidden = !text;
  fault.querySelector("*").textContent = text;
  asked.classList.toggle("wrong", Boolean(text));
}

const isSent = location.hash.startsWith("#give=");
if (isSent) field.value = location.href;
if (window.DecompressionStream) {
  field.addEventListener("input", () => { say(""); show(); });
  show().then(() => { asked.hidden = isSent && !preview.hidden; });
}
